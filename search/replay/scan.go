package replay

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// An Error is a fault in a recorded space's file.
type Error struct {
	File      string
	Line, Col int // 1-based; Col counts bytes
	Problem   string
	Expected  string // may be empty
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Problem)
	if e.Expected != "" {
		s += ", expected " + e.Expected
	}
	return s
}

// A scanner reads JSON with positions, and with the NaN and Infinity that Python writes.
type scanner struct {
	file string
	data []byte
	pos  int
	open bool // the file ended where an outer object could have gone on
}

const maxDepth = 100

func (s *scanner) fail(at int, problem, expected string) error {
	at = min(at, len(s.data))
	line := 1 + bytes.Count(s.data[:at], []byte{'\n'})
	col := at - bytes.LastIndexByte(s.data[:at], '\n')
	return &Error{File: s.file, Line: line, Col: col, Problem: problem, Expected: expected}
}

// peek returns the next byte after white space, 0 at the end.
func (s *scanner) peek() byte {
	for s.pos < len(s.data) {
		switch c := s.data[s.pos]; c {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

func (s *scanner) unexpected(expected string) error {
	if s.peek() == 0 && s.pos >= len(s.data) {
		return s.fail(s.pos, "the file ends early", expected)
	}
	r, _ := utf8.DecodeRune(s.data[s.pos:])
	return s.fail(s.pos, fmt.Sprintf("unexpected %q", r), expected)
}

// object calls f at each member's value, which f must read. Two members of one name are an error.
// An outer object may lack its end: cachefiles are appended to while a tuner runs, and closed after.
func (s *scanner) object(outer bool, f func(key string, at int) error) error {
	if s.peek() != '{' {
		return s.unexpected("an object")
	}
	s.pos++
	seen := map[string]bool{}
	for {
		switch c := s.peek(); {
		case c == '}':
			s.pos++
			return nil
		case c == 0 && outer && s.pos >= len(s.data) && len(seen) > 0:
			s.open = true
			return nil
		}
		at := s.pos
		key, err := s.string()
		if err != nil {
			return err
		}
		if seen[key] {
			return s.fail(at, fmt.Sprintf("the key %q stands twice", key), "different keys")
		}
		seen[key] = true
		if s.peek() != ':' {
			return s.unexpected(":")
		}
		s.pos++
		s.peek()
		if err := f(key, at); err != nil {
			return err
		}
		switch c := s.peek(); {
		case c == ',':
			s.pos++
		case c == '}' || c == 0 && outer && s.pos >= len(s.data):
		default:
			return s.unexpected(", or }")
		}
	}
}

// array calls f at each element, which f must read.
func (s *scanner) array(outer bool, f func() error) error {
	if s.peek() != '[' {
		return s.unexpected("a list")
	}
	s.pos++
	for n := 0; ; n++ {
		switch c := s.peek(); {
		case c == ']':
			s.pos++
			return nil
		case c == 0 && outer && s.pos >= len(s.data) && n > 0:
			s.open = true
			return nil
		}
		if err := f(); err != nil {
			return err
		}
		switch c := s.peek(); {
		case c == ',':
			s.pos++
		case c == ']' || c == 0 && outer && s.pos >= len(s.data):
		default:
			return s.unexpected(", or ]")
		}
	}
}

func (s *scanner) string() (string, error) {
	if s.peek() != '"' {
		return "", s.unexpected("a string")
	}
	start := s.pos
	for s.pos++; s.pos < len(s.data); s.pos++ {
		switch s.data[s.pos] {
		case '\\':
			s.pos++
		case '"':
			s.pos++
			return s.unquote(start)
		}
	}
	return "", s.fail(start, "the string has no end", `"`)
}

func (s *scanner) unquote(start int) (string, error) {
	raw := s.data[start:s.pos]
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1]), nil
	}
	// Go's quoting has all of JSON's escapes but \/, and surrogate pairs, which no tuner writes.
	text, err := strconv.Unquote(string(bytes.ReplaceAll(raw, []byte(`\/`), []byte(`/`))))
	if err != nil {
		return "", s.fail(start, "a malformed string", "JSON escapes")
	}
	return text, nil
}

// scalar reads an int64, a float64, a string, a bool, or nil for null.
func (s *scanner) scalar() (any, error) {
	c := s.peek()
	if c == '"' {
		return s.string()
	}
	start := s.pos
	for s.pos < len(s.data) && bytes.IndexByte([]byte(",:]}{[\" \t\r\n"), s.data[s.pos]) < 0 {
		s.pos++
	}
	word := string(s.data[start:s.pos])
	switch word {
	case "true", "false":
		return word == "true", nil
	case "null":
		return nil, nil
	}
	if i, err := strconv.ParseInt(word, 10, 64); err == nil {
		return i, nil
	}
	if f, err := strconv.ParseFloat(word, 64); err == nil {
		return f, nil
	}
	s.pos = start
	return nil, s.unexpected("a number, a string, true, false or null")
}

// skip reads over any value.
func (s *scanner) skip(depth int) error {
	if depth > maxDepth {
		return s.fail(s.pos, "values are nested too deep", fmt.Sprintf("at most %d levels", maxDepth))
	}
	switch s.peek() {
	case '{':
		return s.object(false, func(string, int) error { return s.skip(depth + 1) })
	case '[':
		return s.array(false, func() error { return s.skip(depth + 1) })
	}
	_, err := s.scalar()
	return err
}
