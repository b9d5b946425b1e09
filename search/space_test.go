package search_test

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/krisptune/krisptune/search"
	"pgregory.net/rapid"
)

// A predicate is a constraint made of a Go function over domain indices.
type predicate struct {
	name string
	vars []string
	ok   func(point []int) bool
}

func (p *predicate) String() string { return p.name }
func (p *predicate) Vars() []string { return p.vars }
func (p *predicate) Bind([][]search.Value) (search.Check, error) {
	return func(point []int) (bool, error) { return p.ok(point), nil }, nil
}

// drawSpace draws parameters of all types and constraints over random subsets of them.
func drawSpace(t *rapid.T) ([]search.Param, []search.Constraint) {
	n := rapid.IntRange(1, 6).Draw(t, "parameters")
	params := make([]search.Param, n)
	for i := range params {
		size := rapid.IntRange(1, 5).Draw(t, "size")
		values := make([]search.Value, size)
		kind := rapid.IntRange(0, 3).Draw(t, "kind")
		for v := range values {
			switch kind {
			case 0:
				values[v] = int64((v * 7) % 5)
			case 1:
				values[v] = float64(v) / 2
			case 2:
				values[v] = fmt.Sprint("s", v)
			default:
				values[v] = v == 1
			}
		}
		if kind == 3 && size > 2 {
			values = values[:2]
		}
		params[i] = search.Param{Name: fmt.Sprint("p", i), Values: values}
	}
	var constraints []search.Constraint
	for c := range rapid.IntRange(0, 4).Draw(t, "constraints") {
		perm := rapid.Permutation(params).Draw(t, "over")
		perm = perm[:rapid.IntRange(1, len(perm)).Draw(t, "arity")]
		p := &predicate{name: fmt.Sprint("c", c)}
		for _, v := range perm {
			p.vars = append(p.vars, v.Name)
		}
		weights := rapid.SliceOfN(rapid.IntRange(0, 6), len(perm), len(perm)).Draw(t, "weights")
		modulus := rapid.IntRange(1, 4).Draw(t, "modulus")
		p.ok = func(point []int) bool {
			sum := 0
			for i, v := range point {
				sum += weights[i] * v
			}
			return sum%modulus == 0
		}
		constraints = append(constraints, p)
	}
	return params, constraints
}

// bruteForce returns every valid configuration.
func bruteForce(t interface{ Fatal(...any) }, params []search.Param, constraints []search.Constraint) []search.Config {
	var valid []search.Config
	coords := make([]int, len(params))
	position := map[string]int{}
	for i, p := range params {
		position[p.Name] = i
	}
	var checks []search.Check
	for _, c := range constraints {
		var domains [][]search.Value
		for _, v := range c.Vars() {
			domains = append(domains, params[position[v]].Values)
		}
		check, err := c.Bind(domains)
		if err != nil {
			t.Fatal(err)
		}
		checks = append(checks, check)
	}
	var walk func(i int)
	walk = func(i int) {
		if i < len(params) {
			for v := range params[i].Values {
				coords[i] = v
				walk(i + 1)
			}
			return
		}
		for c, check := range checks {
			var point []int
			for _, v := range constraints[c].Vars() {
				point = append(point, coords[position[v]])
			}
			if ok, err := check(point); err != nil {
				t.Fatal(err)
			} else if !ok {
				return
			}
		}
		cfg := make(search.Config, len(params))
		for p, v := range coords {
			cfg[p] = params[p].Values[v]
		}
		valid = append(valid, cfg)
	}
	walk(0)
	return valid
}

func TestSpaceAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		params, constraints := drawSpace(t)
		want := bruteForce(t, params, constraints)
		s, err := search.NewSpace(params, constraints)
		if len(want) == 0 {
			var empty *search.EmptyError
			if !errors.As(err, &empty) || empty.Last == "" {
				t.Fatalf("no point is valid, but got %v", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if s.Len() != len(want) {
			t.Fatalf("%d points, brute force has %d", s.Len(), len(want))
		}
		seen := map[int]bool{}
		for _, cfg := range want {
			i, ok := s.Index(cfg)
			if !ok || seen[i] || i < 0 || i >= len(want) {
				t.Fatalf("%v has index %d, %v", cfg, i, ok)
			}
			seen[i] = true
			if back := s.At(i); !slices.Equal(back, cfg) {
				t.Fatalf("point %d is %v, expected %v", i, back, cfg)
			}
		}
		checkNeighbours(t, s, params, want)
	})
}

