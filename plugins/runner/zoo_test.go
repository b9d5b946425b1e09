package runner

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/vkrt/vkrttest"
)

//go:generate go run testdata/generate.go

// open makes a runner on the test's device, or skips without one.
func open(t testing.TB, o Options, more plugins.OpenOptions) *Runner {
	t.Helper()
	vkrttest.Device(t) // skips or fails
	r := New(o)
	t.Cleanup(r.Close)
	more.Device = os.Getenv(vkrttest.DeviceEnv)
	if more.SessionDir == "" {
		more.SessionDir = t.TempDir()
	}
	if more.Seed == 0 {
		more.Seed = 1
	}
	opened, err := r.Open(t.Context(), more)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s, clock %s (%s), overhead %v, warnings %q", opened.Device.Name, opened.Clock, opened.ClockReason, opened.Overhead, opened.Warnings)
	return r
}

// reverse is the zoo's build: c = mirror(a) + b over n elements in rows of 128.
func reverse(t testing.TB, defect string, n int64) plugins.Build {
	t.Helper()
	name := "reverse"
	if defect != "" {
		name += "_" + defect
	}
	spirv, err := os.ReadFile("testdata/" + name + ".spv")
	if err != nil {
		t.Fatal(err)
	}
	buffer := func(name string, role plugins.Role) plugins.Buffer {
		return plugins.Buffer{Name: name, Type: plugins.F32, Elements: n, Role: role, Rows: 128}
	}
	b := plugins.Build{
		Modules: []plugins.Module{{Name: name, SPIRV: spirv}},
		Buffers: []plugins.Buffer{buffer("a", plugins.Input), buffer("b", plugins.Input), buffer("c", plugins.Output),
			{Name: "scratch", Type: plugins.U32, Elements: 4, Role: plugins.Scratch}},
		Passes: []plugins.Pass{{Entry: "main", Push: littleEndian(uint32(n)), Grid: [3]uint32{uint32(n+63) / 64, 1, 1},
			Bindings: []plugins.Binding{{Binding: 0, Buffer: 0}, {Binding: 1, Buffer: 1}, {Binding: 2, Buffer: 2}, {Binding: 3, Buffer: 3}}}},
		Flops: float64(n), Bytes: float64(12 * n),
	}
	return b
}

func problem(n int64) plugins.Problem { return plugins.Problem{"n": n} }

