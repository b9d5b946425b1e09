package search

// Exhaustive asks for every point in order. It suits spaces that fit the budget.
type Exhaustive struct {
	space *Space
	next  int
}

var _ Strategy = (*Exhaustive)(nil)

// NewExhaustive returns a strategy that walks the whole space.
func NewExhaustive(space *Space) *Exhaustive { return &Exhaustive{space: space} }

// Ask implements Strategy.
func (e *Exhaustive) Ask(n int) []int {
	var points []int
	for ; len(points) < n && e.next < e.space.Len(); e.next++ {
		points = append(points, e.next)
	}
	return points
}

// Tell implements Strategy.
func (e *Exhaustive) Tell([]Outcome) {}

// Done implements Strategy.
func (e *Exhaustive) Done() bool { return e.next == e.space.Len() }
