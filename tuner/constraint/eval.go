package constraint

import (
	"cmp"
	"math"
)

// A machine holds the values of an expression's variables and the first fault of an evaluation.
// Each variable uses the slice of its kind; bools are 0 or 1 in ints.
type machine struct {
	ints    []int64
	floats  []float64
	strings []string
	fault   fault
	at      *node

	cuts   []uint64   // state of a stepper
	poison uint64     // which cuts are faults
	ranges []interval // of variables that are not bound
	table  []string   // strings that words stand for
}

func newMachine(slots int) *machine {
	return &machine{ints: make([]int64, slots), floats: make([]float64, slots), strings: make([]string, slots)}
}

func (m *machine) raise(f fault, n *node) {
	if f != noFault && m.fault == noFault {
		m.fault, m.at = f, n
	}
}

func (m *machine) evalInt(n *node) int64 {
	switch n.op {
	case opConst:
		return n.i
	case opVar:
		return m.ints[n.slot]
	case opCut:
		return int64(m.cut(n))
	case opNeg:
		return m.keep(n)(subInt(0, m.evalInt(n.args[0])))
	case opAdd:
		v, f := addInt(m.evalInt(n.args[0]), m.evalInt(n.args[1]))
		if f != noFault {
			m.raise(f, n)
		}
		return v
	case opSub:
		v, f := subInt(m.evalInt(n.args[0]), m.evalInt(n.args[1]))
		if f != noFault {
			m.raise(f, n)
		}
		return v
	case opMul:
		v, f := mulInt(m.evalInt(n.args[0]), m.evalInt(n.args[1]))
		if f != noFault {
			m.raise(f, n)
		}
		return v
	case opFloorDiv:
		return m.keep(n)(floorDivInt(m.evalInt(n.args[0]), m.evalInt(n.args[1])))
	case opMod:
		v, f := modInt(m.evalInt(n.args[0]), m.evalInt(n.args[1]))
		if f != noFault {
			m.raise(f, n)
		}
		return v
	case opPow:
		return m.keep(n)(powInt(m.evalInt(n.args[0]), m.evalInt(n.args[1])))
	case opMin:
		v := m.evalInt(n.args[0])
		for _, a := range n.args[1:] {
			v = min(v, m.evalInt(a))
		}
		return v
	case opMax:
		v := m.evalInt(n.args[0])
		for _, a := range n.args[1:] {
			v = max(v, m.evalInt(a))
		}
		return v
	case opAbs:
		v := m.evalInt(n.args[0])
		if v < 0 {
			return m.keep(n)(subInt(0, v))
		}
		return v
	case opCeil:
		return m.keep(n)(roundToInt(math.Ceil(m.evalFloat(n.args[0]))))
	case opFloor:
		return m.keep(n)(roundToInt(math.Floor(m.evalFloat(n.args[0]))))
	}
	if m.evalBool(n) {
		return 1
	}
	return 0
}

func (m *machine) keep(n *node) func(int64, fault) int64 {
	return func(v int64, f fault) int64 {
		m.raise(f, n)
		return v
	}
}

