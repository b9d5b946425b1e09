package plugintest

import (
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"os"

	"github.com/krisptune/krisptune/plugins"
)

//go:generate sh -c "$(sh ../../shaders/toolchain.sh) --target-env=vulkan1.1 -O0 axpy.comp -o axpy.spv"
//go:embed axpy.spv
var axpySPIRV []byte

// FakeFamily computes y = y + alpha*x in f32 and its own reference. Its kernel is real and may
// run on a device; a FakeRunner never looks at it.
type FakeFamily struct{}

var _ plugins.FamilyWithReference = FakeFamily{}

// Specialization constants of axpy.comp.
const (
	blockID  = 0
	unrollID = 1
)

func (FakeFamily) Describe(context.Context) (plugins.Info, error) {
	return plugins.Info{
		Name: "fake", Version: "1", Doc: "y = y + alpha * x",
		Fields: []plugins.Field{
			{Name: "n", Doc: "elements", Type: plugins.Int, Default: int64(4096), Min: 1, Tile: "BLOCK * UNROLL"},
			{Name: "alpha", Doc: "factor", Type: plugins.Float, Default: 2.0},
		},
		Params: []plugins.Param{
			{Name: "BLOCK", Doc: "invocations of a workgroup", Kind: plugins.Spec, Type: plugins.Int,
				Values: []plugins.Value{int64(32), int64(64), int64(128), int64(256)}},
			{Name: "UNROLL", Doc: "elements of an invocation", Kind: plugins.Spec, Type: plugins.Int,
				Values: []plugins.Value{int64(1), int64(2), int64(4), int64(8)}},
		},
		Constraints: []string{"BLOCK * UNROLL <= 1024", "BLOCK <= max_invocations"},
		Baseline:    plugins.Config{"BLOCK": int64(64), "UNROLL": int64(1)},
	}, nil
}

func (FakeFamily) Build(_ context.Context, problem plugins.Problem, config plugins.Config) (plugins.Build, error) {
	n, alpha, err := axpyProblem(problem)
	if err != nil {
		return plugins.Build{}, &plugins.RequestError{Reason: err.Error()}
	}
	block, err := config.Int("BLOCK")
	if err != nil {
		return plugins.Build{}, &plugins.RequestError{Reason: err.Error()}
	}
	unroll, err := config.Int("UNROLL")
	if err != nil {
		return plugins.Build{}, &plugins.RequestError{Reason: err.Error()}
	}
	if block < 1 || unroll < 1 || block > 1024 || unroll > 1024 || block*unroll > 1024 {
		return plugins.Build{}, &plugins.RequestError{Reason: fmt.Sprintf(
			"BLOCK * UNROLL = %d * %d, expected at least 1 and at most 1024", block, unroll)}
	}
	push := binary.LittleEndian.AppendUint32(nil, uint32(n))
	push = binary.LittleEndian.AppendUint32(push, math.Float32bits(float32(alpha)))
	tile := block * unroll
	return plugins.Build{
		Modules: []plugins.Module{{Name: "axpy", SPIRV: axpySPIRV}},
		Buffers: []plugins.Buffer{
			{Name: "x", Type: plugins.F32, Elements: n, Role: plugins.Input},
			{Name: "y", Type: plugins.F32, Elements: n, Role: plugins.InOut},
		},
		Passes: []plugins.Pass{{
			Entry: "main",
			Spec:  []plugins.SpecConstant{{ID: blockID, Data: word(block)}, {ID: unrollID, Data: word(unroll)}},
			Bindings: []plugins.Binding{
				{Set: 0, Binding: 0, Buffer: 0},
				{Set: 0, Binding: 1, Buffer: 1},
			},
			Push: push,
			Grid: [3]uint32{uint32((n + tile - 1) / tile), 1, 1},
		}},
		Flops: 2 * float64(n),
		Bytes: 12 * float64(n),
	}, nil
}

func word(v int64) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(v)) }

func axpyProblem(p plugins.Problem) (n int64, alpha float64, err error) {
	if n, err = p.Int("n"); err != nil {
		return 0, 0, err
	}
	alpha, ok := p["alpha"].(float64)
	if !ok {
		return 0, 0, fmt.Errorf("alpha is a %s, expected a float", plugins.TypeOf(p["alpha"]))
	}
	if n < 1 || n > 1<<30 {
		return 0, 0, fmt.Errorf("n = %d, expected 1 to 2^30", n)
	}
	return n, alpha, nil
}

// Reference bounds the error by two roundings, of the product and of the sum.
func (FakeFamily) Reference(_ context.Context, req plugins.ReferenceRequest) error {
	n, alpha, err := axpyProblem(req.Problem)
	if err != nil {
		return &plugins.RequestError{Reason: err.Error()}
	}
	x, err := readF32(req.Inputs["x"], n)
	if err != nil {
		return err
	}
	y, err := readF32(req.Inputs["y"], n)
	if err != nil {
		return err
	}
	const roundoff = 1.0 / (1 << 24)
	alpha = float64(float32(alpha)) // as the kernel gets it
	var out, bound []byte
	for i := range x {
		product := alpha * x[i]
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(y[i]+product))
		bound = binary.LittleEndian.AppendUint64(bound, math.Float64bits(2*roundoff*(math.Abs(product)+math.Abs(y[i]))))
	}
	if err := os.WriteFile(req.Outputs["y"], out, 0o600); err != nil {
		return err
	}
	return os.WriteFile(req.Bounds["y"], bound, 0o600)
}

func readF32(path string, n int64) ([]float64, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if int64(len(raw)) != 4*n {
		return nil, fmt.Errorf("%s has %d bytes, expected %d", path, len(raw), 4*n)
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:])))
	}
	return out, nil
}

// FakeConfig reads a FakeFamily's configuration back from its build: what a FakeRunner's
// Behave goes by.
func FakeConfig(b plugins.Build) plugins.Config {
	config := plugins.Config{}
	for _, s := range b.Passes[0].Spec {
		name := map[uint32]string{blockID: "BLOCK", unrollID: "UNROLL"}[s.ID]
		config[name] = int64(binary.LittleEndian.Uint32(s.Data))
	}
	return config
}
