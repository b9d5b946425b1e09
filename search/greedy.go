package search

// NewGreedy descends to the first better neighbour until none is better, then jumps a few parameters away from
// the best end so far and descends again (iterated local search, Lourenço, Martin and Stützle 2003).
func NewGreedy(space *Space, seed uint64) Strategy {
	return newWalking(space, seed, 21, iterateLocalSearch)
}

func iterateLocalSearch(w *walker) {
	best := descend(w, w.one(w.random()))
	for stuck := 0; stuck < 6; stuck++ {
		end := descend(w, w.one(w.jump(best.Index, 2+w.rng.IntN(2))))
		if better(end, best) {
			best, stuck = end, 0
		}
	}
}

// descend moves to the first better neighbour, tried in random order, until there is none.
func descend(w *walker, at Outcome) Outcome {
	for moved := true; moved; {
		moved = false
		near := w.space.Neighbours(at.Index, Hamming, nil)
		w.rng.Shuffle(len(near), func(i, j int) { near[i], near[j] = near[j], near[i] })
		for _, i := range near {
			if next := w.one(i); better(next, at) {
				at, moved = next, true
				break
			}
		}
	}
	return at
}

// jump changes some dimensions at random; it returns a random point where no such change is valid.
func (w *walker) jump(from, dimensions int) int {
	const tries = 100
	for range tries {
		coords := w.space.Coords(from, nil)
		for range dimensions {
			d := w.rng.IntN(len(coords))
			coords[d] = w.rng.IntN(len(w.space.dims[d].Values))
		}
		if i, ok := w.space.IndexCoords(coords); ok && i != from {
			return i
		}
	}
	return w.random()
}
