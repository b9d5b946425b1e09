// Package configs holds what krisptune knows without asking a device: kernel specs and knob
// tables, embedded.
package configs

import (
	"embed"
	"io/fs"
	"path"
	"strings"
)

//go:embed kernels/*.toml drivers/*.toml
var files embed.FS

// Kernel returns the embedded spec of the given name, such as "matmul".
func Kernel(name string) ([]byte, bool) {
	// A name is one element of a path: embed refuses the rest by itself.
	data, err := files.ReadFile("kernels/" + name + ".toml")
	return data, err == nil
}

// Kernels lists the embedded specs in alphabetical order.
func Kernels() []string { return names("kernels") }

// names lists a folder's TOML files without their ending.
func names(folder string) []string {
	entries, err := fs.ReadDir(files, folder)
	if err != nil {
		panic(err) // embedded at build time
	}
	var out []string
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), path.Ext(e.Name())))
	}
	return out
}
