// Package toolchain reads shaders/TOOLCHAIN and runs the compiler that it pins.
package toolchain

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// A Toolchain is what TOOLCHAIN says: one compiler at one version, its flags, and every
// module that it makes.
type Toolchain struct {
	Dir     string // the folder that holds TOOLCHAIN, absolute
	Package string
	Version string
	Flags   []string
	Modules []Module
}

// A Module is one .spv file and how it is made. Paths are relative to Toolchain.Dir.
type Module struct {
	Path    string
	Source  string
	Defines []string
}

// ErrNotFetched is returned by Cached when the compiler is not in the cache.
var ErrNotFetched = errors.New("the pinned compiler is not in the cache; go generate ./shaders/... fetches it")

// Load reads dir/TOOLCHAIN.
func Load(dir string) (Toolchain, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Toolchain{}, err
	}
	t := Toolchain{Dir: dir}
	path := filepath.Join(dir, "TOOLCHAIN")
	data, err := os.ReadFile(path)
	if err != nil {
		return t, err
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			return t, fmt.Errorf("%s:%d: %q has no '=', expected key = value", path, n, line)
		}
		key, words := strings.TrimSpace(key), strings.Fields(value)
		switch {
		case len(words) == 0:
			return t, fmt.Errorf("%s:%d: %s is empty", path, n, key)
		case strings.HasSuffix(key, ".spv"):
			t.Modules = append(t.Modules, Module{Path: key, Source: words[0], Defines: words[1:]})
		case key == "package":
			t.Package = words[0]
		case key == "version":
			t.Version = words[0]
		case key == "flags":
			t.Flags = words
		case key == "suite": // read by toolchain.sh
		default:
			return t, fmt.Errorf("%s:%d: unknown key %q, expected suite, package, version, flags or a .spv file", path, n, key)
		}
	}
	if t.Package == "" || t.Version == "" || len(t.Flags) == 0 || len(t.Modules) == 0 {
		return t, fmt.Errorf("%s: package, version, flags and at least one .spv file are expected", path)
	}
	return t, nil
}

// Fetch returns the compiler's path, fetching it when the cache lacks it.
func (t Toolchain) Fetch() (string, error) {
	cmd := exec.Command(filepath.Join(t.Dir, "toolchain.sh"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %v: %s", cmd.Path, err, strings.TrimSpace(stderr.String()))
	}
	return strings.TrimSpace(string(out)), nil
}

// Cached returns the compiler's path without any use of the network, or ErrNotFetched.
func (t Toolchain) Cached() (string, error) {
	cache := os.Getenv("KRISPTUNE_TOOLCHAIN")
	if cache == "" {
		cache = filepath.Join(t.Dir, "..", ".cache", "toolchain")
	}
	cache, err := filepath.Abs(cache)
	if err != nil {
		return "", err
	}
	path := filepath.Join(cache, t.Package+"-"+t.Version+"-"+runtime.GOARCH, "glslc")
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", ErrNotFetched
	} else if err != nil {
		return "", err
	}
	return path, nil
}

// Compile makes one module with the compiler at glslc and returns its SPIR-V.
func (t Toolchain) Compile(glslc string, m Module) ([]byte, error) {
	args := append(append([]string{}, t.Flags...), m.Defines...)
	cmd := exec.Command(glslc, append(args, "-o", "-", m.Source)...)
	cmd.Dir = t.Dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %v\n%s", m.Path, err, stderr.Bytes())
	}
	return out, nil
}
