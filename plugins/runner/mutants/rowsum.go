package mutants

import (
	"math/rand/v2"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/reference"
)

func init() { register("rowsum", operation{exacts: 1, make: rowsumTrial}) }

// rowsum is a reduction in two passes through scratch memory.
func rowsum() *Kernel {
	setting := func(name string, block, splits int64) Setting {
		return Setting{Name: name, Config: plugins.Config{"BLOCK": block, "SPLITS": splits},
			Problem: plugins.Problem{"rows": int64(70), "k": int64(1000)},
			Tails:   []Tail{{"rows", block, 1, false}, {"k", 4 * splits, 1, true}}}
	}
	return &Kernel{
		Name:      "rowsum",
		Files:     []string{"plugins/runner/mutants/testdata/rowsum.comp"},
		Variants:  []Variant{{Name: "f32", Modules: [][]string{{"-DPARTIAL"}, nil}}},
		Settings:  []Setting{setting("64/3", 64, 3), setting("32/1", 32, 1), setting("16/5", 16, 5)},
		Build:     buildRowsum,
		Mutations: rowsumMutations,
	}
}

func buildRowsum(_ Variant, modules [][]byte, p plugins.Problem, c plugins.Config) (plugins.Build, error) {
	n, err := sizes(p, "rows", "k")
	if err != nil {
		return plugins.Build{}, err
	}
	spec, err := constants(c, "BLOCK", "SPLITS")
	if err != nil {
		return plugins.Build{}, err
	}
	rows, k, block, splits := n[0], n[1], c["BLOCK"].(int64), c["SPLITS"].(int64)
	push := words(uint32(rows), uint32(k))
	return plugins.Build{
		Modules: []plugins.Module{{Name: "rowsum_partial", SPIRV: modules[0]}, {Name: "rowsum_finish", SPIRV: modules[1]}},
		Buffers: []plugins.Buffer{{Name: "x", Type: plugins.F32, Elements: rows * k, Rows: k, Role: plugins.Input},
			{Name: "partial", Type: plugins.F32, Elements: rows * splits, Rows: splits, Role: plugins.Scratch},
			{Name: "y", Type: plugins.F32, Elements: rows, Role: plugins.Output}},
		Passes: []plugins.Pass{
			{Module: 0, Entry: "main", Spec: spec, Bindings: bind(0, 1), Push: push, Grid: [3]uint32{uint32(rows), uint32(splits), 1}},
			{Module: 1, Entry: "main", Spec: spec, Bindings: bind(1, 2), Push: push, Grid: [3]uint32{uint32((rows + block - 1) / block), 1, 1}},
		},
		Reference: plugins.Reference{Op: operationName("rowsum"), Args: p, Operands: map[string]string{"x": "x", "y": "y"}},
		Flops:     float64(rows * k),
	}, nil
}

func rowsumTrial(args plugins.Problem, operands reference.Operands, exact int, r *rand.Rand) (*trial, error) {
	n, err := sizes(args, "rows", "k")
	if err != nil {
		return nil, err
	}
	next := nonzero(r, 1000)
	if exact < 0 {
		next = r.NormFloat64
	}
	x, data := f32s(n[0]*n[1], next)
	ones := make([]float64, n[1])
	for i := range ones {
		ones[i] = 1
	}
	return &trial{inputs: map[string][]byte{"x": data}, output: operands["y"], name: "y",
		answer: func() ([]float64, []float64) {
			values, bounds := dots(x, ones)
			if exact >= 0 {
				bounds = nil
			}
			return values, bounds
		}}, nil
}
