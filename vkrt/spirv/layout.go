package spirv

import (
	"fmt"
	"math"
)

// A layout computes sizes for one set of specialization values; all are checked
// against overflow. Types share parts, so results are kept: a struct of two of the
// struct before it would take for ever at a depth of 100.
type layout struct {
	known     values
	standard  map[*typ]extent
	explicits map[*typ]int64
}

type extent struct{ size, align int64 }

func add(a, b int64) (int64, error) {
	if a > math.MaxInt64-b {
		return 0, fmt.Errorf("size overflows 64 bits")
	}
	return a + b, nil
}

func mul(a, b int64) (int64, error) {
	if b != 0 && a > math.MaxInt64/b {
		return 0, fmt.Errorf("size overflows 64 bits")
	}
	return a * b, nil
}

// roundUp saturates: the sum that follows then reports the overflow.
func roundUp(n, align int64) int64 {
	if n > math.MaxInt64-align {
		return math.MaxInt64
	}
	return (n + align - 1) / align * align
}

// elements is the length of an array type.
func (l *layout) elements(t *typ) (int64, error) {
	if t.kind == kindRuntimeArray {
		return 0, nil
	}
	v, err := l.known.get(t.length)
	if err != nil {
		return 0, fmt.Errorf("array length: %w", err)
	}
	n, err := v.natural()
	if err == nil && n == 0 {
		err = fmt.Errorf("length is 0, want at least 1")
	}
	if err == nil && n > math.MaxInt64 {
		err = fmt.Errorf("length %d overflows", n)
	}
	if err != nil {
		return 0, fmt.Errorf("array: %w", err)
	}
	return int64(n), nil
}

// std430 is the size and alignment of a type by the rules of the Standard Storage
// Buffer Layout (Vulkan specification, Offset and Stride Assignment), a bool being
// 4 bytes.
func (l *layout) std430(t *typ) (extent, error) {
	if e, ok := l.standard[t]; ok {
		return e, nil
	}
	e, err := l.std430Of(t)
	if err != nil {
		return e, err
	}
	if l.standard == nil {
		l.standard = map[*typ]extent{}
	}
	l.standard[t] = e
	return e, nil
}

func (l *layout) std430Of(t *typ) (extent, error) {
	switch t.kind {
	case kindBool:
		return extent{4, 4}, nil
	case kindInt, kindFloat:
		return extent{int64(t.width / 8), int64(t.width / 8)}, nil
	case kindPointer:
		return extent{8, 8}, nil
	case kindVector:
		e, err := l.std430(t.elem)
		align := int64(1)
		for align < int64(t.count) {
			align *= 2
		}
		return extent{e.size * int64(t.count), e.align * align}, err
	case kindMatrix:
		e, err := l.std430(t.elem)
		return extent{roundUp(e.size, e.align) * int64(t.count), e.align}, err
	case kindArray:
		e, err := l.std430(t.elem)
		if err != nil {
			return e, err
		}
		n, err := l.elements(t)
		if err != nil {
			return e, err
		}
		size, err := mul(roundUp(e.size, e.align), n)
		return extent{size, e.align}, err
	case kindStruct:
		sum := extent{0, 1}
		for _, m := range t.members {
			e, err := l.std430(m.typ)
			if err != nil {
				return e, err
			}
			if sum.size, err = add(roundUp(sum.size, e.align), e.size); err != nil {
				return e, err
			}
			sum.align = max(sum.align, e.align)
		}
		sum.size = roundUp(sum.size, sum.align)
		return sum, nil
	}
	return extent{}, fmt.Errorf("type %s has no size", t)
}

// explicit is the size of a type with Offset and stride decorations, from its start
// to the end of its last byte. A runtime array counts as empty.
func (l *layout) explicit(t *typ) (int64, error) {
	if size, ok := l.explicits[t]; ok {
		return size, nil
	}
	size, err := l.explicitOf(t)
	if err != nil {
		return 0, err
	}
	if l.explicits == nil {
		l.explicits = map[*typ]int64{}
	}
	l.explicits[t] = size
	return size, nil
}

func (l *layout) explicitOf(t *typ) (int64, error) {
	switch t.kind {
	case kindArray:
		size, err := l.explicit(t.elem)
		if err != nil {
			return 0, err
		}
		return l.strided(t, size)
	case kindRuntimeArray:
		return 0, nil
	case kindStruct:
		var end int64
		for _, m := range t.members {
			size, err := l.memberSize(m)
			if err != nil {
				return 0, err
			}
			if m.offset == nil {
				return 0, fmt.Errorf("member %q of struct %q has no Offset", m.name, t.name)
			}
			last, err := add(int64(*m.offset), size)
			if err != nil {
				return 0, err
			}
			end = max(end, last)
		}
		return end, nil
	}
	e, err := l.std430(t)
	return e.size, err
}

// strided is the size of an array of elements of size bytes, ArrayStride apart.
func (l *layout) strided(t *typ, size int64) (int64, error) {
	n, err := l.elements(t)
	if err != nil {
		return 0, err
	}
	before, err := mul(int64(t.stride), n-1)
	if err != nil {
		return 0, err
	}
	return add(before, size)
}

// memberSize is explicit for a member, whose decorations lay out matrices, also
// those in arrays.
func (l *layout) memberSize(m member) (int64, error) {
	var arrays []*typ
	t := m.typ
	for t.kind == kindArray {
		arrays = append(arrays, t)
		t = t.elem
	}
	if t.kind != kindMatrix || m.matrixStride == 0 {
		return l.explicit(m.typ)
	}
	component, err := l.std430(t.elem.elem)
	if err != nil {
		return 0, err
	}
	major, minor := int64(t.count), int64(t.elem.count)
	if m.rowMajor {
		major, minor = minor, major
	}
	size := (major-1)*int64(m.matrixStride) + minor*component.size
	for i := len(arrays) - 1; i >= 0; i-- {
		if size, err = l.strided(arrays[i], size); err != nil {
			return 0, err
		}
	}
	return size, nil
}
