// Package searchtest is the suite that every search strategy passes.
package searchtest

import (
	"math"
	"slices"
	"testing"

	"github.com/krisptune/krisptune/search"
)

// A Landscape is a space with a cost at every point.
type Landscape struct {
	Name    string
	Space   *search.Space
	Outcome func(i int) search.Outcome
}

// Conform checks that a strategy never asks twice or outside the space, is deterministic for a seed, copes with batches,
// outcomes that come late, failures and equal costs, and ends exactly when the space is exhausted.
func Conform(t *testing.T, make func(space *search.Space, seed uint64) search.Strategy) {
	for _, l := range Landscapes(t) {
		for _, batch := range []int{1, 16} {
			t.Run(l.Name, func(t *testing.T) {
				asked := Drive(t, make(l.Space, 7), l, batch, l.Space.Len()+1)
				if len(asked) != l.Space.Len() {
					t.Errorf("batch %d: done after %d of %d points", batch, len(asked), l.Space.Len())
				}
				if again := Drive(t, make(l.Space, 7), l, batch, l.Space.Len()+1); !slices.Equal(asked, again) {
					t.Errorf("batch %d: two runs with one seed differ", batch)
				}
			})
		}
	}
	t.Run("late outcomes", func(t *testing.T) {
		l := Landscapes(t)[0]
		s := make(l.Space, 3)
		seen := map[int]bool{}
		var pending []search.Outcome
		for !s.Done() {
			points := s.Ask(4)
			if len(points) == 0 && len(pending) == 0 {
				t.Fatal("nothing asked, nothing pending, not done")
			}
			for _, i := range points {
				if seen[i] {
					t.Fatalf("point %d asked twice", i)
				}
				seen[i] = true
				pending = append(pending, l.Outcome(i))
			}
			// Half of what is pending comes back, last first.
			for n := (len(pending) + 1) / 2; n > 0; n-- {
				s.Tell(pending[len(pending)-1:])
				pending = pending[:len(pending)-1]
			}
		}
	})
}

// Drive runs a strategy until it is done or has asked for limit points, and returns the points in order.
func Drive(t *testing.T, s search.Strategy, l Landscape, batch, limit int) []int {
	t.Helper()
	var asked []int
	seen := map[int]bool{}
	for !s.Done() && len(asked) < limit {
		points := s.Ask(batch)
		if len(points) == 0 && !s.Done() {
			t.Fatalf("after %d points: nothing asked, nothing pending, not done", len(asked))
		}
		if len(points) > batch {
			t.Fatalf("%d points asked, expected at most %d", len(points), batch)
		}
		outcomes := []search.Outcome{}
		for _, i := range points {
			if i < 0 || i >= l.Space.Len() {
				t.Fatalf("point %d of a space with %d", i, l.Space.Len())
			}
			if seen[i] {
				t.Fatalf("point %d asked twice", i)
			}
			seen[i] = true
			outcomes = append(outcomes, l.Outcome(i))
		}
		s.Tell(outcomes)
		asked = append(asked, points...)
	}
	if s.Done() {
		if more := s.Ask(1); len(more) != 0 {
			t.Fatalf("done, but asked for %v", more)
		}
	}
	return asked
}

// Landscapes are small spaces: smooth, rugged with failures, flat, failing everywhere, and one of a single point.
func Landscapes(t *testing.T) []Landscape {
	t.Helper()
	ints := func(n int) (values []search.Value) {
		for i := range n {
			values = append(values, int64(1)<<i)
		}
		return values
	}
	newSpace := func(params []search.Param, constraints ...search.Constraint) *search.Space {
		s, err := search.NewSpace(params, constraints)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	product := &limit{vars: []string{"x", "y"}, most: 32}
	mixed := newSpace([]search.Param{
		{Name: "x", Values: ints(6)}, {Name: "y", Values: ints(4)},
		{Name: "kind", Values: []search.Value{"a", "b", "c"}}, {Name: "on", Values: []search.Value{false, true}},
		{Name: "f", Values: []search.Value{0.5, 1.0}},
	}, product)
	coords := func(s *search.Space, i int) []int { return s.Coords(i, nil) }
	smooth := func(i int) search.Outcome {
		cost := 0.0
		for p, c := range coords(mixed, i) {
			cost += math.Pow(float64(c)-1.5, 2) * float64(p+1)
		}
		return search.Outcome{Index: i, Cost: cost}
	}
	rugged := func(i int) search.Outcome {
		h := uint64(i+1) * 0x9e3779b97f4a7c15
		if h>>62 == 0 {
			return search.Outcome{Index: i, Failed: true, Verdict: "wrong"}
		}
		return search.Outcome{Index: i, Cost: float64(h>>40) / (1 << 24)}
	}
	flat := func(i int) search.Outcome { return search.Outcome{Index: i, Cost: 1} }
	failing := func(i int) search.Outcome {
		return search.Outcome{Index: i, Failed: true, Verdict: "compile-failed", Cost: math.NaN()}
	}
	single := newSpace([]search.Param{{Name: "x", Values: ints(1)}})
	line := newSpace([]search.Param{{Name: "x", Values: ints(40)}})
	return []Landscape{
		{"smooth", mixed, smooth},
		{"rugged", mixed, rugged},
		{"flat", mixed, flat},
		{"failing", mixed, failing},
		{"line", line, rugged},
		{"single", single, flat},
	}
}

// A limit bounds the product of integer parameters.
type limit struct {
	vars []string
	most int64
}

func (l *limit) String() string { return "product within limit" }
func (l *limit) Vars() []string { return l.vars }
func (l *limit) Bind(domains [][]search.Value) (search.Check, error) {
	return func(point []int) (bool, error) {
		product := int64(1)
		for i, v := range point {
			product *= domains[i][v].(int64)
		}
		return product <= l.most, nil
	}, nil
}
