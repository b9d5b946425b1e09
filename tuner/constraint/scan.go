package constraint

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// maxSource bounds the recursion of the parser.
const maxSource = 4096

// A layout is what the parser's tree does not keep: where // stood and how deep each character lies in brackets.
type layout struct {
	runes    []rune // the source with the second slash of // blanked, so that columns stay
	floorDiv map[int]bool
	depth    []int
}

// scan prepares src for expr's parser, to which // begins a comment.
// Comments, let and ^ (which is power there and xor in Python) are refused.
func scan(src string) (*layout, error) {
	if !utf8.ValidString(src) {
		return nil, &Error{Source: src, Col: 1, Problem: "the expression is not valid UTF-8"}
	}
	runes := []rune(src)
	if len(runes) > maxSource {
		return nil, &Error{Source: string(runes[:40]) + "...", Col: maxSource + 1, Problem: "the expression is too long", Expected: "at most 4096 characters"}
	}
	l := &layout{runes: runes, floorDiv: map[int]bool{}, depth: make([]int, len(runes))}
	fail := func(at int, problem, expected string) error {
		return &Error{Source: src, Col: at + 1, Problem: problem, Expected: expected}
	}
	depth := 0
	for i := 0; i < len(runes); i++ {
		l.depth[i] = depth
		next := rune(0)
		if i+1 < len(runes) {
			next = runes[i+1]
		}
		switch r := runes[i]; {
		case r == '"' || r == '\'' || r == '`':
			for i++; i < len(runes) && runes[i] != r; i++ {
				l.depth[i] = depth
				if runes[i] == '\\' && r != '`' && i+1 < len(runes) {
					i++
					l.depth[i] = depth
				}
			}
			if i < len(runes) {
				l.depth[i] = depth
			}
		case r == '(' || r == '[' || r == '{':
			depth++
		case r == ')' || r == ']' || r == '}':
			depth--
			l.depth[i] = depth
		case r == '/' && next == '/':
			l.floorDiv[i] = true
			runes[i+1] = ' '
			l.depth[i+1] = depth
			i++
		case r == '/' && next == '*':
			return nil, fail(i, "comments are not allowed", "an operator")
		case r == '#':
			return nil, fail(i, "unexpected #", "an operator, a name or a value")
		case r == '?' || r == ';' || r == '|' && next != '|':
			return nil, fail(i, fmt.Sprintf("unexpected %c", r), "one expression of names, values, operators and brackets")
		case r == '|':
			l.depth[i+1] = depth
			i++
		case r == '^':
			return nil, fail(i, "^ is ambiguous", "** for a power")
		case isWord(r):
			start := i
			for i+1 < len(runes) && isWord(runes[i+1]) {
				i++
				l.depth[i] = depth
			}
			if string(runes[start:i+1]) == "let" {
				return nil, fail(start, "let is not allowed", "one expression")
			}
		}
	}
	return l, nil
}

func isWord(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// sameBrackets reports whether the characters at two offsets lie equally deep,
// which for an operator and its operand means that no bracket encloses the operand.
func (l *layout) sameBrackets(a, b int) bool {
	return a < len(l.depth) && b < len(l.depth) && l.depth[a] == l.depth[b]
}
