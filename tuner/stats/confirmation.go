package stats

import (
	"fmt"
	"math"
	"sort"
)

// A Confirmed is the result of a confirmation race: the ratio that is reported.
//
// The winner of a race is lucky by construction (the best of 200 identical kernels looks 4%
// faster), so its ratio comes from fresh rounds whose number was fixed before they were taken,
// with nobody else in the race to be chosen instead.
type Confirmed struct {
	Winner Comparison // against the baseline
	AA     Comparison // the baseline against itself
	// Better means that the winner's interval lies above zero and beyond the A/A interval.
	Better bool
	// Reason says in one line why Better is as it is.
	Reason   string
	Warnings []string
}

// Confirmed is the result of a confirmation race that is done. The error says why there is none.
func (r *Race) Confirmed() (Confirmed, error) {
	if r.kind != Confirmation {
		return Confirmed{}, fmt.Errorf("a %s race confirms nothing", r.kind)
	}
	winner := -1
	for i, s := range r.status {
		if s == Withdrawn {
			return Confirmed{}, fmt.Errorf("%s was withdrawn during the confirmation", r.entrants[i].Name)
		}
		if i != r.baseline && i != r.control {
			winner = i
		}
	}
	if !r.Done() {
		return Confirmed{}, fmt.Errorf("the confirmation has %d of %d rounds", r.rounds, r.opts.MaxRounds)
	}
	c := Confirmed{Winner: r.Comparison(winner), AA: r.AA(), Warnings: r.Warnings()}
	noise := math.Max(math.Abs(c.AA.Lo), math.Abs(c.AA.Hi))
	switch {
	case math.IsInf(c.Winner.Lo, 0):
		c.Reason = fmt.Sprintf("%d rounds are too few for an interval", c.Winner.N)
	case c.Winner.Lo <= 0:
		c.Reason = "the interval of the ratio reaches down to 1"
	case c.Winner.Lo <= noise:
		c.Reason = fmt.Sprintf("the interval of the ratio reaches into the A/A noise of %.2f%%", 100*math.Expm1(noise))
	default:
		c.Better = true
		c.Reason = fmt.Sprintf("the interval of the ratio lies above 1 and beyond the A/A noise of %.2f%%", 100*math.Expm1(noise))
	}
	if c.AA.Lo > 0 || c.AA.Hi < 0 {
		c.Warnings = append(c.Warnings, fmt.Sprintf("the baseline's two labels differ by a factor of %.4f: something disturbs the device", c.AA.Ratio()))
	}
	return c, nil
}

// Finalists picks the k entries with the highest ratios (8 if k is 0), best first, and counts those left out
// whose intervals do not exclude that they are as fast as the first. Entries are the
// candidates that no race has shown to be beaten; one without rounds is never picked. Only if
// leftOpen is 0 is the final's winner that of all candidates, rather than of the finalists.
func Finalists(entries []Comparison, k int) (best []int, leftOpen int) {
	if k == 0 {
		k = 8
	}
	for i, c := range entries {
		if c.N > 0 {
			best = append(best, i)
		}
	}
	sort.SliceStable(best, func(a, b int) bool { return entries[best[a]].LogRatio > entries[best[b]].LogRatio })
	if len(best) <= k {
		return best, 0
	}
	for _, i := range best[k:] {
		if entries[i].Hi >= entries[best[0]].Lo {
			leftOpen++
		}
	}
	return best[:k], leftOpen
}
