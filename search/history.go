package search

// A history is what a strategy asked and was told.
type history struct {
	space  *Space
	asked  map[int]bool
	ok     []Outcome
	failed []int
}

func newHistory(space *Space) history {
	return history{space: space, asked: map[int]bool{}}
}

func (h *history) seen(i int) bool { return h.asked[i] }

func (h *history) ask(i int) { h.asked[i] = true }

// Tell implements Strategy.
func (h *history) Tell(outcomes []Outcome) {
	for _, o := range outcomes {
		if o.Failed {
			h.failed = append(h.failed, o.Index)
		} else {
			h.ok = append(h.ok, o)
		}
	}
}

// Done implements Strategy.
func (h *history) Done() bool { return len(h.asked) == h.space.Len() }
