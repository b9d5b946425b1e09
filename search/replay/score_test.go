package replay

import (
	"math"
	"slices"
	"testing"

	"github.com/krisptune/krisptune/search"
)

// line is a recording of n points with times n, n-1, ..., 1 and no failures.
func line(t *testing.T, n int) *Recording {
	t.Helper()
	var values []search.Value
	for i := range n {
		values = append(values, int64(i))
	}
	space, err := search.NewSpace([]search.Param{{Name: "x", Values: values}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &Recording{Name: "line", Space: space}
	for i := range n {
		r.Times = append(r.Times, float64(n-i))
		r.Verdict = append(r.Verdict, "ok")
	}
	return r
}

// Worked by hand from the methodology: N = 99, times 99 to 1, median 50, optimum 1.
func TestScoreByHand(t *testing.T) {
	j := newJudge(line(t, 99), 0.9)
	// The target is 1 + 49*0.1 = 5.9; the first time at most that is 5, at index 94; 94 / (100-94) = 15.7.
	if j.cutoff != 16 {
		t.Errorf("cut-off %d, want 16", j.cutoff)
	}
	// After 4 evaluations random search is expected at index 4*100/5 = 80, whose time is 19.
	if got := j.random(4); got != 19 {
		t.Errorf("random search after 4 evaluations: %v, want 19", got)
	}
	optimal := make([]float64, j.cutoff)
	for i := range optimal {
		optimal[i] = 98
	}
	if got := j.score(optimal); math.Abs(got-1) > 1e-12 {
		t.Errorf("the optimum at once scores %v, want 1", got)
	}
	asRandom := make([]float64, j.cutoff)
	for m := range asRandom {
		asRandom[m] = math.RoundToEven(float64(m+1) * 100 / float64(m+2))
	}
	if got := j.score(asRandom); math.Abs(got) > 1e-12 {
		t.Errorf("random search scores %v, want 0", got)
	}
	// Half way between random search and the optimum at the first evaluation, as random after.
	asRandom[0] = 74 // random is at 50 with time 49; 74 has time 25: (49-25)/(49-1) = 0.5
	if got, want := j.score(asRandom), 0.5/16; math.Abs(got-want) > 1e-12 {
		t.Errorf("score %v, want %v", got, want)
	}
}

// The cut-offs of the published baseline, in testdata's recording.
func TestCutoffIsThePublishedOne(t *testing.T) {
	r, err := Open("testdata/kt_pnpoly_RTX_3090/RTX_3090.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	if j := newJudge(r, 0.95); j.cutoff != 198 {
		t.Errorf("cut-off %d, the published one is 198", j.cutoff)
	}
	// Half of the 318 failures and all of the 3774 times are there.
	ok := 0
	for _, v := range r.Verdict {
		if v == "ok" {
			ok++
		}
	}
	if r.Space.Len() != 4092 || ok != 3774 {
		t.Errorf("%d points, %d with a time, expected 4092 and 3774", r.Space.Len(), ok)
	}
}

func TestRandomSearchScoresNothing(t *testing.T) {
	s := Simulation{Repeats: 400}
	r, _ := s.Run(t.Context(), line(t, 4001), func(space *search.Space, seed uint64) search.Strategy { return search.NewRandom(space, seed) })
	// The mean of many runs; the expectation differs from the calculated curve only by rounding.
	if math.Abs(r.Score) > 0.15 {
		t.Errorf("random search scores %.3f %v", r.Score, r.Interval)
	}
	if r.Interval[0] > r.Score || r.Interval[1] < r.Score {
		t.Errorf("interval %v without the score %.3f", r.Interval, r.Score)
	}
}

// Nothing leaks from one run to another: the first and the last of many runs with one seed are equal, whatever the number of cores.
func TestRunsAreIndependent(t *testing.T) {
	r := line(t, 300)
	for _, name := range search.Names() {
		result, _ := Simulation{Repeats: 6, Budget: 60, Percentile: 0.9}.Run(t.Context(), r, func(space *search.Space, _ uint64) search.Strategy {
			s, err := search.New(name, space, 42)
			if err != nil {
				t.Fatal(err)
			}
			return s
		})
		if first, last := result.traces[0], result.traces[5]; !slices.Equal(first, last) {
			t.Errorf("%s: the first and the last of six equal runs differ", name)
		}
	}
}

// The default finds nearly all there is in a recording with failures, and is far above random search.
func TestAutoOnARecording(t *testing.T) {
	r, err := Open("testdata/kt_pnpoly_RTX_3090/RTX_3090.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	result, _ := Simulation{Repeats: 6}.Run(t.Context(), r, func(space *search.Space, seed uint64) search.Strategy { return search.NewAuto(space, seed) })
	if result.Score < 0.35 || result.FractionAt[200] < 0.99 {
		t.Errorf("score %.3f %v, fractions %v", result.Score, result.Interval, result.FractionAt)
	}
}
