package search

import (
	"math/rand/v2"
	"slices"
)

// sortedBy returns 0..n-1 in ascending order of key.
func sortedBy(n int, key func(int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return key(a) - key(b) })
	return order
}

// orderParams chooses the order in which parameters are bound: always one that completes, or nearly completes,
// the tightest of the constraints already begun, so that prefixes die early and few constraints
// are open at a time. Parameters that no constraint reads come last.
func orderParams(params []Param, bounds []bound) ([]int, error) {
	tightness := make([]float64, len(bounds))
	for c := range bounds {
		var err error
		if tightness[c], err = passRate(&bounds[c], params); err != nil {
			return nil, err
		}
	}
	left := make([]int, len(bounds)) // unbound variables
	reads := make([][]int, len(params))
	for c := range bounds {
		left[c] = len(bounds[c].vars)
		for _, v := range bounds[c].vars {
			reads[v] = append(reads[v], c)
		}
	}
	placed := make([]bool, len(params))
	order := make([]int, 0, len(params))
	place := func(v int) {
		placed[v] = true
		order = append(order, v)
		for _, c := range reads[v] {
			left[c]--
		}
	}
	// A parameter with one value costs no branching and makes its constraints smaller.
	for v := range params {
		if len(params[v].Values) == 1 {
			place(v)
		}
	}
	for len(order) < len(params) {
		best, bestScore := -1, 0.0
		for c := range bounds {
			if left[c] == 0 {
				continue
			}
			begun := left[c] < len(bounds[c].vars)
			score := 1 / (float64(left[c]) * (0.1 + tightness[c]))
			if begun {
				score *= 2
			}
			if best < 0 || score > bestScore {
				best, bestScore = c, score
			}
		}
		if best < 0 {
			for v := range params {
				if !placed[v] {
					place(v)
				}
			}
			break
		}
		pick := -1
		for _, v := range bounds[best].vars {
			if !placed[v] && (pick < 0 || len(reads[v]) > len(reads[pick])) {
				pick = v
			}
		}
		place(pick)
	}
	return order, nil
}

// passRate estimates the share of points that a constraint keeps.
func passRate(c *bound, params []Param) (float64, error) {
	domains := c.domains(params)
	// A constraint over a mask would be bound over all masks for an estimate.
	if m, ok := c.Constraint.(*overMask); ok && m.bits() > 8 {
		return 0.5, nil
	}
	check, err := c.Bind(domains)
	if err != nil {
		return 0, err
	}
	// Few points are all tried, of many a sample.
	const samples = 64
	total := 1
	for _, d := range domains {
		if total *= len(d); total > samples {
			total = 0
			break
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	point := make([]int, len(domains))
	tried, pass := max(1, total), 0
	if total == 0 {
		tried = samples
	}
	for t := range tried {
		for i, d := range domains {
			if total == 0 {
				point[i] = rng.IntN(len(d))
			} else {
				point[i], t = t%len(d), t/len(d)
			}
		}
		// A point without a value is reported by the build, where all other constraints hold.
		if ok, err := check(point); ok && err == nil {
			pass++
		}
	}
	return float64(pass) / float64(tried), nil
}
