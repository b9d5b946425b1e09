package search

import "math"

// NewAnnealing walks by single-parameter moves and accepts worse points with a chance that shrinks as it cools
// (Kirkpatrick, Gelatt and Vecchi 1983). The temperature follows the spread of the costs seen, so that units do not
// matter. It suits spaces where neighbours behave alike.
func NewAnnealing(space *Space, seed uint64) Strategy {
	return newWalking(space, seed, 11, anneal)
}

func anneal(w *walker) {
	const cooling, coldest = 0.97, 0.01
	at := w.one(w.random())
	for at.Failed {
		at = w.one(w.random())
	}
	spread := 0.0
	for heat := 1.0; heat > coldest; heat *= cooling {
		near := w.space.Neighbours(at.Index, Adjacent, nil)
		if w.rng.IntN(4) == 0 || len(near) == 0 {
			near = w.space.Neighbours(at.Index, Hamming, nil)
		}
		if len(near) == 0 {
			return
		}
		next := w.one(near[w.rng.IntN(len(near))])
		if next.Failed {
			continue
		}
		worse := next.Cost - at.Cost
		spread = max(spread*0.99, math.Abs(worse))
		if worse <= 0 || w.rng.Float64() < math.Exp(-3*worse/(heat*spread)) {
			at = next
		}
	}
}
