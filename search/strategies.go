package search

import (
	"fmt"
	"slices"
	"strings"
)

// strategies by name, best first.
var strategies = []struct {
	name string
	make func(*Space, uint64) Strategy
}{
	{"auto", func(s *Space, seed uint64) Strategy { return NewAuto(s, seed) }},
	{"surrogate", func(s *Space, seed uint64) Strategy { return NewSurrogate(s, seed) }},
	{"genetic", NewGenetic},
	{"evolution", NewEvolution},
	{"swarm", NewSwarm},
	{"annealing", NewAnnealing},
	{"tabu", NewTabu},
	{"greedy", NewGreedy},
	{"cma-es", NewCMAES},
	{"nelder-mead", NewNelderMead},
	{"latin", func(s *Space, seed uint64) Strategy { return NewLatin(s, seed) }},
	{"random", func(s *Space, seed uint64) Strategy { return NewRandom(s, seed) }},
	{"exhaustive", func(s *Space, _ uint64) Strategy { return NewExhaustive(s) }},
}

// Names returns the names of the strategies; the first is the default.
func Names() []string {
	names := make([]string, len(strategies))
	for i, s := range strategies {
		names[i] = s.name
	}
	return names
}

// New returns the strategy with the given name; "" is the default.
func New(name string, space *Space, seed uint64) (Strategy, error) {
	if name == "" {
		name = strategies[0].name
	}
	if err := Known(name); err != nil {
		return nil, err
	}
	i := slices.Index(Names(), name)
	return strategies[i].make(space, seed), nil
}

// Known returns an error unless a strategy has the given name.
func Known(name string) error {
	if !slices.Contains(Names(), name) {
		return fmt.Errorf("unknown strategy %q, expected one of %s", name, strings.Join(Names(), ", "))
	}
	return nil
}
