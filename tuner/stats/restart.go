package stats

// attempts is how often a race of that kind may be run: a final or confirmation that is about to
// end is begun again, once, if the baseline shows that the device changed meanwhile. A batch is
// not: nothing is claimed from it, and its ratios within rounds survive a change.
func attempts(kind Kind) int {
	if kind == Batch {
		return 1
	}
	return 2
}

// restartAfterDrift throws the rounds of a race that would end away, once, if the baseline's
// time changed at a step or along a slope: rounds of two devices are no sample of either, and
// kernels may answer differently to another clock or a warmer chip. The second attempt stands
// whatever it shows, with a warning. Entrants that were beaten meanwhile race again.
//
// As only the baseline's times are looked at, nobody chooses the luckier of two ratios. As a
// final may claim in either attempt, each has half of its Alpha; a confirmation claims in one.
func (r *Race) restartAfterDrift() {
	if r.restarts+1 >= attempts(r.kind) || !r.Done() {
		return
	}
	d := r.Drift()
	if d == nil {
		return
	}
	r.restarts++
	r.restarted = *d
	for i, s := range r.status {
		if s == Beaten {
			r.status[i], r.beatenBy[i] = Live, -1
		}
	}
	r.reset()
}
