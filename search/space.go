// Package search enumerates the configurations that satisfy constraints and chooses which of them to evaluate.
//
// A Space numbers its valid points from 0 to Len-1 without listing them; a Strategy asks for such numbers and
// is told what they cost.
package search

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
)

// A Space is the set of configurations that satisfy all constraints, numbered from 0.
// It is immutable and safe for concurrent use.
type Space struct {
	params  []Param
	dims    []Param // what the diagram branches on: a parameter, or one bit of a mask
	groups  []group // of parameter: its dimensions
	bounds  []bound
	order   []int           // level of the diagram to dimension
	indices []map[Value]int // of dimension: value to its index
	ranks   [][]int         // of dimension: indices in ascending order of value; nil where there is no order
	diagram *diagram
}

// NewSpace enumerates the points that satisfy all constraints. An unusable domain is a *DomainError, a space
// without points an *EmptyError; a constraint without a value at a point that all others keep is that
// constraint's error, which names the point.
func NewSpace(params []Param, constraints []Constraint) (*Space, error) {
	s, err := newSpace(params, constraints)
	if err != nil {
		return nil, err
	}
	if s.Len() == 0 {
		return nil, explainEmpty(params, constraints)
	}
	return s, nil
}

func newSpace(params []Param, constraints []Constraint) (*Space, error) {
	if err := checkParams(params); err != nil {
		return nil, err
	}
	for _, p := range params {
		if len(p.Values) == 0 && p.Bits == 0 {
			return nil, &EmptyError{Param: p.Name}
		}
	}
	s := &Space{params: params}
	var expanded []Constraint
	s.dims, s.groups, expanded = expand(params, constraints)
	bounds, err := bindVars(s.dims, expanded)
	if err != nil {
		return nil, err
	}
	s.bounds = bounds
	free, err := constantConstraints(bounds)
	if err != nil {
		return nil, err
	}
	if !free {
		s.diagram = newDiagram()
		return s, nil
	}
	if s.order, err = orderParams(s.dims, bounds); err != nil {
		return nil, err
	}
	if s.diagram, err = build(s.dims, bounds, s.order); err != nil {
		return nil, err
	}
	for _, p := range s.dims {
		index := make(map[Value]int, len(p.Values))
		for i, v := range p.Values {
			index[v] = i
		}
		s.indices = append(s.indices, index)
		s.ranks = append(s.ranks, byValue(p.Values))
	}
	return s, nil
}

// constantConstraints checks the constraints that read no parameter.
func constantConstraints(bounds []bound) (bool, error) {
	for i := range bounds {
		if len(bounds[i].vars) > 0 {
			continue
		}
		if ok, err := checkAt(&bounds[i], nil, nil); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// Params returns the parameters in the order of a Config's values. The caller must not change them.
func (s *Space) Params() []Param { return s.params }

// Len returns the number of valid points.
func (s *Space) Len() int { return int(s.diagram.count[s.diagram.root]) }

// Cartesian returns the number of points before constraints.
func (s *Space) Cartesian() *big.Int { return cartesian(s.dims) }

// Dims returns what Coords and neighbours count in: the parameters, with each mask as its bits, least first.
// The caller must not change them.
func (s *Space) Dims() []Param { return s.dims }

func cartesian(params []Param) *big.Int {
	n := big.NewInt(1)
	for _, p := range params {
		n.Mul(n, big.NewInt(int64(len(p.Values))))
	}
	return n
}

// At returns point i, 0 <= i < Len.
func (s *Space) At(i int) Config {
	coords := s.Coords(i, nil)
	cfg := make(Config, len(s.params))
	for p, g := range s.groups {
		cfg[p] = g.value(s.dims, coords)
	}
	return cfg
}

// Coords fills dst with the domain index of each dimension at point i and returns it.
// If dst is too small, a new slice is made.
func (s *Space) Coords(i int, dst []int) []int {
	if i < 0 || i >= s.Len() {
		panic(fmt.Sprintf("search: point %d of a space with %d", i, s.Len()))
	}
	if cap(dst) < len(s.dims) {
		dst = make([]int, len(s.dims))
	}
	dst = dst[:len(s.dims)]
	s.diagram.unrank(uint64(i), func(level, value int) { dst[s.order[level]] = value })
	return dst
}

// Index returns the number of a configuration; false if it is not in the space.
func (s *Space) Index(cfg Config) (int, bool) {
	coords, err := s.coordsOf(cfg)
	if err != nil {
		return 0, false
	}
	return s.IndexCoords(coords)
}

// IndexCoords is Index for domain indices, one per dimension.
func (s *Space) IndexCoords(coords []int) (int, bool) {
	r, ok := s.diagram.rank(s.diagram.root, func(l int) int { return coords[s.order[l]] }, 0, len(s.order))
	return int(r), ok
}

func (s *Space) coordsOf(cfg Config) ([]int, error) {
	if len(cfg) != len(s.params) {
		return nil, fmt.Errorf("a configuration of %d values, expected %d", len(cfg), len(s.params))
	}
	coords := make([]int, len(s.dims))
	for i, v := range cfg {
		g := s.groups[i]
		if g.bits > 0 {
			mask, ok := v.(int64)
			if !ok || mask < 0 || mask>>g.bits != 0 {
				return nil, &DomainError{Param: s.params[i].Name, Problem: fmt.Sprintf("%v is no mask, expected an integer of %d bits", v, g.bits)}
			}
			for b := range g.bits {
				coords[g.first+b] = int(mask >> b & 1)
			}
			continue
		}
		at, ok := s.indices[g.first][v]
		if !ok {
			return nil, &DomainError{Param: s.params[i].Name, Problem: fmt.Sprintf("%v is not in the domain, expected one of %v", v, s.params[i].Values)}
		}
		coords[g.first] = at
	}
	return coords, nil
}

// Named returns point i as a map from parameter name to value.
func (s *Space) Named(i int) map[string]Value {
	named := make(map[string]Value, len(s.params))
	for p, v := range s.At(i) {
		named[s.params[p].Name] = v
	}
	return named
}

// Config orders named values as a configuration. A missing, unknown or foreign value is an error;
// whether the constraints hold is not checked.
func (s *Space) Config(named map[string]Value) (Config, error) {
	cfg := make(Config, len(s.params))
	for i, p := range s.params {
		v, ok := named[p.Name]
		if !ok {
			return nil, &DomainError{Param: p.Name, Problem: "has no value"}
		}
		cfg[i] = v
	}
	if len(named) > len(s.params) {
		for name := range named {
			if !slices.ContainsFunc(s.params, func(p Param) bool { return p.Name == name }) {
				return nil, &DomainError{Param: name, Problem: "is no parameter of the space"}
			}
		}
	}
	_, err := s.coordsOf(cfg)
	return cfg, err
}

// Sample returns a point drawn uniformly.
func (s *Space) Sample(rng *rand.Rand) int { return rng.IntN(s.Len()) }
