package search

import (
	"math"

	"gonum.org/v1/gonum/optimize"
)

// NewNelderMead runs gonum's simplex on the relaxed space (Nelder and Mead 1965), from a new random point when the
// simplex has shrunk to one. It suits few ordered parameters.
func NewNelderMead(space *Space, seed uint64) Strategy {
	r := newRelaxed(space)
	return newWalking(space, seed, 71, func(w *walker) {
		minimize(w, r, &optimize.NelderMead{SimplexSize: 0.3}, 30*(len(r.dims)+1))
	})
}

// NewCMAES runs gonum's covariance matrix adaptation on the relaxed space (Hansen and Ostermeier 2001), again from a new
// random point when it has converged.
func NewCMAES(space *Space, seed uint64) Strategy {
	r := newRelaxed(space)
	return newWalking(space, seed, 81, func(w *walker) {
		minimize(w, r, &optimize.CmaEsChol{InitStepSize: 0.3, Src: w.rng}, 60*(len(r.dims)+1))
	})
}

// minimize drives a gonum method itself: optimize.Minimize evaluates in goroutines of its own, and a walk has to stay in one.
// The protocol is the one that optimize.Method documents.
func minimize(w *walker, r *relaxed, method optimize.Method, evaluations int) {
	start := w.random()
	if len(r.dims) == 0 {
		w.eval(start)
		return
	}
	method.Init(len(r.dims), 1)
	operations, results := make(chan optimize.Task, 1), make(chan optimize.Task, 1)
	go method.Run(operations, results, []optimize.Task{{Location: &optimize.Location{
		X: r.vector(start), F: math.NaN()}}})
	defer func() {
		results <- optimize.Task{Op: optimize.PostIteration}
		close(results)
		for range operations {
		}
	}()
	worst := 0.0
	for range 4 * evaluations {
		task := <-operations
		switch {
		case task.Op == optimize.MethodDone:
			return
		case task.Op&optimize.FuncEvaluation != 0:
			if evaluations--; evaluations < 0 {
				return
			}
			o := w.one(r.snap(task.X))
			task.F = o.Cost
			if o.Failed {
				task.F = worst + 1
			} else {
				worst = max(worst, o.Cost)
			}
			// Outside the cube there is nothing: the way back is downhill.
			for _, x := range task.X {
				task.F += max(0, -x, x-1)
			}
		}
		results <- task
	}
}