func checkNeighbours(t *rapid.T, s *search.Space, params []search.Param, valid []search.Config) {
	i := rapid.IntRange(0, len(valid)-1).Draw(t, "from")
	from := s.At(i)
	var hamming, adjacent []int
	nearest := map[[2]int]float64{} // parameter and direction to the least distance
	number := func(v search.Value) (float64, bool) {
		switch v := v.(type) {
		case int64:
			return float64(v), true
		case float64:
			return v, true
		}
		return 0, false
	}
	type step struct {
		index, param, sign int
		distance           float64
		ordered            bool
	}
	var steps []step
	for _, cfg := range valid {
		differs := -1
		for p := range cfg {
			if cfg[p] != from[p] {
				if differs >= 0 {
					differs = -2
					break
				}
				differs = p
			}
		}
		if differs < 0 {
			continue
		}
		index, _ := s.Index(cfg)
		hamming = append(hamming, index)
		a, ordered := number(from[differs])
		b, _ := number(cfg[differs])
		st := step{index, differs, 1, b - a, ordered}
		if b < a {
			st.sign, st.distance = -1, a-b
		}
		steps = append(steps, st)
		key := [2]int{differs, st.sign}
		if d, ok := nearest[key]; !ok || st.distance < d {
			nearest[key] = st.distance
		}
	}
	for _, st := range steps {
		if !st.ordered || st.distance == nearest[[2]int{st.param, st.sign}] {
			adjacent = append(adjacent, st.index)
		}
	}
	for kind, want := range map[search.Neighbourhood][]int{search.Hamming: hamming, search.Adjacent: adjacent} {
		got := s.Neighbours(i, kind, nil)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("neighbourhood %d of %v: %v, expected %v", kind, from, got, want)
		}
	}
}

func ints(values ...int64) (out []search.Value) {
	for _, v := range values {
		out = append(out, v)
	}
	return out
}

