package search

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The process agrees with the textbook formulas, computed by gonum with a full inverse.
func TestProcessAgainstInverse(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n, columns = 22, 3
	var x [][]float32
	y := make([]float64, n)
	for i := range n {
		row := make([]float32, columns)
		for c := range row {
			row[c] = rng.Float32()
		}
		x = append(x, row)
		y[i] = math.Sin(5*float64(row[0])) + float64(row[1]) + 7
	}
	p := newProcess(columns)
	p.fit(x[:20], y[:20])
	hyper := p.hyper
	p.fit(x, y) // extends the factor
	p.fit(x[:21], y[:21])
	p.fit(x, y)
	if &hyper[0] != &p.hyper[0] {
		t.Error("the hyperparameters were fitted again for a tenth more rows")
	}
	noise := math.Exp(p.hyper[columns])
	k := mat.NewDense(n, n, nil)
	mean := 0.0
	for i := range n {
		mean += y[i] / n
		for j := range n {
			k.Set(i, j, p.kernel(x[i], x[j]))
		}
		k.Set(i, i, 1+noise)
	}
	var inverse mat.Dense
	if err := inverse.Inverse(k); err != nil {
		t.Fatal(err)
	}
	centred := mat.NewVecDense(n, nil)
	for i := range n {
		centred.SetVec(i, y[i]-mean)
	}
	var alpha mat.VecDense
	alpha.MulVec(&inverse, centred)
	if want := mat.Dot(centred, &alpha) / n; math.Abs(p.variance/want-1) > 1e-6 {
		t.Errorf("signal variance %v, want %v", p.variance, want)
	}
	row := []float32{0.3, 0.8, 0.1}
	cross := mat.NewVecDense(n, nil)
	for i := range n {
		cross.SetVec(i, p.kernel(row, x[i]))
	}
	var half mat.VecDense
	half.MulVec(&inverse, cross)
	wantMean := mean + mat.Dot(cross, &alpha)
	wantDeviation := math.Sqrt((1 - mat.Dot(cross, &half)) * p.variance)
	correlations := make([]float64, n)
	if got := p.meanAt(row, correlations); math.Abs(got-wantMean) > 1e-6 {
		t.Errorf("mean %v, want %v", got, wantMean)
	}
	if got := p.deviationAt(correlations); math.Abs(got-wantDeviation) > 1e-6 {
		t.Errorf("deviation %v, want %v", got, wantDeviation)
	}
}

// Fitting gives weight to the column that matters and little to the one that does not.
func TestProcessFindsWhatMatters(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var x [][]float32
	var y []float64
	for range 40 {
		row := []float32{rng.Float32(), rng.Float32()}
		x, y = append(x, row), append(y, math.Sin(6*float64(row[0])))
	}
	p := newProcess(2)
	p.fit(x, y)
	if p.hyper[0] < p.hyper[1]+1 {
		t.Errorf("weights %v and %v, want the first far greater", math.Exp(p.hyper[0]), math.Exp(p.hyper[1]))
	}
}

func TestExpectedImprovement(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct{ best, mean, deviation float64 }{{1, 1, 1}, {1, 2, 0.5}, {0, -1, 0.3}} {
		sum := 0.0
		const draws = 400000
		for range draws {
			sum += max(0, c.best-(c.mean+c.deviation*rng.NormFloat64()))
		}
		if got, want := expectedImprovement(c.best, c.mean, c.deviation), sum/draws; math.Abs(got-want) > 0.005 {
			t.Errorf("%+v: %v, simulated %v", c, got, want)
		}
	}
}

func TestRelaxedSpace(t *testing.T) {
	values := func(n int) (v []Value) {
		for i := range n {
			v = append(v, int64((i*5)%n)) // out of order
		}
		return v
	}
	params := []Param{{Name: "a", Values: values(7)}, {Name: "b", Values: values(1)}, {Name: "c", Values: values(4)}, {Name: "d", Values: []Value{"x", "y", "z"}}}
	s, err := NewSpace(params, []Constraint{&sumAtMost{[]string{"a", "c"}, 5}})
	if err != nil {
		t.Fatal(err)
	}
	r := newRelaxed(s)
	for i := range s.Len() {
		if got := r.snap(r.vector(i)); got != i {
			t.Errorf("point %d snaps to %d", i, got)
		}
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for range 1000 {
		x := []float64{4*rng.Float64() - 2, 4*rng.Float64() - 2, rng.Float64()}
		if i := r.snap(x); i < 0 || i >= s.Len() {
			t.Fatalf("%v snaps to %d of %d", x, i, s.Len())
		}
	}
}

func TestLatinHypercubeIsEven(t *testing.T) {
	four := []Value{int64(1), int64(2), int64(3), int64(4)}
	s, err := NewSpace([]Param{{Name: "a", Values: four}, {Name: "b", Values: four}, {Name: "c", Values: four}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	points := latinHypercube(s, 8, rand.New(rand.NewPCG(9, 10)))
	if len(points) < 7 {
		t.Fatalf("%d points", len(points))
	}
	for d := range 3 {
		counts := make([]int, 4)
		for _, i := range points {
			counts[s.Coords(i, nil)[d]]++
		}
		for v, n := range counts {
			if n > 2 || n < 1 {
				t.Errorf("dimension %d has value %d %d times of %d, expected twice", d, v, n, len(points))
			}
		}
	}
}

// sumAtMost bounds the sum of integers.
type sumAtMost struct {
	vars []string
	most int64
}

func (s *sumAtMost) String() string { return "sum at most" }
func (s *sumAtMost) Vars() []string { return s.vars }
func (s *sumAtMost) Bind(domains [][]Value) (Check, error) {
	return func(point []int) (bool, error) {
		sum := int64(0)
		for i, v := range point {
			sum += domains[i][v].(int64)
		}
		return sum <= s.most, nil
	}, nil
}

// The gradient is that of the likelihood, by central differences.
func TestLikelihoodGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	p := newProcess(2)
	y := make([]float64, 15)
	for i := range y {
		p.x = append(p.x, []float32{rng.Float32(), rng.Float32()})
		y[i] = math.Sin(5*float64(p.x[i][0])) + 0.1*rng.NormFloat64()
	}
	gradient, unused := make([]float64, 3), make([]float64, 3)
	hyper := []float64{0.3, -0.5, -2}
	p.likelihood(hyper, y, gradient)
	const step = 1e-5
	for c := range hyper {
		at := slices.Clone(hyper)
		at[c] += step
		above := p.likelihood(at, y, unused)
		at[c] -= 2 * step
		if want := (above - p.likelihood(at, y, unused)) / (2 * step); math.Abs(gradient[c]-want) > 1e-4 {
			t.Errorf("derivative %d is %v, want %v", c, gradient[c], want)
		}
	}
}
