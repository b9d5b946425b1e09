package spec

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Text is a string of the spec that knows where each of its bytes stands in the file.
type Text struct {
	String string
	// file names where the text comes from; offsets maps each byte of String to an offset of
	// the index, and is nil when the spelling in the file could not be followed.
	index   *index
	offsets []int
	start   Position
}

// At is the position of the byte at offset in String. Offsets past the end give the end.
func (t Text) At(offset int) Position {
	if t.index == nil {
		p := t.start
		p.Column += min(max(offset, 0), len(t.String))
		return p
	}
	if len(t.offsets) == 0 {
		return t.start
	}
	return t.index.position(t.offsets[min(max(offset, 0), len(t.offsets)-1)])
}

// text returns the string value at p, whose decoded form is s.
func (x *index) text(p path, s string) Text {
	t := Text{String: s, index: x, start: x.valueAt(p)}
	if sp, ok := x.strings[p]; ok {
		if decoded, offsets := follow(string(x.data[sp.start:sp.end]), sp.start); decoded == s {
			t.offsets = offsets
		}
	}
	return t
}

// follow decodes a raw TOML string, quotes included, and returns for each byte of the result,
// and for its end, the offset of its spelling; base is the offset of raw.
func follow(raw string, base int) (string, []int) {
	quotes := 1
	if strings.HasPrefix(raw, `"""`) || strings.HasPrefix(raw, `'''`) {
		quotes = 3
	}
	if len(raw) < 2*quotes {
		return "", nil
	}
	basic := raw[0] == '"'
	body, at := raw[quotes:len(raw)-quotes], base+quotes
	if quotes == 3 {
		for _, newline := range []string{"\n", "\r\n"} {
			if strings.HasPrefix(body, newline) {
				body, at = body[len(newline):], at+len(newline)
				break
			}
		}
	}
	var out strings.Builder
	var offsets []int
	emit := func(s string, offset int) {
		for range len(s) {
			offsets = append(offsets, offset)
		}
		out.WriteString(s)
	}
	for i := 0; i < len(body); {
		if !basic || body[i] != '\\' || i+1 == len(body) {
			emit(body[i:i+1], at+i)
			i++
			continue
		}
		s, n := escape(body[i:])
		emit(s, at+i)
		i += n
	}
	return out.String(), append(offsets, at+len(body))
}

// escape decodes the escape sequence at the start of s and returns its value and its length.
func escape(s string) (string, int) {
	digits := 0
	switch s[1] {
	case 'b':
		return "\b", 2
	case 't':
		return "\t", 2
	case 'n':
		return "\n", 2
	case 'f':
		return "\f", 2
	case 'r':
		return "\r", 2
	case 'e':
		return "\x1b", 2
	case '"', '\\':
		return s[1:2], 2
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	default: // a line ending: the newline and the blanks after it are no part of the string
		rest := strings.TrimLeft(s[1:], " \t\r\n")
		return "", max(len(s)-len(rest), 2)
	}
	if len(s) < 2+digits {
		return "", len(s)
	}
	n, err := strconv.ParseUint(s[2:2+digits], 16, 32)
	if err != nil || !utf8.ValidRune(rune(n)) {
		return "", 2 + digits
	}
	return string(rune(n)), 2 + digits
}
