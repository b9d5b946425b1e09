package runner

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/matmul"
)

// product is a matmul problem; changes apply to the family's baseline.
func product(t testing.TB, elem, acc, layout string, m, n, k int64, changes plugins.Config) (plugins.Problem, plugins.Config, plugins.Build) {
	t.Helper()
	family := matmul.Family{}
	info, err := family.Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	config := plugins.Config{}
	for name, v := range info.Baseline {
		config[name] = v
	}
	for name, v := range changes {
		config[name] = v
	}
	problem := plugins.Problem{"m": m, "n": n, "k": k, "a": elem, "b": elem, "acc": acc, "layout": layout}
	build, err := family.Build(t.Context(), problem, config)
	if err != nil {
		t.Fatal(err)
	}
	return problem, config, build
}

// check guards one product with tails.
func checkProduct(t testing.TB, r *Runner, elem, acc, layout string, m, n, k int64, changes plugins.Config) plugins.Checked {
	t.Helper()
	problem, config, build := product(t, elem, acc, layout, m, n, k, changes)
	check := plugins.Check{ID: "product", Problem: problem, Config: config}
	for _, size := range [][3]int64{{63, 63, 15}, {64, 64, 16}, {65, 129, 385}} {
		p, _, b := product(t, elem, acc, layout, size[0], size[1], size[2], changes)
		check.Cases = append(check.Cases, plugins.Case{Problem: p, Build: b})
	}
	if c := compileOne(t, r, "product", build); c.Verdict != plugins.OK {
		t.Fatalf("compile: %s %s", c.Verdict, c.Evidence.Message)
	}
	defer r.Release(context.Background(), []string{"product"})
	return guardOne(t, r, check)
}

func TestMatmulPasses(t *testing.T) {
	r := open(t, Options{}, plugins.OpenOptions{})
	features := describe(0, r.caps).Features
	shapes := []plugins.Config{nil,
		{"BM": int64(32), "BN": int64(32), "TM": int64(4), "TN": int64(4), "BLOCK_SIZE": int64(64), "UNROLL": false},
		{"PREFETCH": int64(2), "PAD": int64(0)}}
	n := 0
	for _, types := range [][2]string{{"f32", "f32"}, {"f16", "f32"}, {"f16", "f16"}, {"bf16", "f32"}} {
		if types[0] != "f32" && !features.Storage16 || types[1] == "f16" && !features.Float16 {
			t.Logf("%v: the device lacks it", types)
			continue
		}
		for _, layout := range []string{"nt", "nn"} {
			changes := shapes[n%len(shapes)]
			n++
			t.Run(fmt.Sprintf("%s_%s_%s", types[0], types[1], layout), func(t *testing.T) {
				got := checkProduct(t, r, types[0], types[1], layout, 200, 136, 144, changes)
				if got.Verdict != plugins.OK || got.Evidence.Cases != 4 {
					t.Errorf("%s %+v", got.Verdict, got.Evidence)
				}
			})
		}
	}
}

// A tile that the grid does not cover, and a lost tail, are seen and said.
func TestMatmulRefused(t *testing.T) {
	r := open(t, Options{}, plugins.OpenOptions{})
	for name, change := range map[string]func(*plugins.Build){
		"grid too small":    func(b *plugins.Build) { b.Passes[0].Grid[0]-- },
		"k off by one tile": func(b *plugins.Build) { b.Passes[0].Push = littleEndian(256, 128, 64-16) },
		"m and n exchanged": func(b *plugins.Build) { b.Passes[0].Push = littleEndian(128, 256, 64) },
	} {
		problem, config, build := product(t, "f32", "f32", "nt", 256, 128, 64, nil)
		change(&build)
		if c := compileOne(t, r, name, build); c.Verdict != plugins.OK {
			t.Fatalf("%s: %+v", name, c)
		}
		got := guardOne(t, r, plugins.Check{ID: name, Problem: problem, Config: config})
		t.Logf("%s: %s: %s", name, got.Verdict, got.Evidence.Message)
		if got.Verdict == plugins.OK {
			t.Errorf("%s passed", name)
		}
	}
}

// BenchmarkGuard is the guard's cost for one accepted candidate, compiled and with references
// cached, beside what one launch and one recorded sample cost.
func BenchmarkGuard(b *testing.B) {
	r := open(b, Options{}, plugins.OpenOptions{})
	for _, n := range []int64{512, 4096} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			if n > 512 && r.caps.Type == "cpu" {
				b.Skip("takes minutes on a CPU device")
			}
			problem, config, build := product(b, "f32", "f32", "nt", n, n, n, nil)
			compileOne(b, r, "p", build)
			check := plugins.Check{ID: "p", Problem: problem, Config: config}
			start := time.Now()
			if got := guardOne(b, r, check); got.Verdict != plugins.OK {
				b.Fatalf("%+v", got)
			}
			first := time.Since(start)
			start = time.Now()
			samples := race(b, r, plugins.Race{Entrants: []string{"p", "p"}, Rounds: 8, Warmup: true})
			perSample := time.Since(start) / time.Duration(len(samples))
			for b.Loop() {
				if got := guardOne(b, r, check); got.Verdict != plugins.OK {
					b.Fatalf("%+v", got)
				}
			}
			b.ReportMetric(first.Seconds()*1e3, "ms/first-check")
			b.ReportMetric(samples[len(samples)-1].Nanoseconds/1e6, "ms/launch")
			b.ReportMetric(perSample.Seconds()*1e3, "ms/sample")
		})
	}
}
