package simulated

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/krisptune/krisptune/tuner/stats"
)

const batchSize = 16

// An Outcome is what a simulated tune came to.
type Outcome struct {
	// Winner is a candidate's index, or -1 for the baseline.
	Winner int
	// Declared means that the winner was named with confidence, of all candidates.
	Declared bool
	// Confirmed is nil where the baseline won.
	Confirmed *stats.Confirmed
	// Different means that, after some round of the batches or the final, some entrant was
	// called faster or slower than the baseline.
	Different bool
}

// Tune runs batches of 16, the final of the best 8 and the confirmation over candidates with
// the given true times, in units of the baseline's, with the defaults of package stats. The
// order within rounds comes from rng. If oneRace is set, all candidates meet in the final,
// without batches.
func Tune(d *Device, truth []float64, rng *rand.Rand, oneRace bool) Outcome {
	t := tune{device: d, truth: truth, rng: rng, last: make([]stats.Comparison, len(truth)), beaten: make([]bool, len(truth))}
	best, leftOpen := make([]int, len(truth)), 0
	for i := range best {
		best[i] = i
	}
	if !oneRace {
		best, leftOpen = t.batches()
	}
	if len(best) == 0 {
		return Outcome{Winner: -1, Declared: true, Different: t.different} // the baseline beat all
	}
	final, entrants := t.race(stats.Final, best, -1)
	s := final.Standing()
	out := Outcome{Winner: entrants[s.Leader], Declared: s.Declared && leftOpen == 0, Different: t.different}
	if out.Winner >= 0 {
		confirmation, _ := t.race(stats.Confirmation, []int{out.Winner}, -1)
		c, err := confirmation.Confirmed()
		if err != nil {
			panic(err)
		}
		out.Confirmed = &c
	}
	return out
}

type tune struct {
	device    *Device
	truth     []float64
	rng       *rand.Rand
	last      []stats.Comparison // of each candidate's latest batch
	beaten    []bool
	different bool
}

// batches returns the finalists.
func (t *tune) batches() (best []int, leftOpen int) {
	truth, incumbent := t.truth, -1
	for first := 0; first < len(truth); first += batchSize {
		var batch []int
		for c := first; c < min(first+batchSize, len(truth)); c++ {
			batch = append(batch, c)
		}
		t.race(stats.Batch, batch, incumbent)
		if best, _ := stats.Finalists(t.open(), 1); len(best) == 1 {
			incumbent = best[0]
		}
	}
	return stats.Finalists(t.open(), 0)
}

// open is last without the beaten, so that Finalists passes them over.
func (t *tune) open() []stats.Comparison {
	open := append([]stats.Comparison(nil), t.last...)
	for c := range open {
		if t.beaten[c] {
			open[c].N = 0
		}
	}
	return open
}

// race runs one race. The entrants' candidates are returned with it, -1 for the baselines.
func (t *tune) race(kind stats.Kind, candidates []int, incumbent int) (*stats.Race, []int) {
	entrants := []stats.Entrant{{Name: "baseline", Role: stats.Baseline}, {Name: "control", Role: stats.Control}}
	who := []int{-1, -1}
	if incumbent >= 0 {
		entrants = append(entrants, stats.Entrant{Name: "incumbent", Role: stats.Incumbent})
		who = append(who, incumbent)
	}
	for _, c := range candidates {
		entrants = append(entrants, stats.Entrant{Name: fmt.Sprint(c), Role: stats.Candidate})
		who = append(who, c)
	}
	opts := stats.Options{}
	if kind == stats.Batch {
		opts.Comparisons = len(t.truth)
	}
	r, err := stats.NewRace(kind, entrants, opts)
	if err != nil {
		panic(err)
	}
	times := make([]float64, len(entrants))
	for !r.Done() {
		live := r.Live()
		t.rng.Shuffle(len(live), func(i, j int) { live[i], live[j] = live[j], live[i] })
		for _, i := range live {
			truth := 1.0
			if who[i] >= 0 {
				truth = t.truth[who[i]]
			}
			times[i] = t.device.Sample(truth)
		}
		if err := r.Round(times); err != nil {
			panic(err)
		}
		if kind != stats.Confirmation {
			t.different = t.different || different(r, who)
		}
	}
	if kind == stats.Batch {
		for i, c := range who {
			if c < 0 {
				continue
			}
			t.last[c] = r.Comparison(i)
			if s, _ := r.Status(i); s == stats.Beaten {
				t.beaten[c] = true
			}
		}
	}
	return r, who
}

// different looks after every round, as a user who watches would.
func different(r *stats.Race, who []int) bool {
	for i := range who {
		if s, by := r.Status(i); s == stats.Beaten && who[by] < 0 {
			return true
		}
		if c := r.Comparison(i); c.Lo > 0 || c.Hi < 0 {
			return true
		}
	}
	return false
}

// OneAfterAnother is the naive tuner: each candidate in turn, repeats times, judged by a single
// number, the least of which wins. It returns the winner and how much faster than the
// baseline, which goes first, it seems to be.
func OneAfterAnother(d *Device, truth []float64, repeats int, judge func([]float64) float64) (winner int, ratio float64) {
	measure := func(t float64) float64 {
		times := make([]float64, repeats)
		for i := range times {
			times[i] = d.Sample(t)
		}
		return judge(times)
	}
	baseline := measure(1)
	least := math.Inf(1)
	for c, t := range truth {
		if m := measure(t); m < least {
			winner, least = c, m
		}
	}
	return winner, baseline / least
}

// Minimum and Mean are the judgements of naive tuners.
func Minimum(times []float64) float64 {
	least := math.Inf(1)
	for _, t := range times {
		least = math.Min(least, t)
	}
	return least
}

func Mean(times []float64) float64 {
	sum := 0.0
	for _, t := range times {
		sum += t
	}
	return sum / float64(len(times))
}
