package simulated

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/krisptune/krisptune/tuner/stats"
)

// Indifference is the default of package stats: a winner within it of the best is not false.
const Indifference = 0.01

// differences are how much slower than the best a candidate is.
var differences = []float64{0, 0.01, 0.02, 0.05, 0.20}

// A Scenario is a kind of tune to repeat.
type Scenario struct {
	Noise Noise
	// Identical makes all candidates equal to the baseline.
	Identical bool
	// Candidates in each tune; 0 draws 2 to 200, logarithmically.
	Candidates int
	// OneRace lets all candidates meet in one race, without batches.
	OneRace bool
}

// A Count is what many tunes of one scenario came to.
type Count struct {
	Scenario
	Tunes     int
	Declared  int // a winner was named with confidence
	False     int // of these, not within the indifference of the best
	Better    int // the confirmation said better than the baseline
	Untrue    int // of these, the winner was not faster than the baseline
	Different int // some entrant was called faster or slower than the baseline
	Confirmed int // confirmations held
	Covered   int // confirmations whose interval holds the true ratio
	Samples   []float64
	Ratios    []float64 // reported by the confirmations
	Naive     [2]Naive  // minimum, mean
}

// A Naive is what a naive tuner made of the same devices.
type Naive struct {
	Name    string
	Repeats int
	judge   func([]float64) float64
	False   int
	Ratios  []float64
	Samples []float64
}

var naives = [2]Naive{{Name: "minimum of 20", Repeats: 20, judge: Minimum}, {Name: "mean of 7", Repeats: 7, judge: Mean}}

// Check repeats a scenario. Tune i of seed s depends on nothing but i and s.
func Check(sc Scenario, seed uint64, tunes int) Count {
	workers := runtime.GOMAXPROCS(0)
	parts := make([]Count, workers)
	var wg sync.WaitGroup
	for w := range parts {
		parts[w] = Count{Scenario: sc, Naive: naives}
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := w; i < tunes; i += workers {
				parts[w].one(seed, uint64(i))
			}
		}()
	}
	wg.Wait()
	total := Count{Scenario: sc, Naive: naives}
	for _, p := range parts {
		total.Add(p)
	}
	return total
}

// Add adds the tunes of o.
func (c *Count) Add(o Count) {
	c.Tunes += o.Tunes
	c.Declared += o.Declared
	c.False += o.False
	c.Better += o.Better
	c.Untrue += o.Untrue
	c.Different += o.Different
	c.Confirmed += o.Confirmed
	c.Covered += o.Covered
	c.Samples = append(c.Samples, o.Samples...)
	c.Ratios = append(c.Ratios, o.Ratios...)
	for i := range c.Naive {
		c.Naive[i].False += o.Naive[i].False
		c.Naive[i].Ratios = append(c.Naive[i].Ratios, o.Naive[i].Ratios...)
		c.Naive[i].Samples = append(c.Naive[i].Samples, o.Naive[i].Samples...)
	}
}

func (c *Count) one(seed, i uint64) {
	setup := rand.New(rand.NewPCG(seed, 3*i))
	truth := c.draw(setup)
	// The baseline's true time is 1, and it may be the best.
	best := math.Min(1, slices.Min(truth))
	wrong := func(time float64) bool { return time > best*(1+Indifference)*(1+1e-9) }
	device := func() *Device { return NewDevice(c.Noise, rand.New(rand.NewPCG(seed, 3*i+1))) }

	d := device()
	out := Tune(d, truth, rand.New(rand.NewPCG(seed, 3*i+2)), c.OneRace)
	c.Tunes++
	c.Samples = append(c.Samples, float64(d.Samples))
	if out.Different {
		c.Different++
	}
	time := 1.0
	if out.Winner >= 0 {
		time = truth[out.Winner]
	}
	if out.Declared {
		c.Declared++
		if wrong(time) {
			c.False++
		}
	}
	if r := out.Confirmed; r != nil {
		c.Confirmed++
		c.Ratios = append(c.Ratios, r.Winner.Ratio())
		if lo, hi := r.Winner.RatioInterval(); lo <= 1/time && 1/time <= hi {
			c.Covered++
		}
		if r.Better {
			c.Better++
			if time >= 1 {
				c.Untrue++
			}
		}
	}
	for k := range c.Naive {
		n := &c.Naive[k]
		d := device()
		winner, ratio := OneAfterAnother(d, truth, n.Repeats, n.judge)
		// A naive tuner has no way to say that the baseline stands but a ratio below 1.
		if time := truth[winner]; ratio > 1 && wrong(time) || ratio <= 1 && wrong(1) {
			n.False++
		}
		n.Ratios = append(n.Ratios, ratio)
		n.Samples = append(n.Samples, float64(d.Samples))
	}
}

// draw makes the candidates' true times, in units of the baseline's.
func (c *Count) draw(rng *rand.Rand) []float64 {
	n := c.Candidates
	if n == 0 {
		n = int(math.Round(2 * math.Pow(100, rng.Float64())))
	}
	truth := make([]float64, n)
	best := 1.0
	if !c.Identical {
		// The baseline itself is somewhere among the candidates.
		best = 1 / (1 + differences[rng.IntN(len(differences))])
	}
	for i := range truth {
		truth[i] = best
		if !c.Identical {
			truth[i] *= 1 + differences[rng.IntN(len(differences))]
		}
	}
	if !c.Identical {
		truth[rng.IntN(n)] = best
	}
	return truth
}

// UpperBound is the one-sided 95% upper bound of a rate of which k of n were seen (Clopper and
// Pearson, Biometrika 26, 1934).
func UpperBound(k, n int) float64 {
	if k >= n {
		return 1
	}
	return distuv.Beta{Alpha: float64(k + 1), Beta: float64(n - k)}.Quantile(0.95)
}

// RoundsToDecide is how many rounds each of many Sequences takes to decide on a candidate that
// is faster by the given fraction, under normal noise of the given sigma on each time.
func RoundsToDecide(seed uint64, tunes int, faster, sigma, alpha float64, comparisons int) []float64 {
	rng := rand.New(rand.NewPCG(seed, 0))
	rounds := make([]float64, tunes)
	for i := range rounds {
		s := stats.NewRule(alpha, comparisons, Indifference).Sequence()
		for s.Decision() == stats.Undecided && s.N() < 2000 {
			s.Observe(math.Log1p(faster) + sigma*(rng.NormFloat64()-rng.NormFloat64()))
		}
		rounds[i] = float64(s.N())
	}
	return rounds
}
