package host

import (
	"maps"
	"slices"
	"strings"
)

// layerNames turn Vulkan layers on or off in every process. Explicit layers are the runner's to
// ask for, and implicit ones stay out of a measurement.
var layerNames = []string{"VK_INSTANCE_LAYERS", "VK_DEVICE_LAYERS", "VK_LOADER_LAYERS_ENABLE",
	"VK_LOADER_LAYERS_DISABLE", "VK_LOADER_LAYERS_ALLOW"}

const (
	layersDisable = "VK_LOADER_LAYERS_DISABLE"
	shaderCache   = "MESA_SHADER_CACHE_DIR"
)

// Environment makes the whole environment of an arm's runner: hostEnv without every name in
// knobs and without the names that choose layers, then the arm's settings (absent means unset),
// no implicit layers, and the arm's own shader cache, since Mesa's does not key on every
// variable. Names that choose the driver (VK_DRIVER_FILES, VK_ICD_FILENAMES) stay.
//
// Knobs are the names of every knob table and of every setting of this run. Removed are the
// entries of hostEnv ("NAME=value", sorted) that the arm does not see as they were.
func Environment(hostEnv, knobs []string, settings map[string]string, cacheDir string) (env, removed []string) {
	set := maps.Clone(settings)
	if set == nil {
		set = map[string]string{}
	}
	set[layersDisable] = "~implicit~"
	set[shaderCache] = cacheDir

	drop := map[string]bool{}
	for _, names := range [][]string{knobs, layerNames, slices.Collect(maps.Keys(set))} {
		for _, name := range names {
			drop[name] = true
		}
	}
	for _, entry := range hostEnv {
		name, value, _ := strings.Cut(entry, "=")
		if !drop[name] {
			env = append(env, entry)
			continue
		}
		if now, ok := set[name]; !ok || now != value {
			removed = append(removed, entry)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		env = append(env, name+"="+set[name])
	}
	slices.Sort(removed)
	return env, removed
}
