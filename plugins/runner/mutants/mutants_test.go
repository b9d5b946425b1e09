package mutants

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/runner"
	"github.com/krisptune/krisptune/shaders"
	"github.com/krisptune/krisptune/vkrt/vkrttest"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == RunnerArg {
		os.Exit(runner.Main())
	}
	os.Exit(m.Run())
}

// compiler is the pinned one where it has been fetched.
func compiler(t *testing.T) (c *Compiler, root string) {
	t.Helper()
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	cache := os.Getenv("KRISPTUNE_TOOLCHAIN")
	if cache == "" {
		cache = filepath.Join(root, ".cache", "toolchain")
	}
	if fetched, _ := filepath.Glob(filepath.Join(cache, "*", "glslc")); len(fetched) == 0 {
		t.Skip("the pinned compiler is not in the cache; go generate ./shaders/... fetches it")
	}
	if c, err = NewCompiler(root); err != nil {
		t.Fatal(err)
	}
	return c, root
}

// What is broken here must be what ships.
func TestModulesAreThoseShipped(t *testing.T) {
	c, root := compiler(t)
	k := tiled()
	files, err := k.source(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range k.Variants {
		got, err := c.Modules(files, "tiled.comp", v.Modules)
		if err != nil {
			t.Fatal(err)
		}
		want, err := shaders.SPIRV("matmul/tiled_" + v.Name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got[0], want) {
			t.Errorf("%s: compiling the source gives other bytes than the shipped module", v.Name)
		}
	}
}

// Every mutation applies to the source as it is, and changes it.
func TestMutationsApply(t *testing.T) {
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	mutants := 0
	for _, k := range Kernels() {
		files, err := k.source(root)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range k.Mutations {
			if _, err := m.apply(files); err != nil {
				t.Errorf("%s/%d: %v", k.Name, i+1, err)
			}
			if !slices.Contains(kinds, m.Kind) {
				t.Errorf("%s/%d: kind %q is in no table", k.Name, i+1, m.Kind)
			}
			for v, a := range m.Survives {
				if a.Why == "" {
					t.Errorf("%s/%d: an argument for %q without words", k.Name, i+1, v)
				}
			}
			mutants += len(k.pick(i))
		}
	}
	if mutants < 200 {
		t.Errorf("%d mutants, expected at least 200", mutants)
	}
}

// One mutant of each kind dies, and right kernels pass: checkmutants in small.
func TestGuardKills(t *testing.T) {
	vkrttest.Device(t)
	c, root := compiler(t)
	kinds := make(map[Kind]bool)
	var list []*Mutant
	for _, k := range []*Kernel{gemv(), rowsum(), histogram(), attention()} {
		files, err := k.source(root)
		if err != nil {
			t.Fatal(err)
		}
		for i, mutation := range k.Mutations {
			v := k.pick(i)[0]
			if _, argued := mutation.argument(v.Name); argued || kinds[mutation.Kind] {
				continue
			}
			kinds[mutation.Kind] = true
			broken, err := mutation.apply(files)
			if err != nil {
				t.Fatal(err)
			}
			modules, err := c.Modules(broken, filepath.Base(k.Files[0]), v.Modules)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, &Mutant{Kernel: k, Variant: v, Mutation: mutation, Number: i + 1, Modules: modules})
		}
	}
	outcomes, err := JudgeAll(t.Context(), list, func(o Outcome) {
		t.Logf("%s %s: %s: %s", o.Mutant.ID(), o.Mutant.Mutation.Kind, o.Checked.Verdict, o.Checked.Evidence.Message)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outcomes {
		if !o.Killed() {
			t.Errorf("%s survived: %s: %s", o.Mutant.ID(), o.Mutant.Mutation.Kind, o.Mutant.Mutation)
		}
	}
	if len(outcomes) < 12 {
		t.Errorf("%d kinds of mutants, expected at least 12", len(outcomes))
	}
	for _, k := range []*Kernel{gemv(), rowsum(), histogram(), attention()} {
		right, err := GuardRight(t.Context(), k, c, root, 5, 3)
		if err != nil {
			t.Fatal(err)
		}
		if right.Verdicts[plugins.OK] != 3 {
			t.Errorf("%s: %q", k.Name, right.Refused)
		}
	}
}

// Zeros where the poison should be let a kernel pass that reads shared memory it never wrote:
// here what it reads there is multiplied by 0.
func TestPoisonKillsUninitialized(t *testing.T) {
	vkrttest.Device(t)
	c, root := compiler(t)
	k := attention()
	k.Settings = k.Settings[:1]
	all, err := Make(k, c, root)
	if err != nil {
		t.Fatal(err)
	}
	m := all[slices.IndexFunc(all, func(m *Mutant) bool { return m.Mutation.Kind == Uninitialized })]
	// On a busy machine a CPU device's thread may miss the poison.
	for attempt := 1; ; attempt++ {
		outcomes, err := JudgeAll(t.Context(), []*Mutant{m}, func(Outcome) {})
		if err != nil {
			t.Fatal(err)
		}
		if err := Unpoison(t.Context(), outcomes); err != nil {
			t.Fatal(err)
		}
		o := outcomes[0]
		if o.Unpoisoned != plugins.OK || attempt == 5 && !o.Killed() {
			t.Fatalf("with poison %s, without %s; expected the poison alone to kill", o.Checked.Verdict, o.Unpoisoned)
		}
		if o.Killed() {
			return
		}
	}
}

// The report names survivors without an argument, and counts by class.
func TestReport(t *testing.T) {
	k := &Kernel{Name: "matmul"}
	mutant := func(n int, m Mutation) *Mutant {
		return &Mutant{Kernel: k, Variant: Variant{Name: "f32"}, Mutation: m, Number: n}
	}
	ok, wrong := plugins.Checked{Verdict: plugins.OK}, plugins.Checked{Verdict: plugins.Wrong, Evidence: plugins.Evidence{Check: "exact"}}
	report := Report{Outcomes: []Outcome{
		{Mutant: mutant(1, edit(LoopBound, "a", "b")), Checked: wrong},
		{Mutant: mutant(2, edit(LoopBound, "a|b", "c")), Checked: ok},
		{Mutant: mutant(3, edit(LoopBound, "a", "b").equivalent("", "same")), Checked: ok},
		{Mutant: mutant(4, edit(LoopBound, "a", "b").equivalent("f32", "same")), Checked: wrong},
		{Mutant: mutant(5, edit(SharedRace, "a", "b").unseen("", "order")), Checked: wrong},
	}}
	var text bytes.Buffer
	report.Write(&text)
	for _, want := range []string{"| matmul/f32/2 | loop bound off by one: `a\\|b` → `c` | survived | **not argued** |",
		"| loop bound off by one | 4 | 2 | 1 | 0 | 1 |", "| race on shared memory | 1 | 1 | 0 | 0 | 0 |"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, text.String())
		}
	}
	if f := report.Faults(); len(f) != 2 || !strings.Contains(f[0], "matmul/f32/2 survived") || !strings.Contains(f[1], "matmul/f32/4 is argued") {
		t.Errorf("faults %q", f)
	}
}
