package replay

import (
	"math"
	"slices"
)

// A judge scores strategies on one recording by the methodology of Willemsen et al., "A methodology for comparing
// optimization algorithms for auto-tuning" (FGCS 2024), as its authors' code computes it, in evaluations.
// Their smoothing of the random curve by a monotone interpolant (PCHIP) is taken at its knots, where it changes nothing.
type judge struct {
	worstFirst []float64 // times of the points that worked
	place      []int     // of point: index into worstFirst, -1 for failures
	cutoff     int       // evaluations that are scored
}

// newJudge prepares the score up to the evaluation at which random search is expected to have closed the given share,
// such as 0.95, of the distance from the median to the optimum.
func newJudge(r *Recording, percentile float64) *judge {
	j := &judge{place: make([]int, len(r.Times))}
	var order []int
	for i := range r.Times {
		j.place[i] = -1
		if r.Verdict[i] == "ok" {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case r.Times[a] > r.Times[b]:
			return -1
		case r.Times[a] < r.Times[b]:
			return 1
		}
		return 0
	})
	for place, i := range order {
		j.worstFirst = append(j.worstFirst, r.Times[i])
		// Equal times are one place, the best: to have found one is to have found all.
		j.place[i] = place
	}
	for place := len(order) - 2; place >= 0; place-- {
		if i, next := order[place], order[place+1]; r.Times[i] == r.Times[next] {
			j.place[i] = j.place[next]
		}
	}
	n := len(j.worstFirst)
	target := j.optimum() + (j.median()-j.optimum())*(1-percentile)
	first := slices.IndexFunc(j.worstFirst, func(t float64) bool { return t <= target })
	j.cutoff = max(1, int(math.Ceil(float64(first)/float64(n+1-first))))
	return j
}

func (j *judge) optimum() float64 { return j.worstFirst[len(j.worstFirst)-1] }

func (j *judge) median() float64 {
	n := len(j.worstFirst)
	return (j.worstFirst[(n-1)/2] + j.worstFirst[n/2]) / 2
}

// random is the time that random search without replacement is expected to have found after m evaluations.
func (j *judge) random(m int) float64 {
	n := len(j.worstFirst)
	at := math.RoundToEven(float64(m) * float64(n+1) / float64(m+1))
	return j.worstFirst[min(n-1, int(at))]
}

// score is the mean over evaluations of how far between random search, 0, and the optimum, 1, a strategy is.
// places[m] is the mean over repeats of the place of the best point after m+1 evaluations.
func (j *judge) score(places []float64) float64 {
	sum, n := 0.0, 0
	for m := range j.cutoff {
		random := j.random(m + 1)
		if random == j.optimum() {
			break // random search is expected to have found it: nothing is left to win
		}
		found := j.worstFirst[int(math.RoundToEven(places[min(m, len(places)-1)]))]
		sum += (random - found) / (random - j.optimum())
		n++
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
