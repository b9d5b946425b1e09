// Package matmul is the family of tiled matrix products: C = A·Bᵀ in a decoder's layout, and
// plain row-major C = A·B, in f32, f16 and bf16.
//
// Its kernel is shaders/matmul/tiled.comp. One workgroup of BLOCK_SIZE invocations makes a
// BM×BN tile of C, stepping through k by BK; one invocation makes TM×TN outputs.
package matmul

import (
	"context"

	"github.com/krisptune/krisptune/plugins"
)

// Family is the matmul family. It has no state.
type Family struct{}

var _ plugins.Family = Family{}

// Describe implements plugins.Family.
func (Family) Describe(context.Context) (plugins.Info, error) { return info(), nil }

// Build implements plugins.Family.
func (Family) Build(_ context.Context, problem plugins.Problem, config plugins.Config) (plugins.Build, error) {
	s, err := readShape(problem)
	if err != nil {
		return plugins.Build{}, err
	}
	t, err := readTile(config)
	if err != nil {
		return plugins.Build{}, err
	}
	return build(s, t)
}

func info() plugins.Info {
	var constraints []string
	for _, r := range rules {
		constraints = append(constraints, r.expr)
	}
	constraints = append(constraints, shapeConstraints...)
	constraints = append(constraints, limitConstraints...)
	return plugins.Info{
		Name:        "matmul",
		Version:     "1",
		Doc:         "tiled matrix product: C = A·Bᵀ (layout nt) or C = A·B (layout nn)",
		Fields:      fields(),
		Params:      params(),
		Constraints: constraints,
		Baseline:    baseline(),
	}
}

func fields() []plugins.Field {
	size := func(name, doc, tile string, reduced bool) plugins.Field {
		return plugins.Field{Name: name, Doc: doc, Type: plugins.Int, Min: 1, Tile: tile, Reduced: reduced}
	}
	choice := func(name, doc string, values ...plugins.Value) plugins.Field {
		return plugins.Field{Name: name, Doc: doc, Type: plugins.String, Values: values, Default: values[0]}
	}
	return []plugins.Field{
		size("m", "rows of A: a weight matrix's outputs", "BM", false),
		size("n", "columns of the product: tokens", "BN", false),
		size("k", "length of the dot products", "BK", true),
		choice("a", "element type of A", "f32", "f16", "bf16"),
		choice("b", "element type of B and C: that of A", "f32", "f16", "bf16"),
		choice("acc", "type that sums are kept in; f16 needs f16 operands", "f32", "f16"),
		choice("layout", "nt: B is n×k and C is stored n×m; nn: B is k×n and C m×n", "nt", "nn"),
	}
}

func params() []plugins.Param {
	spec := func(name, doc string, values ...plugins.Value) plugins.Param {
		return plugins.Param{Name: name, Doc: doc, Kind: plugins.Spec, Type: plugins.Int, Values: values}
	}
	i := func(v int64) plugins.Value { return v }
	return []plugins.Param{
		spec("BLOCK_SIZE", "invocations of a workgroup", i(32), i(64), i(128), i(256)),
		spec("BM", "rows of a workgroup's tile", i(32), i(64), i(128)),
		spec("BN", "columns of a workgroup's tile", i(32), i(64), i(128)),
		spec("BK", "depth of a slice in shared memory", i(8), i(16), i(32)),
		spec("WM", "rows of a sub-tile whose invocations are neighbours", i(32), i(64)),
		spec("WN", "columns of a sub-tile whose invocations are neighbours", i(32), i(64)),
		spec("TM", "rows of an invocation's outputs", i(4), i(8), i(16)),
		spec("TN", "columns of an invocation's outputs", i(4), i(8)),
		spec("PAD", "elements after each row in shared memory", i(0), i(4)),
		spec("PREFETCH", "the next slice: 0 not fetched ahead, 1 into registers, 2 and into a second shared buffer", i(0), i(1), i(2)),
		{Name: "UNROLL", Doc: "unroll the loop over BK", Kind: plugins.Define, Type: plugins.Bool, Values: []plugins.Value{true, false}},
	}
}

// baseline is llama.cpp's medium tile (ggml-vulkan's warptile {128, 64, 64, 16, 32, 32, 2, 4, 2}:
// per invocation 2 by 2 blocks of 4×2, here 8×4), which it picks for every size on several
// devices, Honeykrisp among them. Like that kernel it pads rows and fetches nothing ahead.
func baseline() plugins.Config {
	return plugins.Config{"BLOCK_SIZE": int64(128), "BM": int64(64), "BN": int64(64), "BK": int64(16), "WM": int64(32),
		"WN": int64(32), "TM": int64(8), "TN": int64(4), "PAD": int64(4), "PREFETCH": int64(0), "UNROLL": true}
}
