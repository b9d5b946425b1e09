package search

import (
	"fmt"
	"math/big"
	"strings"
)

// An EmptyError is a space without points.
type EmptyError struct {
	Param   string    // the parameter without values, or ""
	Removed []Removal // what each constraint removed, in order, of what those before it left
	Last    string    // the constraint that removed the last points
}

// A Removal is how many points a constraint removed.
type Removal struct {
	Constraint string
	Points     *big.Int
}

func (e *EmptyError) Error() string {
	if e.Param != "" {
		return fmt.Sprintf("parameter %s has no values, expected at least one", e.Param)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "no configuration is left: %q removed the last points", e.Last)
	for _, r := range e.Removed {
		fmt.Fprintf(&b, "\n  %q removed %v", r.Constraint, r.Points)
	}
	return b.String()
}

// explainEmpty finds the constraint that removes the last points by adding one constraint after the other.
func explainEmpty(params []Param, constraints []Constraint) error {
	e := &EmptyError{}
	dims, _, expanded := expand(params, constraints)
	left := cartesian(dims)
	for i := range expanded {
		s, err := newSpace(dims, expanded[:i+1])
		if err != nil {
			continue // without the constraints that follow, this one meets points where it has no value
		}
		now := big.NewInt(int64(s.Len()))
		e.Removed = append(e.Removed, Removal{expanded[i].String(), new(big.Int).Sub(left, now)})
		if left = now; left.Sign() == 0 {
			e.Last = expanded[i].String()
			break
		}
	}
	return e
}

// Explain returns the constraints that remove a configuration; none if it is in the space.
// A value outside its domain is a *DomainError.
func (s *Space) Explain(cfg Config) ([]string, error) {
	coords, err := s.coordsOf(cfg)
	if err != nil {
		return nil, err
	}
	var removedBy []string
	for i := range s.bounds {
		ok, err := checkAt(&s.bounds[i], s.dims, coords)
		if err != nil {
			return nil, err
		}
		if !ok {
			removedBy = append(removedBy, s.bounds[i].String())
		}
	}
	return removedBy, nil
}
