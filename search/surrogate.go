package search

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Surrogate learns the cost from the outcomes so far with a Gaussian process, and where points fail with a second one, and
// asks for the valid point with the greatest expected improvement times the chance to work (Jones,
// Schonlau and Welch 1998; Gelbart, Snoek and Adams 2014). Every fourth point is chosen by an optimistic bound
// instead (Srinivas et al. 2010), which leaves a basin that expected improvement would polish for long.
// It suits budgets of tens to hundreds of evaluations; its own time per point grows until 220 points.
type Surrogate struct {
	history
	rng     *rand.Rand
	encoder *encoder
	cost    *process
	works   *process  // 1 where points work, 0 where they fail
	seen    []Outcome // what the models see, in the order told
	start   []int
	shuffle shuffle
}

var _ Suggesting = (*Surrogate)(nil)

const (
	startPoints = 8   // before the first model
	exploreEach = 4   // points from one optimistic choice to the next
	optimism    = 3   // standard deviations that it looks below the mean
	modelPoints = 220 // that worked and that the model sees: the best half and others at random, and half as many failures
	hopeless    = 0.1 // chance to work below which a point is asked last
	shortlist   = 120 // candidates with the least mean whose variance is computed, and a quarter of the others
)

// NewSurrogate returns a model-based strategy.
func NewSurrogate(space *Space, seed uint64) *Surrogate {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := &Surrogate{history: newHistory(space), rng: rng, encoder: newEncoder(space), shuffle: shuffle{rng: rng, left: space.Len()}}
	s.cost, s.works = newProcess(len(s.encoder.columns)), newProcess(len(s.encoder.columns))
	for range min(startPoints, space.Len()) {
		s.start = append(s.start, s.shuffle.draw())
	}
	return s
}

// Suggest implements Suggesting. Costs found elsewhere are not used: configurations do not travel well.
func (s *Surrogate) Suggest(points []int) { s.start = append(slices.Clone(points), s.start...) }

// Ask implements Strategy.
func (s *Surrogate) Ask(n int) []int {
	var points []int
	for len(points) < n && !s.Done() {
		i := s.choose()
		s.ask(i)
		points = append(points, i)
	}
	return points
}

func (s *Surrogate) choose() int {
	for len(s.start) > 0 {
		i := s.start[0]
		s.start = s.start[1:]
		if !s.asked[i] {
			return i
		}
	}
	const leastForModel = 3
	if len(s.ok) >= leastForModel {
		if i := s.promising(); i >= 0 {
			return i
		}
	}
	for {
		if i := s.shuffle.draw(); !s.asked[i] {
			return i
		}
	}
}

// A candidate is a point that may be asked next.
type candidate struct {
	point        int
	row          []float32
	mean         float64
	correlations []float64 // with the data
}

// promising returns the best candidate, or -1 if there is none.
func (s *Surrogate) promising() int {
	seen, ranked := s.seen, s.ok
	if s.several() {
		seen = scalarize(s.seen, s.rng)
		ranked = slices.DeleteFunc(slices.Clone(seen), func(o Outcome) bool { return o.Failed })
		rankOutcomes(ranked)
	}
	s.fit(seen)
	points := s.candidates(ranked)
	n := len(s.cost.x)
	correlations := make([]float64, len(points)*n)
	list := make([]candidate, len(points))
	for c, i := range points {
		k := correlations[c*n : (c+1)*n]
		row := s.encoder.row(i)
		list[c] = candidate{i, row, s.cost.meanAt(row, k), k}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.mean, b.mean) })
	explore := len(s.asked)%exploreEach == 0
	best, most := -1, math.Inf(-1)
	for c := range list {
		if c >= shortlist && c%4 != 0 {
			continue
		}
		l := &list[c]
		works := s.chance(l.row)
		deviation := s.cost.deviationAt(l.correlations)
		value := works * expectedImprovement(ranked[0].Cost, l.mean, deviation)
		if explore {
			value = optimism*deviation - l.mean - 2*(1-works)*math.Sqrt(s.cost.variance)
		}
		if works < hopeless {
			// Improvements differ by orders of magnitude, which no chance would weigh up.
			value = math.Inf(-1)
		}
		if best < 0 || value > most {
			best, most = l.point, value
		}
	}
	return best
}

