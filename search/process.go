package search

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A process is a Gaussian process with a Matérn 5/2 kernel and a weight per column (Rasmussen and Williams, Gaussian
// Processes for Machine Learning, 2006). Its hyperparameters climb the marginal likelihood by small random steps, a few
// whenever it is fitted, which costs less than a full fit each time and ends as high.
type process struct {
	rng    *rand.Rand
	hyper  []float64 // logarithms: a weight for each column, then the noise over the signal
	weight []float64

	x        [][]float32
	factor   []float64 // Cholesky factor of the kernel matrix, its rows one after the other
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

func newProcess(columns int, rng *rand.Rand) *process {
	p := &process{rng: rng, hyper: make([]float64, columns+1), weight: make([]float64, columns)}
	for c := range columns {
		p.hyper[c] = math.Log(typicalWeight)
	}
	p.hyper[columns] = math.Log(typicalNoise)
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

// A posterior is what one setting of the hyperparameters makes of the data.
type posterior struct {
	factor, z            []float64 // z is the factor's inverse times the targets
	variance, likelihood float64   // the likelihood is a logarithm, up to a constant, with the prior
}

func (p *process) setWeights(hyper []float64) {
	for c := range p.weight {
		p.weight[c] = math.Exp(hyper[c])
	}
}

// condition factors the kernel matrix; y is centred. The signal's variance is at its optimum.
func (p *process) condition(hyper, y []float64) posterior {
	p.setWeights(hyper)
	prior := 0.0
	for c, h := range hyper {
		d := (h - math.Log(typicalWeight)) / weightSpread
		if c == len(p.weight) {
			d = (h - math.Log(typicalNoise)) / noiseSpread
		}
		prior += d * d / 2
	}
	noise := math.Exp(hyper[len(p.weight)])
	n := len(p.x)
	q := posterior{factor: make([]float64, n*(n+1)/2), z: make([]float64, n)}
	logDet, square := 0.0, 0.0
	for i := range n {
		row := q.row(i)
		for j := range i {
			other := q.row(j)
			row[j] = (p.kernel(p.x[i], p.x[j]) - dot(row[:j], other)) / other[j]
		}
		row[i] = math.Sqrt(max(1+noise-dot(row[:i], row), 1e-10))
		logDet += math.Log(row[i])
		q.z[i] = (y[i] - dot(row[:i], q.z)) / row[i]
		square += q.z[i] * q.z[i]
	}
	q.variance = max(square/float64(n), 1e-12)
	q.likelihood = -float64(n)/2*math.Log(q.variance) - logDet - prior
	return q
}

func (q *posterior) row(i int) []float64 { return q.factor[i*(i+1)/2 : i*(i+1)/2+i+1] }

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

// fit conditions the process on rows x with targets y, after some steps of the hyperparameters.
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
	best := p.condition(p.hyper, centred)
	for range steps {
		trial := slices.Clone(p.hyper)
		// One hyperparameter a long way, or all a short one: either alone settles slowly.
		if p.rng.IntN(2) == 0 {
			trial[p.rng.IntN(len(trial))] += 1.4 * p.rng.NormFloat64()
		} else {
			for c := range trial {
				trial[c] += 0.35 * p.rng.NormFloat64()
			}
		}
		if q := p.condition(trial, centred); q.likelihood > best.likelihood {
			best, p.hyper = q, trial
		}
	}
	p.setWeights(p.hyper)
	p.factor, p.variance, p.alpha = best.factor, best.variance, best.z
	for i := len(x) - 1; i >= 0; i-- {
		row := best.row(i)
		p.alpha[i] /= row[i]
		for j := range i {
			p.alpha[j] -= row[j] * p.alpha[i]
		}
	}
}

// meanAt fills k with the correlations of a row and the data, and returns the mean there.
func (p *process) meanAt(row []float32, k []float64) float64 {
	for i, x := range p.x {
		k[i] = p.kernel(row, x)
	}
	return p.mean + dot(k, p.alpha)
}

// deviationAt returns the standard deviation at a row whose correlations with the data are k, which it overwrites.
func (p *process) deviationAt(k []float64) float64 {
	v := 1.0
	for i := range k {
		row := p.factor[i*(i+1)/2 : i*(i+1)/2+i+1]
		k[i] = (k[i] - dot(row[:i], k)) / row[i]
		v -= k[i] * k[i]
	}
	return math.Sqrt(max(v, 1e-9) * p.variance)
}
