package search

// A history is what a strategy asked and was told.
type history struct {
	space   *Space
	asked   map[int]bool
	pending []int     // asked and not told
	ok      []Outcome // best first
	failed  []int
}

func newHistory(space *Space) history {
	return history{space: space, asked: map[int]bool{}}
}

func (h *history) ask(i int) {
	h.asked[i] = true
	h.pending = append(h.pending, i)
}

// Tell implements Strategy. Outcomes of points that were not asked, from an earlier run, count as well.
func (h *history) Tell(outcomes []Outcome) {
	for _, o := range outcomes {
		h.asked[o.Index] = true
		for k, i := range h.pending {
			if i == o.Index {
				h.pending = append(h.pending[:k], h.pending[k+1:]...)
				break
			}
		}
		if o.Failed {
			h.failed = append(h.failed, o.Index)
		} else {
			h.ok = append(h.ok, o)
		}
	}
	rankOutcomes(h.ok)
}

// Done implements Strategy.
func (h *history) Done() bool { return len(h.asked) == h.space.Len() }
