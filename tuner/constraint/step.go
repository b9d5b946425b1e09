package constraint

import (
	"fmt"
	"math"
	"slices"

	"github.com/krisptune/krisptune/search"
)

var _ search.Stepping = (*Expr)(nil)

// A stepper evaluates an expression as its variables are bound. Between steps it keeps the values of the cuts: the
// largest subexpressions that read only bound variables. Prefixes with equal cuts have one future, and bounds on
// the rest decide many before all is bound.
type stepper struct {
	m      *machine
	slots  []int      // step to variable slot
	values [][]uint64 // step: the domain as words, see machine.word
	plans  []plan
	poison bool // word 0 of the state marks cuts that are faults
	last   *sweep
}

type plan struct {
	cuts []*node // their values after the step, in terms of the cuts before and the new variable
	rest *node   // the expression in terms of the cuts after the step

	bounded, decided int // how often bounds were tried, and told something
}

// Steps implements search.Stepping.
func (e *Expr) Steps(domains [][]search.Value, order []int) (search.Stepper, error) {
	if err := e.checkDomains(domains); err != nil {
		return nil, err
	}
	s := &stepper{m: newMachine(len(e.vars)), slots: order, values: make([][]uint64, len(order))}
	step := make([]int, len(e.vars))
	for k, slot := range order {
		step[slot] = k
		for _, v := range domains[slot] {
			s.values[k] = append(s.values[k], s.m.word(v))
		}
	}
	s.m.ranges = ranges(e, domains)
	root := regroup(e.root, step, s.m)
	s.poison = s.m.bounds(root).faulty
	s.plans = make([]plan, len(order))
	var before []*node
	for k := range order {
		var after []*node
		if k < len(order)-1 {
			collectCuts(root, step, k, &after)
		}
		if s.poison && len(after) > 64 {
			return nil, fmt.Errorf("constraint %q is too complex: %d parts are open at once, expected at most 64", e.source, len(after))
		}
		for _, cut := range after {
			s.plans[k].cuts = append(s.plans[k].cuts, replaceCuts(cut, before))
		}
		if k == len(order)-1 {
			s.plans[k].rest = replaceCuts(root, before)
			s.last = newSweep(s.plans[k].rest, order[k], s.values[k])
		} else {
			s.plans[k].rest = s.foldRanges(replaceCuts(root, after))
		}
		before = after
	}
	return s, nil
}

// ranges returns the least and greatest value of each variable.
func ranges(e *Expr, domains [][]search.Value) []interval {
	out := make([]interval, len(e.vars))
	for slot, domain := range domains {
		r := interval{lo: math.MaxInt64, hi: math.MinInt64, flo: math.Inf(1), fhi: math.Inf(-1)}
		for _, v := range domain {
			c := constant(v, 0)
			r.lo, r.hi = min(r.lo, c.i), max(r.hi, c.i)
			r.flo, r.fhi = min(r.flo, c.f), max(r.fhi, c.f)
		}
		out[slot] = r
	}
	return out
}

// lastStep is the step that binds the last variable of a node; -1 for a constant.
func lastStep(n *node, step []int) int {
	if n.op == opVar {
		return step[n.slot]
	}
	last := -1
	for _, a := range n.args {
		last = max(last, lastStep(a, step))
	}
	return last
}

// collectCuts appends the largest subexpressions that are known after step k, each once.
func collectCuts(n *node, step []int, k int, cuts *[]*node) {
	switch last := lastStep(n, step); {
	case last < 0:
	case last <= k:
		if !slices.ContainsFunc(*cuts, func(c *node) bool { return equal(c, n) }) {
			*cuts = append(*cuts, n)
		}
	default:
		for _, a := range n.args {
			collectCuts(a, step, k, cuts)
		}
	}
}

// equal reports whether two expressions are the same wherever they stand.
func equal(a, b *node) bool {
	if a.op != b.op || a.kind != b.kind || a.slot != b.slot || a.i != b.i || a.f != b.f || a.s != b.s || len(a.args) != len(b.args) || !slices.Equal(a.ops, b.ops) {
		return false
	}
	for i := range a.args {
		if !equal(a.args[i], b.args[i]) {
			return false
		}
	}
	return true
}

