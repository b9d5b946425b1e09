package constraint

import (
	"fmt"

	"github.com/krisptune/krisptune/search"
)

var _ search.Constraint = (*Expr)(nil)

// Bind implements search.Constraint for a bool expression.
func (e *Expr) Bind(domains [][]search.Value) (search.Check, error) {
	if err := e.checkDomains(domains); err != nil {
		return nil, err
	}
	m := newMachine(len(e.vars))
	return func(point []int) (bool, error) {
		for slot, value := range point {
			if err := m.set(slot, e.kinds[slot], domains[slot][value]); err != nil {
				return false, err
			}
		}
		m.fault = noFault
		ok := m.evalBool(e.root)
		if m.fault != noFault {
			return false, e.pointError(m)
		}
		return ok, nil
	}, nil
}

func (e *Expr) checkDomains(domains [][]search.Value) error {
	if e.root.kind != Bool {
		return &Error{Source: e.source, Col: e.root.col, Problem: fmt.Sprintf("the constraint is %s", e.root.kind), Expected: "bool"}
	}
	for slot, kind := range e.kinds {
		for _, v := range domains[slot] {
			if KindOf(v) != kind {
				return fmt.Errorf("constraint %q: %s holds %v, a %T, expected %s", e.source, e.vars[slot], v, v, kind)
			}
		}
	}
	return nil
}
