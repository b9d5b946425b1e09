package search

import "math"

// A relaxed space is the unit cube over the dimensions with more than one value, ordered by value where there is an
// order. Algorithms over real vectors walk it, and each vector is snapped to a valid point.
type relaxed struct {
	space *Space
	dims  []int
}

func newRelaxed(s *Space) *relaxed {
	r := &relaxed{space: s}
	for d, p := range s.dims {
		if len(p.Values) > 1 {
			r.dims = append(r.dims, d)
		}
	}
	return r
}

// vector returns the place of a point.
func (r *relaxed) vector(i int) []float64 {
	coords := r.space.Coords(i, nil)
	x := make([]float64, len(r.dims))
	for k, d := range r.dims {
		at := coords[d]
		for rank, v := range r.space.ranks[d] {
			if v == coords[d] {
				at = rank
			}
		}
		x[k] = float64(at) / float64(len(r.space.dims[d].Values)-1)
	}
	return x
}

// snap returns a valid point near x: the rounded one, or the nearest of valid points found by walking the diagram
// towards x, level by level, along the nearest value that has completions.
func (r *relaxed) snap(x []float64) int {
	coords := make([]int, len(r.space.dims))
	for k, d := range r.dims {
		n := len(r.space.dims[d].Values)
		at := int(math.Round(min(1, max(0, x[k])) * float64(n-1)))
		if order := r.space.ranks[d]; order != nil {
			at = order[at]
		}
		coords[d] = at
	}
	if i, ok := r.space.IndexCoords(coords); ok {
		return i
	}
	place := make([]int, len(r.space.dims))
	for k, d := range r.dims {
		place[d] = k
	}
	node := r.space.diagram.root
	var rank uint64
	for _, d := range r.space.order {
		var nearest edge
		least := math.Inf(1)
		for _, e := range r.space.diagram.out(node) {
			if distance := r.distance(d, int(e.value), x[min(place[d], len(x)-1)]); distance < least {
				nearest, least = e, distance
			}
		}
		rank += nearest.before
		node = nearest.child
	}
	return int(rank)
}

func (r *relaxed) distance(d, value int, x float64) float64 {
	n := len(r.space.dims[d].Values)
	if n == 1 {
		return 0
	}
	at := value
	for rank, v := range r.space.ranks[d] {
		if v == value {
			at = rank
		}
	}
	return math.Abs(float64(at)/float64(n-1) - x)
}
