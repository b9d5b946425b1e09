package search

// NewTabu moves to the best of a sample of neighbours that it has not visited of late, even if it is worse
// (Glover 1989), and starts elsewhere when it has not improved for long.
func NewTabu(space *Space, seed uint64) Strategy {
	return newWalking(space, seed, 41, tabu)
}

func tabu(w *walker) {
	const sample, patience = 12, 12
	at := w.one(w.random())
	best := at
	visited := map[int]bool{at.Index: true}
	for idle := 0; idle < patience; idle++ {
		near := w.space.Neighbours(at.Index, Hamming, nil)
		w.rng.Shuffle(len(near), func(i, j int) { near[i], near[j] = near[j], near[i] })
		var choice []int
		for _, i := range near {
			if !visited[i] && len(choice) < sample {
				choice = append(choice, i)
			}
		}
		if len(choice) == 0 {
			return
		}
		outcomes := w.eval(choice...)
		rankOutcomes(outcomes)
		at = outcomes[0]
		visited[at.Index] = true
		if better(at, best) {
			best, idle = at, -1
		}
	}
}
