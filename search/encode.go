package search

import (
	"math"
	"math/bits"
)

// An encoder turns points into the numbers that a model learns from. Numeric parameters give their rank and
// how often 2 divides them; pairs of positive ones give the logarithm of their product, since
// kernels depend on products such as the invocations of a workgroup. Names count for nothing.
type encoder struct {
	space   *Space
	columns []column
	cache   map[int][]float32
}

// A column is the sum of up to two tables over the values of a dimension each.
type column struct {
	a, b   int // dimensions; b is -1 if there is one
	ta, tb []float32
}

// maxPairs bounds the columns of products.
const maxPairs = 66

func newEncoder(s *Space) *encoder {
	e := &encoder{space: s, cache: map[int][]float32{}}
	var positive []int
	logs := map[int][]float32{}
	for d, p := range s.dims {
		if len(p.Values) < 2 {
			continue
		}
		if s.ranks[d] == nil {
			e.categories(d, len(p.Values))
			continue
		}
		rank, twos, log := make([]float32, len(p.Values)), make([]float32, len(p.Values)), make([]float32, len(p.Values))
		above, odd := true, false
		for r, v := range s.ranks[d] {
			rank[v] = float32(r)
			number, isInt := numberOf(p.Values[v])
			above = above && number > 0
			log[v] = float32(math.Log2(max(number, 1e-300)))
			if isInt && number != 0 {
				twos[v] = float32(bits.TrailingZeros64(uint64(p.Values[v].(int64))))
				odd = odd || math.Exp2(float64(twos[v])) != number
			}
		}
		e.columns = append(e.columns, column{d, -1, rank, nil})
		if odd && len(p.Values) > 2 {
			e.columns = append(e.columns, column{d, -1, twos, nil})
		}
		if above {
			positive = append(positive, d)
			logs[d] = log
		}
	}
	pairs := 0
	for i, a := range positive {
		for _, b := range positive[:i] {
			if pairs++; pairs <= maxPairs {
				e.columns = append(e.columns, column{a, b, logs[a], logs[b]})
			}
		}
	}
	return e
}

func numberOf(v Value) (number float64, isInt bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, false
	}
	return 0, false
}

// categories adds an indicator for each value without an order; one is enough for two.
func (e *encoder) categories(d, n int) {
	if n == 2 {
		n = 1
	}
	for v := range n {
		t := make([]float32, len(e.space.dims[d].Values))
		t[v] = 1
		e.columns = append(e.columns, column{d, -1, t, nil})
	}
}

// row returns the columns of point i. The caller must not change them.
func (e *encoder) row(i int) []float32 {
	if r, ok := e.cache[i]; ok {
		return r
	}
	coords := e.space.Coords(i, nil)
	r := make([]float32, len(e.columns))
	for c, col := range e.columns {
		r[c] = col.ta[coords[col.a]]
		if col.b >= 0 {
			r[c] += col.tb[coords[col.b]]
		}
	}
	// A run meets some points again and again, and most of a large space never.
	const most = 1 << 15
	if len(e.cache) >= most {
		clear(e.cache)
	}
	e.cache[i] = r
	return r
}
