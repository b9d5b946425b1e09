// Package constraint reads expressions over parameter and problem names: the constraints of a search space,
// and the integers that grids, sizes and push constants are computed from.
//
// The syntax is expr-lang's, read by its parser; the meaning is Python's: / is true division, // and % round to
// minus infinity, comparisons chain, and, or and not are lazy, and a bool counts as 0 or 1 in arithmetic.
// Two things differ from Python: integers have 64 bits, and overflow is an error; types are checked when the
// expression is loaded, so and, or and not take only bools and a string never compares with a number.
package constraint

import (
	"fmt"
	"slices"
	"strings"
)

// An Expr is a typed expression. It is immutable and safe for concurrent use.
type Expr struct {
	source string
	root   *node
	vars   []string
	kinds  []Kind // of vars
}

// Compile reads and types an expression whose names have the kinds in env. Errors are *Error.
func Compile(source string, env Env) (*Expr, error) {
	root, t, err := parse(source, env)
	if err != nil {
		return nil, err
	}
	return &Expr{source: source, root: root, vars: t.vars, kinds: t.kinds}, nil
}

// CompileBool is Compile for an expression that must be a bool.
func CompileBool(source string, env Env) (*Expr, error) {
	e, err := Compile(source, env)
	if err == nil && e.root.kind != Bool {
		return nil, &Error{Source: source, Col: e.root.col, Problem: fmt.Sprintf("the expression is %s", e.root.kind), Expected: "bool: a comparison, or and, or, not of comparisons"}
	}
	return e, err
}

// CompileInt is Compile for an expression that must be an integer.
func CompileInt(source string, env Env) (*Expr, error) {
	e, err := Compile(source, env)
	if err == nil && e.root.kind != Int {
		return nil, &Error{Source: source, Col: e.root.col, Problem: fmt.Sprintf("the expression is %s", e.root.kind), Expected: "int: / is true division, write // or ceil(a / b)"}
	}
	return e, err
}

// String returns the source.
func (e *Expr) String() string { return e.source }

// Kind returns the type of the value.
func (e *Expr) Kind() Kind { return e.root.kind }

// Vars returns the names that the expression reads, in order of first use.
func (e *Expr) Vars() []string { return slices.Clone(e.vars) }

// With fixes the given names to values; names that the expression does not read are ignored.
// A value's kind must be the one that the expression was compiled with.
func (e *Expr) With(values map[string]any) (*Expr, error) {
	fixed := &Expr{source: e.source}
	replace := make([]*node, len(e.vars))
	slots := make([]int, len(e.vars))
	for slot, name := range e.vars {
		if v, ok := values[name]; ok {
			if KindOf(v) != e.kinds[slot] {
				return nil, fmt.Errorf("%q: %s is %v, a %T, expected %s", e.source, name, v, v, e.kinds[slot])
			}
			replace[slot] = constant(v, 0)
			continue
		}
		slots[slot] = len(fixed.vars)
		fixed.vars, fixed.kinds = append(fixed.vars, name), append(fixed.kinds, e.kinds[slot])
	}
	fixed.root = rewrite(e.root, func(n *node) *node {
		if n.op != opVar {
			return nil
		}
		r := replace[n.slot]
		if r == nil {
			moved := *n
			moved.slot = slots[n.slot]
			return &moved
		}
		at := *r
		at.col = n.col
		return &at
	})
	return fixed, nil
}

// rewrite copies a tree with the nodes for which f is not nil replaced.
func rewrite(n *node, f func(*node) *node) *node {
	if r := f(n); r != nil {
		return r
	}
	if len(n.args) == 0 {
		return n
	}
	c := *n
	c.args = make([]*node, len(n.args))
	for i, a := range n.args {
		c.args[i] = rewrite(a, f)
	}
	return &c
}

// Eval returns the value, an int64, float64, bool or string, with every name taken from values.
// Errors at a point are *PointError.
func (e *Expr) Eval(values map[string]any) (any, error) {
	m, err := e.load(values)
	if err != nil {
		return nil, err
	}
	var v any
	switch e.root.kind {
	case Int:
		v = m.evalInt(e.root)
	case Float:
		v = m.evalFloat(e.root)
	case Bool:
		v = m.evalBool(e.root)
	default:
		v = m.evalString(e.root)
	}
	if m.fault != noFault {
		return nil, e.pointError(m)
	}
	return v, nil
}

// EvalInt is Eval for an integer expression.
func (e *Expr) EvalInt(values map[string]any) (int64, error) {
	v, err := e.Eval(values)
	if err != nil {
		return 0, err
	}
	if i, ok := v.(int64); ok {
		return i, nil
	}
	return 0, fmt.Errorf("%q is %s, expected int", e.source, e.root.kind)
}

// EvalBool is Eval for a bool expression.
func (e *Expr) EvalBool(values map[string]any) (bool, error) {
	v, err := e.Eval(values)
	if err != nil {
		return false, err
	}
	if b, ok := v.(bool); ok {
		return b, nil
	}
	return false, fmt.Errorf("%q is %s, expected bool", e.source, e.root.kind)
}

func (e *Expr) load(values map[string]any) (*machine, error) {
	m := newMachine(len(e.vars))
	for slot, name := range e.vars {
		v, ok := values[name]
		if !ok {
			return nil, fmt.Errorf("%q: %s has no value", e.source, name)
		}
		if err := m.set(slot, e.kinds[slot], v); err != nil {
			return nil, fmt.Errorf("%q: %s: %w", e.source, name, err)
		}
	}
	return m, nil
}

func (m *machine) set(slot int, kind Kind, v any) error {
	if KindOf(v) != kind {
		return fmt.Errorf("%v is a %T, expected %s", v, v, kind)
	}
	switch v := v.(type) {
	case int64:
		m.ints[slot] = v
	case float64:
		m.floats[slot] = v
	case string:
		m.strings[slot] = v
	case bool:
		m.ints[slot] = 0
		if v {
			m.ints[slot] = 1
		}
	}
	return nil
}

func (e *Expr) pointError(m *machine) error {
	var point []string
	for slot, kind := range e.kinds {
		var v any
		switch kind {
		case Int:
			v = m.ints[slot]
		case Float:
			v = m.floats[slot]
		case Bool:
			v = m.ints[slot] != 0
		default:
			v = fmt.Sprintf("%q", m.strings[slot])
		}
		point = append(point, fmt.Sprintf("%s=%v", e.vars[slot], v))
	}
	return &PointError{Source: e.source, Col: m.at.col, Problem: m.fault.String(), Point: strings.Join(point, ", ")}
}
