package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The mixture must be a martingale under fair signs: then Ville's inequality applies.
func TestWealthIsAMartingale(t *testing.T) {
	for n := 0; n < 60; n++ {
		for k := 0; k <= n; k++ {
			next := (math.Exp(logWealth(k+1, n+1)) + math.Exp(logWealth(k, n+1))) / 2
			if now := math.Exp(logWealth(k, n)); math.Abs(next/now-1) > 1e-9 {
				t.Fatalf("wealth after %d of %d is %v, mean of the next is %v", k, n, now, next)
			}
		}
	}
	if w := logWealth(0, 0); math.Abs(w) > 1e-12 {
		t.Fatalf("log wealth at the start is %v, expected 0", w)
	}
}

// The exact probability that fair signs ever cross, by dynamic programming over all paths.
func TestBoundaryExactError(t *testing.T) {
	const rounds = 2000
	for _, alpha := range []float64{0.1, 0.01, 0.0001} {
		b := newBoundary(alpha)
		alive := []float64{1}
		crossed := 0.0
		for n := 1; n <= rounds; n++ {
			next := make([]float64, n+1)
			for k, p := range alive {
				next[k] += p / 2
				next[k+1] += p / 2
			}
			for k := b.critical(n); k <= n; k++ {
				crossed += next[k]
				next[k] = 0
			}
			alive = next
		}
		t.Logf("alpha %v: crossed with probability %.3g within %d rounds", alpha, crossed, rounds)
		if crossed > alpha {
			t.Errorf("alpha %v: crossed with probability %v", alpha, crossed)
		}
		if crossed < alpha/20 {
			t.Errorf("alpha %v: crossed with probability %v only, the boundary wastes rounds", alpha, crossed)
		}
	}
}

func TestRuleDecidesQuickly(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var rounds []float64
	for trial := 0; trial < 1000; trial++ {
		s := NewRule(0.01, 100, 0.01).Sequence()
		for s.Decision() == Undecided && s.N() < 200 {
			s.Observe(math.Log(1.05) + 0.01*rng.NormFloat64() - 0.01*rng.NormFloat64())
		}
		if d := s.Decision(); d != Faster {
			t.Fatalf("trial %d: %v after %d rounds, expected faster", trial, d, s.N())
		}
		rounds = append(rounds, float64(s.N()))
	}
	sum := Summarize(rounds, 0.95)
	t.Logf("5%% faster, 1%% noise, alpha 0.01 over 100 comparisons: median %v rounds", sum.Median)
	if sum.Median < 14 || sum.Median > 25 {
		t.Errorf("median %v rounds, expected 15 to 25", sum.Median)
	}
}

func TestDecisions(t *testing.T) {
	for _, c := range []struct {
		name  string
		ratio float64
		want  Decision
	}{{"faster", 0.05, Faster}, {"slower", -0.05, Slower}, {"equivalent", 0.0005, Equivalent}} {
		rng := rand.New(rand.NewPCG(3, 4))
		s := NewRule(0.01, 10, 0.01).Sequence()
		if s.Decision() != Undecided {
			t.Fatalf("%v before the first round", s.Decision())
		}
		for s.N() < 400 && s.Decision() == Undecided {
			s.Observe(c.ratio + 0.005*rng.NormFloat64())
		}
		if d := s.Decision(); d != c.want {
			t.Errorf("%s: %v after %d rounds", c.name, d, s.N())
		}
	}
}

func TestSequenceIntervalIsOrderStatistics(t *testing.T) {
	r := NewRule(0.05, 1, 0.01)
	s := r.Sequence()
	for i := 0; i < 40; i++ {
		s.Observe(float64((i * 17) % 40))
		lo, hi := s.Interval()
		k := newBoundary(0.025).critical(s.N())
		above, below := 0, 0
		for _, x := range s.sorted {
			if x > lo {
				above++
			}
			if x < hi {
				below++
			}
		}
		if k <= s.N() && (above != k-1 || below != k-1) {
			t.Fatalf("n %d: %d above lo and %d below hi, expected %d", s.N(), above, below, k-1)
		}
	}
	c := r.Sequence().Comparison()
	if c.N != 0 || !math.IsNaN(c.LogRatio) || len(c.Warnings) == 0 {
		t.Errorf("empty comparison is %+v", c)
	}
}

// A timer with a coarse quantum gives many ties; identical kernels must not be told apart.
func TestTiesCountForNeither(t *testing.T) {
	s := NewRule(0.01, 1, 0).Sequence()
	for i := 0; i < 200; i++ {
		s.Observe(0)
	}
	if d := s.Decision(); d == Faster || d == Slower {
		t.Errorf("ties only: %v", d)
	}
}
