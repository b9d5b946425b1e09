package search

import (
	"math"
	"slices"
)

// A process is a Gaussian process with a Matérn 5/2 kernel and a weight per column (Rasmussen and Williams, Gaussian
// Processes for Machine Learning, 2006). Rows that follow those of the fit before extend its factor, which costs their
// number times n² instead of n³.
type process struct {
	hyper  []float64 // logarithms: a weight for each column, then the noise over the signal
	weight []float64
	fitted int // rows when the hyperparameters were last fitted

	x        [][]float32
	factor   triangle // Cholesky factor of the kernel matrix
	alpha    []float64
	mean     float64
	variance float64 // of the signal
}

// The prior says that a weight is moderate, a range of one column against costs that differ by one standard
// deviation, and that noise is small.
const (
	typicalWeight, weightSpread = 0.7, 1.2
	typicalNoise, noiseSpread   = 0.01, 1.5
)

func newProcess(columns int) *process {
	p := &process{hyper: make([]float64, columns+1), weight: make([]float64, columns)}
	for c := range columns {
		p.hyper[c] = math.Log(typicalWeight)
	}
	p.hyper[columns] = math.Log(typicalNoise)
	p.setWeights(p.hyper)
	return p
}

// kernel is the correlation of two rows.
func (p *process) kernel(a, b []float32) float64 {
	s := 0.0
	for c, w := range p.weight {
		d := w * float64(a[c]-b[c])
		s += d * d
	}
	r := math.Sqrt(5 * s)
	return (1 + r + 5*s/3) * math.Exp(-r)
}

func (p *process) setWeights(hyper []float64) {
	for c := range p.weight {
		p.weight[c] = math.Exp(hyper[c])
	}
}

// A triangle holds the rows of a lower triangular matrix one after the other.
type triangle []float64

func (t triangle) row(i int) []float64 { return t[i*(i+1)/2 : i*(i+1)/2+i+1] }

// forward overwrites v with the triangle's inverse times v.
func (t triangle) forward(v []float64) {
	for i := range v {
		row := t.row(i)
		v[i] = (v[i] - dot(row[:i], v)) / row[i]
	}
}

// backward overwrites v with the inverse of the transposed triangle times v.
func (t triangle) backward(v []float64) {
	for i := len(v) - 1; i >= 0; i-- {
		row := t.row(i)
		v[i] /= row[i]
		for j, f := range row[:i] {
			v[j] -= f * v[i]
		}
	}
}

// extend appends rows to the factor until it covers x.
func (p *process) extend(factor triangle, noise float64) triangle {
	n := len(p.x)
	for i := rows(factor); i < n; i++ {
		start := len(factor)
		factor = slices.Grow(factor, i+1)[:start+i+1]
		row := factor.row(i)
		for j := range i {
			row[j] = p.kernel(p.x[i], p.x[j])
		}
		factor.forward(row[:i])
		row[i] = math.Sqrt(max(1+noise-dot(row[:i], row), 1e-10))
	}
	return factor
}

// rows is how many rows a triangle has.
func rows(t triangle) int { return int(math.Sqrt(float64(2*len(t)) + 0.25)) }

// dot multiplies a with as much of b.
func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+3 < len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}

// fit conditions the process on rows x with targets y. It fits the hyperparameters anew when their number has changed by a tenth.
func (p *process) fit(x [][]float32, y []float64) {
	kept := 0
	for kept < min(len(x), len(p.x)) && &x[kept][0] == &p.x[kept][0] {
		kept++
	}
	p.x = x
	p.factor = p.factor[:min(len(p.factor), kept*(kept+1)/2)]
	p.mean = 0
	for _, v := range y {
		p.mean += v / float64(len(y))
	}
	p.alpha = make([]float64, len(y))
	for i, v := range y {
		p.alpha[i] = v - p.mean
	}
	if 11*len(x) < 10*p.fitted || 10*len(x) > 11*p.fitted {
		p.maximize(p.alpha)
		p.fitted = len(x)
		p.factor = p.factor[:0]
	}
	p.factor = p.extend(p.factor, math.Exp(p.hyper[len(p.weight)]))
	p.factor.forward(p.alpha)
	p.variance = max(dot(p.alpha, p.alpha)/float64(len(y)), leastVariance)
	p.factor.backward(p.alpha)
}

// leastVariance keeps equal costs from a division by zero.
const leastVariance = 1e-12

// meanAt fills k with the correlations of a row and the data, and returns the mean there.
func (p *process) meanAt(row []float32, k []float64) float64 {
	for i, x := range p.x {
		k[i] = p.kernel(row, x)
	}
	return p.mean + dot(k, p.alpha)
}

// deviationAt returns the standard deviation at a row whose correlations with the data are k, which it overwrites.
func (p *process) deviationAt(k []float64) float64 {
	p.factor.forward(k)
	return math.Sqrt(max(1-dot(k, k), 1e-9) * p.variance)
}
