package vkrt

import "C"

import (
	"strings"
	"unicode"
	"unsafe"
)

// goString reads a fixed C array that a driver filled.
func goString(s []C.char) string {
	b := unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s))
	text, _, _ := strings.Cut(string(b), "\x00")
	return printable(text)
}

// printable drops what could act on a terminal: a driver's words end up there.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsControl(r), r == unicode.ReplacementChar, unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, s)
}
