package configs

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestDrivers(t *testing.T) {
	got := slices.Sorted(maps.Keys(Drivers()))
	if want := []string{"anv", "honeykrisp", "lavapipe", "nvidia", "nvk", "radv"}; !slices.Equal(got, want) {
		t.Fatalf("drivers %v, want %v", got, want)
	}
	ids := map[uint32]string{}
	for name, d := range Drivers() {
		if d.Name != name || len(d.Variables) == 0 {
			t.Errorf("%s is %q with %d variables", name, d.Name, len(d.Variables))
		}
		if other, ok := ids[d.DriverID]; ok {
			t.Errorf("%s and %s share the id %d", name, other, d.DriverID)
		}
		ids[d.DriverID] = name
	}
	if id := Drivers()["honeykrisp"].DriverID; id != 26 {
		t.Errorf("honeykrisp's VkDriverId is 26, not %d", id)
	}
}

// Each arm sets its own cache folder, so Mesa's drivers must all know the variable.
func TestInherited(t *testing.T) {
	for name, d := range Drivers() {
		v, ok := d.Variable("MESA_SHADER_CACHE_DIR")
		if ok == (name == "nvidia") || ok && v.Kind != Path {
			t.Errorf("%s: %v %+v", name, ok, v)
		}
	}
}

func TestAlias(t *testing.T) {
	v, ok := Drivers()["honeykrisp"].Variable("AGX_CDM_BARRIER_MASK")
	if !ok || v.Name != "HK_CDMBARBITS" || !v.Patched {
		t.Errorf("%v %+v", ok, v)
	}
}

func TestKnobNames(t *testing.T) {
	names := KnobNames()
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Error("not sorted, or with repeats")
	}
	for _, want := range []string{"HK_PERFTEST", "AGX_CDM_BARRIER_MASK", "LP_NATIVE_VECTOR_WIDTH", "MESA_SHADER_CACHE_DIR", "__GL_SHADER_DISK_CACHE"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is missing", want)
		}
	}
	// What chooses the driver itself must reach the runner.
	for _, n := range names {
		if strings.HasPrefix(n, "VK_") || strings.HasPrefix(n, "LD_") || n == "PATH" || n == "HOME" {
			t.Errorf("%s would be removed from every runner", n)
		}
	}
}

func TestStrict(t *testing.T) {
	const good = `doc = "d"
[[variable]]
name = "A"
kind = "flags"
meaning = "m"
read = "device"
`
	if _, err := parseDriver("x", good); err != nil {
		t.Fatal(err)
	}
	for want, text := range map[string]string{
		"unknown key":       good + "saef = true\n",
		"unknown kind":      strings.Replace(good, "flags", "flag", 1),
		"unknown read":      strings.Replace(good, "device", "never", 1),
		"meaning is miss":   strings.Replace(good, `"m"`, `""`, 1),
		"doc is missing":    strings.Replace(good, `"d"`, `""`, 1),
		"bad name":          strings.Replace(good, `"A"`, `"A B"`, 1),
		"lists its values":  strings.Replace(good, "flags", "enum", 1),
		"takes no values":   strings.Replace(good, "flags", "int", 1) + "values = [\"1\"]\n",
		"listed twice":      good + "aliases = [\"A\"]\n",
		"incompatible type": strings.Replace(good, `"d"`, "1", 1),
	} {
		if _, err := parseDriver("x", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestKernels(t *testing.T) {
	if !slices.Contains(Kernels(), "matmul_f32") {
		t.Errorf("kernels %v", Kernels())
	}
	for _, name := range Kernels() {
		if data, ok := Kernel(name); !ok || len(data) == 0 {
			t.Errorf("%s cannot be read", name)
		}
	}
	for _, name := range []string{"", "nothing", "../drivers/mesa"} {
		if _, ok := Kernel(name); ok {
			t.Errorf("%q is a kernel", name)
		}
	}
}
