package mutants

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/reference"
	"github.com/x448/float16"
)

func init() { register("gemv", operation{exacts: 1, make: gemvTrial}) }

// gemv is the matrix-vector product with f16, q8_0 and q4_0 weights.
func gemv() *Kernel {
	variant := func(name, define string) Variant {
		return Variant{Name: name, Modules: [][]string{{define}}, Fields: plugins.Problem{"w": name}}
	}
	setting := func(name string, block, rows int64) Setting {
		return Setting{Name: name, Config: plugins.Config{"BLOCK": block, "ROWS": rows},
			Problem: plugins.Problem{"rows": int64(70), "k": int64(192)},
			Tails:   []Tail{{"rows", rows, 1, false}, {"k", block, 32, true}}}
	}
	return &Kernel{
		Name:      "gemv",
		Files:     []string{"plugins/runner/mutants/testdata/gemv.comp"},
		Variants:  []Variant{variant("f16", "-DWEIGHT_F16"), variant("q8_0", "-DWEIGHT_Q8_0"), variant("q4_0", "-DWEIGHT_Q4_0")},
		Settings:  []Setting{setting("64x2", 64, 2), setting("32x3", 32, 3), setting("128x1", 128, 1)},
		Build:     buildGemv,
		Mutations: gemvMutations,
	}
}

// blockBytes is a block of 32 weights, or one weight in f16.
var blockBytes = map[string]int64{"f16": 2, "q8_0": 34, "q4_0": 18}

func buildGemv(_ Variant, modules [][]byte, p plugins.Problem, c plugins.Config) (plugins.Build, error) {
	n, err := sizes(p, "rows", "k")
	if err != nil {
		return plugins.Build{}, err
	}
	spec, err := constants(c, "BLOCK", "ROWS")
	if err != nil {
		return plugins.Build{}, err
	}
	format, err := p.Text("w")
	if err != nil {
		return plugins.Build{}, err
	}
	rows, k, per := n[0], n[1], c["ROWS"].(int64)
	w := plugins.Buffer{Name: "w", Type: plugins.F16, Elements: rows * k, Rows: k, Role: plugins.Input}
	if format != "f16" {
		w = plugins.Buffer{Name: "w", Type: plugins.U8, Elements: rows * k / 32 * blockBytes[format], Rows: k / 32 * blockBytes[format], Role: plugins.Input}
	}
	return plugins.Build{
		Modules: []plugins.Module{{Name: "gemv_" + format, SPIRV: modules[0]}},
		Buffers: []plugins.Buffer{w, {Name: "x", Type: plugins.F32, Elements: k, Role: plugins.Input},
			{Name: "y", Type: plugins.F32, Elements: rows, Role: plugins.Output}},
		Passes: []plugins.Pass{{Entry: "main", Spec: spec, Bindings: bind(0, 1, 2), Push: words(uint32(rows), uint32(k)),
			Grid: [3]uint32{uint32((rows + per - 1) / per), 1, 1}}},
		Reference: plugins.Reference{Op: operationName("gemv"), Args: p, Operands: map[string]string{"w": "w", "x": "x", "y": "y"}},
		Flops:     2 * float64(rows*k),
	}, nil
}

// gemvTrial has, exact, block scales that are powers of two and small integers else: sums stay
// below 2^24 units. Every nibble and byte occurs, but none whose weight is 0.
func gemvTrial(args plugins.Problem, operands reference.Operands, exact int, r *rand.Rand) (*trial, error) {
	n, err := sizes(args, "rows", "k")
	if err != nil {
		return nil, err
	}
	format, err := args.Text("w")
	if err != nil {
		return nil, err
	}
	count := n[0] * n[1]
	scale := func() float64 { return math.Ldexp(nonzero(r, 1)(), r.IntN(4)-2) }
	weight, activation := nonzero(r, 4), nonzero(r, 4)
	if exact < 0 {
		scale, weight, activation = r.NormFloat64, r.NormFloat64, r.NormFloat64
	}
	var w []float64
	var data []byte
	switch format {
	case "q8_0":
		w, data = q8Blocks(count, scale, r)
	case "q4_0":
		w, data = q4Blocks(count, scale, r)
	default:
		w, data = f16s(count, weight)
	}
	x, xs := f32s(n[1], activation)
	return &trial{inputs: map[string][]byte{"w": data, "x": xs}, output: operands["y"], name: "y",
		answer: func() ([]float64, []float64) {
			values, bounds := dots(w, x)
			if exact >= 0 {
				bounds = nil
			}
			return values, bounds
		}}, nil
}

// q8Blocks are count weights as GGUF's q8_0: f16 d, then 32 signed bytes; a weight is d·q.
func q8Blocks(count int64, scale func() float64, r *rand.Rand) (w []float64, data []byte) {
	for range count / 32 {
		d := float16.Fromfloat32(float32(scale()))
		data = binary.LittleEndian.AppendUint16(data, d.Bits())
		for range 32 {
			q := int8(nonzero(r, 127)())
			data = append(data, byte(q))
			w = append(w, float64(d.Float32())*float64(q))
		}
	}
	return w, data
}

// q4Blocks are count weights as GGUF's q4_0: f16 d, then 16 bytes; byte i holds weight i in its
// low half and weight i+16 in its high half; a weight is d·(q - 8).
func q4Blocks(count int64, scale func() float64, r *rand.Rand) (w []float64, data []byte) {
	for range count / 32 {
		d := float16.Fromfloat32(float32(scale()))
		data = binary.LittleEndian.AppendUint16(data, d.Bits())
		var q [32]byte
		for i := range q {
			for q[i] = 8; q[i] == 8; {
				q[i] = byte(r.IntN(16))
			}
			w = append(w, float64(d.Float32())*(float64(q[i])-8))
		}
		for i := range 16 {
			data = append(data, q[i]|q[i+16]<<4)
		}
	}
	return w, data
}
