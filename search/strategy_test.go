package search_test

import (
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

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

func TestUnknownStrategy(t *testing.T) {
	if _, err := search.New("best", searchtest.Landscapes(t)[0].Space, 0); err == nil || !strings.Contains(err.Error(), "expected one of auto, surrogate") {
		t.Errorf("got %v", err)
	}
}

// A strategy that is dropped half way leaves no goroutine behind.
func TestDroppedStrategiesEnd(t *testing.T) {
	l := searchtest.Landscapes(t)[0]
	before := runtime.NumGoroutine()
	for _, name := range search.Names() {
		for seed := range uint64(20) {
			s, _ := search.New(name, l.Space, seed)
			searchtest.Drive(t, s, l, 1, 10)
		}
	}
	for range 100 {
		runtime.GC()
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// Where a region fails, the model learns to stay out of it.
func TestSurrogateAvoidsFailures(t *testing.T) {
	l := searchtest.Landscapes(t)[0]
	cost := l.Outcome
	l.Outcome = func(i int) search.Outcome {
		o := cost(i)
		// A third of the space fails, and it would be the best third.
		o.Failed = l.Space.Coords(i, nil)[0] < 2
		return o
	}
	for _, name := range []string{"surrogate", "auto"} {
		failed := 0
		for seed := range uint64(5) {
			s, _ := search.New(name, l.Space, seed)
			for _, i := range searchtest.Drive(t, s, l, 1, 60)[30:] {
				if l.Outcome(i).Failed {
					failed++
				}
			}
		}
		if share := float64(failed) / 150; share > 0.15 {
			t.Errorf("%s: %.0f%% of the second 30 points fail, 37%% of the space does", name, 100*share)
		}
	}
}

// Outcomes of an earlier run count, and their points are not asked again; suggested points come first.
func TestWarmStart(t *testing.T) {
	l := searchtest.Landscapes(t)[0]
	for _, name := range search.Names() {
		if name == "exhaustive" || name == "random" || name == "latin" {
			continue // they learn nothing
		}
		first, _ := search.New(name, l.Space, 1)
		var earlier []search.Outcome
		known := map[int]bool{}
		for _, i := range searchtest.Drive(t, first, l, 1, 40) {
			earlier = append(earlier, l.Outcome(i))
			known[i] = true
		}
		second, _ := search.New(name, l.Space, 2)
		second.Tell(earlier)
		for _, i := range searchtest.Drive(t, second, l, 1, 40) {
			if known[i] {
				t.Errorf("%s asks for point %d, which the earlier run told", name, i)
			}
		}
	}
	a := search.NewAuto(l.Space, 3)
	a.Suggest([]int{5, 17})
	if got := a.Ask(2); !slices.Equal(got, []int{5, 17}) {
		t.Errorf("asked %v, want the suggested 5 and 17", got)
	}
}

func BenchmarkSurrogateAt200(b *testing.B) {
	var params []search.Param
	for p := range 10 {
		params = append(params, search.Param{Name: string(rune('a' + p)), Values: ints(1, 2, 4, 8)})
	}
	space, err := search.NewSpace(params, nil)
	if err != nil {
		b.Fatal(err)
	}
	outcome := func(i int) search.Outcome {
		cost := 0.0
		for d, c := range space.Coords(i, nil) {
			cost += math.Abs(float64(c) - float64(d%4))
		}
		return search.Outcome{Index: i, Cost: cost}
	}
	s := search.NewSurrogate(space, 1)
	step := func() {
		for _, i := range s.Ask(1) {
			s.Tell([]search.Outcome{outcome(i)})
		}
	}
	for range 200 {
		step()
	}
	for b.Loop() {
		step()
	}
}
