package search

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

var XSteps = 3
var XTop = 120
var XClip = 0

// Bayes is experimental.
type Bayes struct {
	*Surrogate
	gp   *process
	cols [][]float32
}

func NewBayes(space *Space, seed uint64) *Bayes {
	s := NewSurrogate(space, seed)
	s.encoder = newMetric(space)
	return &Bayes{Surrogate: s, gp: newProcess(len(s.encoder.columns), rand.New(rand.NewPCG(seed, 9)))}
}

func (s *Bayes) Ask(n int) []int {
	var points []int
	for len(points) < n && !s.Done() {
		i := -1
		if len(s.asked) < XStart || len(s.ok) < 3 || XRand > 0 && len(s.asked)%XRand == 0 {
			i = s.random()
		} else {
			i = s.pick()
		}
		s.ask(i)
		points = append(points, i)
	}
	return points
}

func (s *Bayes) pick() int {
	data := slices.Clone(s.ok)
	slices.SortStableFunc(data, func(a, b Outcome) int { return cmp.Compare(a.Cost, b.Cost) })
	const most = 220
	if len(data) > most {
		rest := data[most/2:]
		s.rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		data = data[:most]
	}
	var x [][]float32
	var y []float64
	for _, o := range data {
		x = append(x, s.encoder.row(o.Index))
		c := o.Cost
		if XClip > 0 {
			c = min(c, data[len(data)*XClip/100].Cost)
		}
		y = append(y, c)
	}
	s.gp.fit(x, y, XSteps)
	candidates := s.candidates()
	type scored struct {
		i    int
		mean float64
		k    []float64
		p    float64
	}
	list := make([]scored, len(candidates))
	buf := make([]float64, len(candidates)*len(x))
	var fx [][]float32
	for _, f := range s.failed {
		fx = append(fx, s.encoder.row(f))
	}
	for c, i := range candidates {
		k := buf[c*len(x) : (c+1)*len(x)]
		row := s.encoder.row(i)
		list[c] = scored{i, s.gp.covariances(row, k), k, 1}
		if len(fx) > 0 {
			good, bad := 0.5, 0.0
			for _, v := range k {
				good += v * v
			}
			for _, f := range fx {
				v := s.gp.kernel(row, f)
				bad += v * v
			}
			list[c].p = good / (good + bad)
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(a.mean, b.mean) })
	best, value := -1, math.Inf(-1)
	for c := range list {
		if c > XTop && c%4 != 0 {
			continue
		}
		l := &list[c]
		v := expectedImprovement(data[0].Cost-XXi, l.mean, math.Sqrt(s.gp.variance(l.k))) * l.p
		if v > value {
			best, value = l.i, v
		}
	}
	if best < 0 {
		return s.random()
	}
	return best
}

// newMetric encodes for distances: ranks and names in units of their range.
func newMetric(s *Space) *encoder {
	e := newEncoder(s)
	var cols []column
	for _, c := range e.columns {
		if c.b >= 0 {
			continue
		}
		lo, hi := slices.Min(c.ta), slices.Max(c.ta)
		t := make([]float32, len(c.ta))
		for i, v := range c.ta {
			t[i] = (v - lo) / (hi - lo)
		}
		cols = append(cols, column{c.a, -1, t, nil})
	}
	e.columns = cols
	return e
}
