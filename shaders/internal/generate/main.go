// Command generate rebuilds every .spv file that TOOLCHAIN names; `go generate ./shaders/...`
// runs it in the folder shaders.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/krisptune/krisptune/shaders/internal/toolchain"
)

func main() { os.Exit(run(".", os.Stderr)) }

func run(dir string, stderr io.Writer) int {
	if err := generate(dir); err != nil {
		fmt.Fprintln(stderr, "generate:", err)
		return 1
	}
	return 0
}

func generate(dir string) error {
	t, err := toolchain.Load(dir)
	if err != nil {
		return err
	}
	glslc, err := t.Fetch()
	if err != nil {
		return err
	}
	for _, m := range t.Modules {
		spirv, err := t.Compile(glslc, m)
		if err != nil {
			return err
		}
		path := filepath.Join(dir, m.Path)
		if err := os.WriteFile(path+".tmp", spirv, 0o644); err != nil {
			return err
		}
		if err := os.Rename(path+".tmp", path); err != nil {
			return err
		}
	}
	return nil
}
