package search

import (
	"math"
	"math/rand/v2"
)

// A process is a Gaussian process over encoded points (Rasmussen and Williams, Gaussian Processes for Machine
// Learning, 2006). Its weights follow the marginal likelihood by small random steps, a few each time it is fitted.
type process struct {
	columns int
	hyper   []float64 // logarithms: a weight for each column, then the noise
	rng     *rand.Rand

	x      [][]float32
	factor []float64 // Cholesky factor of the kernel matrix, packed rows
	alpha  []float64
	mean   float64
	scale  float64
	weight []float64
	step   float64
}

var XKern = 1

func newProcess(columns int, rng *rand.Rand) *process {
	p := &process{columns: columns, rng: rng, hyper: make([]float64, columns+1), step: 0.7}
	for c := range columns {
		p.hyper[c] = math.Log(0.7)
	}
	p.hyper[columns] = math.Log(0.01)
	return p
}

func (p *process) kernel(a, b []float32) float64 {
	if XKern == 0 {
		s := 0.0
		for c, w := range p.weight {
			s += w * math.Abs(float64(a[c]-b[c]))
		}
		return math.Exp(-s)
	}
	s := 0.0
	for c, w := range p.weight {
		d := w * float64(a[c]-b[c])
		s += d * d
	}
	if XKern == 1 {
		r := math.Sqrt(5 * s)
		return (1 + r + 5*s/3) * math.Exp(-r)
	}
	r := math.Sqrt(3 * s)
	return (1 + r) * math.Exp(-r)
}

// likelihood factors the kernel matrix of hyper and returns the log marginal likelihood, up to a constant, with
// the signal's variance at its optimum; and a prior that keeps weights moderate.
func (p *process) likelihood(hyper, y []float64) (float64, []float64, []float64, float64) {
	p.weight = p.weight[:0]
	prior := 0.0
	for _, h := range hyper[:p.columns] {
		p.weight = append(p.weight, math.Exp(h))
		d := h - math.Log(0.7)
		prior += d * d / (2 * 1.2 * 1.2)
	}
	d := hyper[p.columns] - math.Log(0.01)
	prior += d * d / (2 * 1.5 * 1.5)
	noise := math.Exp(hyper[p.columns])
	n := len(p.x)
	l := make([]float64, n*(n+1)/2)
	logdet := 0.0
	z := make([]float64, n)
	quad := 0.0
	for i := range n {
		row := l[i*(i+1)/2 : i*(i+1)/2+i+1]
		for j := range i {
			v := p.kernel(p.x[i], p.x[j])
			other := l[j*(j+1)/2 : j*(j+1)/2+j+1]
			row[j] = (v - dot(row[:j], other[:j])) / other[j]
		}
		v := 1 + noise - dot(row[:i], row[:i])
		row[i] = math.Sqrt(max(v, 1e-10))
		logdet += math.Log(row[i])
		z[i] = (y[i] - dot(row[:i], z[:i])) / row[i]
		quad += z[i] * z[i]
	}
	variance := max(quad/float64(n), 1e-12)
	return -0.5*float64(n)*math.Log(variance) - logdet - prior, l, z, variance
}

func dot(a, b []float64) float64 {
	s0, s1, s2, s3 := 0.0, 0.0, 0.0, 0.0
	b = b[:len(a)]
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

// fit conditions the process on rows x and targets y, after some steps of its hyperparameters.
func (p *process) fit(x [][]float32, y []float64, steps int) {
	p.x = x
	p.mean = 0
	for _, v := range y {
		p.mean += v / float64(len(y))
	}
	centred := make([]float64, len(y))
	for i, v := range y {
		centred[i] = v - p.mean
	}
	best, l, z, variance := p.likelihood(p.hyper, centred)
	for range steps {
		trial := append([]float64(nil), p.hyper...)
		// Now one weight and now all, or the weights settle slowly.
		if p.rng.IntN(2) == 0 {
			trial[p.rng.IntN(len(trial))] += p.rng.NormFloat64() * 2 * p.step
		} else {
			for c := range trial {
				trial[c] += p.rng.NormFloat64() * 0.5 * p.step
			}
		}
		if v, l2, z2, s2 := p.likelihood(trial, centred); v > best {
			best, l, z, variance = v, l2, z2, s2
			p.hyper = trial
		}
	}
	p.weight = p.weight[:0]
	for _, h := range p.hyper[:p.columns] {
		p.weight = append(p.weight, math.Exp(h))
	}
	p.factor, p.scale = l, variance
	// alpha = L^-T z
	n := len(x)
	p.alpha = z
	for i := n - 1; i >= 0; i-- {
		p.alpha[i] /= l[i*(i+1)/2+i]
		for j := range i {
			p.alpha[j] -= l[i*(i+1)/2+j] * p.alpha[i]
		}
	}
}

// covariances fills k with the kernel between a row and the data, and returns the mean there.
func (p *process) covariances(row []float32, k []float64) (mean float64) {
	mean = p.mean
	for i, x := range p.x {
		k[i] = p.kernel(row, x)
		mean += k[i] * p.alpha[i]
	}
	return mean
}

// variance returns the variance at a row whose covariances with the data are k, which it overwrites.
func (p *process) variance(k []float64) float64 {
	v := 1.0
	for i := range k {
		row := p.factor[i*(i+1)/2 : i*(i+1)/2+i+1]
		k[i] = (k[i] - dot(row[:i], k[:i])) / row[i]
		v -= k[i] * k[i]
	}
	return max(v, 1e-9) * p.scale
}
