package simulated

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/krisptune/krisptune/tuner/stats"
)

// The reduced form of checkstats: seeds and sizes differ, the claims are the same.
func TestCheck(t *testing.T) {
	var race, aa Count
	for _, n := range Noises {
		race.Add(Check(Scenario{Noise: n, OneRace: true}, 1, 60))
		race.Add(Check(Scenario{Noise: n}, 2, 60))
		aa.Add(Check(Scenario{Noise: n, Identical: true}, 3, 60))
	}
	// At the permitted rate of 1% these limits are passed once in 1,000 runs or less; seeds are
	// fixed, so a failure means that the rules have changed.
	if race.False > 17 || race.Untrue > 17 {
		t.Errorf("%d false winners and %d untrue gains in %d tunes", race.False, race.Untrue, race.Tunes)
	}
	if aa.Different > 10 || aa.Better > 10 {
		t.Errorf("%d of %d A/A tunes called something different, %d better", aa.Different, aa.Tunes, aa.Better)
	}
	if miss := aa.Confirmed - aa.Covered; miss > 10 || aa.Confirmed < aa.Tunes/2 {
		t.Errorf("%d of %d reported ratios of identical kernels miss 1", miss, aa.Confirmed)
	}
	// Rules that never say anything would pass all of the above.
	if race.Declared < race.Tunes/2 || race.Better < race.Tunes/3 {
		t.Errorf("%d winners declared and %d better in %d tunes", race.Declared, race.Better, race.Tunes)
	}
	// The devices must be hard enough for naive rules to fail.
	if n := race.Naive; n[0].False < race.Tunes/50 || n[1].False < race.Tunes/50 {
		t.Errorf("naive false winners: %d and %d in %d tunes", n[0].False, n[1].False, race.Tunes)
	}
}

func TestCheckIsReproducible(t *testing.T) {
	a, b := Check(Scenario{Noise: Noises[1]}, 7, 20), Check(Scenario{Noise: Noises[1]}, 7, 20)
	if middle(a.Samples) != middle(b.Samples) || a.Better != b.Better || quantile(a.Ratios, 0.3) != quantile(b.Ratios, 0.3) {
		t.Error("equal seeds, different counts")
	}
}

func TestNoises(t *testing.T) {
	for _, n := range Noises {
		var all []float64
		for i := uint64(0); i < 20; i++ {
			d := NewDevice(n, rand.New(rand.NewPCG(9, i)))
			for j := 0; j < 2000; j++ {
				x := d.Sample(1)
				if !(x > 0) || math.IsInf(x, 0) {
					t.Fatalf("%s: time %v", n.Name, x)
				}
				all = append(all, x)
			}
		}
		if m := middle(all); m < 0.9 || m > 2.1 {
			t.Errorf("%s: median %v", n.Name, m)
		}
		if n.Name == "two-state clock" {
			if lo, hi := quantile(all, 0.1), quantile(all, 0.9); math.Abs(hi/lo/(0.65/0.32)-1) > 0.05 {
				t.Errorf("two-state clock: %v and %v", lo, hi)
			}
		}
	}
}

// The public record as A/A ground truth: each benchmark's 32 runs of one configuration are 16
// rounds of two labels.
func TestRecordShowsNoDifference(t *testing.T) {
	times, err := Record()
	if err != nil || len(times) != 32000 {
		t.Fatalf("%d times, %v", len(times), err)
	}
	rng := rand.New(rand.NewPCG(10, 11))
	const alpha = 0.05
	called := 0
	for b := 0; b < len(times); b += 32 {
		s := stats.NewRule(alpha, 1, 0).Sequence()
		different := false
		for i := b; i < b+32; i += 2 {
			x, y := times[i], times[i+1]
			if rng.IntN(2) == 0 {
				x, y = y, x
			}
			s.Observe(math.Log(x / y))
			d := s.Decision()
			different = different || d == stats.Faster || d == stats.Slower
		}
		if different {
			called++
		}
	}
	if u := UpperBound(called, 1000); u > alpha {
		t.Errorf("%d of 1000 called different, upper bound %v, expected at most %v", called, u, alpha)
	}
	if called == 0 {
		t.Error("none called different: 16 rounds cannot tell anything apart")
	}
}

func TestUpperBound(t *testing.T) {
	// The rule of three: 0 of n is bounded by about 3/n.
	if u := UpperBound(0, 10000); math.Abs(u-2.995e-4) > 1e-6 {
		t.Errorf("0 of 10000: %v", u)
	}
	if UpperBound(5, 5) != 1 {
		t.Error("5 of 5")
	}
}

func TestReportNamesWhatFails(t *testing.T) {
	var b strings.Builder
	failures := Report(&b, []uint64{1}, 30)
	// Five tunes of a kind cannot show a rate below 1%.
	if len(failures) == 0 || !strings.Contains(strings.Join(failures, "\n"), "upper bound") {
		t.Errorf("failures %q", failures)
	}
	for _, part := range []string{"## False winners", "## A/A", "## The best of 200", "## Rounds until", "| two-state clock |"} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("the report lacks %q", part)
		}
	}
}
