package constraint

import (
	"math"
	"slices"
)

// regroup orders the operands of integer sums and products by the step that completes them, so that what is bound
// early lies together and is one cut. It leaves alone what could overflow, where order matters.
func regroup(n *node, step []int, m *machine) *node {
	if len(n.args) == 0 {
		return n
	}
	c := *n
	c.args = make([]*node, len(n.args))
	for i, a := range n.args {
		c.args[i] = regroup(a, step, m)
	}
	if n.kind != Int || n.op != opAdd && n.op != opSub && n.op != opMul {
		return &c
	}
	join := opAdd
	if n.op == opMul {
		join = opMul
	}
	var terms []*node
	flatten(&c, join, &terms)
	if len(terms) < 3 || !fits(terms, join, m) {
		return &c
	}
	slices.SortStableFunc(terms, func(a, b *node) int { return lastStep(a, step) - lastStep(b, step) })
	sum := terms[0]
	for _, t := range terms[1:] {
		sum = &node{op: join, kind: Int, args: []*node{sum, t}, col: n.col}
	}
	return sum
}

// flatten collects the operands of nested sums, with differences as sums of negatives, or of nested products.
func flatten(n *node, join op, terms *[]*node) {
	switch {
	case n.kind == Int && n.op == join:
		flatten(n.args[0], join, terms)
		flatten(n.args[1], join, terms)
	case n.kind == Int && n.op == opSub && join == opAdd:
		flatten(n.args[0], join, terms)
		*terms = append(*terms, &node{op: opNeg, kind: Int, args: n.args[1:], col: n.col})
	default:
		*terms = append(*terms, n)
	}
}

// fits reports whether no grouping of the terms can overflow.
func fits(terms []*node, join op, m *machine) bool {
	total := 0.0
	if join == opMul {
		total = 1
	}
	for _, t := range terms {
		r := m.bounds(t)
		if r.faulty {
			return false
		}
		size := max(1, math.Abs(float64(r.lo)), math.Abs(float64(r.hi)))
		if join == opMul {
			total *= size
		} else {
			total += size
		}
	}
	return total < 1<<62
}
