package reference

import (
	"fmt"
	"math/bits"
	"slices"
)

// prime is 2^61-1: reduction modulo it is two shifts and an addition.
const prime = 1<<61 - 1

// A Freivalds checks products C of one pair of integer matrices in O(mn) each, after O(mk + kn)
// once (Freivalds, Probabilistic Machines Can Use Less Running Time, IFIP 1977): for a random
// vector r it compares A·(B·r) with C·r modulo the prime 2^61-1.
//
// A row of the product that disagrees holds a wrong element for certain. A wrong row agrees
// with probability at most 1/(2^61-1) per round, over r, as its elements are off by less than
// the prime; there are two rounds, so about 2^-122.
type Freivalds struct {
	problem Matmul
	r       [2][]uint64 // of length n
	z       [2][]uint64 // A·B·r, of length m
}

// NewFreivalds draws r from seed. a and b must be integers of magnitude up to 2^24, or an
// error is returned.
func NewFreivalds(p Matmul, a, b []float32, seed uint64) (*Freivalds, error) {
	if a == nil || b == nil {
		return nil, fmt.Errorf("matmul %dx%dx%d: a and b are both needed", p.M, p.N, p.K)
	}
	if err := p.Validate(a, b, nil); err != nil {
		return nil, err
	}
	f := &Freivalds{problem: p, r: [2][]uint64{randomVector(seed, 0, p.N), randomVector(seed, 1, p.N)}}
	y, badB := apply(b, p.K, p.N, p.Layout == NT, f.r)
	z, badA := apply(a, p.M, p.K, false, y)
	if slices.Contains(badA, true) || slices.Contains(badB, true) {
		return nil, fmt.Errorf("matmul %dx%dx%d: a or b holds a value that is no integer of magnitude up to 2^24", p.M, p.N, p.K)
	}
	f.z = z
	return f, nil
}

// Check returns the rows i of the product that disagree, in order. An element of c that is no
// integer of magnitude up to 2^24 makes its row disagree: a right result on ExactPlan's inputs
// has none.
func (f *Freivalds) Check(c []float32) ([]int64, error) {
	p := f.problem
	if int64(len(c)) != p.M*p.N {
		return nil, fmt.Errorf("matmul %dx%dx%d: c has %d elements, expected %d", p.M, p.N, p.K, len(c), p.M*p.N)
	}
	w, bad := apply(c, p.M, p.N, p.Layout == NT, f.r)
	var rows []int64
	for i := range p.M {
		if bad[i] || f.z[0][i] != w[0][i] || f.z[1][i] != w[1][i] {
			rows = append(rows, i)
		}
	}
	return rows, nil
}

func randomVector(seed, round uint64, n int64) []uint64 {
	s := NewStream(seed, round)
	v := make([]uint64, n)
	for i := range v {
		v[i] = s.Uint64(int64(i)) % prime
	}
	return v
}

// apply multiplies a rows×columns matrix of integers by two vectors modulo prime; transposed
// says that it is stored as columns rows of rows elements. bad marks rows with an element
// that is no such integer.
func apply(m []float32, rows, columns int64, transposed bool, x [2][]uint64) (y [2][]uint64, bad []bool) {
	y = [2][]uint64{make([]uint64, rows), make([]uint64, rows)}
	bad = make([]bool, rows)
	parallelRows(int(rows), func(lo, hi int) {
		if transposed {
			applyColumns(m, lo, hi, rows, columns, x, y, bad)
			return
		}
		for i := lo; i < hi; i++ {
			var s, t sum128
			for j, f := range m[int64(i)*columns : int64(i+1)*columns] {
				v, ok := integer(f)
				if !ok {
					bad[i] = true
					break
				}
				s.add(v, x[0][j])
				t.add(v, x[1][j])
			}
			y[0][i], y[1][i] = s.mod(), t.mod()
		}
	})
	return y, bad
}

// applyColumns makes rows lo to hi of the product from a matrix whose columns are contiguous.
func applyColumns(m []float32, lo, hi int, rows, columns int64, x, y [2][]uint64, bad []bool) {
	s, t := make([]sum128, hi-lo), make([]sum128, hi-lo)
	for j := range columns {
		x0, x1 := x[0][j], x[1][j]
		for i, f := range m[j*rows+int64(lo) : j*rows+int64(hi)] {
			v, ok := integer(f)
			if !ok {
				bad[lo+i] = true
				continue
			}
			s[i].add(v, x0)
			t[i].add(v, x1)
		}
	}
	for i := range s {
		y[0][lo+i], y[1][lo+i] = s[i].mod(), t[i].mod()
	}
}

// largestInteger is the last of the integers that float32 holds without gaps.
const largestInteger = 1 << 24

// integer is f as one, if it is one of magnitude up to largestInteger. NaN is none.
func integer(f float32) (int64, bool) {
	if !(f >= -largestInteger && f <= largestInteger) {
		return 0, false
	}
	v := int64(f)
	return v, float32(v) == f
}

// A sum128 collects up to 2^42 products of an integer and a residue without reduction.
type sum128 struct{ hi, lo uint64 }

// add adds v·x for x below prime; a negative v takes prime - x in x's place.
func (s *sum128) add(v int64, x uint64) {
	sign := uint64(v >> 63)
	x ^= (x ^ (prime - x)) & sign
	hi, lo := bits.Mul64((uint64(v)^sign)-sign, x)
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, lo, 0)
	s.hi, _ = bits.Add64(s.hi, hi, carry)
}

// mod is the sum modulo prime.
func (s *sum128) mod() uint64 {
	// s = hi·2^64 + lo, and 2^64 = 8 modulo prime; hi·8 needs reducing first.
	h := reduce(s.hi)
	return reduce(reduce(h<<3&prime+h>>58) + reduce(s.lo))
}

// reduce is x modulo prime, for any x.
func reduce(x uint64) uint64 {
	x = x&prime + x>>61
	if x >= prime {
		x -= prime
	}
	return x
}
