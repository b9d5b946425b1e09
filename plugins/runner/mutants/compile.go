package mutants

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// flags are those of shaders/TOOLCHAIN; a test holds what they make against the shipped modules.
var flags = []string{"--target-env=vulkan1.1", "-O0"}

// A Compiler runs the pinned glslc and keeps what it made, by the hash of source and flags.
type Compiler struct{ glslc, cache string }

// NewCompiler fetches the compiler on first use; cache is a folder under root.
func NewCompiler(root string) (*Compiler, error) {
	out, err := exec.Command(filepath.Join(root, "shaders", "toolchain.sh")).Output()
	if err != nil {
		return nil, fmt.Errorf("toolchain.sh: %w", err)
	}
	c := &Compiler{glslc: strings.TrimSpace(string(out)), cache: filepath.Join(root, ".cache", "mutants")}
	return c, os.MkdirAll(c.cache, 0o755)
}

// Modules compiles file main of files once for each list of defines.
func (c *Compiler) Modules(files map[string]string, main string, defines [][]string) ([][]byte, error) {
	var out [][]byte
	for _, d := range defines {
		spirv, err := c.module(files, main, d)
		if err != nil {
			return nil, err
		}
		out = append(out, spirv)
	}
	return out, nil
}

func (c *Compiler) module(files map[string]string, main string, defines []string) ([]byte, error) {
	args := slices.Concat(flags, defines)
	h := sha256.New()
	fmt.Fprintf(h, "%s %q %q", filepath.Base(filepath.Dir(c.glslc)), args, main) // the folder names the version
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Fprintf(h, " %q %q", name, files[name])
	}
	path := filepath.Join(c.cache, hex.EncodeToString(h.Sum(nil)[:16])+".spv")
	if spirv, err := os.ReadFile(path); err == nil {
		return spirv, nil
	}
	dir, err := os.MkdirTemp(c.cache, "source")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command(c.glslc, append(args, "-o", "module.spv", main)...)
	cmd.Dir = dir
	if message, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("glslc: %w\n%s", err, message)
	}
	made := filepath.Join(dir, "module.spv")
	spirv, err := os.ReadFile(made)
	if err != nil {
		return nil, err
	}
	return spirv, os.Rename(made, path)
}
