package search_test

import (
	"testing"

	"github.com/krisptune/krisptune/search"
	"github.com/krisptune/krisptune/search/searchtest"
)

func TestConformance(t *testing.T) {
	for _, name := range search.Names() {
		t.Run(name, func(t *testing.T) {
			searchtest.Conform(t, func(space *search.Space, seed uint64) search.Strategy {
				s, err := search.New(name, space, seed)
				if err != nil {
					t.Fatal(err)
				}
				return s
			})
		})
	}
}
