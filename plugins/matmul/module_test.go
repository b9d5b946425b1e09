package matmul

import (
	"encoding/binary"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner/constraint"
	"github.com/krisptune/krisptune/vkrt/spirv"
)

// What Build says of the modules is what they say of themselves: names and numbers of the
// specialization constants, the push constants, the bindings.
func TestModulesAreAsBuildThinks(t *testing.T) {
	names := []string{"BLOCK_SIZE", "BM", "BN", "BK", "WM", "WN", "TM", "TN", "PAD", "PREFETCH",
		"LAYOUT_NN", "CHECKED", "VEC_A", "VEC_B", "VEC_C"}
	for _, types := range [][2]string{{"f32", "f32"}, {"f16", "f32"}, {"f16", "f16"}, {"bf16", "f32"}} {
		for _, unroll := range []bool{true, false} {
			b := mustBuild(t, problem(9, 7, 5, types[0], types[1], "nt"), with(plugins.Config{"UNROLL": unroll}))
			m, err := spirv.Reflect(b.Modules[0].SPIRV)
			if err != nil {
				t.Fatal(err)
			}
			if len(b.Passes[0].Spec) != len(names) {
				t.Errorf("%d constants are set, expected %d", len(b.Passes[0].Spec), len(names))
			}
			found := map[string]bool{}
			for _, c := range m.SpecConstants {
				if c.Name == "" { // the workgroup size's share of BLOCK_SIZE
					continue
				}
				found[c.Name] = true
				if int(c.ID) >= len(names) || names[c.ID] != c.Name {
					t.Errorf("%s: constant %d is %s", b.Modules[0].Name, c.ID, c.Name)
				}
			}
			for _, name := range names {
				if !found[name] {
					t.Errorf("%s has no constant %s", b.Modules[0].Name, name)
				}
			}
			if m.Push == nil || len(m.Push.Members) != 3 || len(b.Passes[0].Push) != 12 {
				t.Errorf("%s: push constants %+v", b.Modules[0].Name, m.Push)
			}
		}
	}
}

// The constraints on shared memory are the modules' own arithmetic, and the workgroup size is
// BLOCK_SIZE.
func TestSharedMemoryConstraint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		acc := rapid.SampledFrom([]string{"f32", "f16"}).Draw(t, "acc")
		p := problem(64, 64, 64, "f16", acc, "nt")
		c := with(plugins.Config{
			"BK":       rapid.SampledFrom([]int64{1, 8, 12, 32}).Draw(t, "BK"),
			"PAD":      rapid.SampledFrom([]int64{0, 4, 8}).Draw(t, "PAD"),
			"PREFETCH": rapid.Int64Range(0, 2).Draw(t, "PREFETCH"),
			"BM":       rapid.SampledFrom([]int64{32, 64, 96}).Draw(t, "BM"),
			"UNROLL":   rapid.Bool().Draw(t, "UNROLL"),
		})
		c["BLOCK_SIZE"] = c["BM"].(int64) / 8 * 16
		b, err := build(mustShape(t, p), mustTile(t, c))
		if err != nil {
			t.Fatal(err)
		}
		m, err := spirv.Reflect(b.Modules[0].SPIRV)
		if err != nil {
			t.Fatal(err)
		}
		values := map[uint32]uint64{}
		for _, s := range b.Passes[0].Spec {
			values[s.ID] = uint64(binary.LittleEndian.Uint32(s.Data))
		}
		size, err := m.LocalSize("main", values)
		if err != nil || int64(size[0]) != c["BLOCK_SIZE"] || size[1] != 1 || size[2] != 1 {
			t.Fatalf("workgroup size %v, error %v, expected %v", size, err, c["BLOCK_SIZE"])
		}
		shared, err := m.SharedMemory(values)
		if err != nil {
			t.Fatal(err)
		}
		// The limit at which the constraints stop to refuse is what the module takes.
		for limit, want := range map[int64]bool{shared - 1: false, shared: true} {
			if got := fits(t, p, c, limit); got != want {
				t.Fatalf("%v: the module takes %d bytes; with a limit of %d the constraints say %v", c, shared, limit, got)
			}
		}
	})
}

func fits(t *rapid.T, p plugins.Problem, c plugins.Config, limit int64) bool {
	values := map[string]any{"max_shared_memory": limit, "max_invocations": int64(1024), "max_workgroup_size_x": int64(1024)}
	maps.Copy(values, p)
	maps.Copy(values, c)
	env := constraint.Env{}
	for name, v := range values {
		env[name] = constraint.KindOf(v)
	}
	return !slices.ContainsFunc(limitConstraints, func(source string) bool {
		e, err := constraint.CompileBool(source, env)
		if err != nil {
			t.Fatal(err)
		}
		ok, err := e.EvalBool(values)
		if err != nil {
			t.Fatal(err)
		}
		return !ok
	})
}

func mustShape(t *rapid.T, p plugins.Problem) shape {
	s, err := readShape(p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustTile(t *rapid.T, c plugins.Config) tile {
	x, err := readTile(c)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
