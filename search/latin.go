package search

import "math/rand/v2"

// Latin asks for a Latin hypercube of points first, in which each parameter takes all of its range about equally often
// (McKay, Beckman and Conover 1979), and goes on at random.
type Latin struct {
	Random
	start []int
	asked map[int]bool
}

var _ Strategy = (*Latin)(nil)

// NewLatin returns a strategy whose first 20 points are a Latin hypercube.
func NewLatin(space *Space, seed uint64) *Latin {
	const points = 20
	l := &Latin{Random: *NewRandom(space, seed), asked: map[int]bool{}}
	l.start = latinHypercube(space, points, rand.New(rand.NewPCG(seed, 91)))
	return l
}

// Ask implements Strategy.
func (l *Latin) Ask(n int) []int {
	var points []int
	for len(points) < n && !l.Done() {
		i := 0
		if len(l.start) > 0 {
			i = l.start[0]
			l.start = l.start[1:]
		} else {
			i = l.shuffle.draw()
		}
		if !l.asked[i] {
			l.asked[i] = true
			points = append(points, i)
		}
	}
	return points
}

// Done implements Strategy.
func (l *Latin) Done() bool { return len(l.asked) == l.shuffle.total }

// latinHypercube returns up to n different valid points, each snapped from one cell of every row.
func latinHypercube(space *Space, n int, rng *rand.Rand) []int {
	r := newRelaxed(space)
	cells := make([][]int, len(r.dims))
	for k := range cells {
		cells[k] = rng.Perm(n)
	}
	x := make([]float64, len(r.dims))
	var points []int
	seen := map[int]bool{}
	for p := range n {
		for k := range x {
			// A value owns an equal part of the range, where snapping rounds to the nearest of evenly spaced values.
			values := float64(len(space.dims[r.dims[k]].Values))
			u := (float64(cells[k][p]) + rng.Float64()) / float64(n)
			x[k] = (u*values - 0.5) / (values - 1)
		}
		if i := r.snap(x); !seen[i] {
			seen[i] = true
			points = append(points, i)
		}
	}
	return points
}