func TestSpaceErrors(t *testing.T) {
	a := search.Param{Name: "a", Values: ints(1, 2, 3)}
	never := &predicate{"never", []string{"a"}, func([]int) bool { return false }}
	small := &predicate{"a small", []string{"a"}, func(p []int) bool { return p[0] < 2 }}
	for _, c := range []struct {
		params      []search.Param
		constraints []search.Constraint
		want        string
	}{
		{[]search.Param{a, {Name: "b"}}, nil, "parameter b has no values"},
		{[]search.Param{a, a}, nil, "parameter a: named twice"},
		{[]search.Param{{Name: "b", Values: ints(1, 1)}}, nil, "stands twice"},
		{[]search.Param{{Name: "b", Values: []search.Value{int64(1), 1.5}}}, nil, "mix int64 and float64"},
		{[]search.Param{{Name: "b", Values: []search.Value{3}}}, nil, "is a int, expected int64"},
		{[]search.Param{a}, []search.Constraint{&predicate{"x", []string{"zz"}, nil}}, `reads zz`},
		{[]search.Param{a}, []search.Constraint{small, never}, `"never" removed the last points`},
	} {
		_, err := search.NewSpace(c.params, c.constraints)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	_, err := search.NewSpace([]search.Param{a}, []search.Constraint{small, never})
	var empty *search.EmptyError
	if !errors.As(err, &empty) {
		t.Fatal(err)
	}
	if empty.Last != "never" || empty.Removed[0].Points.Cmp(big.NewInt(1)) != 0 || empty.Removed[1].Points.Cmp(big.NewInt(2)) != 0 {
		t.Errorf("got %+v, want 1 point removed by the first and 2 by the second", empty)
	}
}

func TestExplain(t *testing.T) {
	a, b := search.Param{Name: "a", Values: ints(1, 2, 3)}, search.Param{Name: "b", Values: ints(1, 2)}
	less := &predicate{"a index > b index", []string{"b", "a"}, func(p []int) bool { return p[1] > p[0] }}
	s, err := search.NewSpace([]search.Param{a, b}, []search.Constraint{less})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.Explain(search.Config{int64(1), int64(2)}); err != nil || !slices.Equal(got, []string{less.name}) {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := s.Explain(search.Config{int64(3), int64(1)}); err != nil || len(got) != 0 {
		t.Errorf("a valid point: got %v, %v", got, err)
	}
	if _, err := s.Explain(search.Config{int64(9), int64(1)}); err == nil || !strings.Contains(err.Error(), "parameter a: 9 is not in the domain") {
		t.Errorf("a foreign value: %v", err)
	}
	if _, err := s.Config(map[string]search.Value{"a": int64(1)}); err == nil || !strings.Contains(err.Error(), "parameter b: has no value") {
		t.Errorf("a missing value: %v", err)
	}
	if _, err := s.Config(map[string]search.Value{"a": int64(1), "b": int64(1), "c": int64(1)}); err == nil || !strings.Contains(err.Error(), "parameter c") {
		t.Errorf("an unknown name: %v", err)
	}
}

// A million million points are numbered and sampled without being listed.
func TestHugeSpace(t *testing.T) {
	var params []search.Param
	for i := range 12 {
		params = append(params, search.Param{Name: fmt.Sprint("p", i), Values: ints(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)})
	}
	var constraints []search.Constraint
	for i := range 6 {
		constraints = append(constraints, &predicate{fmt.Sprint("c", i), []string{params[2*i].Name, params[2*i+1].Name}, func(p []int) bool { return p[0] <= p[1] }})
	}
	s, err := search.NewSpace(params, constraints)
	if err != nil {
		t.Fatal(err)
	}
	if want := 55 * 55 * 55 * 55 * 55 * 55; s.Len() != want {
		t.Fatalf("%d points, expected %d", s.Len(), want)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	counts := make([]int, 10)
	const draws = 55000
	for range draws {
		i := s.Sample(rng)
		cfg := s.At(i)
		if j, ok := s.Index(cfg); !ok || i != j {
			t.Fatalf("point %d has index %d", i, j)
		}
		counts[cfg[0].(int64)]++
	}
	for v, n := range counts {
		// Value v is followed by 10-v valid ones: a uniform sample has draws*(10-v)/55, here five sigma wide.
		want := float64(draws) * float64(10-v) / 55
		if d := float64(n) - want; d*d > 25*want {
			t.Errorf("value %d drawn %d times, expected about %.0f", v, n, want)
		}
	}
	r := search.NewRandom(s, 5)
	if points := r.Ask(1000); len(points) != 1000 {
		t.Errorf("%d points", len(points))
	}
}

func TestConditionalParameter(t *testing.T) {
	split := search.Param{Name: "split", Values: ints(1, 2, 4)}
	atomic := search.Param{Name: "atomic", Values: []search.Value{"no", "add", "xchg"},
		When: &predicate{"split > 1", []string{"split"}, func(p []int) bool { return p[0] > 0 }}}
	s, err := search.NewSpace([]search.Param{split, atomic}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Len() != 1+2*3 {
		t.Errorf("%d points, expected 7", s.Len())
	}
	if got, err := s.Explain(search.Config{int64(1), "add"}); err != nil || !slices.Equal(got, []string{"atomic only when split > 1"}) {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestMask(t *testing.T) {
	mask := search.Param{Name: "bits", Bits: 20}
	other := search.Param{Name: "a", Values: ints(1, 2)}
	s, err := search.NewSpace([]search.Param{other, mask}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Len() != 2<<20 {
		t.Fatalf("%d points, expected %d", s.Len(), 2<<20)
	}
	cfg := search.Config{int64(2), int64(0xabcde)}
	i, ok := s.Index(cfg)
	if !ok || !slices.Equal(s.At(i), cfg) {
		t.Fatalf("%v has index %d, %v", cfg, i, ok)
	}
	neighbours := s.Neighbours(i, search.Hamming, nil)
	if len(neighbours) != 21 {
		t.Errorf("%d neighbours, expected 20 flipped bits and one other value", len(neighbours))
	}
	if _, ok := s.Index(search.Config{int64(2), int64(1 << 20)}); ok {
		t.Error("a mask of 21 bits is in the space")
	}
	odd := &predicate{"odd mask or a first", []string{"bits", "a"}, func(p []int) bool { return p[0]&1 == 1 || p[1] == 0 }}
	small := search.Param{Name: "bits", Bits: 8}
	if s, err = search.NewSpace([]search.Param{other, small}, []search.Constraint{odd}); err != nil || s.Len() != 256+128 {
		t.Errorf("got %v, %v, expected 384 points", s, err)
	}
	small.When = &predicate{"a second", []string{"a"}, func(p []int) bool { return p[0] == 1 }}
	if s, err = search.NewSpace([]search.Param{other, small}, nil); err != nil || s.Len() != 1+256 {
		t.Errorf("got %v, %v, expected 257 points", s, err)
	}
}
