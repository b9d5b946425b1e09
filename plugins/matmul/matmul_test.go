package matmul

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/plugintest"
	"github.com/krisptune/krisptune/plugins/reference"
	"github.com/krisptune/krisptune/plugins/sdk"
	"github.com/krisptune/krisptune/tuner/constraint"
)

func problem(m, n, k int64, elem, acc, layout string) plugins.Problem {
	return plugins.Problem{"m": m, "n": n, "k": k, "a": elem, "b": elem, "acc": acc, "layout": layout}
}

// with is the baseline with some parameters changed.
func with(changes plugins.Config) plugins.Config {
	c := baseline()
	maps.Copy(c, changes)
	return c
}

func mustBuild(t *testing.T, p plugins.Problem, c plugins.Config) plugins.Build {
	t.Helper()
	b, err := Family{}.Build(context.Background(), p, c)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestConformance(t *testing.T) {
	for _, f := range plugintest.Conformance(context.Background(), sdk.Checked(Family{}), plugintest.ConformanceOptions{
		Problems: []plugins.Problem{problem(64, 64, 64, "f32", "f32", "nt"), problem(65, 3, 17, "bf16", "f32", "nn")},
	}) {
		t.Error(f)
	}
}

func TestBuild(t *testing.T) {
	const unroll, rolled = true, false
	for _, c := range []struct {
		name    string
		problem plugins.Problem
		config  plugins.Config
		module  string
		grid    [3]uint32
		push    []uint32
		// layout nn, checked, elements per load of A and B and per store of C
		derived []uint32
		sizes   [3]int64
		bytes   float64
	}{
		{"aligned", problem(4096, 512, 4096, "f32", "f32", "nt"), baseline(), "matmul/tiled_f32_f32",
			[3]uint32{64, 8, 1}, []uint32{4096, 512, 4096}, []uint32{0, 0, 4, 4, 4},
			[3]int64{4 * 4096 * 4096, 4 * 512 * 4096, 4 * 4096 * 512}, 4 * (4096*4096 + 2*512*4096)},
		{"one beyond", problem(65, 63, 33, "f32", "f32", "nt"), baseline(), "matmul/tiled_f32_f32",
			[3]uint32{2, 1, 1}, []uint32{65, 63, 33}, []uint32{0, 1, 1, 1, 1},
			[3]int64{4 * 65 * 33, 4 * 63 * 33, 4 * 65 * 63}, 4 * (65*33 + 63*33 + 65*63)},
		{"rows of B in nn", problem(64, 24, 17, "f16", "f16", "nn"), with(plugins.Config{"UNROLL": rolled}), "matmul/tiled_f16_f16_rolled",
			[3]uint32{1, 1, 1}, []uint32{64, 24, 17}, []uint32{1, 1, 1, 8, 4},
			[3]int64{2 * 64 * 17, 2 * 24 * 17, 2 * 64 * 24}, 2 * (64*17 + 24*17 + 64*24)},
		{"8 bytes", problem(62, 64, 20, "bf16", "f32", "nt"), baseline(), "matmul/tiled_bf16_f32",
			[3]uint32{1, 1, 1}, []uint32{62, 64, 20}, []uint32{0, 1, 4, 4, 1},
			[3]int64{2 * 62 * 20, 2 * 64 * 20, 2 * 62 * 64}, 2 * (62*20 + 64*20 + 62*64)},
		{"narrow slice", problem(64, 64, 64, "f16", "f32", "nt"), with(plugins.Config{"BK": int64(4)}), "matmul/tiled_f16_f32",
			[3]uint32{1, 1, 1}, []uint32{64, 64, 64}, []uint32{0, 0, 4, 4, 4},
			[3]int64{8192, 8192, 8192}, 3 * 8192},
		{"odd slice", problem(64, 64, 64, "f32", "f32", "nt"), with(plugins.Config{"BK": int64(6), "UNROLL": unroll}), "matmul/tiled_f32_f32",
			[3]uint32{1, 1, 1}, []uint32{64, 64, 64}, []uint32{0, 1, 1, 1, 4},
			[3]int64{16384, 16384, 16384}, 3 * 16384},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := mustBuild(t, c.problem, c.config)
			if b.Modules[0].Name != c.module || len(b.Modules[0].SPIRV) == 0 {
				t.Errorf("module %s, expected %s", b.Modules[0].Name, c.module)
			}
			p := b.Passes[0]
			if p.Grid != c.grid {
				t.Errorf("grid %v, expected %v", p.Grid, c.grid)
			}
			if got := words(t, p.Push); !slices.Equal(got, c.push) {
				t.Errorf("push constants %v, expected %v", got, c.push)
			}
			var spec []uint32
			for i, s := range p.Spec {
				if s.ID != uint32(i) {
					t.Errorf("constant %d comes at %d", s.ID, i)
				}
				spec = append(spec, words(t, s.Data)...)
			}
			for i, name := range []string{"BLOCK_SIZE", "BM", "BN", "BK", "WM", "WN", "TM", "TN", "PAD", "PREFETCH"} {
				if v, _ := c.config.Int(name); int64(spec[i]) != v {
					t.Errorf("constant %d is %d, expected %s = %d", i, spec[i], name, v)
				}
			}
			if !slices.Equal(spec[10:], c.derived) {
				t.Errorf("derived constants %v, expected %v", spec[10:], c.derived)
			}
			for i, buf := range b.Buffers {
				if buf.Size() != c.sizes[i] {
					t.Errorf("buffer %s is %d bytes, expected %d", buf.Name, buf.Size(), c.sizes[i])
				}
			}
			m, _ := c.problem.Int("m")
			n, _ := c.problem.Int("n")
			k, _ := c.problem.Int("k")
			if b.Flops != float64(2*m*n*k) || b.Bytes != c.bytes {
				t.Errorf("%v flops and %v bytes, expected %v and %v", b.Flops, b.Bytes, 2*m*n*k, c.bytes)
			}
		})
	}
}

