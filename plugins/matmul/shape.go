package matmul

import (
	"math"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/reference"
)

// A shape is a problem, read.
type shape struct {
	m, n, k   int64
	elem, acc plugins.ElementType // of A, B and C; of the sums
	layout    reference.Layout
}

func readShape(problem plugins.Problem) (shape, error) {
	var s shape
	for name, to := range map[string]*int64{"m": &s.m, "n": &s.n, "k": &s.k} {
		v, err := problem.Int(name)
		if err != nil {
			return s, refuse("%v", err)
		}
		if v < 1 || v > math.MaxUint32 {
			return s, refuse("%s = %d, expected 1 to %d", name, v, uint32(math.MaxUint32))
		}
		*to = v
	}
	text := func(name string) string {
		v, _ := problem.Text(name) // a missing one is refused as unknown below
		return v
	}
	s.elem, s.acc, s.layout = plugins.ElementType(text("a")), plugins.ElementType(text("acc")), reference.Layout(text("layout"))
	switch b := plugins.ElementType(text("b")); {
	case s.elem != plugins.F32 && s.elem != plugins.F16 && s.elem != plugins.BF16:
		return s, refuse("a = %q, expected f32, f16 or bf16", s.elem)
	case b != s.elem:
		return s, refuse("b = %q with a = %q: there is no kernel for mixed types, expected b = %q", b, s.elem, s.elem)
	case s.acc != plugins.F32 && s.acc != plugins.F16:
		return s, refuse("acc = %q, expected f32 or f16", s.acc)
	case s.acc == plugins.F16 && s.elem != plugins.F16:
		return s, refuse("acc = %q with a = %q: f16 sums need f16 operands, expected acc = %q", s.acc, s.elem, plugins.F32)
	case s.layout != reference.NT && s.layout != reference.NN:
		return s, refuse("layout = %q, expected nt or nn", s.layout)
	}
	for _, x := range []struct {
		name          string
		rows, columns int64
	}{{"A", s.m, s.k}, {"B", s.n, s.k}, {"C", s.m, s.n}} {
		// A storage buffer's range is 32 bits of bytes, and the shader's indices are 32 bits.
		if x.rows > math.MaxUint32/(x.columns*s.elem.Size()) {
			return s, refuse("m = %d, n = %d, k = %d: %s has %d by %d elements of %s, expected less than 4 GiB",
				s.m, s.n, s.k, x.name, x.rows, x.columns, s.elem)
		}
	}
	return s, nil
}

// vector is how many elements of a matrix are loaded at once: up to 16 bytes, where the
// length of its rows keeps every load aligned and the tile is a whole number of them.
func (s shape) vector(row, tile int64) int64 {
	for v := 16 / s.elem.Size(); v >= 4; v /= 2 {
		if row%v == 0 && tile%v == 0 {
			return v
		}
	}
	return 1
}
