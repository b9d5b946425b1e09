package tuner

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/krisptune/krisptune/plugins"
)

// keepBest is how many of the fastest candidates stay in memory: far more than may meet in a
// final race, so that enough are left when some of those fail.
const keepBest = 64

// A retired is what is left of candidates that the process keeps no longer; the store has all
// of them. A run of any length takes the same memory.
type retired struct {
	n        int
	verdicts map[plugins.Verdict]int
	reused   int
	reasons  map[plugins.Verdict]string // one for each verdict other than ok
	highest  []float64                  // the upper limits of those that may be as fast as any
}

// retire lets go of candidates that were rejected or are not among the fastest, once there are
// many. Where memory is an objective, the slow ones may be on the front, and all stay.
func (s *Session) retire() {
	if len(s.evaluated) < 4*keepBest || s.bound.Search.Memory {
		return
	}
	order := slices.Clone(s.evaluated)
	slices.SortStableFunc(order, func(a, b *candidate) int { return cmp.Compare(b.speed(), a.speed()) })
	stays := map[*candidate]bool{s.baseline: true, s.reference: true, s.incumbent: true}
	for _, c := range order[:keepBest] {
		stays[c] = !c.rejected()
	}
	s.evaluated = slices.DeleteFunc(s.evaluated, func(c *candidate) bool {
		if !stays[c] {
			s.retired.add(c)
		}
		return !stays[c]
	})
}

// speed orders candidates: the estimated log-ratio, or less than any for those that have none.
func (c *candidate) speed() float64 {
	if c.rejected() || c.estimate == nil || c.estimate.N == 0 {
		return -1e300
	}
	return c.estimate.LogRatio
}

func (r *retired) add(c *candidate) {
	if r.verdicts == nil {
		r.verdicts, r.reasons = map[plugins.Verdict]int{}, map[plugins.Verdict]string{}
	}
	r.n++
	r.verdicts[c.verdict]++
	if c.recalled {
		r.reused++
	}
	switch {
	case c.rejected():
		if _, ok := r.reasons[c.verdict]; !ok {
			r.reasons[c.verdict] = c.reason()
		}
	case c.mayWin():
		r.highest = append(r.highest, c.interval().Hi)
	}
}

// mayWin reports whether a candidate may meet in the final race.
func (c *candidate) mayWin() bool {
	return !c.rejected() && !c.beaten && !c.screened && c.estimate != nil && c.estimate.N > 0
}

// reason is why a candidate was rejected, in one line.
func (c *candidate) reason() string {
	return fmt.Sprintf("%s: %s", c.config, strings.TrimSpace(c.evidence.Message))
}

// open counts the retired that may be as fast as one whose ratio is at least lo.
func (r *retired) open(lo float64) int {
	n := 0
	for _, hi := range r.highest {
		if hi >= lo {
			n++
		}
	}
	return n
}
