package search

import (
	"cmp"
	"fmt"
	"slices"
)

// A Value is an int64, float64, string or bool.
type Value = any

// A Param is one tunable and its domain. All values have one type, and no two are equal.
type Param struct {
	Name   string
	Values []Value
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
