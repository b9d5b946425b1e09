package shaders

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krisptune/krisptune/shaders/internal/toolchain"
)

func load(t *testing.T) toolchain.Toolchain {
	t.Helper()
	tc, err := toolchain.Load(".")
	if err != nil {
		t.Fatal(err)
	}
	return tc
}

// Every module in the binary is named by TOOLCHAIN and the other way round: a file that
// nothing rebuilds would go stale unseen.
func TestModulesAreThoseOfTOOLCHAIN(t *testing.T) {
	named := map[string]bool{}
	for _, m := range load(t).Modules {
		named[m.Path] = true
		spirv, err := SPIRV(strings.TrimSuffix(m.Path, ".spv"))
		if err != nil {
			t.Error(err)
			continue
		}
		if len(spirv) < 20 || len(spirv)%4 != 0 || binary.LittleEndian.Uint32(spirv) != 0x07230203 {
			t.Errorf("%s is no SPIR-V module", m.Path)
		}
		if _, err := os.Stat(m.Source); err != nil {
			t.Errorf("%s: %v", m.Path, err)
		}
	}
	err := fs.WalkDir(modules, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !named[path] {
			t.Errorf("%s is embedded, but TOOLCHAIN does not say how it is made", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestUnknownShader(t *testing.T) {
	if _, err := SPIRV("matmul/no_such"); err == nil || !strings.Contains(err.Error(), `"matmul/no_such"`) {
		t.Errorf("error is %v, expected one that names the shader", err)
	}
}

// Committed SPIR-V equals what the pinned compiler makes of the committed source.
func TestSPIRVReproduces(t *testing.T) {
	tc := load(t)
	glslc, err := tc.Cached()
	if errors.Is(err, toolchain.ErrNotFetched) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range tc.Modules {
		t.Run(filepath.Base(m.Path), func(t *testing.T) {
			got, err := tc.Compile(glslc, m)
			if err != nil {
				t.Fatal(err)
			}
			committed, err := os.ReadFile(m.Path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, committed) {
				t.Errorf("%s (%d bytes) differs from what %s %s makes of %s (%d bytes): run go generate ./shaders/...",
					m.Path, len(committed), tc.Package, tc.Version, m.Source, len(got))
			}
		})
	}
}
