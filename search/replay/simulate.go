package replay

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/krisptune/krisptune/search"
)

// A Simulation says how strategies are run on recordings.
type Simulation struct {
	Repeats    int     // runs with different seeds; 100 if 0
	Budget     int     // evaluations of a run; the cut-off, and at least 200, if 0
	Percentile float64 // of the cut-off; 0.95 if 0
	Batch      int     // points asked at a time; 1 if 0
	Seed       uint64  // of the first run; the next ones count up
}

// FractionsAt are the numbers of evaluations after which the fraction of the optimum is stated.
var FractionsAt = []int{25, 50, 100, 200}

// A Result is how a strategy did on one recording.
type Result struct {
	Cutoff     int             // evaluations that were scored
	Repeats    int             // runs
	Score      float64         // 0 is random search, 1 the optimum
	Interval   [2]float64      // 95%, bootstrap over repeats
	FractionAt map[int]float64 // median over repeats of optimum / best time after so many evaluations, within the budget
	PerEval    time.Duration   // the strategy's own time per evaluation, mean
	Slowest    time.Duration   // longest own time of one evaluation
	replicates []float64
	traces     [][]int
}

// Run simulates the strategy that newStrategy returns. It uses all cores; the result does not depend on how many there are.
// The error is the context's.
func (s Simulation) Run(ctx context.Context, r *Recording, newStrategy func(space *search.Space, seed uint64) search.Strategy) (Result, error) {
	if s.Repeats == 0 {
		s.Repeats = 100
	}
	if s.Percentile == 0 {
		s.Percentile = 0.95
	}
	if s.Batch == 0 {
		s.Batch = 1
	}
	j := newJudge(r, s.Percentile)
	if s.Budget == 0 {
		s.Budget = max(j.cutoff, slices.Max(FractionsAt))
	}
	traces := make([][]int, s.Repeats)
	own := make([]time.Duration, s.Repeats)
	slowest := make([]time.Duration, s.Repeats)
	var wait sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range next {
				traces[i], own[i], slowest[i] = s.trace(ctx, r, j, newStrategy(r.Space, s.Seed+uint64(i)))
			}
		})
	}
	for i := range s.Repeats {
		next <- i
	}
	close(next)
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	result := Result{Cutoff: j.cutoff, Repeats: s.Repeats, Slowest: slices.Max(slowest), traces: traces}
	for i := range own {
		result.PerEval += own[i] / time.Duration(s.Repeats*len(traces[i]))
	}
	s.judge(j, &result)
	return result, nil
}

// trace runs a strategy once and returns the place of its best point after each evaluation; 0, the worst, as long as all failed.
func (s Simulation) trace(ctx context.Context, r *Recording, j *judge, strategy search.Strategy) (places []int, own, slowest time.Duration) {
	best := 0
	for len(places) < s.Budget && !strategy.Done() && ctx.Err() == nil {
		start := time.Now()
		points := strategy.Ask(min(s.Batch, s.Budget-len(places)))
		spent := time.Since(start)
		outcomes := make([]search.Outcome, len(points))
		for i, p := range points {
			outcomes[i] = r.Outcome(p)
			best = max(best, j.place[p])
			places = append(places, best)
		}
		start = time.Now()
		strategy.Tell(outcomes)
		spent += time.Since(start)
		own += spent
		if len(points) > 0 {
			slowest = max(slowest, spent/time.Duration(len(points)))
		}
	}
	return places, own, slowest
}

// judge fills in the scores of the traces. A budget below the cut-off is scored as if the best point stayed.
func (s Simulation) judge(j *judge, r *Result) {
	means := func(runs []int) []float64 {
		sum := make([]float64, j.cutoff)
		for m := range sum {
			for _, i := range runs {
				t := r.traces[i]
				sum[m] += float64(t[min(m, len(t)-1)])
			}
			sum[m] /= float64(len(runs))
		}
		return sum
	}
	all := make([]int, len(r.traces))
	for i := range all {
		all[i] = i
	}
	r.Score = j.score(means(all))
	rng := rand.New(rand.NewPCG(1, 2))
	const resamples = 500
	for range resamples {
		runs := make([]int, len(all))
		for i := range runs {
			runs[i] = rng.IntN(len(all))
		}
		r.replicates = append(r.replicates, j.score(means(runs)))
	}
	r.Interval = interval(r.replicates)
	r.FractionAt = map[int]float64{}
	for _, n := range FractionsAt {
		if n > s.Budget && s.Budget < len(j.place) {
			continue
		}
		var fractions []float64
		for _, t := range r.traces {
			fractions = append(fractions, j.optimum()/j.worstFirst[t[min(n, len(t))-1]])
		}
		slices.Sort(fractions)
		r.FractionAt[n] = (fractions[(len(fractions)-1)/2] + fractions[len(fractions)/2]) / 2
	}
}

// interval holds the middle 95% of replicates.
func interval(replicates []float64) [2]float64 {
	sorted := slices.Sorted(slices.Values(replicates))
	n := len(sorted)
	return [2]float64{sorted[n*25/1000], sorted[n-1-n*25/1000]}
}

// Aggregate is the mean score over recordings with its interval.
func Aggregate(results []Result) (score float64, bounds [2]float64) {
	replicates := make([]float64, len(results[0].replicates))
	for _, r := range results {
		score += r.Score / float64(len(results))
		for i, v := range r.replicates {
			replicates[i] += v / float64(len(results))
		}
	}
	return score, interval(replicates)
}
