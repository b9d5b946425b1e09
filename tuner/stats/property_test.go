package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// Looked at after every round, the interval may miss the true median in at most alpha of
// sequences, whatever the distribution: skewed, without a mean, or of two states.
func TestAnytimeCoverage(t *testing.T) {
	const alpha, sequences, rounds = 0.1, 1000, 300
	for name, d := range map[string]struct {
		draw   func(*rand.Rand) float64
		median float64
	}{
		"normal":      {func(r *rand.Rand) float64 { return r.NormFloat64() }, 0},
		"exponential": {func(r *rand.Rand) float64 { return r.ExpFloat64() }, math.Ln2},
		"Cauchy":      {func(r *rand.Rand) float64 { return math.Tan(math.Pi * (r.Float64() - 0.5)) }, 0},
		"two states":  {func(r *rand.Rand) float64 { return float64(r.IntN(3)/2) + 1e-3*r.Float64() }, 0.75e-3},
	} {
		rng := rand.New(rand.NewPCG(23, 24))
		missed := 0
		for i := 0; i < sequences; i++ {
			s := NewRule(alpha, 1, 0).Sequence()
			for n := 0; n < rounds; n++ {
				s.Observe(d.draw(rng))
				if lo, hi := s.Interval(); d.median < lo || d.median > hi {
					missed++
					break
				}
			}
		}
		t.Logf("%s: %d of %d sequences missed the median at some round", name, missed, sequences)
		// 100 are allowed; 3 sigma of a binomial count are 28.
		if missed > 128 {
			t.Errorf("%s: %d of %d sequences missed the median", name, missed, sequences)
		}
		if missed < 20 {
			t.Errorf("%s: only %d of %d missed, the interval is too wide for its alpha", name, missed, sequences)
		}
	}
}

// A plain interval, recomputed after every round, is the mistake that Rule exists to avoid.
func TestPlainIntervalInflates(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	missed := 0
	for i := 0; i < 500; i++ {
		var x []float64
		for len(x) < 100 {
			x = append(x, rng.NormFloat64())
			if s := Summarize(x, 0.95); s.Lo > 0 || s.Hi < 0 {
				missed++
				break
			}
		}
	}
	if missed < 75 {
		t.Errorf("a plain 95%% interval missed in %d of 500 sequences, expected far more than 25", missed)
	}
}

func TestRaceInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "candidates")
		kind := rapid.SampledFrom([]Kind{Batch, Final}).Draw(t, "kind")
		r, err := NewRace(kind, field(n), Options{MaxRounds: rapid.IntRange(1, 60).Draw(t, "rounds")})
		if err != nil {
			t.Fatal(err)
		}
		beaten := map[int]bool{}
		for !r.Done() {
			times := make([]float64, n+2)
			for _, i := range r.Live() {
				if beaten[i] {
					t.Fatalf("entrant %d lives again", i)
				}
				times[i] = rapid.Float64Range(0.5, 2).Draw(t, "time")
			}
			if err := r.Round(times); err != nil {
				t.Fatal(err)
			}
			// rapid prefers small numbers; this one is rare.
			if rapid.IntRange(0, 200).Draw(t, "withdraw") == 137 {
				r.Withdraw(rapid.IntRange(0, n+1).Draw(t, "entrant"))
			}
			s := r.Standing()
			if s.Declared && (len(s.Rivals) > 0 || s.Leader < 0) {
				t.Fatalf("standing %+v", s)
			}
			if s.Leader >= 0 {
				if status, _ := r.Status(s.Leader); status != Live {
					t.Fatalf("the leader is %s", status)
				}
			}
			for i := range times {
				status, by := r.Status(i)
				if (status == Beaten) != (by >= 0) || i < 2 && status == Beaten {
					t.Fatalf("entrant %d is %s by %d", i, status, by)
				}
				beaten[i] = status != Live
			}
		}
		for i := 0; i < n+2; i++ {
			if c := r.Comparison(i); c.N > 0 && !(c.Lo <= c.LogRatio && c.LogRatio <= c.Hi) {
				t.Fatalf("comparison %+v", c)
			}
		}
		r.Warnings()
	})
}
