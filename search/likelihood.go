package search

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"
)

// fitEvaluations bounds one fit of the hyperparameters, which starts where the last one ended.
const fitEvaluations = 12

// maximize moves the hyperparameters to a maximum of the marginal likelihood with its prior (Rasmussen and Williams,
// equation 5.9) by gonum's L-BFGS. The targets are centred; the signal's variance is at its optimum.
func (p *process) maximize(targets []float64) {
	var at []float64
	var value float64
	gradient := make([]float64, len(p.hyper))
	evaluate := func(hyper []float64) {
		if at == nil {
			at = make([]float64, len(hyper))
		} else if slices.Equal(at, hyper) {
			return
		}
		copy(at, hyper)
		value = p.likelihood(hyper, targets, gradient)
	}
	problem := optimize.Problem{
		Func: func(hyper []float64) float64 { evaluate(hyper); return -value },
		Grad: func(into, hyper []float64) {
			evaluate(hyper)
			for i, g := range gradient {
				into[i] = -g
			}
		},
	}
	result, _ := optimize.Minimize(problem, p.hyper, &optimize.Settings{FuncEvaluations: fitEvaluations}, &optimize.LBFGS{})
	// Where a line search finds nothing better, the best so far is in the result.
	if result != nil && !math.IsInf(result.F, 0) {
		p.hyper = result.X
	}
	p.setWeights(p.hyper)
}

// likelihood returns the logarithm of the marginal likelihood up to a constant, with the prior, and its gradient.
func (p *process) likelihood(hyper, targets, gradient []float64) float64 {
	p.setWeights(hyper)
	n, columns := len(p.x), len(p.weight)
	noise := math.Exp(hyper[columns])
	factor := p.extend(make(triangle, 0, n*(n+1)/2), noise)
	alpha := slices.Clone(targets)
	factor.forward(alpha)
	variance := max(dot(alpha, alpha)/float64(n), leastVariance)
	value := -float64(n) / 2 * math.Log(variance)
	for i := range n {
		value -= math.Log(factor.row(i)[i])
	}
	factor.backward(alpha)
	clear(gradient)
	inverse := factor.inverse()
	for i := range n {
		row := inverse[i]
		// Half the derivative of the value with respect to each entry of the kernel matrix; entries come in pairs.
		gradient[columns] += (alpha[i]*alpha[i]/variance - dot(row[i:], row[i:])) / 2 * noise
		for j := range i {
			m := alpha[i]*alpha[j]/variance - dot(row[i:], inverse[j][i:])
			a, b, s := p.x[i], p.x[j], 0.0
			for c, w := range p.weight {
				d := w * float64(a[c]-b[c])
				s += d * d
			}
			r := math.Sqrt(5 * s)
			m *= -5.0 / 3 * (1 + r) * math.Exp(-r)
			for c, w := range p.weight {
				d := w * float64(a[c]-b[c])
				gradient[c] += m * d * d
			}
		}
	}
	for c, h := range hyper {
		centre, spread := math.Log(typicalWeight), weightSpread
		if c == columns {
			centre, spread = math.Log(typicalNoise), noiseSpread
		}
		d := (h - centre) / spread
		value -= d * d / 2
		gradient[c] -= d / spread
	}
	return value
}

// inverse returns the columns of the triangle's inverse; entries before the diagonal are 0.
func (t triangle) inverse() [][]float64 {
	n := rows(t)
	all := make([]float64, n*n)
	columns := make([][]float64, n)
	for j := range n {
		c := all[j*n : (j+1)*n]
		c[j] = 1 / t.row(j)[j]
		for i := j + 1; i < n; i++ {
			row := t.row(i)
			c[i] = -dot(row[j:i], c[j:]) / row[i]
		}
		columns[j] = c
	}
	return columns
}
