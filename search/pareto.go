package search

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// Front returns the outcomes that worked and that no other one matches in every objective and beats in one, least
// cost first: the Pareto set. Of equal ones the first stays.
func Front(outcomes []Outcome) []Outcome {
	var front []Outcome
	for i, o := range outcomes {
		if o.Failed || slices.ContainsFunc(outcomes, func(p Outcome) bool { return !p.Failed && dominates(p, o) }) ||
			slices.ContainsFunc(outcomes[:i], func(p Outcome) bool { return !p.Failed && same(p, o) }) {
			continue
		}
		front = append(front, o)
	}
	slices.SortStableFunc(front, func(a, b Outcome) int { return cmp.Compare(a.Cost, b.Cost) })
	return front
}

// dominates reports whether a is nowhere worse than b, and somewhere better.
func dominates(a, b Outcome) bool {
	if a.Cost > b.Cost {
		return false
	}
	for i := range a.Others {
		if a.Others[i] > b.Others[i] {
			return false
		}
	}
	return !same(a, b)
}

func same(a, b Outcome) bool { return a.Cost == b.Cost && slices.Equal(a.Others, b.Others) }

// scalarize returns the outcomes with all objectives made into one cost by random weights: the augmented Tchebycheff
// norm over the ranges seen, which every point of the Pareto set minimizes for some weights. A strategy that draws
// new weights for every point closes in on the whole set (ParEGO, Knowles 2006).
func scalarize(outcomes []Outcome, rng *rand.Rand) []Outcome {
	n := 1
	var low, high []float64
	objective := func(o Outcome, k int) float64 {
		if k == 0 {
			return o.Cost
		}
		return o.Others[k-1]
	}
	for _, o := range outcomes {
		if o.Failed {
			continue
		}
		n = 1 + len(o.Others)
		for k := range n {
			v := objective(o, k)
			if len(low) < n {
				low, high = append(low, v), append(high, v)
			}
			low[k], high[k] = min(low[k], v), max(high[k], v)
		}
	}
	weights, sum := make([]float64, n), 0.0
	for k := range weights {
		weights[k] = rng.ExpFloat64() // normalized, uniform on the simplex
		sum += weights[k]
	}
	const augmented = 0.05
	out := slices.Clone(outcomes)
	for i, o := range out {
		if o.Failed {
			continue
		}
		most, all := 0.0, 0.0
		for k, w := range weights {
			if high[k] > low[k] {
				share := w / sum * (objective(o, k) - low[k]) / (high[k] - low[k])
				most = max(most, share)
				all += share
			}
		}
		out[i].Cost = most + augmented*all
	}
	return out
}
