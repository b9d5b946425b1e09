package reference

import (
	"errors"
	"fmt"
	"math"

	"github.com/krisptune/krisptune/plugins"
)

// An ExactPlan makes integer inputs for which every intermediate result of a dot product of
// length K is exact in the accumulator's type, in whatever order it is summed, and every
// output exact in its storage type. The result must then be equal bit by bit: one lost,
// doubled or misplaced product shows.
//
// All elements of B and the supported elements of A are integers from ±1 to ±Amplitude. A
// partial sum is at most Amplitude² times the support's size, which the accumulator holds
// exactly up to 2^p (p bits of significand: 2^24 for f32, 2048 for f16). Where K is too large
// for that even at ±1, the columns of A are divided among several runs: in run r the columns
// outside its support are zero. Supports are disjoint, of nearly equal size, spread over
// [0, K) by a permutation, and together they cover every k: since no supported product is
// zero, each of the m·n·K products changes an output in exactly one run.
type ExactPlan struct {
	K         int64
	Runs      int
	Amplitude int64

	seed       uint64
	multiplier int64 // coprime to K: k -> k*multiplier+offset mod K permutes [0, K)
	offset     int64
}

// An ExactRequest says what a plan is for.
type ExactRequest struct {
	K                        int64 // length of the dot products
	A, B, Accumulator, Store plugins.ElementType
	// Outputs is how many dot products there are. With Risk it matters only where the
	// storage type is narrower than the accumulator.
	Outputs int64
	// Risk, if positive, is the probability, over the seed, that an output is not exact in
	// its storage type that one is willing to take for fewer runs. Partial sums are exact
	// all the same. Signs are independent, so by Hoeffding's inequality a sum of s products
	// of ±1 leaves [-t, t] with probability at most 2·exp(-t²/2s).
	Risk float64
	Seed uint64
}

// PlanExact chooses the fewest runs, then the largest amplitude.
func PlanExact(r ExactRequest) (ExactPlan, error) {
	if r.K < 1 {
		return ExactPlan{}, fmt.Errorf("k = %d, expected at least 1", r.K)
	}
	if r.K > math.MaxInt32 {
		return ExactPlan{}, fmt.Errorf("k = %d, expected at most %d", r.K, math.MaxInt32)
	}
	limits := map[plugins.ElementType]int64{}
	for _, t := range []plugins.ElementType{r.A, r.B, r.Accumulator, r.Store} {
		f, err := formatOf(t)
		if err != nil {
			return ExactPlan{}, err
		}
		limits[t] = f.integers()
	}
	if r.Risk < 0 || r.Risk >= 1 {
		return ExactPlan{}, fmt.Errorf("risk %v, expected a probability below 1", r.Risk)
	}
	if r.Risk > 0 && r.Outputs < 1 {
		return ExactPlan{}, errors.New("a plan with a risk needs the number of outputs")
	}

	support := min(limits[r.Accumulator], limits[r.Store])
	if t := float64(limits[r.Store]); r.Risk > 0 && limits[r.Store] < limits[r.Accumulator] {
		likely := t * t / (2 * math.Log(2*float64(r.Outputs)/r.Risk))
		support = max(support, int64(math.Min(likely, float64(limits[r.Accumulator]))))
	}
	runs := (r.K + support - 1) / support
	size := (r.K + runs - 1) / runs
	amplitude := int64(1)
	for next := int64(2); next <= 64 && next*next*size <= min(limits[r.Accumulator], limits[r.Store]) &&
		next <= min(limits[r.A], limits[r.B]); next++ {
		amplitude = next
	}

	p := ExactPlan{K: r.K, Runs: int(runs), Amplitude: amplitude, seed: r.Seed}
	s := NewStream(r.Seed, 0)
	p.offset = int64(s.Uint64(0) % uint64(r.K))
	for i := int64(1); ; i++ {
		p.multiplier = int64(s.Uint64(i)%uint64(r.K)) + 1
		if gcd(p.multiplier, r.K) == 1 {
			return p, nil
		}
	}
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// RunOf is the run whose support holds k.
func (p ExactPlan) RunOf(k int64) int {
	return int((k*p.multiplier + p.offset) % p.K % int64(p.Runs))
}

// A fills dst with elements first, first+1, ... of A in the given run. The index of k is the
// fastest: A's rows are dot-product operands.
func (p ExactPlan) A(run int, first int64, dst []float32) {
	s := NewStream(p.seed, 1+2*uint64(run))
	parallel(len(dst), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			e := first + int64(i)
			if p.Runs > 1 && p.RunOf(e%p.K) != run {
				dst[i] = 0
				continue
			}
			dst[i] = nonzero(s.Uint64(e), p.Amplitude)
		}
	})
}

// B fills dst with elements first, first+1, ... of B in the given run, in any layout.
func (p ExactPlan) B(run int, first int64, dst []float32) {
	NewStream(p.seed, 2+2*uint64(run)).Integers(first, dst, p.Amplitude)
}
