package stats

import (
	"fmt"
	"math"
	"sort"
)

// A Drift is a change of the device while a race ran, seen in the baseline's own times. Ratios
// within rounds survive it, but kernels may answer differently to another clock or a warmer
// chip, so a user is told.
type Drift struct {
	Kind DriftKind
	// Round is the first round after a step; 0 for a slope.
	Round int
	// Change is the step's size, or the slope's over the whole race, as a fraction of the time
	// before: 0.05 is 5% slower.
	Change float64
}

// A DriftKind is how the baseline's time changed.
type DriftKind string

const (
	Step  DriftKind = "step"  // from one round to the next
	Slope DriftKind = "slope" // bit by bit
)

func (d Drift) String() string {
	word := "slower"
	if d.Change < 0 {
		word = "faster"
	}
	if d.Kind == Step {
		return fmt.Sprintf("the baseline became %.1f%% %s at round %d of the race", 100*math.Abs(d.Change), word, d.Round)
	}
	return fmt.Sprintf("the baseline became %.1f%% %s bit by bit during the race", 100*math.Abs(d.Change), word)
}

const (
	driftRounds = 12    // fewer show nothing
	driftP      = 0.001 // chance of a warning on a steady device, per test
	driftLeast  = 0.005 // a smaller change is nobody's concern
)

// DetectDrift looks for a step (Pettitt's rank test for one change point, Appl. Statist. 28,
// 1979, 126-135) or a slope (Mann, Econometrica 13, 1945, 245-259; size after Theil and Sen) in
// the baseline's times, in the order taken. Only a change that is larger than the times'
// spread around it counts: a clock that flips between two states all the time is noise, a
// clock that changes once is drift. Nil means that none was seen.
func DetectDrift(times []float64) *Drift {
	n := len(times)
	if n < driftRounds {
		return nil
	}
	logs := make([]float64, n)
	for i, t := range times {
		logs[i] = math.Log(t)
	}
	step, stepSpread := pettitt(logs)
	slope, slopeSpread := mannKendall(logs)
	// Both shapes pass both tests when the change is large; the one that leaves less over
	// describes it.
	if step != nil && (slope == nil || stepSpread <= slopeSpread) {
		return step
	}
	return slope
}

// pettitt also returns the spread that is left when the step is taken out.
func pettitt(x []float64) (*Drift, float64) {
	n := len(x)
	var u, at, most float64
	for t := 0; t < n-1; t++ {
		for _, y := range x {
			u += sign(x[t] - y)
		}
		if math.Abs(u) > most {
			most, at = math.Abs(u), float64(t+1)
		}
	}
	k, m := int(at), float64(n)
	if p := 2 * math.Exp(-6*most*most/(m*m*m+m*m)); p > driftP {
		return nil, 0
	}
	before, after := medianOf(x[:k]), medianOf(x[k:])
	rest := make([]float64, n)
	for i := range x {
		rest[i] = x[i] - before
		if i >= k {
			rest[i] = x[i] - after
		}
	}
	return judged(Drift{Kind: Step, Round: k}, after-before, rest)
}

// mannKendall also returns the spread that is left when the slope is taken out.
func mannKendall(x []float64) (*Drift, float64) {
	n := len(x)
	var s float64
	slopes := make([]float64, 0, n*(n-1)/2)
	for i := range x {
		for j := i + 1; j < n; j++ {
			s += sign(x[j] - x[i])
			slopes = append(slopes, (x[j]-x[i])/float64(j-i))
		}
	}
	m := float64(n)
	z := (math.Abs(s) - 1) / math.Sqrt(m*(m-1)*(2*m+5)/18)
	if math.Erfc(z/math.Sqrt2) > driftP {
		return nil, 0
	}
	slope := medianOf(slopes)
	rest := make([]float64, n)
	for i := range x {
		rest[i] = x[i] - slope*float64(i)
	}
	centre := medianOf(rest)
	for i := range rest {
		rest[i] -= centre
	}
	return judged(Drift{Kind: Slope}, slope*(m-1), rest)
}

// judged keeps a change of size (in logs) if it stands out of the spread of what is left.
func judged(d Drift, size float64, rest []float64) (*Drift, float64) {
	for i := range rest {
		rest[i] = math.Abs(rest[i])
	}
	spread := 1.4826 * medianOf(rest) // the median absolute deviation, as a normal's sigma
	if math.Abs(size) < 2*spread || math.Abs(size) < driftLeast {
		return nil, 0
	}
	d.Change = math.Expm1(size)
	return &d, spread
}

func medianOf(x []float64) float64 {
	sorted := append([]float64(nil), x...)
	sort.Float64s(sorted)
	return median(sorted)
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}
