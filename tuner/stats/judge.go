package stats

import (
	"math"
	"sort"
)

// judge brings the standing up to date and takes the beaten out.
func (r *Race) judge() {
	switch r.aa.Decision() {
	case Faster, Slower:
		r.disturbed = true
	}
	lead := r.fastest()
	r.standing = Standing{Leader: lead}
	// Nobody is beaten before the control has had rounds enough to show a disturbance, and
	// nobody once it has shown one.
	lo, _ := r.aa.Interval()
	fair := !r.disturbed && !math.IsInf(lo, 0) && r.rounds >= r.opts.MinRounds
	for i, e := range r.entrants {
		if i == lead || e.Role == Control || r.status[i] != Live {
			continue
		}
		beaten, level := r.against(lead, i)
		switch {
		case fair && beaten && e.Role != Baseline:
			r.status[i], r.beatenBy[i] = Beaten, lead
		case !fair || !beaten && !level:
			r.standing.Rivals = append(r.standing.Rivals, i)
		}
	}
	r.standing.Declared = fair && len(r.standing.Rivals) == 0
}

// fastest is the live entrant whose time is least against the middle of its rounds. All live
// entrants have run every round, so that they are compared over the same rounds.
func (r *Race) fastest() int {
	best, least := -1, math.Inf(1)
	for i, s := range r.status {
		if s != Live || r.entrants[i].Role == Control {
			continue
		}
		if m := median(r.deviations[i]); m < least {
			best, least = i, m
		}
	}
	return best
}

// against says whether lead has beaten rival, and whether it has been shown not to trail it by
// more than the indifference.
func (r *Race) against(lead, rival int) (beaten, level bool) {
	a, b := r.logs[lead], r.logs[rival]
	var n, ahead, close int
	for t := range a {
		d := b[t] - a[t]
		if math.IsNaN(d) {
			continue
		}
		n++
		if d > 0 {
			ahead++
		}
		if d > -r.indifferent {
			close++
		}
	}
	need := r.pairs.critical(n)
	return ahead >= need, close >= need
}

func insert(sorted []float64, x float64) []float64 {
	i := sort.SearchFloat64s(sorted, x)
	sorted = append(sorted, 0)
	copy(sorted[i+1:], sorted[i:])
	sorted[i] = x
	return sorted
}
