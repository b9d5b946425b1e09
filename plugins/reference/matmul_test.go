package reference

import (
	"math"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// Product and Samples agree with gonum in both layouts.
func TestProductAgainstGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Int64Range(1, 20)
		p := Matmul{M: size.Draw(t, "m"), N: size.Draw(t, "n"), K: size.Draw(t, "k"), Layout: rapid.SampledFrom([]Layout{NT, NN}).Draw(t, "layout")}
		seed := rapid.Uint64().Draw(t, "seed")
		a, b := rounded("f32", seed, 0, p.M*p.K), rounded("f32", seed, 1, p.N*p.K)
		var c mat.Dense
		left := mat.NewDense(int(p.M), int(p.K), float64s(a))
		if p.Layout == NT {
			c.Mul(left, mat.NewDense(int(p.N), int(p.K), float64s(b)).T())
		} else {
			c.Mul(left, mat.NewDense(int(p.K), int(p.N), float64s(b)))
		}
		want, abs, err := p.Product(a, b)
		if err != nil {
			t.Fatal(err)
		}
		var at []int64
		for i := range p.M {
			for j := range p.N {
				x := p.Position(i, j)
				at = append(at, x)
				if gi, gj := p.Element(x); gi != i || gj != j {
					t.Fatalf("position %d of (%d, %d) reads as (%d, %d)", x, i, j, gi, gj)
				}
				if d := math.Abs(want[x] - c.At(int(i), int(j))); d > 1e-14*abs[x] {
					t.Fatalf("(%d, %d) is %v, gonum has %v", i, j, want[x], c.At(int(i), int(j)))
				}
			}
		}
		some, someAbs, err := p.Samples(a, b, at)
		if err != nil {
			t.Fatal(err)
		}
		for s, x := range at {
			if some[s] != want[x] || someAbs[s] != abs[x] {
				t.Fatalf("sample at %d is %v (%v), the whole has %v (%v)", x, some[s], someAbs[s], want[x], abs[x])
			}
		}
	})
}

func TestFreivaldsNamesTheRows(t *testing.T) {
	for _, layout := range []Layout{NT, NN} {
		p := Matmul{M: 33, N: 17, K: 29, Layout: layout}
		plan, err := PlanExact(ExactRequest{K: p.K, A: "f32", B: "f32", Accumulator: "f32", Store: "f32"})
		if err != nil {
			t.Fatal(err)
		}
		a, b := make([]float32, p.M*p.K), make([]float32, p.N*p.K)
		plan.A(0, 0, a)
		plan.B(0, 0, b)
		right := kernel(p, a, b, "f32", "f32", nil, nil)
		for _, wrong := range []float32{1e30, 0.5, float32(math.NaN()), float32(math.Inf(1)), right[p.Position(20, 3)] + 1} {
			c := slices.Clone(right)
			c[p.Position(20, 3)] = wrong
			c[p.Position(5, 16)]++
			c[p.Position(5, 15)]-- // what a plain sum of the row would miss
			rows, err := freivalds(p, a, b, c)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(rows, []int64{5, 20}) {
				t.Errorf("%s with %v: rows %v disagree, expected 5 and 20", layout, wrong, rows)
			}
		}
		if rows, err := freivalds(p, a, b, right); err != nil || len(rows) != 0 {
			t.Errorf("%s: a right product disagrees in rows %v, error %v", layout, rows, err)
		}
		a[3] = 0.5
		if _, err := freivalds(p, a, b, right); err == nil {
			t.Error("an input that is no integer was taken")
		}
	}
}

// The modular arithmetic, against big integers' plain definition on the extremes.
func TestSum128(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s sum128
		want := uint64(0)
		for range rapid.IntRange(0, 50).Draw(t, "terms") {
			v := rapid.Int64Range(-largestInteger, largestInteger).Draw(t, "v")
			x := rapid.Uint64Range(0, prime-1).Draw(t, "x")
			s.add(v, x)
			// Multiply by doubling and adding.
			m, y, product := v, x, uint64(0)
			if v < 0 {
				m, y = -v, (prime-x)%prime
			}
			for ; m > 0; m >>= 1 {
				if m&1 != 0 {
					product = (product + y) % prime
				}
				y = y * 2 % prime
			}
			want = (want + product) % prime
		}
		if got := s.mod(); got != want {
			t.Fatalf("sum is %d, expected %d", got, want)
		}
	})
}

// Whole 4096³ products are checked in O(n²): inputs, test and all take a few seconds where
// the product itself would take minutes. C is made by a rank-one trick, exactly.
func TestFreivaldsAt4096(t *testing.T) {
	if testing.Short() {
		t.Skip("needs 200 MB")
	}
	p := Matmul{M: 4096, N: 4096, K: 4096, Layout: NT}
	a, b, c := make([]float32, p.M*p.K), make([]float32, p.N*p.K), make([]float32, p.M*p.N)
	u, v := make([]float32, p.M), make([]float32, p.N)
	NewStream(1, 0).Integers(0, u, 8)
	NewStream(1, 1).Integers(0, v, 8)
	for i := range p.M {
		for k := range p.K {
			a[i*p.K+k] = u[i]
			b[i*p.K+k] = v[i]
		}
	}
	for j := range p.N {
		for i := range p.M {
			c[j*p.M+i] = u[i] * v[j] * float32(p.K)
		}
	}
	start := time.Now()
	rows, err := freivalds(p, a, b, c)
	if err != nil || len(rows) != 0 {
		t.Fatalf("rows %v disagree, error %v", rows, err)
	}
	t.Logf("checked in %v", time.Since(start))
	c[4095*4096+77]++
	if rows, _ := freivalds(p, a, b, c); !slices.Equal(rows, []int64{77}) {
		t.Errorf("rows %v disagree, expected 77", rows)
	}
}

func TestMatmulRefuses(t *testing.T) {
	ok := Matmul{M: 2, N: 3, K: 4, Layout: NT}
	if _, _, err := ok.Product(make([]float32, 7), make([]float32, 12)); err == nil {
		t.Error("a of 7 elements was taken for 2x4")
	}
	if _, _, err := ok.Samples(make([]float32, 8), make([]float32, 12), []int64{6}); err == nil {
		t.Error("position 6 was taken in 2x3")
	}
	if _, err := freivalds(ok, make([]float32, 8), make([]float32, 12), nil); err == nil {
		t.Error("Freivalds ran without c")
	}
	if _, err := NewFreivalds(ok, make([]float32, 8), nil, 1); err == nil {
		t.Error("Freivalds ran without b")
	}
	if err := (Matmul{M: 2, N: 3, K: 4, Layout: "tt"}).Validate(nil, nil, nil); err == nil {
		t.Error("layout tt was taken")
	}
}

func BenchmarkFreivalds4096(b *testing.B) {
	p := Matmul{M: 4096, N: 4096, K: 4096, Layout: NN}
	x := make([]float32, p.M*p.K)
	NewStream(1, 0).Integers(0, x, 8)
	for b.Loop() {
		if _, err := freivalds(p, x, x, x); err != nil {
			b.Fatal(err)
		}
	}
}
