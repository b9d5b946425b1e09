package reference

import (
	"math"
	"slices"
	"testing"
)

func TestSlicesOfAStreamAgree(t *testing.T) {
	s := NewStream(42, 7)
	plan, err := PlanExact(ExactRequest{K: 300, A: "f16", B: "f16", Accumulator: "f16", Store: "f16", Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	for name, fill := range map[string]func(int64, []float32){
		"normals":  s.Normals,
		"integers": func(first int64, dst []float32) { s.Integers(first, dst, 9) },
		"A":        func(first int64, dst []float32) { plan.A(0, first, dst) },
		"B":        func(first int64, dst []float32) { plan.B(0, first, dst) },
	} {
		whole := make([]float32, 20000)
		fill(0, whole)
		for _, at := range []int{0, 1, 4095, 4096, 9999, 19999} {
			part := make([]float32, min(5000, len(whole)-at))
			fill(int64(at), part)
			if !slices.Equal(part, whole[at:at+len(part)]) {
				t.Errorf("%s from %d differ from those of the whole", name, at)
			}
		}
	}
}

func TestStreamsDiffer(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range uint64(10) {
		for id := range uint64(10) {
			for i := range int64(10) {
				v := NewStream(seed, id).Uint64(i)
				if seen[v] {
					t.Fatalf("seed %d, stream %d, number %d came before", seed, id, i)
				}
				seen[v] = true
			}
		}
	}
}

func TestNormals(t *testing.T) {
	v := make([]float32, 1<<20)
	NewStream(1, 1).Normals(0, v)
	var sum, square, fourth, within float64
	for _, x := range v {
		f := float64(x)
		sum += f
		square += f * f
		fourth += f * f * f * f
		if math.Abs(f) < 1 {
			within++
		}
		if math.Abs(f) > 4 {
			t.Fatalf("%v is beyond four standard deviations", x)
		}
	}
	n := float64(len(v))
	for _, c := range []struct {
		name            string
		got, want, near float64
	}{{"mean", sum / n, 0, 0.005}, {"variance", square / n, 1, 0.01}, {"fourth moment", fourth / n, 3, 0.06},
		{"share within 1", within / n, 0.6827, 0.003}} {
		if math.Abs(c.got-c.want) > c.near {
			t.Errorf("%s is %v, expected %v within %v", c.name, c.got, c.want, c.near)
		}
	}
}

func TestIntegersAreNeverZero(t *testing.T) {
	v := make([]float32, 30000)
	NewStream(1, 1).Integers(0, v, 3)
	count := map[float32]int{}
	for _, x := range v {
		count[x]++
	}
	for _, x := range []float32{-3, -2, -1, 1, 2, 3} {
		if n := count[x]; n < 4500 || n > 5500 {
			t.Errorf("%v came %d times of %d, expected a sixth", x, n, len(v))
		}
		delete(count, x)
	}
	if len(count) != 0 {
		t.Errorf("unexpected values %v", count)
	}
}
