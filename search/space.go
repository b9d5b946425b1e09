// Package search enumerates the configurations that satisfy constraints and chooses which of them to evaluate.
//
// A Space numbers its valid points from 0 to Len-1 without listing them; a Strategy asks for such numbers and
// is told what they cost.
package search

import (
	"fmt"
	"math/big"
	"math/rand/v2"
)

// A Space is the set of configurations that satisfy all constraints, numbered from 0.
// It is immutable and safe for concurrent use.
type Space struct {
	params  []Param
	bounds  []bound
	order   []int // level of the diagram to parameter
	levelOf []int
	indices []map[Value]int // of parameter: value to its index
	ranks   [][]int         // of parameter: indices in ascending order of value; nil where there is no order
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
		if len(p.Values) == 0 {
			return nil, &EmptyError{Param: p.Name}
		}
	}
	bounds, err := bindVars(params, constraints)
	if err != nil {
		return nil, err
	}
	s := &Space{params: params, bounds: bounds, levelOf: make([]int, len(params))}
	free, err := constantConstraints(bounds)
	if err != nil {
		return nil, err
	}
	if !free {
		s.diagram = newDiagram()
		return s, nil
	}
	if s.order, err = orderParams(params, bounds); err != nil {
		return nil, err
	}
	for l, p := range s.order {
		s.levelOf[p] = l
	}
	if s.diagram, err = build(params, bounds, s.order); err != nil {
		return nil, err
	}
	for _, p := range params {
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
func (s *Space) Cartesian() *big.Int { return cartesian(s.params) }

func cartesian(params []Param) *big.Int {
	n := big.NewInt(1)
	for _, p := range params {
		n.Mul(n, big.NewInt(int64(len(p.Values))))
	}
	return n
}

// At returns point i, 0 <= i < Len.
func (s *Space) At(i int) Config {
	cfg := make(Config, len(s.params))
	s.unrank(i, func(p, value int) { cfg[p] = s.params[p].Values[value] })
	return cfg
}

// Coords fills dst with the domain index of each parameter at point i and returns it.
// If dst is too small, a new slice is made.
func (s *Space) Coords(i int, dst []int) []int {
	if cap(dst) < len(s.params) {
		dst = make([]int, len(s.params))
	}
	dst = dst[:len(s.params)]
	s.unrank(i, func(p, value int) { dst[p] = value })
	return dst
}

func (s *Space) unrank(i int, visit func(param, value int)) {
	if i < 0 || i >= s.Len() {
		panic(fmt.Sprintf("search: point %d of a space with %d", i, s.Len()))
	}
	s.diagram.unrank(uint64(i), func(level, value int) { visit(s.order[level], value) })
}

// Index returns the number of a configuration; false if it is not in the space.
func (s *Space) Index(cfg Config) (int, bool) {
	coords, err := s.coordsOf(cfg)
	if err != nil {
		return 0, false
	}
	return s.IndexCoords(coords)
}

// IndexCoords is Index for domain indices, one per parameter.
func (s *Space) IndexCoords(coords []int) (int, bool) {
	r, ok := s.diagram.rank(s.diagram.root, func(l int) int { return coords[s.order[l]] }, 0, len(s.order))
	return int(r), ok
}

func (s *Space) coordsOf(cfg Config) ([]int, error) {
	if len(cfg) != len(s.params) {
		return nil, fmt.Errorf("a configuration of %d values, expected %d", len(cfg), len(s.params))
	}
	coords := make([]int, len(cfg))
	for i, v := range cfg {
		at, ok := s.indices[i][v]
		if !ok {
			return nil, &DomainError{Param: s.params[i].Name, Problem: fmt.Sprintf("%v is not in the domain, expected one of %v", v, s.params[i].Values)}
		}
		coords[i] = at
	}
	return coords, nil
}

// Named returns point i as a map from parameter name to value.
func (s *Space) Named(i int) map[string]Value {
	cfg := make(map[string]Value, len(s.params))
	s.unrank(i, func(p, value int) { cfg[s.params[p].Name] = s.params[p].Values[value] })
	return cfg
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
			if _, ok := s.param(name); !ok {
				return nil, &DomainError{Param: name, Problem: "is no parameter of the space"}
			}
		}
	}
	_, err := s.coordsOf(cfg)
	return cfg, err
}

func (s *Space) param(name string) (int, bool) {
	for i, p := range s.params {
		if p.Name == name {
			return i, true
		}
	}
	return 0, false
}

// Sample returns a point drawn uniformly.
func (s *Space) Sample(rng *rand.Rand) int { return rng.IntN(s.Len()) }
