package tuner

import (
	"github.com/krisptune/krisptune/plugins"
)

// longTiles is how many tiles a reduced field spans in the guard's long case: far beyond what
// one workgroup loads at once, for kernels that go wrong only after many trips of their loop.
const longTiles = 24

// guardCases returns the problems, besides the tuned one, on which a configuration is guarded:
// sizes one below, at and one above the tile in every field that supports other sizes, two
// tiles and a bit, and one long reduction. tile gives the extent that one workgroup covers in a
// field under the configuration at hand.
//
// Fields without a tile keep the tuned problem's value.
func guardCases(info plugins.Info, problem plugins.Problem, tile func(plugins.Field) (int64, error)) ([]plugins.Problem, error) {
	extent := map[string]int64{}
	for _, f := range info.Fields {
		if f.Tile == "" {
			continue
		}
		t, err := tile(f)
		if err != nil {
			return nil, err
		}
		extent[f.Name] = max(t, 1)
	}
	if len(extent) == 0 {
		return nil, nil
	}
	sizes := []func(i int, f plugins.Field, t int64) int64{
		func(_ int, f plugins.Field, t int64) int64 { return roundDown(f, t-1) },
		func(_ int, f plugins.Field, t int64) int64 { return roundUp(f, t) },
		func(_ int, f plugins.Field, t int64) int64 { return roundUp(f, t+1) },
		// Neighbouring fields differ, so that an exchanged pair of sizes shows.
		func(i int, f plugins.Field, t int64) int64 {
			if i%2 == 0 {
				return roundUp(f, 2*t+1)
			}
			return roundDown(f, 3*t-1)
		},
		func(_ int, f plugins.Field, t int64) int64 {
			if f.Reduced {
				return roundUp(f, longTiles*t+1)
			}
			return roundUp(f, t+1)
		},
	}
	seen := map[string]bool{problem.String(): true}
	var cases []plugins.Problem
	for _, size := range sizes {
		p := plugins.Problem{}
		for k, v := range problem {
			p[k] = v
		}
		i := 0
		for _, f := range info.Fields {
			if t, ok := extent[f.Name]; ok {
				p[f.Name] = size(i, f, t)
				i++
			}
		}
		if key := p.String(); !seen[key] {
			seen[key] = true
			cases = append(cases, p)
		}
	}
	return cases, nil
}

// roundDown is the largest size of field f that is at most n, or its smallest size.
func roundDown(f plugins.Field, n int64) int64 {
	step := max(f.Multiple, 1)
	return max(n/step*step, roundUp(f, f.Min), step)
}

// roundUp is the smallest size of field f that is at least n.
func roundUp(f plugins.Field, n int64) int64 {
	step := max(f.Multiple, 1)
	return (max(n, f.Min, 1) + step - 1) / step * step
}
