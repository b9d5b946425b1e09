package reference

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/krisptune/krisptune/plugins"
)

type types struct{ storage, acc, out plugins.ElementType }

var combinations = []types{
	{plugins.F32, plugins.F32, plugins.F32},
	{plugins.F16, plugins.F32, plugins.F16},
	{plugins.F16, plugins.F32, plugins.F32},
	{plugins.F16, plugins.F16, plugins.F16},
	{plugins.BF16, plugins.F32, plugins.BF16},
}

// Whatever the order of summation, the outputs lie within their bounds: ascending, shuffled,
// and the order that errs most, products sorted.
func TestEveryOrderIsAccepted(t *testing.T) {
	for _, c := range combinations {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p := Matmul{M: 3, N: 2, K: rapid.Int64Range(1, 3000).Draw(t, "k"), Layout: rapid.SampledFrom([]Layout{NT, NN}).Draw(t, "layout")}
				seed := rapid.Uint64().Draw(t, "seed")
				a, b := rounded(c.storage, seed, 0, p.M*p.K), rounded(c.storage, seed, 1, p.N*p.K)
				want, abs, err := p.Product(a, b)
				if err != nil {
					t.Fatal(err)
				}
				bound, err := NewDotBound(p.K, c.acc, c.out)
				if err != nil {
					t.Fatal(err)
				}
				sorted := shuffled(p.K, seed)
				slices.SortFunc(sorted, func(x, y int64) int { return cmp.Compare(a[x], a[y]) })
				for name, order := range map[string][]int64{"ascending": nil, "shuffled": shuffled(p.K, seed), "sorted": sorted} {
					for at, got := range kernel(p, a, b, c.acc, c.out, order, nil) {
						if d := math.Abs(float64(got) - want[at]); !(d <= bound.Of(want[at], abs[at])) {
							t.Fatalf("%s, element %d: %v, reference %v, off by %g, bound %g", name, at, got, want[at], d, bound.Of(want[at], abs[at]))
						}
					}
				}
			})
		})
	}
}

// A kernel whose outputs are all 1% too large is rejected in rounded mode, by elements where
// the bound is tight enough and by the slope where it is not; a right one passes both.
func TestOnePercentIsRejected(t *testing.T) {
	for _, c := range combinations {
		if c.acc == plugins.F16 {
			continue // below an f16 accumulator's own error, see ScaleError and ExactPlan
		}
		for _, k := range []int64{64, 1000, 20000} {
			p := Matmul{M: 12, N: 12, K: k, Layout: NT}
			a, b := rounded(c.storage, 9, 0, p.M*p.K), rounded(c.storage, 9, 1, p.N*p.K)
			want, abs, err := p.Product(a, b)
			if err != nil {
				t.Fatal(err)
			}
			bound, err := NewDotBound(k, c.acc, c.out)
			if err != nil {
				t.Fatal(err)
			}
			for _, factor := range []float64{1, 1.01, 0.99} {
				c1 := kernel(p, a, b, c.acc, plugins.F32, nil, nil)
				for i := range c1 {
					c1[i] *= float32(factor)
				}
				data := make([]byte, int64(len(c1))*c.out.Size())
				if err := Encode(c.out, data, c1); err != nil {
					t.Fatal(err)
				}
				if err := Decode(c.out, c1, data); err != nil {
					t.Fatal(err)
				}
				beyond := 0
				for i, got := range c1 {
					if !(math.Abs(float64(got)-want[i]) <= bound.Of(want[i], abs[i])) {
						beyond++
					}
				}
				scale := NewScaleError(float64s(c1), want, bound)
				rejected := beyond > 0 || scale.Significant()
				if rejected != (factor != 1) {
					t.Errorf("%v k=%d factor %v: %d of %d beyond their bound, slope %g ± %g: rejected %v",
						c, k, factor, beyond, len(c1), scale.Slope, scale.Sigma, rejected)
				}
			}
		}
	}
}

func TestBoundIsNotVacuous(t *testing.T) {
	b, err := NewDotBound(4096, plugins.F32, plugins.F32)
	if err != nil {
		t.Fatal(err)
	}
	// γ_4096 of f32 is 2.44e-4.
	if g := b.Of(0, 1); g < 2.44e-4 || g > 2.45e-4 {
		t.Errorf("bound for Σ|ab| = 1 is %g, expected 2.44e-4", g)
	}
	if b.Of(math.NaN(), 1) == b.Of(math.NaN(), 1) || math.Abs(math.NaN()) <= b.Of(1, 1) {
		t.Error("NaN is within a bound")
	}
	if !(ScaleError{Slope: math.NaN()}).Significant() {
		t.Error("a NaN slope is taken for none")
	}
	if _, err := NewDotBound(4, plugins.I32, plugins.F32); err == nil {
		t.Error("an i32 accumulator was taken")
	}
}
