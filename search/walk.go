package search

import (
	"iter"
	"math/rand/v2"
	"runtime"
)

// A walk is an algorithm that evaluates points one after the other or many at once. It may evaluate a point again, which
// costs nothing, and returns when it has no idea left; it is then started again.
type walk func(w *walker)

// A walker is what a walk sees.
type walker struct {
	space *Space
	rng   *rand.Rand
	best  Outcome // of all walks; Failed until one worked
	known map[int]Outcome
	fresh int // points evaluated for the first time by this walk
	stale int // evaluations since then
	yield func([]int) bool
}

// stopped ends a walk from within when the strategy is abandoned or the walk turns in circles.
type stopped struct{}

// maxStale is how many known points in a row a walk may evaluate.
const maxStale = 2000

// eval returns the outcomes of points, in order.
func (w *walker) eval(points ...int) []Outcome {
	var unknown []int
	seen := map[int]bool{}
	for _, i := range points {
		if _, ok := w.known[i]; !ok && !seen[i] {
			seen[i] = true
			unknown = append(unknown, i)
		}
	}
	if w.stale += len(points); len(unknown) > 0 {
		w.stale = 0
		w.fresh += len(unknown)
		if !w.yield(unknown) {
			panic(stopped{})
		}
	} else if w.stale > maxStale {
		panic(stopped{})
	}
	out := make([]Outcome, len(points))
	for k, i := range points {
		out[k] = w.known[i]
	}
	return out
}

func (w *walker) one(i int) Outcome { return w.eval(i)[0] }

// random returns a point drawn uniformly, known or not.
func (w *walker) random() int { return w.space.Sample(w.rng) }

// better reports whether a beats b; what failed beats nothing.
func better(a, b Outcome) bool {
	return !a.Failed && (b.Failed || a.Cost < b.Cost)
}

// walking drives a walk as a Strategy. Outcomes may come in any order; the walk goes on when all that it
// waits for have come.
type walking struct {
	walker  *walker
	next    func() ([]int, bool)
	queue   []int // the walk's points not yet asked
	waiting map[int]bool
	asked   map[int]bool
	shuffle shuffle
}

// newWalking returns a Strategy that follows the walk.
func newWalking(space *Space, seed uint64, stream uint64, body walk) *walking {
	rng := rand.New(rand.NewPCG(seed, stream))
	w := &walker{space: space, rng: rng, best: Outcome{Failed: true}, known: map[int]Outcome{}}
	next, stop := iter.Pull(func(yield func([]int) bool) {
		open := true
		w.yield = func(points []int) bool {
			open = open && yield(points)
			return open
		}
		for open {
			w.fresh, w.stale = 0, 0
			w.run(body)
			if w.fresh == 0 && open {
				// The walk is caught among known points: an empty request makes the strategy go on at random.
				open = yield(nil)
			}
		}
	})
	s := &walking{walker: w, next: next, waiting: map[int]bool{}, asked: map[int]bool{},
		shuffle: shuffle{rng: rand.New(rand.NewPCG(seed, stream+1)), left: space.Len()}}
	// The walk's goroutine would outlive a strategy that is dropped before it is done.
	runtime.AddCleanup(s, func(stop func()) { stop() }, stop)
	return s
}

func (w *walker) run(body walk) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(stopped); !ok {
				panic(r)
			}
		}
	}()
	body(w)
}

// Ask implements Strategy. It returns less than n rather than points that the walk does not want.
func (s *walking) Ask(n int) []int {
	var points []int
	for len(points) < n && !s.Done() {
		if len(s.queue) == 0 {
			if len(s.waiting) > 0 {
				break
			}
			if s.advance(); len(s.queue) == 0 {
				s.queue = append(s.queue, s.unseen())
			}
		}
		i := s.queue[0]
		s.queue = s.queue[1:]
		if !s.asked[i] { // not meanwhile asked by another
			s.asked[i] = true
			points = append(points, i)
		}
	}
	return points
}

// unseen draws a point that was not asked.
func (s *walking) unseen() int {
	for {
		if i := s.shuffle.draw(); !s.asked[i] {
			return i
		}
	}
}

// advance lets the walk go on to its next points.
func (s *walking) advance() {
	s.queue, _ = s.next()
	for _, i := range s.queue {
		s.waiting[i] = true
	}
}

// Tell implements Strategy.
func (s *walking) Tell(outcomes []Outcome) {
	for _, o := range outcomes {
		s.asked[o.Index] = true
		s.walker.known[o.Index] = o
		if better(o, s.walker.best) {
			s.walker.best = o
		}
		delete(s.waiting, o.Index)
	}
}

// Done implements Strategy.
func (s *walking) Done() bool { return len(s.asked) == s.walker.space.Len() }
