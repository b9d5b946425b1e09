package search

import (
	"slices"
	"testing"
)

func TestFront(t *testing.T) {
	at := func(i int, cost, memory float64) Outcome {
		return Outcome{Index: i, Cost: cost, Others: []float64{memory}}
	}
	failed := Outcome{Index: 9, Failed: true}
	front := Front([]Outcome{at(1, 5, 1), at(2, 3, 3), failed, at(3, 3, 4), at(4, 1, 7), at(5, 4, 3), at(6, 1, 7), at(7, 5, 2)})
	var points []int
	for _, o := range front {
		points = append(points, o.Index)
	}
	if want := []int{4, 2, 1}; !slices.Equal(points, want) {
		t.Errorf("front %v, want %v", points, want)
	}
	if one := Front([]Outcome{{Index: 1, Cost: 2}, {Index: 2, Cost: 1}}); len(one) != 1 || one[0].Index != 2 {
		t.Errorf("the front of one objective is %v", one)
	}
}

// With two objectives the surrogate covers more of their Pareto set than random search does, and than it does itself when it is
// told of the first alone.
func TestSurrogateFindsTheFront(t *testing.T) {
	var params []Param
	for _, name := range []string{"a", "b", "c", "d"} {
		var values []Value
		for v := range 10 {
			values = append(values, int64(v))
		}
		params = append(params, Param{Name: name, Values: values})
	}
	space, err := NewSpace(params, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Fast needs a tile of 8, small one of 1; b to d have one best value each for both.
	outcome := func(i int) Outcome {
		c := space.Coords(i, nil)
		apart := 0.0
		for d, best := range []int{6, 2, 4} {
			apart += 0.1 * float64((c[d+1]-best)*(c[d+1]-best))
		}
		square := func(x float64) float64 { return x * x / 49 }
		return Outcome{Index: i, Cost: square(float64(c[0])-8) + apart, Others: []float64{square(float64(c[0])-1) + apart}}
	}
	// area is what the front covers of the rectangle up to (2, 2).
	area := func(s Strategy, both bool) float64 {
		var all []Outcome
		for range 60 {
			o := outcome(s.Ask(1)[0])
			all = append(all, o)
			if !both {
				o.Others = nil
			}
			s.Tell([]Outcome{o})
		}
		sum, above := 0.0, 2.0
		for _, o := range Front(all) {
			if o.Cost < 2 && o.Others[0] < above {
				sum += (2 - o.Cost) * (above - o.Others[0])
				above = o.Others[0]
			}
		}
		return sum
	}
	const seeds = 5
	var both, one, random float64
	for seed := range uint64(seeds) {
		both += area(NewSurrogate(space, seed), true) / seeds
		one += area(NewSurrogate(space, seed), false) / seeds
		random += area(NewRandom(space, seed), true) / seeds
	}
	t.Logf("area %.3f with both objectives, %.3f with one, %.3f at random", both, one, random)
	if both < one+0.1 || both < random+0.1 {
		t.Errorf("area %.3f with both objectives, %.3f with one, %.3f at random", both, one, random)
	}
}
