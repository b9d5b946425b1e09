package reference

import (
	"math/rand/v2"

	"github.com/x448/float16"

	"github.com/krisptune/krisptune/plugins"
)

// A fault makes kernel take one product times times.
type fault struct {
	i, j, k int64
	times   float32
}

// kernel is a matrix product as a device computes it: accumulated in acc, in the order that
// orders gives (nil: ascending), stored in out. Each of orders' values lists k.
func kernel(p Matmul, a, b []float32, acc, out plugins.ElementType, order []int64, f *fault) []float32 {
	round := func(x float32) float32 { return x }
	if acc == plugins.F16 {
		// A float32 sum or product of two f16 rounds to f16 as the exact one does: 24 ≥ 2·11+2.
		round = func(x float32) float32 { return float16.Fromfloat32(x).Float32() }
	}
	c := make([]float32, p.M*p.N)
	for i := range p.M {
		for j := range p.N {
			var sum float32
			for l := range p.K {
				k := l
				if order != nil {
					k = order[l]
				}
				y := j*p.K + k
				if p.Layout == NN {
					y = k*p.N + j
				}
				product := round(a[i*p.K+k] * b[y])
				if f != nil && f.i == i && f.j == j && f.k == k {
					product *= f.times
				}
				sum = round(sum + product)
			}
			c[p.Position(i, j)] = sum
		}
	}
	data := make([]byte, int64(len(c))*out.Size())
	if err := Encode(out, data, c); err != nil {
		panic(err)
	}
	if err := Decode(out, c, data); err != nil {
		panic(err)
	}
	return c
}

// rounded makes n random normals in a storage type.
func rounded(t plugins.ElementType, seed, id uint64, n int64) []float32 {
	v := make([]float32, n)
	NewStream(seed, id).Normals(0, v)
	data := make([]byte, n*t.Size())
	if err := Encode(t, data, v); err != nil {
		panic(err)
	}
	if err := Decode(t, v, data); err != nil {
		panic(err)
	}
	return v
}

func shuffled(k int64, seed uint64) []int64 {
	order := make([]int64, k)
	for i := range order {
		order[i] = int64(i)
	}
	r := rand.New(rand.NewPCG(seed, 1))
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

func float64s(v []float32) []float64 {
	d := make([]float64, len(v))
	for i, x := range v {
		d[i] = float64(x)
	}
	return d
}

func freivalds(p Matmul, a, b, c []float32) ([]int64, error) {
	f, err := NewFreivalds(p, a, b, 1)
	if err != nil {
		return nil, err
	}
	return f.Check(c)
}
