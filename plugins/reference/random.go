package reference

import (
	"math"
	"sync"
)

// A Stream is a sequence of random numbers that can be entered anywhere: number i depends on
// the stream and i alone, so that any slice of a tensor can be made by itself. It is
// SplitMix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA
// 2014) indexed by its counter.
type Stream uint64

// NewStream returns stream number id of a seed; streams of different ids are unrelated.
func NewStream(seed uint64, id uint64) Stream {
	return Stream(mix(mix(seed+golden) + golden*(id+1)))
}

// Uint64 is the stream's number i, uniform over all 64-bit values.
func (s Stream) Uint64(i int64) uint64 { return mix(uint64(s) + golden*uint64(i+1)) }

const golden = 0x9e3779b97f4a7c15

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Normals fills dst with elements first, first+1, ... of the stream's standard normal
// numbers, cut off near 3.9 standard deviations.
func (s Stream) Normals(first int64, dst []float32) {
	table := quantiles()
	parallel(len(dst), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			u := s.Uint64(first + int64(i))
			cell := u >> (64 - quantileBits)
			part := float64(u<<quantileBits>>11) * 0x1p-53
			dst[i] = float32(table[cell] + part*(table[cell+1]-table[cell]))
		}
	})
}

// Integers fills dst with elements first, first+1, ... of the stream's integers, uniform over
// ±1 to ±amplitude: never zero, so that no product of two of them vanishes.
func (s Stream) Integers(first int64, dst []float32, amplitude int64) {
	parallel(len(dst), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			dst[i] = nonzero(s.Uint64(first+int64(i)), amplitude)
		}
	})
}

func nonzero(u uint64, amplitude int64) float32 {
	v := float32(int64(u>>1)%amplitude + 1)
	if u&1 != 0 {
		return -v
	}
	return v
}

const quantileBits = 12

// quantiles are the standard normal distribution's at i/2^quantileBits, the two ends taken
// half a cell inside. Between them the distribution is interpolated linearly: for inputs of a
// rounding test its first two moments and its range are what matters.
var quantiles = sync.OnceValue(func() []float64 {
	n := 1 << quantileBits
	t := make([]float64, n+1)
	for i := range t {
		p := float64(i)
		switch i {
		case 0:
			p = 0.25
		case n:
			p = float64(n) - 0.25
		}
		t[i] = math.Sqrt2 * math.Erfinv(2*p/float64(n)-1)
	}
	return t
})
