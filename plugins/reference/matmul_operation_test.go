package reference

import (
	"math"
	"strings"
	"testing"

	"github.com/krisptune/krisptune/plugins"
)

func matmulBuild(m, n, k int64, layout Layout, acc, store plugins.ElementType) plugins.Build {
	return plugins.Build{
		Buffers: []plugins.Buffer{
			{Name: "weights", Type: store, Elements: m * k, Role: plugins.Input, Rows: k},
			{Name: "x", Type: store, Elements: n * k, Role: plugins.Input},
			{Name: "y", Type: store, Elements: m * n, Role: plugins.Output, Rows: map[Layout]int64{NT: m, NN: n}[layout]},
		},
		Reference: plugins.Reference{Op: "matmul",
			Args:     map[string]plugins.Value{"m": m, "n": n, "k": k, "layout": string(layout), "acc": string(acc)},
			Operands: map[string]string{"a": "weights", "b": "x", "c": "y"}},
	}
}

// multiply is a kernel: it accumulates in float32, or rounds every step to f16.
func multiply(t *testing.T, b plugins.Build, inputs map[string][]byte, change func(c []float32)) map[string][]byte {
	t.Helper()
	operands, err := Bind(b)
	if err != nil {
		t.Fatal(err)
	}
	trial, err := newMatmulTrial(b.Reference.Args, operands, 1)
	if err != nil {
		t.Fatal(err)
	}
	x, y := trial.decode(inputs)
	p := trial.shape
	columns := p.columns(y)
	c := make([]float32, p.M*p.N)
	step := make([]byte, 2)
	one := make([]float32, 1)
	for i := range p.M {
		for j := range p.N {
			var s float32
			for k := range p.K {
				s += x[i*p.K+k] * columns[j*p.K+k]
				if trial.acc == plugins.F16 {
					one[0] = s
					_ = Encode(plugins.F16, step, one)
					_ = Decode(plugins.F16, one, step)
					s = one[0]
				}
			}
			c[p.Position(i, j)] = s
		}
	}
	if change != nil {
		change(c)
	}
	out := make([]byte, trial.c.Size())
	if err := Encode(trial.c.Type, out, c); err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{"c": out}
}

func trialsOf(t *testing.T, b plugins.Build) (exact []Trial, rounded Trial) {
	t.Helper()
	op, err := Lookup(b.Reference.Op)
	if err != nil {
		t.Fatal(err)
	}
	operands, err := Bind(b)
	if err != nil {
		t.Fatal(err)
	}
	if exact, err = op.Exact(b.Reference.Args, operands, 3); err != nil {
		t.Fatal(err)
	}
	if rounded, err = op.Rounded(b.Reference.Args, operands, 3); err != nil {
		t.Fatal(err)
	}
	return exact, rounded
}

func TestMatmulOperationAccepts(t *testing.T) {
	for _, b := range []plugins.Build{
		matmulBuild(33, 17, 130, NT, plugins.F32, plugins.F32),
		matmulBuild(33, 17, 130, NN, plugins.F32, plugins.F32),
		matmulBuild(16, 8, 5000, NT, plugins.F16, plugins.F16),
		matmulBuild(16, 8, 700, NN, plugins.F32, plugins.BF16),
		matmulBuild(300, 300, 800, NN, plugins.F32, plugins.F32), // Freivalds, samples
		matmulBuild(1, 1, 1, NT, plugins.F32, plugins.F16),
	} {
		exact, rounded := trialsOf(t, b)
		if acc := b.Reference.Args["acc"]; acc == "f16" && len(exact) < 3 {
			t.Errorf("%v: %d exact runs, expected several with an f16 accumulator", b.Reference.Args, len(exact))
		}
		for i, trial := range append(exact, rounded) {
			diffs, err := trial.Verify(multiply(t, b, trial.Inputs(), nil))
			if err != nil {
				t.Fatal(err)
			}
			if len(diffs) != 1 || !diffs[0].OK() {
				t.Errorf("%v trial %d: %+v", b.Reference.Args, i, diffs[0])
			}
		}
	}
}

func TestMatmulOperationRefuses(t *testing.T) {
	for name, change := range map[string]func(c []float32){
		"one element by one":   func(c []float32) { c[len(c)-1]++ },
		"a NaN":                func(c []float32) { c[7] = float32(math.NaN()) },
		"a zero row":           func(c []float32) { clear(c[:300]) },
		"two elements swapped": func(c []float32) { c[0], c[301] = c[301], c[0] },
	} {
		for _, b := range []plugins.Build{
			matmulBuild(300, 300, 8, NT, plugins.F32, plugins.F32),
			matmulBuild(300, 300, 800, NT, plugins.F32, plugins.F32),
			matmulBuild(300, 300, 800, NN, plugins.F32, plugins.F32),
		} {
			exact, _ := trialsOf(t, b)
			diffs, err := exact[0].Verify(multiply(t, b, exact[0].Inputs(), change))
			if err != nil {
				t.Fatal(err)
			}
			if d := diffs[0]; d.OK() || d.First == nil || d.Bad > 600 {
				t.Errorf("%s, %v: %+v", name, b.Reference.Args, d)
			}
		}
	}
}

// A factor of 1.01 on every output hides inside the bound of a long dot product.
func TestMatmulOperationSeesAScale(t *testing.T) {
	b := matmulBuild(24, 24, 20000, NT, plugins.F32, plugins.F32)
	_, rounded := trialsOf(t, b)
	diffs, err := rounded.Verify(multiply(t, b, rounded.Inputs(), func(c []float32) {
		for i := range c {
			c[i] *= 1.01
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	if diffs[0].OK() {
		t.Errorf("a factor of 1.01 was accepted: %+v", diffs[0])
	}
}

func TestBindWantsEveryBuffer(t *testing.T) {
	b := matmulBuild(4, 4, 4, NT, plugins.F32, plugins.F32)
	b.Buffers = append(b.Buffers, plugins.Buffer{Name: "extra", Type: plugins.F32, Elements: 1, Role: plugins.Output})
	if _, err := Bind(b); err == nil || !strings.Contains(err.Error(), `"extra"`) {
		t.Errorf("an output that is no operand: %v", err)
	}
	delete(b.Reference.Operands, "a")
	b.Buffers = b.Buffers[:3]
	operands, err := Bind(b)
	if err == nil {
		_, err = MatmulOperation{}.Exact(b.Reference.Args, operands, 1)
	}
	if err == nil {
		t.Error("a matmul without a was accepted")
	}
}
