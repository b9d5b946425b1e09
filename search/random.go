package search

import "math/rand/v2"

// Random asks for points uniformly without replacement. It needs memory for the points asked only, so that
// it works in any space, and is what every other strategy has to beat.
type Random struct {
	shuffle shuffle
}

var _ Strategy = (*Random)(nil)

// NewRandom returns a strategy that draws without replacement.
func NewRandom(space *Space, seed uint64) *Random {
	return &Random{shuffle{rng: rand.New(rand.NewPCG(seed, 0)), left: space.Len(), total: space.Len()}}
}

// Ask implements Strategy.
func (r *Random) Ask(n int) []int {
	var points []int
	for len(points) < n && r.shuffle.left > 0 {
		points = append(points, r.shuffle.draw())
	}
	return points
}

// Tell implements Strategy.
func (r *Random) Tell([]Outcome) {}

// Done implements Strategy.
func (r *Random) Done() bool { return r.shuffle.left == 0 }

// A shuffle deals 0..n-1 in random order by Fisher and Yates' method, keeping only the entries that moved.
type shuffle struct {
	rng   *rand.Rand
	left  int
	total int
	moved map[int]int
}

func (s *shuffle) draw() int {
	if s.moved == nil {
		s.moved = map[int]int{}
	}
	at := func(i int) int {
		if v, ok := s.moved[i]; ok {
			return v
		}
		return i
	}
	i := s.rng.IntN(s.left)
	v := at(i)
	s.left--
	s.moved[i] = at(s.left)
	delete(s.moved, s.left)
	return v
}
