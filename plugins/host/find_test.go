package host_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krisptune/krisptune/plugins/host"
)

// folders are an allowed folder, one in the plugin path, and the user's config folder, all empty.
func folders(t *testing.T) (allowed, pluginPath, config string) {
	t.Helper()
	root := t.TempDir()
	allowed, pluginPath = filepath.Join(root, "allowed"), filepath.Join(root, "path")
	config = filepath.Join(root, "config", "krisptune", "plugins")
	for _, d := range []string{allowed, pluginPath, config} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("KRISPTUNE_PLUGIN_PATH", pluginPath)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(root, "config"))
	return allowed, pluginPath, config
}

func executable(t *testing.T, folder, name string) string {
	t.Helper()
	path := filepath.Join(folder, "krisptune-family-"+name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFindFamily(t *testing.T) {
	allowed, pluginPath, config := folders(t)
	a, p, c := executable(t, allowed, "a"), executable(t, pluginPath, "p"), executable(t, config, "c")
	for name, want := range map[string]string{"a": a, "p": p, "c": c} {
		got, err := host.FindFamily(name, []string{"matmul"}, []string{a})
		if err != nil || got.Path != want {
			t.Errorf("%s: %q, %v, expected %q", name, got.Path, err, want)
		}
	}
	got, err := host.FindFamily("matmul", []string{"matmul"}, nil)
	if err != nil || got.Path != self(t) || strings.Join(got.Args, " ") != "plugin matmul" {
		t.Errorf("built in: %+v, %v", got, err)
	}
	if _, err := host.FindFamily("a", []string{"matmul"}, nil); err == nil || !strings.Contains(err.Error(), "matmul") {
		t.Errorf("a file that was not allowed: error %v, expected one that names the families", err)
	}
	all, err := host.Families([]string{"matmul"}, []string{a})
	var names []string
	for _, f := range all {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); err != nil || got != "matmul a p c" {
		t.Errorf("Families: %s, %v, expected the order of the search", got, err)
	}
}

func TestCurrentFolderIsNotSearched(t *testing.T) {
	folders(t)
	here := t.TempDir()
	t.Chdir(here)
	executable(t, here, "here")
	if _, err := host.FindFamily("here", nil, nil); err == nil {
		t.Error("found in the current folder")
	}
	for _, path := range []string{".", ":/usr/lib", "plugins"} {
		t.Setenv("KRISPTUNE_PLUGIN_PATH", path)
		if _, err := host.FindFamily("here", nil, nil); err == nil || !strings.Contains(err.Error(), "absolute") {
			t.Errorf("$KRISPTUNE_PLUGIN_PATH=%q: error %v, expected one that wants absolute folders", path, err)
		}
	}
}

func TestServedTwice(t *testing.T) {
	allowed, pluginPath, _ := folders(t)
	a, p := executable(t, allowed, "x"), executable(t, pluginPath, "x")
	_, err := host.FindFamily("x", nil, []string{a})
	if err == nil || !strings.Contains(err.Error(), a) || !strings.Contains(err.Error(), p) {
		t.Errorf("error %v, expected one that names both files", err)
	}
	if _, err := host.FindFamily("x", []string{"x"}, nil); err == nil || !strings.Contains(err.Error(), "built in") {
		t.Errorf("a built-in family's name: error %v, expected one that names both", err)
	}
	// Another family's trouble is not this one's.
	if _, err := host.FindFamily("matmul", []string{"matmul"}, []string{a}); err != nil {
		t.Error(err)
	}
	// The same file by two ways is one file.
	if err := os.Remove(a); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(p, a); err != nil {
		t.Fatal(err)
	}
	if got, err := host.FindFamily("x", nil, []string{a}); err != nil || got.Path != p {
		t.Errorf("one file by two ways: %q, %v", got.Path, err)
	}
}

func TestUnsafeExecutables(t *testing.T) {
	spoil := map[string]func(file string) error{
		"may be written":     func(file string) error { return os.Chmod(file, 0o757) },
		"folder":             func(file string) error { return os.Chmod(filepath.Dir(file), 0o777) },
		"cannot be executed": func(file string) error { return os.Chmod(file, 0o644) },
		"not a regular file": func(file string) error {
			if err := os.Remove(file); err != nil {
				return err
			}
			return os.Mkdir(file, 0o755)
		},
	}
	if os.Getuid() == 0 {
		spoil["belongs to user 1234"] = func(file string) error { return os.Chown(file, 1234, 0) }
		spoil["may be written by other users (mode 775)"] = func(file string) error {
			if err := os.Chown(file, 0, 1234); err != nil {
				return err
			}
			return os.Chmod(file, 0o775)
		}
	}
	for want, do := range spoil {
		allowed, _, _ := folders(t)
		file := executable(t, allowed, "x")
		if _, err := host.FindFamily("x", nil, []string{file}); err != nil {
			t.Fatal(err)
		}
		if err := do(file); err != nil {
			t.Fatal(err)
		}
		if want == "folder" {
			want = allowed + " may be written"
		}
		if _, err := host.FindFamily("x", nil, []string{file}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected one with %q", err, want)
		}
	}
	allowed, _, _ := folders(t)
	if _, err := host.FindFamily("x", nil, []string{filepath.Join(allowed, "x.py")}); err == nil {
		t.Error("a file whose name is no family's: no error")
	}
}
