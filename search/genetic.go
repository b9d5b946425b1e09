package search

import "slices"

// NewGenetic breeds a population by tournament selection, uniform crossover and mutation, keeping the best (Holland
// 1975). Children outside the space are repaired by further mutation. It needs a few hundred evaluations.
func NewGenetic(space *Space, seed uint64) Strategy {
	return newWalking(space, seed, 31, breed)
}

func breed(w *walker) {
	const size, generations, elite = 20, 50, 2
	points := make([]int, size)
	for i := range points {
		points[i] = w.random()
	}
	population := w.eval(points...)
	for range generations {
		rankOutcomes(population)
		children := []int{}
		for len(children) < size-elite {
			children = append(children, w.cross(w.tournament(population), w.tournament(population)))
		}
		population = append(population[:elite:elite], w.eval(children...)...)
	}
}

// rankOutcomes sorts best first; what failed is last.
func rankOutcomes(outcomes []Outcome) {
	slices.SortStableFunc(outcomes, func(a, b Outcome) int {
		switch {
		case better(a, b):
			return -1
		case better(b, a):
			return 1
		}
		return a.Index - b.Index
	})
}

func (w *walker) tournament(ranked []Outcome) Outcome {
	return ranked[min(w.rng.IntN(len(ranked)), w.rng.IntN(len(ranked)), w.rng.IntN(len(ranked)))]
}

// cross mixes two parents and mutates about one dimension.
func (w *walker) cross(a, b Outcome) int {
	const tries = 30
	other := w.space.Coords(b.Index, nil)
	for range tries {
		child := w.space.Coords(a.Index, nil)
		for d := range child {
			if w.rng.IntN(2) == 0 {
				child[d] = other[d]
			}
			if w.rng.IntN(len(child)) == 0 {
				child[d] = w.rng.IntN(len(w.space.dims[d].Values))
			}
		}
		if i, ok := w.space.IndexCoords(child); ok {
			return i
		}
	}
	return w.jump(a.Index, 1)
}
