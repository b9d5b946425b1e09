package spec

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// MaxSize is the largest spec that is read, in bytes. A spec is written by hand or by a small
// program: what is larger is some other file.
const MaxSize = 1 << 20

// Load reads the spec at path. Faults are *Error.
func Load(path string) (*Spec, error) {
	data, err := Read(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}

// Read returns the bytes of the spec at path, of which Parse refuses more than MaxSize. Only
// regular files are opened: a pipe may never end, and a device may have no end.
func Read(path string) ([]byte, error) {
	whole := Position{File: path}
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return nil, whole.Errorf("a regular file", "it is a %s", info.Mode().Type())
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, whole.Errorf("a spec file that can be read", "cannot open: %s", reason(err))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return nil, whole.Errorf("a spec file that can be read", "cannot read: %s", reason(err))
	}
	return data, nil
}

// reason drops the path that the error repeats.
func reason(err error) string {
	var e *fs.PathError
	if errors.As(err, &e) {
		if e.Err == syscall.EISDIR {
			return "it is a folder"
		}
		return e.Err.Error()
	}
	return err.Error()
}

// Parse reads a spec from data; name stands for the file in errors. Faults are *Error: the
// first one, in the order in which the dialect's parts are read.
func Parse(name string, data []byte) (*Spec, error) {
	if len(data) > MaxSize {
		return nil, Position{File: name}.Errorf("at most 1 MiB", "the spec is too large")
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	plain := &index{file: name, data: data, lines: lineStarts(data)}
	if !utf8.Valid(data) {
		at := 0
		for at < len(data) {
			r, n := utf8.DecodeRune(data[at:])
			if r == utf8.RuneError && n == 1 {
				break
			}
			at += n
		}
		return nil, plain.position(at).Errorf("UTF-8 text", "byte 0x%02x is not UTF-8", data[at])
	}
	x, err := newIndex(name, data)
	if err != nil {
		return nil, err
	}
	var tree map[string]any
	if _, err := toml.Decode(string(data), &tree); err != nil {
		var e toml.ParseError
		if errors.As(err, &e) {
			return nil, x.position(e.Position.Start).Errorf("valid TOML", "%s", strings.TrimSuffix(e.Message, "."))
		}
		return nil, x.position(0).Errorf("valid TOML", "%s", err)
	}
	s := &Spec{File: name, root: x.position(0)}
	if err := s.read(node{x: x, value: tree}); err != nil {
		return nil, err
	}
	return s, nil
}

var (
	sections = []string{"version", "constraints", "kernel", "problem", "params", "baseline", "driver", "search", "measure"}
	// later are the dialect's other parts. Reading past them would tune something else than
	// the user wrote.
	later = []string{"gate", "rate", "shader", "buffer", "push", "pass", "param", "reference"}
)

func (s *Spec) read(root node) error {
	parts, err := root.table("a table", sections, later)
	if err != nil {
		return err
	}
	version, ok := parts["version"]
	if !ok {
		return s.root.Errorf("version = 1", "version is missing")
	}
	if _, err := version.integer("version = 1", 1, 1); err != nil {
		return err
	}
	for _, read := range []struct {
		name string
		read func(node) error
	}{
		{"constraints", s.readConstraints}, {"kernel", s.readKernel}, {"problem", s.readProblems},
		{"params", s.readParams}, {"driver", s.readDriver}, {"baseline", s.readBaseline}, {"search", s.readSearch}, {"measure", s.readMeasure},
	} {
		part, ok := parts[read.name]
		if !ok {
			part.value = nil
		}
		if err := read.read(part); err != nil {
			return err
		}
	}
	return nil
}

// absent is true of a part that the spec does not have.
func (n node) absent() bool { return n.x == nil }
