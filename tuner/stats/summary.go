package stats

import (
	"fmt"
	"math"

	"golang.org/x/perf/benchmath"
)

// A Summary describes one sample by its median and an interval for the median of what was
// sampled, made of two order statistics; nothing is assumed of the distribution but that the
// samples are alike. It is valid for a number of samples fixed beforehand.
type Summary struct {
	Median float64 // in the unit of the sample, NaN if N is 0
	Lo, Hi float64 // infinite where N is too small for the confidence
	// Confidence is that of Lo and Hi: at least what was asked for.
	Confidence float64
	N          int
	// Warnings are doubts about the numbers above, in words for a user.
	Warnings []string
}

// Summarize describes values at the given confidence (0.95 for 95%). It does not keep or
// reorder values. The order statistics are benchmath's.
func Summarize(values []float64, confidence float64) Summary {
	if len(values) == 0 {
		nan := math.NaN()
		return Summary{Median: nan, Lo: math.Inf(-1), Hi: math.Inf(1), Confidence: 1,
			Warnings: []string{"no samples"}}
	}
	sorted := append([]float64(nil), values...)
	sample := benchmath.NewSample(sorted, &benchmath.DefaultThresholds)
	s := benchmath.AssumeNothing.Summary(sample, confidence)
	sum := Summary{Median: s.Center, Lo: s.Lo, Hi: s.Hi, Confidence: s.Confidence, N: len(values)}
	for _, w := range s.Warnings {
		sum.Warnings = append(sum.Warnings, w.Error())
	}
	return sum
}

// A Comparison is how much faster a candidate is than the baseline, from the log-ratios
// log(baseline time / candidate time) of N paired rounds. Above zero, the candidate is faster.
// It is kept in logs because logs add; Ratio and RatioInterval give what people read.
//
// A strategy that minimizes is told -LogRatio, which is log(candidate/baseline).
type Comparison struct {
	LogRatio   float64 // median over rounds, NaN if N is 0
	Lo, Hi     float64 // interval of LogRatio, infinite where N is too small
	Confidence float64
	N          int
	Warnings   []string
}

// Ratio is baseline time over candidate time: above 1 means faster.
func (c Comparison) Ratio() float64 { return math.Exp(c.LogRatio) }

// RatioInterval is the interval of Ratio, from 0 to +Inf where N is too small.
func (c Comparison) RatioInterval() (lo, hi float64) { return math.Exp(c.Lo), math.Exp(c.Hi) }

// Compare compares two entrants over paired rounds: baseline[i] and candidate[i] are the times
// of round i in one unit, both positive. The number of rounds must have been fixed beforehand;
// a Sequence compares while rounds still come in.
func Compare(baseline, candidate []float64, confidence float64) (Comparison, error) {
	if len(baseline) != len(candidate) {
		return Comparison{}, fmt.Errorf("%d baseline times and %d candidate times, expected one of each in every round",
			len(baseline), len(candidate))
	}
	logs := make([]float64, len(baseline))
	for i := range logs {
		for _, t := range []float64{baseline[i], candidate[i]} {
			if err := checkTime(t); err != nil {
				return Comparison{}, fmt.Errorf("round %d: %w", i, err)
			}
		}
		logs[i] = math.Log(baseline[i]) - math.Log(candidate[i])
	}
	return compareLogs(logs, confidence), nil
}

func compareLogs(logs []float64, confidence float64) Comparison {
	s := Summarize(logs, confidence)
	return Comparison{LogRatio: s.Median, Lo: s.Lo, Hi: s.Hi, Confidence: s.Confidence, N: s.N, Warnings: s.Warnings}
}

func checkTime(t float64) error {
	if !(t > 0) || math.IsInf(t, 0) {
		return fmt.Errorf("time is %v, expected a positive finite number", t)
	}
	return nil
}