func (m *machine) evalFloat(n *node) float64 {
	var v float64
	var f fault
	switch n.op {
	case opConst:
		return n.f
	case opVar:
		return m.floats[n.slot]
	case opCut:
		return math.Float64frombits(m.cut(n))
	case opToFloat:
		return float64(m.evalInt(n.args[0]))
	case opNeg:
		return -m.evalFloat(n.args[0])
	case opAbs:
		return math.Abs(m.evalFloat(n.args[0]))
	case opAdd:
		v, f = finite(m.evalFloat(n.args[0]) + m.evalFloat(n.args[1]))
	case opSub:
		v, f = finite(m.evalFloat(n.args[0]) - m.evalFloat(n.args[1]))
	case opMul:
		v, f = finite(m.evalFloat(n.args[0]) * m.evalFloat(n.args[1]))
	case opDiv:
		if n.args[0].kind == Float {
			v, f = divFloat(m.evalFloat(n.args[0]), m.evalFloat(n.args[1]))
		} else {
			v, f = divInt(m.evalInt(n.args[0]), m.evalInt(n.args[1]))
		}
	case opFloorDiv:
		v, f = floorDivFloat(m.evalFloat(n.args[0]), m.evalFloat(n.args[1]))
	case opMod:
		v, f = modFloat(m.evalFloat(n.args[0]), m.evalFloat(n.args[1]))
	case opPow:
		v, f = powFloat(m.evalFloat(n.args[0]), m.evalFloat(n.args[1]))
	case opMin:
		v = m.evalFloat(n.args[0])
		for _, a := range n.args[1:] {
			v = min(v, m.evalFloat(a))
		}
	case opMax:
		v = m.evalFloat(n.args[0])
		for _, a := range n.args[1:] {
			v = max(v, m.evalFloat(a))
		}
	default:
		panic("constraint: not a float node")
	}
	if f != noFault {
		m.raise(f, n)
	}
	return v
}

func (m *machine) evalString(n *node) string {
	switch n.op {
	case opConst:
		return n.s
	case opCut:
		return m.table[m.cuts[n.slot]]
	}
	return m.strings[n.slot]
}

// evalBool stops at the operand that decides, so that "b != 0 and a % b == 0" has a value where b is 0.
func (m *machine) evalBool(n *node) bool {
	switch n.op {
	case opConst:
		return n.i != 0
	case opVar:
		return m.ints[n.slot] != 0
	case opCut:
		return m.cut(n) != 0
	case opAnd:
		return m.evalBool(n.args[0]) && m.fault == noFault && m.evalBool(n.args[1])
	case opOr:
		return m.evalBool(n.args[0]) || m.fault == noFault && m.evalBool(n.args[1])
	case opNot:
		return !m.evalBool(n.args[0])
	case opChain:
		left := m.scalar(n.args[0])
		for i, o := range n.ops {
			right := m.scalar(n.args[i+1])
			if m.fault != noFault || !decide(o, left.compare(right)) {
				return false
			}
			left = right
		}
		return true
	case opIn:
		// Python makes the list first, so that a fault in any element counts.
		x, found := m.scalar(n.args[0]), false
		for _, element := range n.args[1:] {
			found = m.scalar(element).compare(x) == 0 || found
		}
		return found
	}
	return decide(n.op, m.compare(n.args[0], n.args[1]))
}

// compare avoids scalars where both sides are integers, which constraints mostly are.
func (m *machine) compare(a, b *node) int {
	if a.kind != Float && a.kind != String && b.kind != Float {
		return cmp.Compare(m.evalInt(a), m.evalInt(b))
	}
	return m.scalar(a).compare(m.scalar(b))
}

// A scalar is a value of any kind; bools are 0 or 1 in i.
type scalar struct {
	kind Kind
	i    int64
	f    float64
	s    string
}

func (m *machine) scalar(n *node) scalar {
	switch n.kind {
	case Float:
		return scalar{kind: Float, f: m.evalFloat(n)}
	case String:
		return scalar{kind: String, s: m.evalString(n)}
	}
	return scalar{kind: n.kind, i: m.evalInt(n)}
}

func (a scalar) compare(b scalar) int {
	switch {
	case a.kind == String:
		return cmp.Compare(a.s, b.s)
	case a.kind == Float && b.kind == Float:
		return cmp.Compare(a.f, b.f)
	case a.kind == Float:
		return -compareIntFloat(b.i, a.f)
	case b.kind == Float:
		return compareIntFloat(a.i, b.f)
	}
	return cmp.Compare(a.i, b.i)
}

// decide turns an ordering into the outcome of a comparison.
func decide(o op, order int) bool {
	switch o {
	case opEq:
		return order == 0
	case opNe:
		return order != 0
	case opLt:
		return order < 0
	case opLe:
		return order <= 0
	case opGt:
		return order > 0
	}
	return order >= 0
}
