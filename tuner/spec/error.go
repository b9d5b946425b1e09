package spec

import (
	"fmt"
	"strings"
	"unicode"
)

// A Position is a place in a spec. Line and Column count from 1; a column counts bytes, as Go's
// compiler does. Line 0 means the file as a whole.
type Position struct {
	File         string
	Line, Column int
}

// An Error is one fault in a user's file.
type Error struct {
	File         string
	Line, Column int    // as in Position
	What         string // what is wrong
	Expected     string // what would have been right; may be empty
}

// Error is one line: "file:line:col: what, expected ...".
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
	}
	b.WriteString(": ")
	b.WriteString(e.What)
	if e.Expected != "" {
		b.WriteString(", expected ")
		b.WriteString(e.Expected)
	}
	return printable(b.String())
}

// Errorf makes an error at p.
func (p Position) Errorf(expected, format string, args ...any) *Error {
	return &Error{File: p.File, Line: p.Line, Column: p.Column, What: fmt.Sprintf(format, args...), Expected: expected}
}

// printable keeps an error on one line and harmless to a terminal, whatever a stranger's file
// or its name holds.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// quote is %q for text from a file, cut to a length that a terminal line bears.
func quote(s string) string {
	const limit = 60
	if r := []rune(s); len(r) > limit {
		s = string(r[:limit]) + "..."
	}
	return fmt.Sprintf("%q", s)
}
