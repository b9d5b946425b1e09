package constraint

import "fmt"

// An Error is a fault found while an expression is loaded.
type Error struct {
	Source   string // the whole expression
	Col      int    // 1-based column, in characters
	Problem  string // what is wrong
	Expected string // what was expected; may be empty
}

func (e *Error) Error() string {
	if e.Expected == "" {
		return fmt.Sprintf("%q:%d: %s", e.Source, e.Col, e.Problem)
	}
	return fmt.Sprintf("%q:%d: %s, expected %s", e.Source, e.Col, e.Problem, e.Expected)
}

// A PointError is an expression that has no value at one point: a division by zero or an overflow.
type PointError struct {
	Source  string
	Col     int    // 1-based column of the operator that failed
	Problem string // "division by zero", "integer overflow", ...
	Point   string // the names the expression reads with their values, "a=1, b=0"
}

func (e *PointError) Error() string {
	return fmt.Sprintf("%q:%d: %s at %s", e.Source, e.Col, e.Problem, e.Point)
}