// answer is the family's part: float64 references and bounds into the session folder.
func answer(t testing.TB, requests []plugins.ReferenceRequest) {
	t.Helper()
	read := func(path string) []float64 {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out := make([]float64, len(data)/4)
		for i := range out {
			out[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])))
		}
		return out
	}
	for _, req := range requests {
		a, b := read(req.Inputs["a"]), read(req.Inputs["b"])
		var values, bounds []byte
		for i := range a {
			v := b[i]
			if mirror := i/64*64 + 63 - i%64; mirror < len(a) {
				v += a[mirror]
			}
			if before, ok := req.Inputs["c"]; ok {
				v += read(before)[i]
			}
			values = binary.LittleEndian.AppendUint64(values, math.Float64bits(v))
			bounds = binary.LittleEndian.AppendUint64(bounds, math.Float64bits(16*math.Exp2(-23)))
		}
		for path, data := range map[string][]byte{req.Outputs["c"]: values, req.Bounds["c"]: bounds} {
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// compileOne compiles a build under its name and returns the answer.
func compileOne(t testing.TB, r *Runner, id string, b plugins.Build) plugins.Compiled {
	t.Helper()
	var out []plugins.Compiled
	err := r.Compile(context.Background(), []plugins.Candidate{{ID: id, Build: b}}, func(c plugins.Compiled) { out = append(out, c) })
	if err != nil || len(out) != 1 {
		t.Fatalf("Compile gave %d answers, %v", len(out), err)
	}
	return out[0]
}

// guardOne checks a compiled candidate, with the family's references.
func guardOne(t testing.TB, r *Runner, check plugins.Check) plugins.Checked {
	t.Helper()
	requests, err := r.Inputs(context.Background(), []plugins.Check{check})
	if err != nil {
		t.Fatal(err)
	}
	answer(t, requests)
	var out []plugins.Checked
	err = r.Check(context.Background(), []plugins.Check{check}, func(c plugins.Checked) { out = append(out, c) })
	if err != nil || len(out) != 1 {
		t.Fatalf("Check gave %d answers, %v", len(out), err)
	}
	return out[0]
}

func TestZoo(t *testing.T) {
	r := open(t, Options{}, plugins.OpenOptions{})
	for i, test := range []struct {
		defect  string
		n       int64
		verdict plugins.Verdict
		words   []string
	}{
		{"", 1024, plugins.OK, nil},
		{"", 1000, plugins.OK, nil},
		{"wrong", 1024, plugins.Wrong, []string{"c: 1", "column 9 of every 64 (TILE = 64)", "first at row 0, column 9", "expected"}},
		{"off_by_one_percent", 1024, plugins.Wrong, []string{"c: ", "exact"}},
		{"unwritten_tail", 1000, plugins.Unwritten, []string{"c: 40 of 1000 elements unwritten", "row 7", "columns 64..103"}},
		{"unwritten_half", 1024, plugins.Unwritten, []string{"c: 512 of 1024 elements unwritten", "columns 64 and beyond (1 x TILE)"}},
		{"out_of_bounds", 1000, plugins.OutOfBounds, []string{"c (output): 4 bytes changed in the guard band after the buffer, the first 0 bytes past its end", "row 7, column 104"}},
		// What lies beyond the inputs is a NaN, and goes beyond the output as it is.
		{"unguarded", 1000, plugins.OutOfBounds, []string{"c (output): ", "bytes changed in the guard band after the buffer, the first 0 bytes past its end"}},
		// Where a driver ends reads with the range, the second run's wider one shows it; where
		// none does, both runs read NaN.
		{"reads_beyond", 1000, plugins.OutOfBounds + "|" + plugins.NaN, []string{"c: 24 of 1000", "row 7, columns 64..87"}},
		{"input_modified", 1024, plugins.InputModified, []string{"a: 1 of 1024 elements of an input changed", "row 0, column 70"}},
		{"nan", 1024, plugins.NaN, []string{"c: 1 of 1024 elements are NaN", "column 3"}},
		// On a busy machine a CPU device's thread may miss one of the two poison dispatches.
		{"uninitialized_shared", 1024, plugins.NaN + "|" + plugins.Nondeterministic, []string{"c: 16 of 1024", "column 58 of every 64"}},
		{"reads_scratch", 1024, plugins.Nondeterministic, []string{"c: 1024 of 1024 elements differ between two runs"}},
		// Arithmetic may hand a NaN's payload on, as CPUs do, or replace it, as some GPUs do.
		{"accumulates", 1024, plugins.NaN, []string{"computed from what the output held|1024 of 1024 elements are NaN"}},
	} {
		t.Run(fmt.Sprintf("%d_%s", i, test.defect), func(t *testing.T) {
			if c := compileOne(t, r, test.defect, reverse(t, test.defect, test.n)); c.Verdict != plugins.OK {
				t.Fatalf("compile: %s %+v", c.Verdict, c.Evidence)
			}
			defer r.Release(context.Background(), []string{test.defect})
			got := guardOne(t, r, plugins.Check{ID: test.defect, Problem: problem(test.n), Config: plugins.Config{"TILE": int64(64)}})
			t.Logf("%s in %v: %s", got.Verdict, got.Elapsed, got.Evidence.Message)
			if !slices.Contains(strings.Split(string(test.verdict), "|"), string(got.Verdict)) {
				t.Fatalf("verdict %s, expected %s; %+v", got.Verdict, test.verdict, got.Evidence)
			}
			for _, w := range test.words {
				if !slices.ContainsFunc(strings.Split(w, "|"), func(w string) bool { return strings.Contains(got.Evidence.Message, w) }) {
					t.Errorf("message %q lacks %q", got.Evidence.Message, w)
				}
			}
		})
	}
}

// A wrong candidate must die at the smallest case that shows it.
func TestSmallestCaseFirst(t *testing.T) {
	r := open(t, Options{}, plugins.OpenOptions{})
	if c := compileOne(t, r, "tail", reverse(t, "unwritten_tail", 1<<16)); c.Verdict != plugins.OK {
		t.Fatalf("%+v", c)
	}
	check := plugins.Check{ID: "tail", Problem: problem(1 << 16)}
	for _, n := range []int64{4097, 64, 65, 4096} {
		check.Cases = append(check.Cases, plugins.Case{Problem: problem(n), Build: reverse(t, "unwritten_tail", n)})
	}
	got := guardOne(t, r, check)
	if got.Verdict != plugins.Unwritten || got.Evidence.Problem != "n=65" || got.Evidence.Cases != 2 {
		t.Errorf("%s %+v, expected unwritten in the second case, n=65", got.Verdict, got.Evidence)
	}
	check.Cases = []plugins.Case{{Problem: problem(128), Build: reverse(t, "unwritten_tail", 128)}}
	if got := guardOne(t, r, check); got.Verdict != plugins.OK || got.Evidence.Cases != 2 {
		t.Errorf("%s %+v, expected ok without tails", got.Verdict, got.Evidence)
	}
}

func TestBeyondLimits(t *testing.T) {
	r := open(t, Options{}, plugins.OpenOptions{})
	for name, change := range map[string]func(*plugins.Build){
		"device limit is":   func(b *plugins.Build) { b.Passes[0].Grid = [3]uint32{1, 1, 1 << 31} },
		"push constants":    func(b *plugins.Build) { b.Passes[0].Push = make([]byte, 1<<16) },
		"subgroup size 3":   func(b *plugins.Build) { b.Passes[0].SubgroupSize = 3 },
		"buffer \"a\" has ": func(b *plugins.Build) { b.Buffers[0].Elements = 1 << 40 },
	} {
		b := reverse(t, "", 1024)
		change(&b)
		if c := compileOne(t, r, name, b); c.Verdict != plugins.DeviceLimit || !strings.Contains(c.Evidence.Message, name) {
			t.Errorf("%s: %s %q", name, c.Verdict, c.Evidence.Message)
		}
	}
	if c := compileOne(t, r, "shared", reverse(t, "too_much_shared", 1024)); c.Verdict != plugins.DeviceLimit ||
		!strings.Contains(c.Evidence.Message, "4194304 bytes of shared memory, device limit is") {
		t.Errorf("%+v", c)
	}
}

// A module that reads well and that the driver cannot compile.
func TestCompileFails(t *testing.T) {
	r := open(t, Options{}, plugins.OpenOptions{})
	if r.caps.Type != "cpu" {
		t.Skip("what a driver makes of a broken module is its own affair")
	}
	b := reverse(t, "", 1024)
	b.Modules[0].SPIRV = bytes.Replace(b.Modules[0].SPIRV, []byte("GLSL.std.450"), []byte("GLSL.std.999"), 1)
	if c := compileOne(t, r, "extended", b); c.Verdict != plugins.CompileFailed || c.Evidence.Message == "" {
		t.Errorf("%s %+v", c.Verdict, c.Evidence)
	}
	if c := compileOne(t, r, "right", reverse(t, "", 1024)); c.Verdict != plugins.OK {
		t.Errorf("after it: %s %+v", c.Verdict, c.Evidence)
	}
}

// What makes no sense on any device never reaches the driver.
func TestInvalidBuilds(t *testing.T) {
	r := open(t, Options{}, plugins.OpenOptions{})
	for words, change := range map[string]func(*plugins.Build){
		"module 7 of 1 does not exist":         func(b *plugins.Build) { b.Passes[0].Module = 7 },
		"SPIR-V":                               func(b *plugins.Build) { b.Modules[0].SPIRV = []byte("no SPIR-V, but more than 20 bytes") },
		`no compute entry point "other"`:       func(b *plugins.Build) { b.Passes[0].Entry = "other" },
		"declares 4 bytes of push constants":   func(b *plugins.Build) { b.Passes[0].Push = nil },
		"declares binding (0, 2)":              func(b *plugins.Build) { b.Passes[0].Bindings = b.Passes[0].Bindings[:2] },
		"is buffer 4 of 4":                     func(b *plugins.Build) { b.Passes[0].Bindings[3].Buffer = 4 },
		"axis 1 is empty":                      func(b *plugins.Build) { b.Passes[0].Grid[1] = 0 },
		"there is nothing to check":            func(b *plugins.Build) { b.Buffers[2].Role = plugins.Scratch },
		`buffer "b" has the unknown type "f8"`: func(b *plugins.Build) { b.Buffers[1].Type = "f8" },
		`buffer "a" has -1 elements`:           func(b *plugins.Build) { b.Buffers[0].Elements = -1 },
		`two buffers are named "a"`:            func(b *plugins.Build) { b.Buffers[1].Name = "a" },
		"has 3 bytes":                          func(b *plugins.Build) { b.Passes[0].Spec = []plugins.SpecConstant{{ID: 1, Data: make([]byte, 3)}} },
	} {
		b := reverse(t, "", 1024)
		change(&b)
		if c := compileOne(t, r, words, b); c.Verdict != plugins.Invalid || !strings.Contains(c.Evidence.Message, words) {
			t.Errorf("%s: %s %q", words, c.Verdict, c.Evidence.Message)
		}
	}
}

func TestTimeoutSpendsTheRunner(t *testing.T) {
	r := open(t, Options{}, plugins.OpenOptions{})
	const n = 64 * 65535 // the largest grid that every device allows
	if c := compileOne(t, r, "endless", reverse(t, "endless", n)); c.Verdict != plugins.OK {
		t.Fatalf("%+v", c)
	}
	start := time.Now()
	var got plugins.Checked
	err := r.Check(context.Background(), []plugins.Check{{ID: "endless", Problem: problem(n), Deadline: 200 * time.Millisecond}, {ID: "endless"}},
		func(c plugins.Checked) { got = c })
	if err != nil || got.Verdict != plugins.Timeout {
		t.Fatalf("%s %+v, %v after %v, expected timeout", got.Verdict, got.Evidence, err, time.Since(start))
	}
	select {
	case <-r.Spent():
	default:
		t.Error("the runner is not spent after a timeout")
	}
	err = r.Release(context.Background(), nil)
	if err == nil || !strings.Contains(err.Error(), "spent") {
		t.Errorf("a spent runner answered: %v", err)
	}
}
