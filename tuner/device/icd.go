// Package device finds the Vulkan devices of this machine without loading a driver: it asks one
// short-lived runner for each installed driver, so that a driver that crashes or hangs hides
// itself alone.
package device

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Drivers returns the manifests of the installed Vulkan drivers, as the loader would find them
// (Vulkan-Loader, LoaderDriverInterface.md, "Driver Discovery on Linux"). VK_DRIVER_FILES and
// its older name VK_ICD_FILENAMES replace the search; VK_ADD_DRIVER_FILES adds to it.
func Drivers(getenv func(string) string) []string {
	for _, name := range []string{"VK_DRIVER_FILES", "VK_ICD_FILENAMES"} {
		if v := getenv(name); v != "" {
			return manifests(filepath.SplitList(v))
		}
	}
	home := getenv("HOME")
	or := func(name, fallback string) string {
		if v := getenv(name); v != "" {
			return v
		}
		return fallback
	}
	var roots []string
	roots = append(roots, or("XDG_CONFIG_HOME", filepath.Join(home, ".config")))
	roots = append(roots, filepath.SplitList(or("XDG_CONFIG_DIRS", "/etc/xdg"))...)
	roots = append(roots, "/usr/local/etc", "/etc")
	roots = append(roots, or("XDG_DATA_HOME", filepath.Join(home, ".local/share")))
	roots = append(roots, filepath.SplitList(or("XDG_DATA_DIRS", "/usr/local/share:/usr/share"))...)

	paths := filepath.SplitList(getenv("VK_ADD_DRIVER_FILES"))
	for _, r := range roots {
		paths = append(paths, filepath.Join(r, "vulkan/icd.d"))
	}
	return manifests(paths)
}

// manifests expands folders to the .json files in them and keeps the first of equal names: a
// driver is often installed under /etc and /usr/share both.
func manifests(paths []string) []string {
	var found []string
	add := func(p string) {
		if real, err := filepath.EvalSymlinks(p); err == nil && !slices.Contains(found, real) {
			found = append(found, real)
		}
	}
	for _, p := range paths {
		info, err := os.Stat(p)
		switch {
		case err != nil:
		case info.IsDir():
			entries, _ := filepath.Glob(filepath.Join(p, "*.json"))
			slices.Sort(entries)
			for _, e := range entries {
				add(e)
			}
		case strings.HasSuffix(p, ".json"):
			add(p)
		}
	}
	return found
}