// several reports whether there are objectives beside the cost.
func (s *Surrogate) several() bool { return len(s.ok) > 0 && len(s.ok[0].Others) > 0 }

// chance estimates how likely a row is to work.
func (s *Surrogate) chance(row []float32) float64 {
	if len(s.failed) == 0 {
		return 1
	}
	k := make([]float64, len(s.works.x))
	return min(1, max(0, s.works.meanAt(row, k)))
}

// Tell implements Strategy.
func (s *Surrogate) Tell(outcomes []Outcome) {
	s.history.Tell(outcomes)
	s.seen = append(s.seen, outcomes...)
	// The models extend what they have by the points that follow: a few too many are cheaper than to choose each time.
	const slack = 20
	if len(s.seen) > modelPoints+slack {
		s.forget()
	}
}

// forget keeps of the points that worked the best half of modelPoints and others at random, and of failures the last.
func (s *Surrogate) forget() {
	keep := map[int]bool{}
	best := min(modelPoints/2, len(s.ok))
	for _, o := range s.ok[:best] {
		keep[o.Index] = true
	}
	if s.several() {
		for _, o := range Front(s.ok) {
			keep[o.Index] = true
		}
	}
	var rest []int
	for _, o := range s.ok[best:] {
		rest = append(rest, o.Index)
	}
	s.rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	rest = rest[:min(len(rest), modelPoints/2)]
	for _, i := range append(rest, s.failed[max(0, len(s.failed)-modelPoints/2):]...) {
		keep[i] = true
	}
	s.seen = slices.DeleteFunc(s.seen, func(o Outcome) bool { return !keep[o.Index] })
}

// fit gives the outcomes to the models. A point whose outcome is not known yet counts as average, which keeps a batch apart.
func (s *Surrogate) fit(seen []Outcome) {
	var x, all [][]float32
	var y, works []float64
	mean := 0.0
	for _, o := range seen {
		row := s.encoder.row(o.Index)
		all = append(all, row)
		if o.Failed {
			works = append(works, 0)
			continue
		}
		works = append(works, 1)
		x, y = append(x, row), append(y, o.Cost)
		mean += o.Cost
	}
	mean /= float64(len(y))
	for _, i := range s.pending {
		x, y = append(x, s.encoder.row(i)), append(y, mean)
	}
	s.cost.fit(x, y)
	if len(s.failed) > 0 {
		s.works.fit(all, works)
	}
}

// candidates are the unseen neighbours of the best points, recombinations of good points, and random points.
func (s *Surrogate) candidates(ranked []Outcome) []int {
	const random, elite, parents, mostNear = 150, 4, 20, 200
	var out []int
	taken := map[int]bool{}
	add := func(i int) {
		if !s.asked[i] && !taken[i] {
			taken[i] = true
			out = append(out, i)
		}
	}
	var near []int
	for _, o := range ranked[:min(elite, len(ranked))] {
		near = s.space.Neighbours(o.Index, Hamming, near[:0])
		if len(near) > mostNear {
			s.rng.Shuffle(len(near), func(i, j int) { near[i], near[j] = near[j], near[i] })
		}
		for _, i := range near[:min(mostNear, len(near))] {
			add(i)
		}
	}
	many := min(parents, len(ranked))
	var a, b []int
	for range random {
		a = s.space.Coords(ranked[s.rng.IntN(many)].Index, a)
		b = s.space.Coords(ranked[s.rng.IntN(many)].Index, b)
		for d := range a {
			switch s.rng.IntN(8) {
			case 0, 1, 2:
				a[d] = b[d]
			case 3:
				a[d] = s.rng.IntN(len(s.space.dims[d].Values))
			}
		}
		if i, ok := s.space.IndexCoords(a); ok {
			add(i)
		}
		add(s.space.Sample(s.rng))
	}
	return out
}

// expectedImprovement is the mean of max(0, best-cost) for a normal cost.
func expectedImprovement(best, mean, deviation float64) float64 {
	z := (best - mean) / deviation
	return (best-mean)*0.5*math.Erfc(-z/math.Sqrt2) + deviation*math.Exp(-z*z/2)/math.Sqrt(2*math.Pi)
}
