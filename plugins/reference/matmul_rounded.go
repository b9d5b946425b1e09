package reference

import (
	"fmt"
	"slices"
	"sync"
)

// A matmulRounded is a product of random normals.
type matmulRounded struct {
	matmulTrial
	bound   DotBound
	once    sync.Once
	encoded map[string][]byte
	product sync.Once
	at      []int64 // positions in c, ascending
	want    []float64
	abs     []float64
	err     error
}

var _ Trial = (*matmulRounded)(nil)

// Inputs implements Trial.
func (t *matmulRounded) Inputs() map[string][]byte {
	t.once.Do(func() { t.encoded = t.encode() })
	return t.encoded
}

// Prepare implements Trial.
func (t *matmulRounded) Prepare() error {
	inputs := t.Inputs()
	t.product.Do(func() {
		a, b := t.decode(inputs)
		if t.small() {
			t.want, t.abs, t.err = t.shape.Product(a, b)
			return
		}
		t.at = t.positions()
		t.want, t.abs, t.err = t.shape.Samples(a, b, t.at)
	})
	return t.err
}

// Bytes implements Trial.
func (t *matmulRounded) Bytes() int64 {
	n := t.a.Size() + t.b.Size()
	if t.small() {
		n += 16 * t.c.Elements
	}
	return n
}

// Verify implements Trial.
func (t *matmulRounded) Verify(outputs map[string][]byte) ([]*Diff, error) {
	if err := t.Prepare(); err != nil {
		return nil, err
	}
	c, err := t.output(outputs)
	if err != nil {
		return nil, err
	}
	d := NewDiff("c", t.c)
	got := make([]float64, len(t.want))
	for x, want := range t.want {
		position := int64(x)
		if t.at != nil {
			position = t.at[x]
		}
		got[x] = float64(c[position])
		d.Add(position, got[x], want, t.bound.Of(want, t.abs[x]))
	}
	if e := NewScaleError(got, t.want, t.bound); d.Bad == 0 && e.Significant() {
		d.Systematic = fmt.Sprintf("every element is off by a common factor of %.6f ± %.6f", 1+e.Slope, e.Sigma)
	}
	// NaN and Inf never pass, and cost nothing to look for everywhere.
	for position, v := range c {
		if v-v != 0 && (t.at != nil) {
			if _, seen := slices.BinarySearch(t.at, int64(position)); !seen {
				d.Add(int64(position), float64(v), 0, 0)
			}
		}
	}
	return []*Diff{d}, nil
}

// randomSamples is how many outputs of a large product are looked at besides tile edges.
const randomSamples = 4096

// positions are the outputs of a large product that are compared: all crossings of rows and
// columns on either side of the edges of the usual tile sizes, and random ones.
func (t *matmulRounded) positions() []int64 {
	var at []int64
	for _, i := range edges(t.shape.M) {
		for _, j := range edges(t.shape.N) {
			at = append(at, t.shape.Position(i, j))
		}
	}
	s := NewStream(t.seed, 1<<32+2)
	for x := range int64(randomSamples) {
		at = append(at, int64(s.Uint64(x)%uint64(t.c.Elements)))
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// edges are the indices below n around the first, a middle and the last multiple of each tile
// size from 8 to 256, and the ends.
func edges(n int64) []int64 {
	out := []int64{0, n - 1}
	for tile := int64(8); tile <= 256 && tile < n; tile *= 2 {
		for _, multiple := range []int64{tile, n / 2 / tile * tile, (n - 1) / tile * tile} {
			out = append(out, max(0, multiple-1), multiple)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
