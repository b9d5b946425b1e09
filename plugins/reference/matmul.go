package reference

import (
	"fmt"
	"math"
)

// A Layout says how the operands of a matrix product lie in memory.
type Layout string

const (
	// NT is C = A·Bᵀ: A is m×k and B n×k, both row-major; C is stored as n rows of m, so that
	// element (i, j) of the product is at j*m + i. It is a decoder's: weights A, one token's
	// activations a row of B, one token's results a row of C.
	NT Layout = "nt"
	// NN is C = A·B, all row-major: A m×k, B k×n, C m×n.
	NN Layout = "nn"
)

// A Matmul is a matrix product of one shape. All its methods run on every core.
type Matmul struct {
	M, N, K int64
	Layout  Layout
}

// Validate reports sizes below 1, an unknown layout, or operands whose lengths do not fit;
// nil operands are not looked at.
func (p Matmul) Validate(a, b, c []float32) error {
	if p.M < 1 || p.N < 1 || p.K < 1 {
		return fmt.Errorf("matmul %dx%dx%d, expected sizes of at least 1", p.M, p.N, p.K)
	}
	if p.Layout != NT && p.Layout != NN {
		return fmt.Errorf("matmul layout %q, expected nt or nn", p.Layout)
	}
	for _, x := range []struct {
		name string
		v    []float32
		n    int64
	}{{"a", a, p.M * p.K}, {"b", b, p.N * p.K}, {"c", c, p.M * p.N}} {
		if x.v != nil && int64(len(x.v)) != x.n {
			return fmt.Errorf("matmul %dx%dx%d: %s has %d elements, expected %d", p.M, p.N, p.K, x.name, len(x.v), x.n)
		}
	}
	return nil
}

// Position is where element (i, j) of the product lies in C, and Element the inverse.
func (p Matmul) Position(i, j int64) int64 {
	if p.Layout == NT {
		return j*p.M + i
	}
	return i*p.N + j
}

// Element gives row and column of the product for a position in C.
func (p Matmul) Element(at int64) (i, j int64) {
	if p.Layout == NT {
		return at % p.M, at / p.M
	}
	return at / p.N, at % p.N
}

// Product computes every element in float64, in C's order: want, and Σ|a||b| for the bound.
// It takes 2·m·n·k operations: at 4096³ the better part of a minute on two cores.
func (p Matmul) Product(a, b []float32) (want, abs []float64, err error) {
	if err := p.Validate(a, b, nil); err != nil {
		return nil, nil, err
	}
	want, abs = make([]float64, p.M*p.N), make([]float64, p.M*p.N)
	columns := p.columns(b)
	parallelRows(int(p.M), func(lo, hi int) {
		for i := int64(lo); i < int64(hi); i++ {
			row := a[i*p.K : (i+1)*p.K]
			for j := range p.N {
				at := p.Position(i, j)
				want[at], abs[at] = dot(row, columns[j*p.K:(j+1)*p.K])
			}
		}
	})
	return want, abs, nil
}

// Samples computes the elements at the given positions of C, as Product does.
func (p Matmul) Samples(a, b []float32, at []int64) (want, abs []float64, err error) {
	if err := p.Validate(a, b, nil); err != nil {
		return nil, nil, err
	}
	for _, x := range at {
		if x < 0 || x >= p.M*p.N {
			return nil, nil, fmt.Errorf("matmul %dx%dx%d: position %d is outside C, which has %d elements", p.M, p.N, p.K, x, p.M*p.N)
		}
	}
	want, abs = make([]float64, len(at)), make([]float64, len(at))
	parallelRows(len(at), func(lo, hi int) {
		column := make([]float32, p.K)
		for s := lo; s < hi; s++ {
			i, j := p.Element(at[s])
			if p.Layout == NT {
				column = b[j*p.K : (j+1)*p.K]
			} else {
				for l := range column {
					column[l] = b[int64(l)*p.N+j]
				}
			}
			want[s], abs[s] = dot(a[i*p.K:(i+1)*p.K], column)
		}
	})
	return want, abs, nil
}

// columns is B as n rows of k.
func (p Matmul) columns(b []float32) []float32 {
	if p.Layout == NT {
		return b
	}
	t := make([]float32, len(b))
	parallelRows(int(p.N), func(lo, hi int) {
		for l := range p.K {
			row := b[l*p.N : (l+1)*p.N]
			for j := int64(lo); j < int64(hi); j++ {
				t[j*p.K+l] = row[j]
			}
		}
	})
	return t
}

// dot is Σ x·y and Σ |x·y|. Products of two float32 are exact in float64.
func dot(x, y []float32) (sum, abs float64) {
	y = y[:len(x)]
	for i, v := range x {
		t := float64(v) * float64(y[i])
		sum += t
		abs += math.Abs(t)
	}
	return sum, abs
}
