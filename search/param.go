package search

import (
	"cmp"
	"fmt"
	"slices"
)

// A Value is an int64, float64, string or bool.
type Value = any

// A Param is one tunable and its domain.
type Param struct {
	Name string
	// Values are the domain: all of one type, no two equal. Integers and floats are ordered by value.
	Values []Value
	// Bits, if not 0, makes the parameter a mask of so many bits, at most 62: an int64 whose neighbours differ in
	// one bit. Values is then nil. A mask that a constraint reads has at most 20 bits.
	Bits int
	// When, if not nil, makes the parameter active only where it holds. Where it does not, the parameter has its
	// first value (a mask 0), so that configurations that do the same are one point.
	When Constraint
}

// A Config is one value for every parameter, in the order of the space's parameters.
type Config []Value

// A DomainError is a parameter whose domain cannot be searched, or a value that lies outside it.
type DomainError struct {
	Param   string
	Problem string
}

func (e *DomainError) Error() string { return fmt.Sprintf("parameter %s: %s", e.Param, e.Problem) }

func checkParams(params []Param) error {
	names := map[string]bool{}
	for _, p := range params {
		fail := func(format string, args ...any) error {
			return &DomainError{Param: p.Name, Problem: fmt.Sprintf(format, args...)}
		}
		if names[p.Name] {
			return fail("named twice")
		}
		names[p.Name] = true
		if p.Bits != 0 && (p.Bits < 0 || p.Bits > 62 || p.Values != nil) {
			return fail("a mask of %d bits and %d values, expected 1 to 62 bits and no values", p.Bits, len(p.Values))
		}
		seen := make(map[Value]bool, len(p.Values))
		for _, v := range p.Values {
			switch v := v.(type) {
			case int64, string, bool:
			case float64:
				if v != v {
					return fail("NaN in the domain, expected numbers")
				}
			default:
				return fail("value %v is a %T, expected int64, float64, string or bool", v, v)
			}
			if first := p.Values[0]; fmt.Sprintf("%T", first) != fmt.Sprintf("%T", v) {
				return fail("values mix %T and %T, expected one type", first, v)
			}
			if seen[v] {
				return fail("value %v stands twice in the domain", v)
			}
			seen[v] = true
		}
	}
	return nil
}

// byValue returns the domain's indices in ascending order of value, or nil where values have no order.
func byValue(values []Value) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	if len(values) == 0 {
		return order
	}
	switch values[0].(type) {
	case int64:
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a].(int64), values[b].(int64)) })
	case float64:
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a].(float64), values[b].(float64)) })
	default:
		return nil
	}
	return order
}
