package reference

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/krisptune/krisptune/plugins"
)

// request is a matmul as a family's Build states it.
func request(p Matmul, storage, acc plugins.ElementType) (map[string]plugins.Value, Operands) {
	args := map[string]plugins.Value{"m": p.M, "n": p.N, "k": p.K, "layout": string(p.Layout), "acc": string(acc)}
	rows := p.M
	if p.Layout == NN {
		rows = p.N
	}
	return args, Operands{
		"a": {Name: "a", Type: storage, Elements: p.M * p.K, Role: plugins.Input, Rows: p.K},
		"b": {Name: "b", Type: storage, Elements: p.N * p.K, Role: plugins.Input},
		"c": {Name: "c", Type: storage, Elements: p.M * p.N, Role: plugins.Output, Rows: rows},
	}
}

// trials are all that the operation makes of a problem.
func trials(t *testing.T, p Matmul, storage, acc plugins.ElementType) []Trial {
	t.Helper()
	op, err := Lookup("matmul")
	if err != nil {
		t.Fatal(err)
	}
	args, operands := request(p, storage, acc)
	all, err := op.Exact(args, operands, 7)
	if err != nil {
		t.Fatal(err)
	}
	last, err := op.Rounded(args, operands, 7)
	if err != nil {
		t.Fatal(err)
	}
	return append(all, last)
}

// run computes a trial's output as a device would.
func run(t *testing.T, p Matmul, storage, acc plugins.ElementType, trial Trial) []float32 {
	t.Helper()
	c := matmulCase{Matmul: p}
	_, operands := request(p, storage, acc)
	c.a, c.b = operands["a"], operands["b"]
	a, b, err := c.decoded(trial.Inputs())
	if err != nil {
		t.Fatal(err)
	}
	return kernel(p, a, b, acc, storage, nil, nil)
}

func verify(t *testing.T, storage plugins.ElementType, trial Trial, c []float32) *Diff {
	t.Helper()
	data := make([]byte, int64(len(c))*storage.Size())
	if err := Encode(storage, data, c); err != nil {
		t.Fatal(err)
	}
	diffs, err := trial.Verify(map[string][]byte{"c": data})
	if err != nil {
		t.Fatal(err)
	}
	if len(diffs) != 1 || diffs[0].Operand != "c" {
		t.Fatalf("%d diffs, expected one of c", len(diffs))
	}
	return diffs[0]
}

// Right outputs pass every trial; a wrong element, a NaN and a tile of stale values do not, in
// the exact trials of the size that is computed whole and of the size that is not.
func TestOperation(t *testing.T) {
	small := Matmul{M: 37, N: 21, K: 300}
	large := Matmul{M: 257, N: 129, K: 8200}
	for _, c := range []struct {
		p            Matmul
		storage, acc plugins.ElementType
	}{
		{small, "f32", "f32"}, {small, "f16", "f32"}, {small, "f16", "f16"}, {small, "bf16", "f32"},
		{large, "f32", "f32"},
	} {
		for _, layout := range []Layout{NT, NN} {
			p := c.p
			p.Layout = layout
			t.Run(fmt.Sprint(p, c.storage, c.acc), func(t *testing.T) {
				all := trials(t, p, c.storage, c.acc)
				for i, trial := range all {
					right := run(t, p, c.storage, c.acc, trial)
					d := verify(t, c.storage, trial, right)
					if d.Bad != 0 {
						t.Fatalf("trial %d: a right output has %d bad elements, first %+v", i, d.Bad, *d.First)
					}
					exact := i < len(all)-1
					if exact && d.Looked != p.M*p.N {
						t.Fatalf("trial %d looked at %d of %d elements", i, d.Looked, p.M*p.N)
					}
					if !exact {
						continue
					}
					at := p.Position(19, 13)
					for _, wrong := range []float32{right[at] + 1, float32(math.NaN())} {
						was := right[at]
						right[at] = wrong
						d := verify(t, c.storage, trial, right)
						if d.Bad != 1 || d.First.Index != at || d.First.Want != float64(was) {
							t.Errorf("trial %d, %v for %v at %d: %d bad, first %+v", i, wrong, was, at, d.Bad, d.First)
						}
						right[at] = was
					}
				}
			})
		}
	}
}

