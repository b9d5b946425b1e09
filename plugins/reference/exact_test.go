package reference

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/krisptune/krisptune/plugins"
)

func TestPlanExact(t *testing.T) {
	const f32, f16, bf16 = plugins.F32, plugins.F16, plugins.BF16
	for _, c := range []struct {
		k           int64
		a, acc, out plugins.ElementType
		outputs     int64
		risk        float64
		runs        int
		amplitude   int64
	}{
		{4096, f32, f32, f32, 0, 0, 1, 64},
		{100, f32, f32, f32, 0, 0, 1, 64},
		{1 << 20, f32, f32, f32, 0, 0, 1, 4},
		{4096, f16, f32, f16, 0, 0, 2, 1},
		{2048, f16, f16, f16, 0, 0, 1, 1},
		{4096, f16, f16, f16, 0, 0, 2, 1},
		{4097, f16, f16, f16, 0, 0, 3, 1},
		{100, f16, f16, f16, 0, 0, 1, 4},
		{4096, bf16, f32, bf16, 0, 0, 16, 1},
		{4096, bf16, f32, bf16, 1 << 24, 1e-9, 5, 1},
		{4096, f16, f32, f16, 1 << 24, 1e-9, 1, 1},
		// The accumulator's limit holds whatever the risk.
		{4096, f16, f16, f16, 1 << 24, 1e-9, 2, 1},
		{1, f16, f16, f16, 0, 0, 1, 45},
	} {
		p, err := PlanExact(ExactRequest{K: c.k, A: c.a, B: c.a, Accumulator: c.acc, Store: c.out, Outputs: c.outputs, Risk: c.risk})
		if err != nil {
			t.Fatal(err)
		}
		if p.Runs != c.runs || p.Amplitude != c.amplitude {
			t.Errorf("k=%d a=%s acc=%s out=%s risk=%g: %d runs of amplitude %d, expected %d of %d",
				c.k, c.a, c.acc, c.out, c.risk, p.Runs, p.Amplitude, c.runs, c.amplitude)
		}
	}
}

// Supports are disjoint by construction (a k has one run); they are of nearly equal size, so
// that none exceeds the limit, cover every k, and each run's sums stay exact.
func TestPlanCoversEveryK(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		types := rapid.SampledFrom([]plugins.ElementType{plugins.F32, plugins.F16, plugins.BF16})
		r := ExactRequest{
			K: rapid.Int64Range(1, 9000).Draw(t, "k"), Seed: rapid.Uint64().Draw(t, "seed"),
			A: types.Draw(t, "a"), B: types.Draw(t, "b"), Accumulator: types.Draw(t, "acc"), Store: types.Draw(t, "store"),
		}
		p, err := PlanExact(r)
		if err != nil {
			t.Fatal(err)
		}
		limit := min(formats[r.Accumulator].integers(), formats[r.Store].integers())
		covered := make([]bool, p.K)
		row, other := make([]float32, p.K), make([]float32, p.K)
		for run := range p.Runs {
			p.A(run, 3*p.K, row)
			p.B(run, 0, other)
			var abs int64
			for k, v := range row {
				if other[k] == 0 || math.Abs(float64(other[k])) > float64(formats[r.B].integers()) {
					t.Fatalf("B is %v at %d", other[k], k)
				}
				if v == 0 {
					continue
				}
				if covered[k] {
					t.Fatalf("k = %d is supported twice", k)
				}
				covered[k] = true
				abs += int64(math.Abs(float64(v))) * p.Amplitude
			}
			if abs > limit {
				t.Fatalf("run %d: Σ|a|·amplitude = %d, the types hold %d", run, abs, limit)
			}
		}
		for k, ok := range covered {
			if !ok {
				t.Fatalf("no run supports k = %d", k)
			}
		}
	})
}

func TestPlanExactRefuses(t *testing.T) {
	ok := ExactRequest{K: 10, A: "f32", B: "f32", Accumulator: "f32", Store: "f32"}
	for _, change := range []func(*ExactRequest){
		func(r *ExactRequest) { r.K = 0 },
		func(r *ExactRequest) { r.K = 1 << 40 },
		func(r *ExactRequest) { r.A = "i32" },
		func(r *ExactRequest) { r.Accumulator = "" },
		func(r *ExactRequest) { r.Risk = 1 },
		func(r *ExactRequest) { r.Risk = 1e-9 },
	} {
		r := ok
		change(&r)
		if _, err := PlanExact(r); err == nil {
			t.Errorf("%+v was taken", r)
		}
	}
}

// A kernel that drops or doubles one product is rejected in exact mode, wherever it is, and a
// right one is not: over all runs of the plan, in both layouts, in every type.
func TestOneProductInExactMode(t *testing.T) {
	for _, acc := range []plugins.ElementType{plugins.F32, plugins.F16} {
		for _, layout := range []Layout{NT, NN} {
			t.Run(fmt.Sprint(acc, layout), func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					p := Matmul{M: rapid.Int64Range(1, 9).Draw(t, "m"), N: rapid.Int64Range(1, 9).Draw(t, "n"),
						K: rapid.SampledFrom([]int64{1, 7, 64, 2049, 5000}).Draw(t, "k"), Layout: layout}
					plan, err := PlanExact(ExactRequest{K: p.K, A: "f16", B: "f16", Accumulator: acc, Store: acc, Seed: rapid.Uint64().Draw(t, "seed")})
					if err != nil {
						t.Fatal(err)
					}
					bad := fault{i: rapid.Int64Range(0, p.M-1).Draw(t, "i"), j: rapid.Int64Range(0, p.N-1).Draw(t, "j"),
						k: rapid.Int64Range(0, p.K-1).Draw(t, "at"), times: rapid.SampledFrom([]float32{0, 1, 2}).Draw(t, "times")}
					rejected := false
					for run := range plan.Runs {
						a, b := make([]float32, p.M*p.K), make([]float32, p.N*p.K)
						plan.A(run, 0, a)
						plan.B(run, 0, b)
						rows, err := freivalds(p, a, b, kernel(p, a, b, acc, acc, nil, &bad))
						if err != nil {
							t.Fatal(err)
						}
						for _, r := range rows {
							if r != bad.i {
								t.Fatalf("row %d disagrees, the fault is in row %d", r, bad.i)
							}
							rejected = true
						}
					}
					if rejected != (bad.times != 1) {
						t.Fatalf("product taken %v times: rejected %v", bad.times, rejected)
					}
				})
			})
		}
	}
}
