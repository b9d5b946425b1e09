package stats

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

func TestSummarize(t *testing.T) {
	values := []float64{5, 1, 4, 2, 3, 9, 8, 7, 6}
	s := Summarize(values, 0.95)
	if s.Median != 5 || s.N != 9 || s.Confidence < 0.95 || s.Lo != 2 || s.Hi != 8 || len(s.Warnings) != 0 {
		t.Errorf("%+v", s)
	}
	if values[0] != 5 || values[8] != 6 {
		t.Error("the sample was reordered")
	}
	for _, few := range [][]float64{nil, {3}, {3, 4}, {1, 2, 3, 4, 5}} {
		s := Summarize(few, 0.95)
		if !math.IsInf(s.Hi-s.Lo, 1) || len(s.Warnings) == 0 {
			t.Errorf("%d values: %+v, expected an infinite interval and a warning", len(few), s)
		}
	}
}

// The stated confidence must be the exact coverage of the two order statistics, or less.
func TestSummaryConfidenceIsExact(t *testing.T) {
	for _, confidence := range []float64{0.95, 0.99} {
		for n := 8; n <= 400; n++ {
			values := make([]float64, n)
			for i := range values {
				values[i] = float64(i + 1)
			}
			s := Summarize(values, confidence)
			if math.IsInf(s.Lo, 0) || math.IsInf(s.Hi, 0) {
				continue
			}
			// The median lies between order statistics lo and hi if at least lo and fewer
			// than hi of n fair coins fall below it.
			b := distuv.Binomial{N: float64(n), P: 0.5}
			exact := b.CDF(s.Hi-1) - b.CDF(s.Lo-1)
			if exact < confidence-0.0005 {
				t.Errorf("n %d: interval [%v, %v] covers with probability %v, expected %v", n, s.Lo, s.Hi, exact, confidence)
			}
		}
	}
}

func TestCompare(t *testing.T) {
	base := []float64{10, 20, 10, 20, 10, 20, 10, 20}
	cand := []float64{5, 10, 5, 10, 5, 10, 5, 10}
	c, err := Compare(base, cand, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if lo, hi := c.RatioInterval(); math.Abs(c.Ratio()-2) > 1e-12 || math.Abs(lo-2) > 1e-12 || math.Abs(hi-2) > 1e-12 || c.N != 8 {
		t.Errorf("%+v", c)
	}
	if _, err := Compare(base, cand[1:], 0.95); err == nil {
		t.Error("unpaired rounds: no error")
	}
	if _, err := Compare([]float64{1, 0}, []float64{1, 1}, 0.95); err == nil {
		t.Error("a time of 0: no error")
	}
}
