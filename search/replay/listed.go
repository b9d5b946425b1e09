package replay

import (
	"cmp"
	"slices"
	"sort"

	"github.com/krisptune/krisptune/search"
)

// listed keeps the points of a list.
type listed struct {
	params []search.Param
	points [][]int
}

var _ search.Stepping = (*listed)(nil)

func (l *listed) String() string { return "recorded" }

func (l *listed) Vars() []string {
	names := make([]string, len(l.params))
	for i, p := range l.params {
		names[i] = p.Name
	}
	return names
}

func (l *listed) Bind([][]search.Value) (search.Check, error) {
	sorted := slices.Clone(l.points)
	slices.SortFunc(sorted, slices.Compare)
	return func(point []int) (bool, error) {
		_, ok := slices.BinarySearchFunc(sorted, point, slices.Compare)
		return ok, nil
	}, nil
}

// Steps implements search.Stepping: the state is the run of sorted points that begin with the prefix.
func (l *listed) Steps(_ [][]search.Value, order []int) (search.Stepper, error) {
	sorted := slices.Clone(l.points)
	slices.SortFunc(sorted, func(a, b []int) int {
		for _, v := range order {
			if c := cmp.Compare(a[v], b[v]); c != 0 {
				return c
			}
		}
		return 0
	})
	return &run{sorted, order}, nil
}

type run struct {
	sorted [][]int
	order  []int
}

func (r *run) Width(k int) int {
	if k == len(r.order)-1 {
		return 0
	}
	return 2
}

func (r *run) Step(k int, state []uint64, value int, out []uint64) search.Step {
	from, to := 0, len(r.sorted)
	if len(state) == 2 {
		from, to = int(state[0]), int(state[1])
	}
	within := r.sorted[from:to]
	column := r.order[k]
	low := sort.Search(len(within), func(i int) bool { return within[i][column] >= value })
	high := sort.Search(len(within), func(i int) bool { return within[i][column] > value })
	switch {
	case low == high:
		return search.Violated
	case k == len(r.order)-1:
		return search.Holds
	}
	out[0], out[1] = uint64(from+low), uint64(from+high)
	return search.Open
}
