package mutants

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/reference"
)

func init() { register("histogram", operation{exacts: 1, make: histogramTrial}) }

// bins of the histogram; keys reach beyond.
const bins = 48

// histogram counts in shared memory with atomics; its output is integers.
func histogram() *Kernel {
	setting := func(name string, block int64) Setting {
		return Setting{Name: name, Config: plugins.Config{"BLOCK": block, "BINS": int64(bins)},
			Problem: plugins.Problem{"rows": int64(9), "k": int64(500)},
			Tails:   []Tail{{"rows", 1, 1, false}, {"k", block, 1, true}}}
	}
	return &Kernel{
		Name:      "histogram",
		Files:     []string{"plugins/runner/mutants/testdata/histogram.comp"},
		Variants:  []Variant{{Name: "u32", Modules: [][]string{nil}}},
		Settings:  []Setting{setting("64", 64), setting("32", 32)},
		Build:     buildHistogram,
		Mutations: histogramMutations,
	}
}

func buildHistogram(_ Variant, modules [][]byte, p plugins.Problem, c plugins.Config) (plugins.Build, error) {
	n, err := sizes(p, "rows", "k")
	if err != nil {
		return plugins.Build{}, err
	}
	spec, err := constants(c, "BLOCK", "BINS")
	if err != nil {
		return plugins.Build{}, err
	}
	return plugins.Build{
		Modules: []plugins.Module{{Name: "histogram", SPIRV: modules[0]}},
		Buffers: []plugins.Buffer{{Name: "keys", Type: plugins.U32, Elements: n[0] * n[1], Rows: n[1], Role: plugins.Input},
			{Name: "counts", Type: plugins.U32, Elements: n[0] * bins, Rows: bins, Role: plugins.Output}},
		Passes: []plugins.Pass{{Entry: "main", Spec: spec, Bindings: bind(0, 1), Push: words(uint32(n[0]), uint32(n[1])),
			Grid: [3]uint32{uint32(n[0]), 1, 1}}},
		Reference: plugins.Reference{Op: operationName("histogram"), Args: p, Operands: map[string]string{"keys": "keys", "counts": "counts"}},
		Flops:     float64(n[0] * n[1]),
	}, nil
}

func histogramTrial(args plugins.Problem, operands reference.Operands, _ int, r *rand.Rand) (*trial, error) {
	n, err := sizes(args, "rows", "k")
	if err != nil {
		return nil, err
	}
	counts := make([]float64, n[0]*bins)
	var data []byte
	for row := range n[0] {
		for range n[1] {
			key := r.Uint32N(bins + 4)
			data = binary.LittleEndian.AppendUint32(data, key)
			if key < bins {
				counts[row*bins+int64(key)]++
			}
		}
	}
	return &trial{inputs: map[string][]byte{"keys": data}, output: operands["counts"], name: "counts",
		answer: func() ([]float64, []float64) { return counts, nil }}, nil
}
