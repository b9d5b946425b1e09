package mutants

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/krisptune/krisptune/plugins"
)

// A Kernel is a shader with all that it takes to guard it and to break it.
type Kernel struct {
	Name string
	// Files are the source's paths from the repository's root; the first one is compiled.
	Files    []string
	Variants []Variant
	// Settings are tried in order until one refuses the mutant.
	Settings []Setting
	// Build launches modules, which come in the order of Variant.Modules.
	Build     func(v Variant, modules [][]byte, problem plugins.Problem, config plugins.Config) (plugins.Build, error)
	Mutations []Mutation
}

// A Variant is one set of modules made from a kernel's source.
type Variant struct {
	Name string
	// Modules are the defines of each module.
	Modules [][]string
	// Fields are what the variant says of every problem, such as element types.
	Fields plugins.Problem
	// Unroll is of the kernels that have such a parameter.
	Unroll bool
}

// A Setting is one configuration with the problems that it is guarded on.
type Setting struct {
	Name    string
	Config  plugins.Config
	Problem plugins.Problem
	Tails   []Tail
}

// A Tail is a field of a problem with the extent that one workgroup covers in it.
type Tail struct {
	Field          string
	Tile, Multiple int64
	Reduced        bool
}

// cases are the sizes that the core has a configuration guarded on besides the tuned problem
// (tuner's guard cases): one below, at and one above the tile, two or three tiles and a bit,
// and one long reduction.
func (s Setting) cases() []plugins.Problem {
	up := func(t Tail, n int64) int64 { return (max(n, 1) + t.Multiple - 1) / t.Multiple * t.Multiple }
	down := func(t Tail, n int64) int64 { return max(n/t.Multiple*t.Multiple, t.Multiple) }
	var out []plugins.Problem
	for _, size := range []func(i int, t Tail) int64{
		func(_ int, t Tail) int64 { return down(t, t.Tile-1) },
		func(_ int, t Tail) int64 { return up(t, t.Tile) },
		func(_ int, t Tail) int64 { return up(t, t.Tile+1) },
		func(i int, t Tail) int64 {
			if i%2 == 0 {
				return up(t, 2*t.Tile+1)
			}
			return down(t, 3*t.Tile-1)
		},
		func(_ int, t Tail) int64 {
			if t.Reduced {
				return up(t, 24*t.Tile+1)
			}
			return up(t, t.Tile+1)
		},
	} {
		p := merged(s.Problem, nil)
		for i, t := range s.Tails {
			p[t.Field] = size(i, t)
		}
		out = append(out, p)
	}
	return out
}

// check makes the request that guards modules under the setting.
func (k *Kernel) check(id string, v Variant, modules [][]byte, s Setting) (plugins.Candidate, plugins.Check, error) {
	build := func(p plugins.Problem) (plugins.Problem, plugins.Build, error) {
		p = merged(p, v.Fields)
		b, err := k.Build(v, modules, p, s.Config)
		return p, b, err
	}
	check := plugins.Check{ID: id, Config: s.Config, Deadline: deadline}
	problem, b, err := build(s.Problem)
	if err != nil {
		return plugins.Candidate{}, check, err
	}
	check.Problem = problem
	for _, p := range s.cases() {
		p, b, err := build(p)
		if err != nil {
			return plugins.Candidate{}, check, err
		}
		check.Cases = append(check.Cases, plugins.Case{Problem: p, Build: b})
	}
	return plugins.Candidate{ID: id, Build: b}, check, nil
}

// source reads the kernel's files, by base name.
func (k *Kernel) source(root string) (map[string]string, error) {
	files := make(map[string]string)
	for _, f := range k.Files {
		data, err := os.ReadFile(filepath.Join(root, f))
		if err != nil {
			return nil, err
		}
		files[filepath.Base(f)] = string(data)
	}
	return files, nil
}

// Kernels are all subjects.
func Kernels() []*Kernel { return []*Kernel{tiled(), gemv(), rowsum(), histogram(), attention()} }

// Root is the folder of go.mod, at or above the current one.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("no go.mod at or above the current folder")
		}
		dir = parent
	}
}

func merged(a, b plugins.Problem) plugins.Problem {
	out := plugins.Problem{}
	for _, m := range []plugins.Problem{a, b} {
		for name, v := range m {
			out[name] = v
		}
	}
	return out
}

// words are 32-bit words, little-endian: push constants, or one specialization constant.
func words(values ...uint32) []byte {
	var out []byte
	for _, v := range values {
		out = binary.LittleEndian.AppendUint32(out, v)
	}
	return out
}

// constants are specialization constants 0, 1, ... by the names of integer parameters.
func constants(c plugins.Config, names ...string) ([]plugins.SpecConstant, error) {
	var out []plugins.SpecConstant
	for id, name := range names {
		v, err := c.Int(name)
		if err != nil {
			return nil, err
		}
		out = append(out, plugins.SpecConstant{ID: uint32(id), Data: words(uint32(v))})
	}
	return out, nil
}

// sizes are integer fields of a problem.
func sizes(p plugins.Problem, names ...string) ([]int64, error) {
	var out []int64
	for _, name := range names {
		v, err := p.Int(name)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// bind binds buffers 0, 1, ... in the order given.
func bind(buffers ...int) []plugins.Binding {
	var out []plugins.Binding
	for at, b := range buffers {
		out = append(out, plugins.Binding{Binding: uint32(at), Buffer: b})
	}
	return out
}

// oneLine is text on one line, for tables.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
