package search

// NewEvolution adds scaled differences of members to a base member and keeps what improves (differential evolution,
// Storn and Price 1997), over the relaxed space with snapping to valid points.
func NewEvolution(space *Space, seed uint64) Strategy {
	r := newRelaxed(space)
	return newWalking(space, seed, 61, func(w *walker) { evolve(w, r) })
}

func evolve(w *walker, r *relaxed) {
	const size, generations = 20, 60
	const factor, crossover = 0.7, 0.8
	points := make([]int, size)
	for i := range points {
		points[i] = w.random()
	}
	members := w.eval(points...)
	for range generations {
		best := members[0]
		for _, m := range members {
			if better(m, best) {
				best = m
			}
		}
		for i := range members {
			// Half way to the best, as in current-to-best/1: a pure difference converges too slowly for a few hundred points.
			x, top := r.vector(members[i].Index), r.vector(best.Index)
			a, b := r.vector(members[w.rng.IntN(size)].Index), r.vector(members[w.rng.IntN(size)].Index)
			keep := 0
			if len(x) > 0 {
				keep = w.rng.IntN(len(x))
			}
			for k := range x {
				if k == keep || w.rng.Float64() < crossover {
					x[k] += 0.5*(top[k]-x[k]) + factor*(a[k]-b[k])
				}
			}
			points[i] = r.snap(x)
		}
		for i, o := range w.eval(points...) {
			if better(o, members[i]) {
				members[i] = o
			}
		}
	}
}