// replaceCuts replaces each cut in a node by a reading of the state.
func replaceCuts(n *node, cuts []*node) *node {
	return rewrite(n, func(n *node) *node {
		if n.op == opConst {
			return nil
		}
		i := slices.IndexFunc(cuts, func(c *node) bool { return equal(c, n) })
		if i < 0 {
			return nil
		}
		return &node{op: opCut, kind: n.kind, slot: i, col: n.col}
	})
}

// foldRanges replaces what reads only unbound variables by its range.
func (s *stepper) foldRanges(n *node) *node {
	return rewrite(n, func(n *node) *node {
		if n.op == opConst || n.kind == String || readsCut(n) {
			return nil
		}
		return &node{op: opRange, kind: n.kind, within: s.m.bounds(n), col: n.col}
	})
}

func readsCut(n *node) bool { return n.op == opCut || slices.ContainsFunc(n.args, readsCut) }

// word encodes a value as a word of state.
func (m *machine) word(v any) uint64 {
	switch v := v.(type) {
	case int64:
		return uint64(v)
	case float64:
		return math.Float64bits(v)
	case bool:
		if v {
			return 1
		}
	case string:
		i := slices.Index(m.table, v)
		if i < 0 {
			i = len(m.table)
			m.table = append(m.table, v)
		}
		return uint64(i)
	}
	return 0
}

// Width implements search.Stepper.
func (s *stepper) Width(k int) int {
	n := len(s.plans[k].cuts)
	if s.poison && n > 0 {
		n++
	}
	return n
}

// Step implements search.Stepper.
func (s *stepper) Step(k int, state []uint64, value int, out []uint64) search.Step {
	m := s.m
	m.poison = 0
	if s.poison && len(state) > 0 {
		m.poison, state = state[0], state[1:]
	}
	m.cuts = state
	m.bind(s.slots[k], s.values[k][value])
	p := &s.plans[k]
	m.fault = noFault
	if k == len(s.plans)-1 {
		holds := m.evalBool(p.rest)
		switch {
		case m.fault != noFault:
			return search.Faulty
		case holds:
			return search.Holds
		}
		return search.Violated
	}
	cuts, poison := out, uint64(0)
	if s.poison {
		cuts = out[1:]
	}
	for i, cut := range p.cuts {
		cuts[i] = m.eval(cut)
		if m.fault != noFault {
			cuts[i], m.fault = 0, noFault
			poison |= 1 << i
		}
	}
	if s.poison {
		out[0] = poison
	}
	m.cuts, m.poison = cuts, poison
	// Bounds that hardly ever decide cost more than what they cut.
	if p.bounded > 1024 && p.decided < p.bounded/32 {
		return search.Open
	}
	p.bounded++
	switch r := m.bounds(p.rest); {
	case r.faulty:
	case r.hi == 0:
		p.decided++
		return search.Violated
	case r.lo == 1:
		p.decided++
		return search.Holds
	}
	return search.Open
}

func (m *machine) bind(slot int, word uint64) {
	m.ints[slot] = int64(word)
	m.floats[slot] = math.Float64frombits(word)
	if word < uint64(len(m.table)) {
		m.strings[slot] = m.table[word]
	}
}

func (m *machine) eval(n *node) uint64 {
	switch n.kind {
	case Float:
		return math.Float64bits(m.evalFloat(n))
	case String:
		return m.word(m.evalString(n))
	}
	return uint64(m.evalInt(n))
}

// poisoned reports whether a cut is a fault.
func (m *machine) poisoned(n *node) bool { return m.poison>>n.slot&1 == 1 }

// cut reads a cut's word. The kind of a fault is found again when the point is known.
func (m *machine) cut(n *node) uint64 {
	if m.poison != 0 && m.poisoned(n) {
		m.raise(overflow, n)
		return 0
	}
	return m.cuts[n.slot]
}
