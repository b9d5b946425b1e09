package constraint

import "math"

// An interval holds every value that a node can have: integers and bools in lo and hi, floats in flo and fhi.
// Rounding is monotone, so that the rounded ends bound the rounded results (Moore, Interval Analysis, 1966).
type interval struct {
	lo, hi   int64
	flo, fhi float64
	faulty   bool // some values may be faults
}

var (
	anyInt   = interval{lo: math.MinInt64, hi: math.MaxInt64, faulty: true}
	anyFloat = interval{flo: -math.MaxFloat64, fhi: math.MaxFloat64, faulty: true}
	anyBool  = interval{lo: 0, hi: 1}
)

func pointInt(v int64) interval { return interval{lo: v, hi: v} }

// bounds evaluates a node over the values that m holds and the ranges of the variables that m does not hold.
// It returns false if it cannot say anything, as about strings.
func (m *machine) bounds(n *node) interval {
	switch n.op {
	case opConst:
		return interval{lo: n.i, hi: n.i, flo: n.f, fhi: n.f}
	case opRange:
		return n.within
	case opCut:
		if m.poisoned(n) {
			return interval{lo: math.MinInt64, hi: math.MaxInt64, flo: -math.MaxFloat64, fhi: math.MaxFloat64, faulty: true}
		}
		if n.kind == Float {
			f := m.evalFloat(n)
			return interval{flo: f, fhi: f}
		}
		if n.kind == String {
			return anyInt
		}
		return pointInt(int64(m.cuts[n.slot]))
	case opVar:
		return m.ranges[n.slot]
	case opAnd:
		a := m.bounds(n.args[0])
		if a.hi == 0 {
			return a
		}
		b := m.bounds(n.args[1])
		return interval{lo: min(a.lo, b.lo), hi: min(a.hi, b.hi), faulty: a.faulty || b.faulty}
	case opOr:
		a := m.bounds(n.args[0])
		if a.lo == 1 {
			return a
		}
		b := m.bounds(n.args[1])
		return interval{lo: max(a.lo, b.lo), hi: max(a.hi, b.hi), faulty: a.faulty || b.faulty}
	case opNot:
		a := m.bounds(n.args[0])
		return interval{lo: 1 - a.hi, hi: 1 - a.lo, faulty: a.faulty}
	case opChain:
		all := pointInt(1)
		for i, o := range n.ops {
			link := m.order(o, n.args[i], n.args[i+1])
			all = interval{lo: min(all.lo, link.lo), hi: min(all.hi, link.hi), faulty: all.faulty || link.faulty}
		}
		return all
	case opIn:
		found := pointInt(0)
		for _, e := range n.args[1:] {
			one := m.order(opEq, n.args[0], e)
			found = interval{lo: max(found.lo, one.lo), hi: max(found.hi, one.hi), faulty: found.faulty || one.faulty}
		}
		return found
	case opEq, opNe, opLt, opLe, opGt, opGe:
		return m.order(n.op, n.args[0], n.args[1])
	case opToFloat:
		a := m.bounds(n.args[0])
		return interval{flo: float64(a.lo), fhi: float64(a.hi), faulty: a.faulty}
	}
	var args [4]interval
	list := args[:0]
	faulty := false
	for _, a := range n.args {
		r := m.bounds(a)
		faulty = faulty || r.faulty
		list = append(list, r)
	}
	var r interval
	switch {
	case n.kind == Float:
		r = floatBounds(n, list)
	case n.op == opCeil || n.op == opFloor:
		r = roundBounds(n.op, list[0])
	default:
		r = intBounds(n.op, list)
	}
	r.faulty = r.faulty || faulty
	return r
}

