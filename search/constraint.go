package search

import "fmt"

// A Constraint is a condition that every point of a space meets.
type Constraint interface {
	// String is what the user wrote.
	String() string
	// Vars are the parameters it reads, each once.
	Vars() []string
	// Bind prepares a check over indices into domains, which stand in the order of Vars.
	Bind(domains [][]Value) (Check, error)
}

// A Check reports whether a point, given as domain indices in the order of Vars, meets a constraint.
// An error names the point at which the constraint has no value. A Check is not safe for concurrent use.
type Check func(point []int) (bool, error)

// A Stepping constraint can be checked variable by variable, so that a space is cut as soon as a prefix is
// hopeless and prefixes with the same future are built once.
type Stepping interface {
	Constraint
	// Steps prepares the constraint for variables bound in the given order; order[k] is an index into Vars.
	Steps(domains [][]Value, order []int) (Stepper, error)
}

// A Step is what a constraint says once another of its variables is bound.
type Step uint8

const (
	Open     Step = iota // the rest decides
	Holds                // true whatever the rest is
	Violated             // false whatever the rest is
	Faulty               // every completion is an error
)

// A Stepper is a constraint as an automaton over its variables in the order they are bound.
// Two prefixes with equal state have the same valid completions.
type Stepper interface {
	// Width is the number of words of state after variable k is bound; 0 after the last.
	Width(k int) int
	// Step binds variable k to an index of its domain. It reads the state after k-1, and
	// fills out, of Width(k) words, if the result is Open. After the last variable it never is.
	Step(k int, state []uint64, value int, out []uint64) Step
}

// A Sweeper is a Stepper that can check all values of its last variable at once.
type Sweeper interface {
	Stepper
	// Sweep makes holds[v] false where the constraint is violated with value v of the last variable, after state. It
	// returns false if it cannot tell, as where a value is an error, and has then changed nothing.
	Sweep(state []uint64, holds []bool) bool
}

// remember makes a Stepper of a plain check: its state is the whole prefix.
type remember struct {
	check Check
	order []int
	point []int
}

func (r *remember) Width(k int) int {
	if k == len(r.order)-1 {
		return 0
	}
	return k + 1
}

func (r *remember) Step(k int, state []uint64, value int, out []uint64) Step {
	if k < len(r.order)-1 {
		copy(out, state)
		out[k] = uint64(value)
		return Open
	}
	for i, v := range state {
		r.point[r.order[i]] = int(v)
	}
	r.point[r.order[k]] = value
	ok, err := r.check(r.point)
	switch {
	case err != nil:
		return Faulty
	case ok:
		return Holds
	}
	return Violated
}

// stepper prepares any constraint for variables bound in the given order.
func stepper(c Constraint, domains [][]Value, order []int) (Stepper, error) {
	if s, ok := c.(Stepping); ok {
		return s.Steps(domains, order)
	}
	check, err := c.Bind(domains)
	if err != nil {
		return nil, err
	}
	return &remember{check: check, order: order, point: make([]int, len(order))}, nil
}

// A bound constraint knows which parameters of its space it reads.
type bound struct {
	Constraint
	vars []int // parameter indices, in the order of Vars
}

func bindVars(params []Param, constraints []Constraint) ([]bound, error) {
	at := make(map[string]int, len(params))
	for i, p := range params {
		at[p.Name] = i
	}
	bounds := make([]bound, len(constraints))
	for i, c := range constraints {
		b := bound{Constraint: c}
		for _, name := range c.Vars() {
			v, ok := at[name]
			if !ok {
				return nil, fmt.Errorf("constraint %q reads %s, which is no parameter of the space", c, name)
			}
			b.vars = append(b.vars, v)
		}
		bounds[i] = b
	}
	return bounds, nil
}

func (b *bound) domains(params []Param) [][]Value {
	domains := make([][]Value, len(b.vars))
	for i, v := range b.vars {
		domains[i] = params[v].Values
	}
	return domains
}
