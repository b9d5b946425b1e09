package search

// NewSwarm moves particles through the relaxed space, drawn towards their own best place and the swarm's (Kennedy
// and Eberhart 1995), and snaps them to valid points.
func NewSwarm(space *Space, seed uint64) Strategy {
	r := newRelaxed(space)
	return newWalking(space, seed, 51, func(w *walker) { swarm(w, r) })
}

func swarm(w *walker, r *relaxed) {
	const particles, rounds = 20, 60
	const inertia, own, social = 0.6, 1.6, 1.6
	type particle struct {
		x, v, best []float64
		found      Outcome
	}
	flock := make([]particle, particles)
	points := make([]int, particles)
	for i := range flock {
		points[i] = w.random()
	}
	global, leader := Outcome{Failed: true}, r.vector(points[0])
	for i, o := range w.eval(points...) {
		x := r.vector(points[i])
		flock[i] = particle{x: x, best: append([]float64(nil), x...), v: make([]float64, len(x)), found: o}
		for k := range flock[i].v {
			flock[i].v[k] = 0.4 * (w.rng.Float64() - 0.5)
		}
		if better(o, global) {
			global, leader = o, flock[i].best
		}
	}
	for range rounds {
		for i := range flock {
			p := &flock[i]
			for k := range p.x {
				p.v[k] = inertia*p.v[k] + own*w.rng.Float64()*(p.best[k]-p.x[k]) + social*w.rng.Float64()*(leader[k]-p.x[k])
				p.x[k] = min(1, max(0, p.x[k]+p.v[k]))
			}
			points[i] = r.snap(p.x)
		}
		for i, o := range w.eval(points...) {
			p := &flock[i]
			if better(o, p.found) {
				p.found, p.best = o, r.vector(o.Index)
			}
			if better(o, global) {
				global, leader = o, p.best
			}
		}
	}
}
