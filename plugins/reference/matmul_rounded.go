package reference

import (
	"math"
	"slices"
	"sync"
)

// A roundedMatmul holds outputs on random normals against the float64 product, each within its
// bound, and all together against a common factor (ScaleError). Large products are sampled:
// 4,096 positions at random, and those next to multiples of 64 and to the last row and column,
// where tiles meet.
type roundedMatmul struct {
	matmulCase
	bound   DotBound
	inputs  func() map[string][]byte
	prepare func() (roundedAnswer, error)
}

var _ Trial = (*roundedMatmul)(nil)

type roundedAnswer struct {
	at        []int64
	want, abs []float64
}

func newRoundedMatmul(c matmulCase, bound DotBound, seed uint64) *roundedMatmul {
	t := &roundedMatmul{matmulCase: c, bound: bound}
	t.inputs = sync.OnceValue(func() map[string][]byte {
		// Types were checked and lengths are ours: neither can fail.
		a, _ := encode(c.a, NewStream(seed, 1001).Normals)
		b, _ := encode(c.b, NewStream(seed, 1002).Normals)
		return map[string][]byte{"a": a, "b": b}
	})
	t.prepare = sync.OnceValues(func() (roundedAnswer, error) {
		answer := roundedAnswer{at: samples(c, NewStream(seed, 1003))}
		a, b, err := c.decoded(t.inputs())
		if err != nil {
			return answer, err
		}
		if c.whole() {
			answer.want, answer.abs, err = c.Product(a, b)
		} else {
			answer.want, answer.abs, err = c.Samples(a, b, answer.at)
		}
		return answer, err
	})
	return t
}

// samples are the positions to compare, ascending.
func samples(c matmulCase, s Stream) []int64 {
	elements := c.M * c.N
	if c.whole() {
		at := make([]int64, elements)
		for i := range at {
			at[i] = int64(i)
		}
		return at
	}
	var at []int64
	for i := range int64(4096) {
		at = append(at, int64(s.Uint64(i)%uint64(elements)))
	}
	for _, i := range edges(c.M) {
		for _, j := range edges(c.N) {
			at = append(at, c.Position(i, j))
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// edges are the indices next to at most 64 multiples of 64, and the last.
func edges(n int64) []int64 {
	step := max(64, (n/64+63)/64*64)
	var at []int64
	for x := int64(0); x < n; x += step {
		at = append(at, max(x-1, 0), x)
	}
	return append(at, n-1)
}

// Inputs implements Trial.
func (t *roundedMatmul) Inputs() map[string][]byte { return t.inputs() }

// Prepare implements Trial.
func (t *roundedMatmul) Prepare() error {
	_, err := t.prepare()
	return err
}

// Bytes implements Trial.
func (t *roundedMatmul) Bytes() int64 {
	n := t.a.Size() + t.b.Size()
	if t.whole() {
		return n + 24*t.c.Elements
	}
	return n + 24*(4096+129*129)
}

// Verify implements Trial.
func (t *roundedMatmul) Verify(outputs map[string][]byte) ([]*Diff, error) {
	answer, err := t.prepare()
	if err != nil {
		return nil, err
	}
	all, err := t.output(outputs)
	if err != nil {
		return nil, err
	}
	got := make([]float64, len(answer.at))
	for s, at := range answer.at {
		got[s] = float64(all[at])
	}
	d := NewDiff("c", t.c)
	for s, at := range answer.at {
		d.Add(at, got[s], answer.want[s], t.bound.Of(answer.want[s], answer.abs[s]))
	}
	if d.Bad > 0 {
		return []*Diff{d}, nil
	}
	// A slope beyond the allowance is that of at least one element: were each off by at most
	// the allowance's share of its reference, the slope would be within it.
	if scale := NewScaleError(got, answer.want, t.bound); scale.Significant() {
		d = NewDiff("c", t.c)
		for s, at := range answer.at {
			d.Add(at, got[s], answer.want[s], scale.Allowance()*math.Abs(answer.want[s]))
		}
	}
	return []*Diff{d}, nil
}
