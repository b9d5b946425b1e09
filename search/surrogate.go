package search

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Surrogate learns the cost from the outcomes so far with a forest, and where points fail with a second one, and asks
// for the valid point with the greatest expected improvement times the chance to work (Jones, Schonlau
// and Welch 1998; Hutter, Hoos and Leyton-Brown 2011).
type Surrogate struct {
	history
	rng      *rand.Rand
	encoder  *encoder
	start    []int
	shuffled shuffle
}

var _ Strategy = (*Surrogate)(nil)

// NewSurrogate returns a model-based strategy.
func NewSurrogate(space *Space, seed uint64) *Surrogate {
	rng := rand.New(rand.NewPCG(seed, 1))
	return &Surrogate{history: newHistory(space), rng: rng, encoder: newEncoder(space), shuffled: shuffle{rng: rng, left: space.Len()}}
}

var XStart, XTrees, XTries, XLeaf = 10, 32, 8, 1
var XXi = 0.0
var XRand = 0

// Ask implements Strategy.
func (s *Surrogate) Ask(n int) []int {
	var points []int
	for len(points) < n && !s.Done() {
		i := -1
		if len(s.asked) < XStart || len(s.ok) < 3 || XRand > 0 && len(s.asked)%XRand == 0 {
			i = s.random()
		} else {
			i = s.best()
		}
		s.ask(i)
		points = append(points, i)
	}
	return points
}

func (s *Surrogate) random() int {
	for {
		if i := s.shuffled.draw(); !s.seen(i) {
			return i
		}
	}
}

// best maximises the acquisition over candidates.
func (s *Surrogate) best() int {
	cost, works := s.models()
	candidates := s.candidates()
	incumbent := s.ok[0].Cost
	for _, o := range s.ok {
		incumbent = min(incumbent, o.Cost)
	}
	best, bestValue := -1, math.Inf(-1)
	for _, i := range candidates {
		row := s.encoder.row(i)
		mean, variance := cost.predict(row)
		v := expectedImprovement(incumbent-XXi, mean, math.Sqrt(variance+1e-9))
		if works != nil {
			p, _ := works.predict(row)
			v *= p
		}
		if v > bestValue {
			best, bestValue = i, v
		}
	}
	if best < 0 {
		return s.random()
	}
	return best
}

func (s *Surrogate) models() (cost, works *forest) {
	var x [][]float32
	var y []float64
	for _, o := range s.ok {
		x = append(x, s.encoder.row(o.Index))
		y = append(y, o.Cost)
	}
	cost = growForest(x, y, XTrees, XTries, XLeaf, s.rng)
	if len(s.failed) == 0 {
		return cost, nil
	}
	for i := range y {
		y[i] = 1
	}
	for _, i := range s.failed {
		x = append(x, s.encoder.row(i))
		y = append(y, 0)
	}
	return cost, growForest(x, y, XTrees/2, XTries, 1, s.rng)
}

// candidates are the unseen neighbours of the best points, recombinations of good points, and random points.
func (s *Surrogate) candidates() []int {
	const random, elite = 300, 6
	var out []int
	taken := map[int]bool{}
	add := func(i int) {
		if !s.seen(i) && !taken[i] {
			taken[i] = true
			out = append(out, i)
		}
	}
	good := slices.Clone(s.ok)
	slices.SortStableFunc(good, func(a, b Outcome) int {
		switch {
		case a.Cost < b.Cost:
			return -1
		case a.Cost > b.Cost:
			return 1
		}
		return a.Index - b.Index
	})
	for _, o := range good[:min(elite, len(good))] {
		for _, i := range s.space.Neighbours(o.Index, Hamming, nil) {
			add(i)
		}
	}
	many := min(20, len(good))
	coords := make([]int, len(s.space.dims))
	for range random {
		a := s.space.Coords(good[s.rng.IntN(many)].Index, coords)
		b := s.space.Coords(good[s.rng.IntN(many)].Index, nil)
		for d := range a {
			switch s.rng.IntN(8) {
			case 0, 1, 2:
				a[d] = b[d]
			case 3:
				a[d] = s.rng.IntN(len(s.space.dims[d].Values))
			}
		}
		if i, ok := s.space.IndexCoords(a); ok {
			add(i)
		}
	}
	for range random {
		add(s.space.Sample(s.rng))
	}
	return out
}

// expectedImprovement is the mean of max(0, best-cost) for a normal cost.
func expectedImprovement(best, mean, sd float64) float64 {
	z := (best - mean) / sd
	return (best-mean)*0.5*math.Erfc(-z/math.Sqrt2) + sd*math.Exp(-z*z/2)/math.Sqrt(2*math.Pi)
}
