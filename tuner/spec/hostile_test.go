package spec

import (
	"strings"
	"testing"
	"time"
)

// TestHostile reads the largest documents that cost parsers most. Without the limits on depth
// and key length some of them take minutes and all memory.
func TestHostile(t *testing.T) {
	const n = MaxSize
	keys := "[" + strings.Repeat("a", n/2) + "]\n"
	for name, text := range map[string]string{
		"dotted key":      strings.Repeat("a.", n/2-3) + "a=1",
		"table header":    "[" + strings.Repeat("a.", n/2-3) + "a]",
		"nested lists":    "a=" + strings.Repeat("[", n/2-3) + strings.Repeat("]", n/2-3),
		"inline tables":   strings.Repeat("a={", n/4-3) + strings.Repeat("}", n/4-3),
		"long list":       "a=[" + strings.Repeat("1,", n/2-3) + "]",
		"empty tables":    strings.Repeat("[[a]]\n", n/6-1),
		"empty subtables": "[[a]]\n" + strings.Repeat("[[a.b]]\n", n/8-1),
		"long key":        keys + strings.Repeat("a=1\n", n/8),
		"escapes":         `a="` + strings.Repeat(`\n`, n/2-4) + `"`,
	} {
		start := time.Now()
		_, err := Parse("hostile.toml", []byte(text))
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: %v", name, took)
		}
		if err == nil || len(err.Error()) > 1000 {
			t.Errorf("%s: %.200v", name, err)
		}
	}
}
