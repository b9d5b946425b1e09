package search_test

import (
	"testing"

	"github.com/krisptune/krisptune/search"
	"github.com/krisptune/krisptune/search/searchtest"
)

func TestConformance(t *testing.T) {
	for name, make := range map[string]func(*search.Space, uint64) search.Strategy{
		"exhaustive": func(s *search.Space, _ uint64) search.Strategy { return search.NewExhaustive(s) },
		"random":     func(s *search.Space, seed uint64) search.Strategy { return search.NewRandom(s, seed) },
	} {
		t.Run(name, func(t *testing.T) { searchtest.Conform(t, make) })
	}
}