// order bounds a comparison.
func (m *machine) order(o op, x, y *node) interval {
	if x.kind == String {
		return anyBool
	}
	a, b := m.bounds(x), m.bounds(y)
	less := func(p, q scalar) int { return p.compare(q) }
	end := func(n *node, i int64, f float64) scalar {
		if n.kind == Float {
			return scalar{kind: Float, f: f}
		}
		return scalar{kind: Int, i: i}
	}
	lowest := less(end(x, a.lo, a.flo), end(y, b.hi, b.fhi))  // the least order of x against y
	highest := less(end(x, a.hi, a.fhi), end(y, b.lo, b.flo)) // the greatest
	r := anyBool
	r.faulty = a.faulty || b.faulty
	// An outcome that holds at both ends, and for equality nowhere between, holds throughout.
	switch o {
	case opEq, opNe:
		if lowest > 0 || highest < 0 {
			r.lo, r.hi = 0, 0
		} else if lowest == 0 && highest == 0 {
			r.lo, r.hi = 1, 1
		} else if !r.faulty && b.lo == 0 && b.hi == 0 && m.indivisible(x) {
			r.lo, r.hi = 0, 0
		}
		if o == opNe {
			r.lo, r.hi = 1-r.hi, 1-r.lo
		}
	default:
		if p, q := decide(o, lowest), decide(o, highest); p == q {
			r.lo = 0
			if p {
				r.lo = 1
			}
			r.hi = r.lo
		}
	}
	return r
}

// indivisible reports whether x is "n % (p * ...)" with a known n that a known factor p does not divide, so that the
// remainder is not 0 whatever the other factors are.
func (m *machine) indivisible(x *node) bool {
	if x.op != opMod || x.kind != Int {
		return false
	}
	n := m.bounds(x.args[0])
	if n.lo != n.hi {
		return false
	}
	var factors []*node
	flatten(x.args[1], opMul, &factors)
	for _, f := range factors {
		if p := m.bounds(f); p.lo == p.hi && p.lo != 0 && n.lo%p.lo != 0 {
			return true
		}
	}
	return false
}

func intBounds(o op, a []interval) interval {
	switch o {
	case opNeg:
		return corners(subInt, pointInt(0), a[0])
	case opAdd:
		return corners(addInt, a[0], a[1])
	case opSub:
		return corners(subInt, a[0], a[1])
	case opMul:
		return corners(mulInt, a[0], a[1])
	case opFloorDiv:
		if a[1].lo <= 0 && a[1].hi >= 0 {
			return anyInt
		}
		return corners(floorDivInt, a[0], a[1])
	case opMod:
		return modBounds(a[0], a[1])
	case opPow:
		if a[0].lo < 1 || a[1].lo < 0 {
			if a[0].lo == a[0].hi && a[1].lo == a[1].hi {
				return corners(powInt, a[0], a[1])
			}
			return anyInt
		}
		return corners(powInt, a[0], a[1])
	case opAbs:
		switch {
		case a[0].lo >= 0:
			return a[0]
		case a[0].lo == math.MinInt64:
			return anyInt
		case a[0].hi <= 0:
			return interval{lo: -a[0].hi, hi: -a[0].lo}
		}
		return interval{hi: max(-a[0].lo, a[0].hi)}
	}
	r := a[0]
	for _, b := range a[1:] {
		if o == opMin {
			r.lo, r.hi = min(r.lo, b.lo), min(r.hi, b.hi)
		} else {
			r.lo, r.hi = max(r.lo, b.lo), max(r.hi, b.hi)
		}
	}
	return r
}

// corners bounds an operation that is monotone in each argument.
func corners(f func(a, b int64) (int64, fault), a, b interval) interval {
	r := interval{lo: math.MaxInt64, hi: math.MinInt64}
	for _, x := range [2]int64{a.lo, a.hi} {
		for _, y := range [2]int64{b.lo, b.hi} {
			v, fault := f(x, y)
			if fault != noFault {
				return anyInt
			}
			r.lo, r.hi = min(r.lo, v), max(r.hi, v)
		}
	}
	return r
}

func modBounds(a, b interval) interval {
	switch {
	case a.lo == a.hi && b.lo == b.hi && b.lo != 0:
		v, _ := modInt(a.lo, b.lo)
		return pointInt(v)
	case b.lo > 0 && a.lo >= 0 && a.hi < b.lo:
		return interval{lo: a.lo, hi: a.hi}
	case b.lo > 0:
		return interval{lo: 0, hi: b.hi - 1}
	case b.hi < 0:
		return interval{lo: b.lo + 1, hi: 0}
	}
	return anyInt
}
