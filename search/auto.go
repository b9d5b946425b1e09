package search

// Auto is the default: a surrogate, which finds most within a few hundred evaluations, and from then on in turn with an
// iterated local search from the best points, which finds what a model of a few hundred points cannot
// tell apart and costs next to nothing. It has no parameters.
type Auto struct {
	surrogate *Surrogate
	local     *walking
}

var _ Suggesting = (*Auto)(nil)

// surrogateAlone is how many evaluations the surrogate has for itself.
const surrogateAlone = 200

// NewAuto returns the default strategy.
func NewAuto(space *Space, seed uint64) *Auto {
	return &Auto{surrogate: NewSurrogate(space, seed), local: newWalking(space, seed, 101, polish)}
}

// Suggest implements Suggesting.
func (a *Auto) Suggest(points []int) { a.surrogate.Suggest(points) }

// Ask implements Strategy.
func (a *Auto) Ask(n int) []int {
	var points []int
	for len(points) < n && !a.Done() {
		if asked := len(a.surrogate.asked); asked >= surrogateAlone && asked%2 == 1 {
			// The local search may be waiting for the outcome of a point in this batch.
			if one := a.local.Ask(1); len(one) > 0 {
				a.surrogate.ask(one[0])
				points = append(points, one[0])
				continue
			}
		}
		one := a.surrogate.Ask(1)
		a.local.asked[one[0]] = true
		points = append(points, one[0])
	}
	return points
}

// Tell implements Strategy.
func (a *Auto) Tell(outcomes []Outcome) {
	a.surrogate.Tell(outcomes)
	a.local.Tell(outcomes)
}

// Done implements Strategy.
func (a *Auto) Done() bool { return a.surrogate.Done() }

// polish descends from the best point known, or from near it where it is a local optimum.
func polish(w *walker) {
	if w.best.Failed {
		w.one(w.random())
		return
	}
	at := descend(w, w.best)
	for range 4 {
		end := descend(w, w.one(w.jump(at.Index, 2)))
		if better(end, at) {
			at = end
		}
	}
}