func words(t *testing.T, data []byte) (w []uint32) {
	t.Helper()
	if len(data)%4 != 0 {
		t.Fatalf("%d bytes are no words", len(data))
	}
	for ; len(data) > 0; data = data[4:] {
		w = append(w, binary.LittleEndian.Uint32(data))
	}
	return w
}

// The reference operation takes what Build says of it, in every combination of types.
func TestReferenceTakesTheBuild(t *testing.T) {
	for _, types := range [][2]string{{"f32", "f32"}, {"f16", "f32"}, {"f16", "f16"}, {"bf16", "f32"}} {
		for _, layout := range []string{"nt", "nn"} {
			for _, unroll := range []bool{true, false} {
				b := mustBuild(t, problem(9, 7, 5, types[0], types[1], layout), with(plugins.Config{"UNROLL": unroll}))
				op, err := reference.Lookup(b.Reference.Op)
				if err != nil {
					t.Fatal(err)
				}
				operands, err := reference.Bind(b)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := op.Exact(b.Reference.Args, operands, 1); err != nil {
					t.Error(err)
				}
				if _, err := op.Rounded(b.Reference.Args, operands, 1); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	good := problem(64, 64, 64, "f16", "f32", "nt")
	change := func(name string, v plugins.Value) plugins.Problem {
		p := maps.Clone(good)
		p[name] = v
		return p
	}
	for _, c := range []struct {
		problem plugins.Problem
		config  plugins.Config
		want    string
	}{
		{change("m", int64(0)), baseline(), "m = 0, expected 1 to"},
		{change("k", int64(-1)), baseline(), "k = -1, expected 1 to"},
		{change("n", "x"), baseline(), "n = x is a string"},
		{change("a", "q4_0"), baseline(), `a = "q4_0", expected f32, f16 or bf16`},
		{change("b", "f32"), baseline(), `expected b = "f16"`},
		{change("acc", "f64"), baseline(), `acc = "f64"`},
		{change("layout", "tn"), baseline(), `layout = "tn"`},
		{problem(64, 64, 64, "bf16", "f16", "nt"), baseline(), `expected acc = "f32"`},
		{problem(1<<17, 1, 1<<15, "f32", "f32", "nt"), baseline(), "A has 131072 by 32768 elements of f32, expected less than 4 GiB"},
		{problem(1<<20, 1<<20, 1, "f16", "f32", "nn"), baseline(), "C has 1048576 by 1048576"},
		{problem(1<<62, 1, 1, "f32", "f32", "nt"), baseline(), "expected 1 to 4294967295"},
		{good, with(plugins.Config{"BLOCK_SIZE": int64(64)}), "breaks BLOCK_SIZE == (BM // TM) * (BN // TN)"},
		{good, with(plugins.Config{"TM": int64(2)}), "breaks TM >= 4"},
		{good, with(plugins.Config{"TN": int64(0)}), "breaks TN >= 4"},
		{good, with(plugins.Config{"WM": int64(48)}), "breaks BM >= WM and BM % WM == 0"},
		{good, with(plugins.Config{"PAD": int64(2)}), "breaks PAD >= 0"},
		{good, with(plugins.Config{"BK": int64(0)}), "breaks BK >= 1"},
		{good, with(plugins.Config{"PREFETCH": int64(3)}), "breaks PREFETCH"},
		{good, with(plugins.Config{"BK": int64(1 << 20)}), "BK = 1048576, expected at most 65535"},
		{good, with(plugins.Config{"UNROLL": int64(1)}), "UNROLL = 1, expected true or false"},
		{good, plugins.Config{}, "is missing"},
	} {
		_, err := Family{}.Build(context.Background(), c.problem, c.config)
		var refused *plugins.RequestError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v %v: error is %v, expected a RequestError with %q", c.problem, c.config, err, c.want)
		}
	}
	if _, err := (Family{}).Build(context.Background(), problem(1<<16, 1, 1<<14-1, "f32", "f32", "nt"), baseline()); err != nil {
		t.Errorf("a matrix just below 4 GiB: %v", err)
	}
}

// The expressions that the core enumerates by and the functions that Build refuses by agree.
func TestConstraintsAgreeWithBuild(t *testing.T) {
	env := constraint.Env{}
	for _, f := range fields() {
		env[f.Name] = constraint.KindOf(f.Default)
		if f.Type == plugins.Int {
			env[f.Name] = constraint.Int
		}
	}
	for _, p := range params() {
		env[p.Name] = constraint.KindOf(p.Values[0])
	}
	for _, name := range plugins.LimitNames {
		env[name] = constraint.Int
	}
	var exprs []*constraint.Expr
	for _, source := range info().Constraints {
		e, err := constraint.CompileBool(source, env)
		if err != nil {
			t.Fatal(err)
		}
		exprs = append(exprs, e)
	}
	ints := func(values ...int64) *rapid.Generator[int64] { return rapid.SampledFrom(values) }
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		c := plugins.Config{"UNROLL": rapid.Bool().Draw(t, "UNROLL")}
		// A parameter in sixteen is one that some rule refuses.
		for _, p := range []struct {
			name      string
			good, bad *rapid.Generator[int64]
		}{
			{"TM", ints(4, 8), ints(2, 12)}, {"TN", ints(4, 8), ints(3, 20)}, {"WM", ints(8, 16, 32), ints(4, 24)},
			{"WN", ints(8, 16, 32), ints(4, 24)}, {"BM", ints(32, 64, 96), ints(4, 48)}, {"BN", ints(32, 64), ints(8, 80)},
			{"BK", ints(1, 8), ints(0)}, {"PAD", ints(0, 4), ints(-4, 2)}, {"PREFETCH", ints(0, 1, 2), ints(-1, 3)},
		} {
			g := p.good
			if rapid.IntRange(0, 15).Draw(t, "bad "+p.name) == 0 {
				g = p.bad
			}
			c[p.name] = g.Draw(t, p.name)
		}
		c["BLOCK_SIZE"] = c["BM"].(int64) / c["TM"].(int64) * (c["BN"].(int64) / c["TN"].(int64))
		if rapid.IntRange(0, 9).Draw(t, "off") == 0 {
			c["BLOCK_SIZE"] = int64(32)
		}
		types := rapid.SampledFrom([]string{"f32", "f16", "bf16"})
		p := problem(64, 64, 64, types.Draw(t, "a"), rapid.SampledFrom([]string{"f32", "f16"}).Draw(t, "acc"), "nt")
		if rapid.IntRange(0, 9).Draw(t, "mixed") == 0 {
			p["b"] = types.Draw(t, "b")
		}

		values := map[string]any{}
		for _, m := range []map[string]any{p, c, {"max_shared_memory": int64(1) << 40, "max_invocations": int64(1) << 40,
			"max_workgroup_size_x": int64(1) << 40, "max_push_constant_bytes": int64(128), "subgroup_size": int64(32)}} {
			maps.Copy(values, m)
		}
		allowed, broken := true, ""
		for _, e := range exprs {
			ok, err := e.EvalBool(values)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				allowed, broken = false, e.String()
			}
		}
		if _, err := (Family{}).Build(context.Background(), p, c); (err == nil) != allowed {
			t.Fatalf("%v %v: Build says %v, the constraints %v (%s)", p, c, err, allowed, broken)
		}
		if allowed {
			accepted++
		}
	})
	if accepted == 0 {
		t.Error("every configuration drawn was refused: the test shows nothing")
	}
}

func TestBaselineIsInTheSpace(t *testing.T) {
	b := baseline()
	for _, p := range params() {
		if !slices.Contains(p.Values, b[p.Name]) {
			t.Errorf("baseline has %s = %v, the domain is %v", p.Name, b[p.Name], p.Values)
		}
	}
	if len(b) != len(params()) {
		t.Errorf("the baseline has %d values for %d parameters", len(b), len(params()))
	}
	if _, err := readTile(b); err != nil {
		t.Error(err)
	}
}