// On normals, what differs by far is found where it was sampled, and a factor of 1.01 on all
// outputs is found where every element is within its bound.
func TestOperationRounded(t *testing.T) {
	for _, p := range []Matmul{{M: 32, N: 32, K: 64, Layout: NT}, {M: 257, N: 129, K: 8200, Layout: NN}} {
		all := trials(t, p, "f32", "f32")
		trial := all[len(all)-1]
		c := run(t, p, "f32", "f32", trial)
		last := p.Position(p.M-1, p.N-1)
		was := c[last]
		c[last] = 1e6
		if d := verify(t, "f32", trial, c); d.Bad != 1 || d.First.Index != last {
			t.Errorf("%v: %d bad, expected the last element", p, d.Bad)
		}
		c[last] = was
		for i := range c {
			c[i] *= 1.01
		}
		if d := verify(t, "f32", trial, c); d.Bad == 0 {
			t.Errorf("%v: outputs 1%% too large pass", p)
		}
	}
}

// Equal seeds make equal inputs, different ones different inputs.
func TestOperationInputs(t *testing.T) {
	p := Matmul{M: 9, N: 7, K: 5, Layout: NT}
	one, two := trials(t, p, "f16", "f32"), trials(t, p, "f16", "f32")
	for i := range one {
		for name, data := range one[i].Inputs() {
			if !bytes.Equal(data, two[i].Inputs()[name]) {
				t.Errorf("trial %d: two makings of %s differ", i, name)
			}
		}
	}
	op := operations["matmul"]
	args, operands := request(p, "f16", "f32")
	other, err := op.Rounded(args, operands, 8)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(other.Inputs()["a"], one[len(one)-1].Inputs()["a"]) {
		t.Error("seeds 7 and 8 make the same a")
	}
}

func TestOperationRefuses(t *testing.T) {
	for want, change := range map[string]func(map[string]plugins.Value, Operands){
		"n is missing": func(a map[string]plugins.Value, _ Operands) { delete(a, "n") },
		"m = x is":     func(a map[string]plugins.Value, _ Operands) { a["m"] = "x" },
		"6 arguments":  func(a map[string]plugins.Value, _ Operands) { a["alpha"] = 2.0 },
		`layout "tt"`:  func(a map[string]plugins.Value, _ Operands) { a["layout"] = "tt" },
		`"i32"`:        func(a map[string]plugins.Value, _ Operands) { a["acc"] = "i32" },
		"2 operands":   func(_ map[string]plugins.Value, o Operands) { delete(o, "b") },
		"operand a": func(_ map[string]plugins.Value, o Operands) {
			o["a"] = plugins.Buffer{Type: "f32", Elements: 3, Role: plugins.Input}
		},
		"operand c": func(_ map[string]plugins.Value, o Operands) {
			c := o["c"]
			c.Role = plugins.InOut
			o["c"] = c
		},
	} {
		args, operands := request(Matmul{M: 2, N: 3, K: 4, Layout: NT}, "f32", "f32")
		change(args, operands)
		op := operations["matmul"]
		if _, err := op.Exact(args, operands, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("exact: error is %v, expected one with %q", err, want)
		}
		if _, err := op.Rounded(args, operands, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("rounded: error is %v, expected one with %q", err, want)
		}
	}
	op := operations["matmul"]
	args, operands := request(Matmul{M: 2, N: 3, K: 4, Layout: NT}, "f32", "f32")
	trial, err := op.Rounded(args, operands, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trial.Verify(map[string][]byte{"c": make([]byte, 3)}); err == nil {
		t.Error("c of 3 bytes was taken")
	}
}
