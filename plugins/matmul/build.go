package matmul

import (
	"encoding/binary"
	"fmt"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/reference"
	"github.com/krisptune/krisptune/shaders"
)

func build(s shape, t tile) (plugins.Build, error) {
	name := moduleName(s, t)
	spirv, err := shaders.SPIRV(name)
	if err != nil {
		return plugins.Build{}, err
	}
	// The length of rows as they are stored.
	rowB, rowC := s.k, s.m
	if s.layout == reference.NN {
		rowB, rowC = s.n, s.n
	}
	buffer := func(name string, elements, row int64, role plugins.Role) plugins.Buffer {
		return plugins.Buffer{Name: name, Type: s.elem, Elements: elements, Role: role, Rows: row}
	}
	return plugins.Build{
		Modules: []plugins.Module{{Name: name, SPIRV: spirv}},
		Buffers: []plugins.Buffer{
			buffer("a", s.m*s.k, s.k, plugins.Input),
			buffer("b", s.n*s.k, rowB, plugins.Input),
			buffer("c", s.m*s.n, rowC, plugins.Output),
		},
		Passes: []plugins.Pass{{
			Module:   0,
			Entry:    "main",
			Spec:     constants(s, t),
			Bindings: []plugins.Binding{{Binding: 0, Buffer: 0}, {Binding: 1, Buffer: 1}, {Binding: 2, Buffer: 2}},
			Push:     push(s),
			Grid:     [3]uint32{uint32(ceilDiv(s.m, t.bm)), uint32(ceilDiv(s.n, t.bn)), 1},
		}},
		Reference: plugins.Reference{
			Op: "matmul",
			Args: map[string]plugins.Value{"m": s.m, "n": s.n, "k": s.k,
				"layout": string(s.layout), "acc": string(s.acc)},
			Operands: map[string]string{"a": "a", "b": "b", "c": "c"},
		},
		Flops: 2 * float64(s.m) * float64(s.n) * float64(s.k),
		Bytes: float64(s.m*s.k+s.n*s.k+s.m*s.n) * float64(s.elem.Size()),
	}, nil
}

// moduleName names one of the modules that shaders/TOOLCHAIN lists.
func moduleName(s shape, t tile) string {
	name := fmt.Sprintf("matmul/tiled_%s_%s", s.elem, s.acc)
	if !t.unroll {
		name += "_rolled"
	}
	return name
}

// constants are the specialization constants in the order of their numbers in tiled.comp:
// first the parameters, then what follows from the problem.
func constants(s shape, t tile) []plugins.SpecConstant {
	flag := func(set bool) int64 {
		if set {
			return 1
		}
		return 0
	}
	vecB, vecC := s.vector(s.k, t.bk), int64(1)
	rowC := s.m
	if s.layout == reference.NN {
		vecB, rowC = s.vector(s.n, t.bn), s.n
	}
	if rowC%4 == 0 {
		vecC = 4
	}
	var spec []plugins.SpecConstant
	for id, v := range []int64{
		t.blockSize, t.bm, t.bn, t.bk, t.wm, t.wn, t.tm, t.tn, t.pad, t.prefetch,
		flag(s.layout == reference.NN),
		flag(s.m%t.bm != 0 || s.n%t.bn != 0 || s.k%t.bk != 0),
		s.vector(s.k, t.bk), vecB, vecC,
	} {
		spec = append(spec, plugins.SpecConstant{ID: uint32(id), Data: binary.LittleEndian.AppendUint32(nil, uint32(v))})
	}
	return spec
}

func push(s shape) []byte {
	var p []byte
	for _, v := range []int64{s.m, s.n, s.k} {
		p = binary.LittleEndian.AppendUint32(p, uint32(v))
	}
	return p
}

func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }
