package mutants

import (
	"context"
	"fmt"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/matmul"
)

// tiled is the shipped matrix product in its eight modules.
func tiled() *Kernel {
	k := &Kernel{
		Name:      "matmul",
		Files:     []string{"shaders/matmul/tiled.comp", "shaders/matmul/slices.glsl"},
		Build:     buildTiled,
		Mutations: append(append([]Mutation{}, tiledMutations...), slicesMutations...),
	}
	for _, types := range [][2]string{{"f32", "f32"}, {"f16", "f32"}, {"f16", "f16"}, {"bf16", "f32"}} {
		defines := []string{map[string]string{"f32": "-DSTORAGE_F32", "f16": "-DSTORAGE_F16", "bf16": "-DSTORAGE_BF16"}[types[0]]}
		if types[1] == "f16" {
			defines = append(defines, "-DACC_F16")
		}
		fields := plugins.Problem{"a": types[0], "b": types[0], "acc": types[1]}
		name := types[0] + "_" + types[1]
		k.Variants = append(k.Variants, Variant{Name: name, Modules: [][]string{defines}, Fields: fields, Unroll: true},
			Variant{Name: name + "_rolled", Modules: [][]string{append(defines[:len(defines):len(defines)], "-DROLLED")}, Fields: fields})
	}
	for _, s := range []struct {
		layout                                               string
		blockSize, bm, bn, bk, wm, wn, tm, tn, pad, prefetch int64
		m, n, k                                              int64
	}{
		// Both layouts, all ways of fetching ahead, blocks of 4 and 8, slices that are no
		// multiple of a load, an odd number of lanes; problems of whole tiles, and with edges that vectors reach.
		{"nt", 96, 48, 32, 12, 16, 32, 4, 4, 4, 0, 100, 68, 76},
		{"nn", 16, 32, 32, 16, 32, 16, 8, 8, 0, 2, 100, 72, 72},
		{"nt", 32, 32, 32, 9, 16, 8, 4, 8, 4, 1, 128, 64, 80},
		{"nt", 32, 64, 32, 4, 64, 32, 8, 8, 0, 2, 128, 64, 64},
	} {
		k.Settings = append(k.Settings, Setting{
			Name: fmt.Sprintf("%s %dx%dx%d/%d", s.layout, s.bm, s.bn, s.bk, s.prefetch),
			Config: plugins.Config{"BLOCK_SIZE": s.blockSize, "BM": s.bm, "BN": s.bn, "BK": s.bk, "WM": s.wm, "WN": s.wn,
				"TM": s.tm, "TN": s.tn, "PAD": s.pad, "PREFETCH": s.prefetch},
			Problem: plugins.Problem{"m": s.m, "n": s.n, "k": s.k, "layout": s.layout},
			Tails:   []Tail{{"m", s.bm, 1, false}, {"n", s.bn, 1, false}, {"k", s.bk, 1, true}},
		})
	}
	return k
}

// buildTiled is the family's build with the module exchanged.
func buildTiled(v Variant, modules [][]byte, p plugins.Problem, c plugins.Config) (plugins.Build, error) {
	config := plugins.Config{"UNROLL": v.Unroll}
	for name, value := range c {
		config[name] = value
	}
	b, err := matmul.Family{}.Build(context.Background(), p, config)
	if err != nil {
		return b, err
	}
	if modules != nil {
		b.Modules = []plugins.Module{{Name: "mutant", SPIRV: modules[0]}}
	}
	return b, nil
}
