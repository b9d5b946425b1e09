package t1

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// A token is a name, a number, a string or an operator of a list expression.
type token struct {
	text  string
	value any // of a number or string, else nil
	at    int // byte offset, from 1
}

// scan splits an expression; the last token is empty.
func scan(text string) ([]token, error) {
	var out []token
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case c >= '0' && c <= '9' || c == '.':
			j := i
			for j < len(text) && (isWord(text[j]) || text[j] == '.' ||
				(text[j] == '+' || text[j] == '-') && (text[j-1] == 'e' || text[j-1] == 'E')) {
				j++
			}
			t := token{text: text[i:j], at: i + 1}
			if n, err := strconv.ParseInt(t.text, 0, 64); err == nil && !octal(t.text) {
				t.value = n
			} else if f, err := strconv.ParseFloat(t.text, 64); err == nil && !octal(t.text) {
				t.value = f
			} else {
				return nil, fmt.Errorf("character %d: %q is no number", t.at, t.text)
			}
			out, i = append(out, t), j
		case isWord(c):
			j := i
			for j < len(text) && isWord(text[j]) {
				j++
			}
			out, i = append(out, token{text: text[i:j], at: i + 1}), j
		case c == '"' || c == '\'':
			j := strings.IndexByte(text[i+1:], c)
			if j < 0 || strings.ContainsRune(text[i+1:i+1+j], '\\') {
				return nil, fmt.Errorf("character %d: the string does not end, or has a backslash, which is not supported", i+1)
			}
			out = append(out, token{text: text[i : i+2+j], value: text[i+1 : i+1+j], at: i + 1})
			i += j + 2
		default:
			n := 1
			for _, op := range []string{"**", "//", "==", "!=", "<=", ">="} {
				if strings.HasPrefix(text[i:], op) {
					n = 2
				}
			}
			if n == 1 && !strings.ContainsRune("[](),+-*/%<>", rune(c)) {
				return nil, fmt.Errorf("character %d: unexpected %q", i+1, c)
			}
			out, i = append(out, token{text: text[i : i+n], at: i + 1}), i+n
		}
	}
	return append(out, token{at: len(text) + 1}), nil
}

// octal numbers such as 010 are errors in Python, and 8 in Go.
func octal(s string) bool {
	return len(s) > 1 && s[0] == '0' && s[1] >= '0' && s[1] <= '9' && !strings.ContainsAny(s, ".eE")
}

func isWord(c byte) bool {
	return c == '_' || c < unicode.MaxASCII && (unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c)))
}
