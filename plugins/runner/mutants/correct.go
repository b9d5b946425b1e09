package mutants

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/matmul"
)

// A Correct is what the guard said of right kernels of one subject with one seed.
type Correct struct {
	Kernel string
	Seed   uint64
	// Checks is how many candidates were guarded, Problems on how many problems in all.
	Checks, Problems int
	Verdicts         map[plugins.Verdict]int
	// Refused says of each verdict other than ok what it was.
	Refused []string
}

// record counts one answer.
func (c *Correct) record(name string, checked plugins.Checked) {
	c.Checks++
	c.Problems += checked.Evidence.Cases
	c.Verdicts[checked.Verdict]++
	if checked.Verdict != plugins.OK {
		c.Refused = append(c.Refused, fmt.Sprintf("a right kernel was refused: %s: %s: %s: %s", name, checked.Verdict,
			checked.Evidence.Problem, checked.Evidence.Message))
	}
}

// seeds of the inputs of right kernels; an eighth of all checks is of the matrix product.
var seeds = []uint64{1, 2, 3, 4}

// GuardAllRight guards checks unbroken candidates of all kernels. With an error comes what was
// done before it.
func GuardAllRight(ctx context.Context, c *Compiler, root string, checks int, progress func(Correct)) ([]Correct, error) {
	var out []Correct
	var counts []int
	kernels := Kernels()
	slices.Reverse(kernels) // the matrix product takes longest to compile
	for _, k := range kernels {
		n := checks / 8
		if k.Name != "matmul" {
			n = (checks - n + len(kernels) - 2) / (len(kernels) - 1)
		}
		for i := range seeds {
			out = append(out, Correct{Kernel: k.Name, Seed: seeds[i]})
			counts = append(counts, (n+i)/len(seeds))
		}
	}
	var mu sync.Mutex
	return out, each(indices(out), func(i int) error {
		k := kernels[slices.IndexFunc(kernels, func(k *Kernel) bool { return k.Name == out[i].Kernel })]
		done, err := GuardRight(ctx, k, c, root, out[i].Seed, counts[i])
		mu.Lock()
		defer mu.Unlock()
		out[i] = done
		progress(done)
		return err
	})
}

// GuardRight guards checks unbroken candidates of a kernel with inputs from seed.
func GuardRight(ctx context.Context, k *Kernel, c *Compiler, root string, seed uint64, checks int) (Correct, error) {
	out := Correct{Kernel: k.Name, Seed: seed, Verdicts: make(map[plugins.Verdict]int)}
	files, err := k.source(root)
	if err != nil {
		return out, err
	}
	g, err := NewGuard(seed)
	if err != nil {
		return out, err
	}
	defer g.Close()
	if err := g.start(ctx); err != nil {
		return out, err
	}
	modules := make(map[string][][]byte)
	main := filepath.Base(k.Files[0])
	for _, v := range k.Variants {
		if modules[v.Name], err = c.Modules(files, main, v.Modules); err != nil {
			return out, err
		}
	}
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range checks {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		v := k.Variants[i%len(k.Variants)]
		s := k.Settings[r.IntN(len(k.Settings))]
		if k.Name == "matmul" {
			s = sampled(r, g.device.Limits)
		} else {
			for _, t := range s.Tails {
				s.Problem = merged(s.Problem, plugins.Problem{t.Field: (1 + r.Int64N(200/t.Multiple)) * t.Multiple})
			}
		}
		name := fmt.Sprintf("%s/%s seed %d: %s", k.Name, v.Name, seed, s.Config)
		candidate, check, err := k.check(name, v, modules[v.Name], s)
		if err != nil {
			return out, err
		}
		checked, err := g.Check(ctx, candidate, check)
		if err != nil {
			return out, err
		}
		out.record(name, checked)
	}
	return out, nil
}

// sampled is a configuration of the matrix product drawn from the family's own domains, and a
// problem of 64 to 200 in each direction, within a device's limits.
func sampled(r *rand.Rand, limits plugins.Limits) Setting {
	info, err := matmul.Family{}.Describe(context.Background())
	if err != nil {
		panic(err) // it describes itself from constants
	}
	for {
		config := plugins.Config{}
		for _, p := range info.Params {
			if p.Kind == plugins.Spec {
				config[p.Name] = p.Values[r.IntN(len(p.Values))]
			}
		}
		i := func(name string) int64 { return config[name].(int64) }
		shared := 4 * (1 + i("PREFETCH")/2) * i("BK") * (i("BM") + i("BN") + 2*i("PAD"))
		if shared > limits.SharedMemory || i("BLOCK_SIZE") > limits.MaxInvocations {
			continue
		}
		size := func() int64 {
			step := []int64{1, 4, 8, 64}[r.IntN(4)]
			return (64 + r.Int64N(137)) / step * step
		}
		s := Setting{Config: config,
			Problem: plugins.Problem{"m": size(), "n": size(), "k": size(), "layout": []string{"nt", "nn"}[r.IntN(2)]},
			Tails:   []Tail{{"m", i("BM"), 1, false}, {"n", i("BN"), 1, false}, {"k", i("BK"), 1, true}}}
		types := plugins.Problem{"a": "f32", "b": "f32", "acc": "f32"}
		if _, err := buildTiled(Variant{Unroll: true}, nil, merged(s.Problem, types), config); err == nil {
			return s
		}
	}
}

func correct(w io.Writer, list []Correct) {
	fmt.Fprint(w, "## Right kernels\n\nConfigurations of the matrix product are drawn from the family's whole domain; a check guards one of\n"+
		"them on its own problem and the core's further cases, each with exact and rounded inputs.\n\n"+
		"| kernel | seed | checks | problems | ok | refused |\n|---|---|---|---|---|---|\n")
	checks, problems, ok := 0, 0, 0
	for _, c := range list {
		if c.Checks == 0 {
			continue // an interrupted run did not come to it
		}
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d |\n", c.Kernel, c.Seed, c.Checks, c.Problems, c.Verdicts[plugins.OK], len(c.Refused))
		checks, problems, ok = checks+c.Checks, problems+c.Problems, ok+c.Verdicts[plugins.OK]
	}
	fmt.Fprintf(w, "| all | | %d | %d | %d | %d |\n\n", checks, problems, ok, checks-ok)
}
