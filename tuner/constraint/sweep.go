package constraint

import "github.com/krisptune/krisptune/search"

var _ search.Sweeper = (*stepper)(nil)

// A sweep is the last step's expression as instructions over columns, which hold one entry for each value of the last
// variable: an instruction is decoded once for all of them. Only integer arithmetic, comparisons and logic have one;
// a column with a fault, or near one, is left to the plain evaluation.
type sweep struct {
	fixed       []*node // parts that do not read the last variable, evaluated once
	code        []instruction
	columns     [][]int64 // the last variable's values, then a result for each instruction
	scalars     []int64   // of fixed
	left, right []int64   // scratch
}

// An instruction reads columns, or scalars where the number is negative: ^number is an index of fixed.
type instruction struct {
	op   op
	a, b int
}

// newSweep compiles n, nil if it cannot.
func newSweep(n *node, slot int, values []uint64) *sweep {
	s := &sweep{columns: [][]int64{make([]int64, len(values))}, left: make([]int64, len(values)), right: make([]int64, len(values))}
	for i, v := range values {
		s.columns[0][i] = int64(v)
	}
	if result, ok := s.compile(n, slot); !ok || result <= 0 {
		return nil
	}
	s.scalars = make([]int64, len(s.fixed))
	return s
}

func reads(n *node, slot int) bool {
	if n.op == opVar {
		return n.slot == slot
	}
	for _, a := range n.args {
		if reads(a, slot) {
			return true
		}
	}
	return false
}

// compile appends the instructions for n and returns where its value will be.
func (s *sweep) compile(n *node, slot int) (at int, ok bool) {
	if n.kind == Float || n.kind == String {
		return 0, false
	}
	if !reads(n, slot) {
		s.fixed = append(s.fixed, n)
		return ^(len(s.fixed) - 1), true
	}
	if n.op == opVar {
		return 0, true
	}
	switch n.op {
	case opAdd, opSub, opMul, opMod, opAnd, opOr, opEq, opNe, opLt, opLe, opGt, opGe:
	default:
		return 0, false
	}
	a, okA := s.compile(n.args[0], slot)
	b, okB := s.compile(n.args[1], slot)
	if !okA || !okB {
		return 0, false
	}
	s.code = append(s.code, instruction{n.op, a, b})
	s.columns = append(s.columns, make([]int64, len(s.columns[0])))
	return len(s.columns) - 1, true
}

// Sweep implements search.Sweeper.
func (s *stepper) Sweep(state []uint64, holds []bool) bool {
	w, m := s.last, s.m
	if w == nil || s.poison {
		return false
	}
	m.cuts, m.poison, m.fault = state, 0, noFault
	for i, n := range w.fixed {
		w.scalars[i] = m.evalInt(n)
	}
	if m.fault != noFault {
		return false
	}
	for i, c := range w.code {
		if !w.execute(c, w.columns[i+1]) {
			return false
		}
	}
	for i, v := range w.columns[len(w.columns)-1] {
		holds[i] = holds[i] && v != 0
	}
	return true
}

// operand returns a column, or a scalar as one.
func (w *sweep) operand(at int, scratch []int64) []int64 {
	if at >= 0 {
		return w.columns[at]
	}
	x := w.scalars[^at]
	for i := range scratch {
		scratch[i] = x
	}
	return scratch
}

// execute fills out; false if an entry is or may be a fault.
func (w *sweep) execute(c instruction, out []int64) bool {
	a, b := w.operand(c.a, w.left)[:len(out)], w.operand(c.b, w.right)[:len(out)]
	large := uint64(0)
	switch c.op {
	case opAdd:
		for i := range out {
			large |= beyond(a[i]) | beyond(b[i])
			out[i] = a[i] + b[i]
		}
	case opSub:
		for i := range out {
			large |= beyond(a[i]) | beyond(b[i])
			out[i] = a[i] - b[i]
		}
	case opMul:
		for i := range out {
			large |= beyond(a[i]) | beyond(b[i])
			out[i] = a[i] * b[i]
		}
	case opMod:
		for i := range out {
			if b[i] == 0 {
				return false
			}
			out[i], _ = modInt(a[i], b[i])
		}
	case opAnd:
		for i := range out {
			out[i] = word(a[i] != 0 && b[i] != 0)
		}
	case opOr:
		for i := range out {
			out[i] = word(a[i] != 0 || b[i] != 0)
		}
	default:
		for i := range out {
			out[i] = word(compareInts(c.op, a[i], b[i]))
		}
	}
	return large == 0
}

// beyond is not 0 outside 32 bits, within which no sum, difference or product of two overflows.
func beyond(v int64) uint64 { return uint64(v+1<<31) >> 32 }

func word(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func compareInts(o op, x, y int64) bool {
	switch o {
	case opEq:
		return x == y
	case opNe:
		return x != y
	case opLt:
		return x < y
	case opLe:
		return x <= y
	case opGt:
		return x > y
	}
	return x >= y
}
