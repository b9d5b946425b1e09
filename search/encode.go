package search

import (
	"math"
	"math/bits"
	"slices"
)

// An encoder turns points into the columns that a model measures distances in: the rank of an ordered value, how
// often 2 divides it where that says more than the rank, and an indicator for each value without an
// order. All lie in 0 to 1. Names count for nothing.
type encoder struct {
	space   *Space
	columns []column
	cache   map[int][]float32
}

// A column gives a number to each value of a dimension.
type column struct {
	dimension int
	table     []float32
}

func newEncoder(s *Space) *encoder {
	e := &encoder{space: s, cache: map[int][]float32{}}
	for d, p := range s.dims {
		switch {
		case len(p.Values) < 2:
		case s.ranks[d] == nil:
			e.categories(d, len(p.Values))
		default:
			e.ordered(d, p.Values)
		}
	}
	return e
}

func (e *encoder) ordered(d int, values []Value) {
	rank, twos := make([]float32, len(values)), make([]float32, len(values))
	power := true // every value is a power of two: their ranks say all
	for r, v := range e.space.ranks[d] {
		rank[v] = float32(r)
		if n, ok := values[v].(int64); ok && n != 0 {
			twos[v] = float32(bits.TrailingZeros64(uint64(n)))
			power = power && math.Exp2(float64(twos[v])) == float64(n)
		}
	}
	e.add(d, rank)
	if !power && len(values) > 2 {
		e.add(d, twos)
	}
}

// categories adds an indicator for each of n values; one is enough for two.
func (e *encoder) categories(d, n int) {
	indicators := n
	if n == 2 {
		indicators = 1
	}
	for v := range indicators {
		table := make([]float32, n)
		table[v] = 1
		e.add(d, table)
	}
}

// add appends a column, scaled to 0 to 1.
func (e *encoder) add(d int, table []float32) {
	lo, hi := slices.Min(table), slices.Max(table)
	if lo == hi {
		return
	}
	for i := range table {
		table[i] = (table[i] - lo) / (hi - lo)
	}
	e.columns = append(e.columns, column{d, table})
}

// row returns the columns of point i. The caller must not change them.
func (e *encoder) row(i int) []float32 {
	if r, ok := e.cache[i]; ok {
		return r
	}
	coords := e.space.Coords(i, nil)
	r := make([]float32, len(e.columns))
	for c, col := range e.columns {
		r[c] = col.table[coords[col.dimension]]
	}
	// A run meets some points again and again, and most of a large space never.
	const most = 1 << 15
	if len(e.cache) >= most {
		clear(e.cache)
	}
	e.cache[i] = r
	return r
}
