package spec

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzParse looks for panics, for errors without a place, and for accepted specs whose
// constraints point outside the file.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/good/*.toml", "testdata/bad/*.toml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		lines := strings.Count(string(data), "\n") + 1
		check := func(err error) {
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("not an *Error: %v", err)
			}
			if e.Line < 1 || e.Line > lines || e.Column < 1 || e.Column > len(data)+1 {
				t.Fatalf("place outside the file of %d lines: %v", lines, e)
			}
			if strings.ContainsAny(e.Error(), "\n\r\x1b") {
				t.Fatalf("more than one line: %q", e)
			}
		}
		s, err := Parse("fuzz.toml", data)
		if err != nil {
			check(err)
			return
		}
		for _, c := range s.constraints {
			for i := 0; i <= len(c.String); i++ {
				if p := c.At(i); p.Line < 1 || p.Line > lines {
					t.Fatalf("byte %d of %q is at %+v", i, c.String, p)
				}
			}
		}
		if _, err := s.Bind(family, Options{}); err != nil {
			check(err)
		}
	})
}
