package tuner

import (
	"cmp"
	"context"
	"slices"

	"github.com/krisptune/krisptune/search"
	"github.com/krisptune/krisptune/tuner/arm"
	"github.com/krisptune/krisptune/tuner/store"
)

// A warmStart is a strategy that asks for given points first and then for another strategy's.
// What is known before, or from the first points, the other strategy is told when it asks for
// it: its own order is undisturbed, and a resumed run takes the same way as one that was never
// stopped.
type warmStart struct {
	inner search.Strategy
	first []int
	known map[int]search.Outcome
	hints map[int]bool // points of first that were asked for
}

var _ search.Strategy = (*warmStart)(nil)

// newWarmStart tells inner what is known when it asks for it.
func newWarmStart(inner search.Strategy, first []int, known []search.Outcome) *warmStart {
	w := &warmStart{inner: inner, first: first, known: map[int]search.Outcome{}, hints: map[int]bool{}}
	for _, o := range known {
		w.known[o.Index] = o
	}
	return w
}

// Ask implements search.Strategy.
func (w *warmStart) Ask(n int) []int {
	var points []int
	for len(w.first) > 0 && len(points) < n {
		p := w.first[0]
		w.first = w.first[1:]
		if _, ok := w.known[p]; !ok {
			points = append(points, p)
			w.hints[p] = true
		}
	}
	if len(points) > 0 {
		return points
	}
	for len(points) < n {
		asked := w.inner.Ask(n - len(points))
		if len(asked) == 0 {
			break
		}
		var told []search.Outcome
		for _, p := range asked {
			if o, ok := w.known[p]; ok {
				told = append(told, o)
			} else {
				points = append(points, p)
			}
		}
		if len(told) > 0 {
			w.inner.Tell(told)
		}
	}
	return points
}

// Tell implements search.Strategy.
func (w *warmStart) Tell(outcomes []search.Outcome) {
	var own []search.Outcome
	for _, o := range outcomes {
		if w.hints[o.Index] {
			w.known[o.Index] = o
		} else {
			own = append(own, o)
		}
	}
	if len(own) > 0 {
		w.inner.Tell(own)
	}
}

// Done implements search.Strategy.
func (w *warmStart) Done() bool { return len(w.first) == 0 && w.inner.Done() }

// warmStart begins the search with the points that were the fastest in earlier runs of the same problems, and with what
// a resumed run knows. A strategy that takes suggestions learns from them at once.
func (s *Session) warmStart(ctx context.Context, inner search.Strategy) (search.Strategy, error) {
	known, err := s.restoreKnown(ctx)
	if err != nil {
		return nil, err
	}
	var first []int
	if !s.fresh {
		// A resumed run has the same priors again, and so takes the same way.
		if first, err = s.priors(ctx); err != nil {
			return nil, err
		}
	}
	if suggesting, ok := inner.(search.Suggesting); ok {
		suggesting.Suggest(first)
		first = nil
	}
	return newWarmStart(inner, first, known), nil
}

// elsewhere is how many of another device's best points are tried where this device has none:
// configurations do not travel well.
const elsewhere = batchSize / 2

// priors names the points of the space that were the fastest in earlier runs, one batch at
// most, the best first. A point is worth what the newest run found.
func (s *Session) priors(ctx context.Context) ([]int, error) {
	all, err := s.store.Priors(ctx, s.run)
	if err != nil {
		return nil, err
	}
	most := batchSize
	if len(all) > 0 && all[0].Elsewhere {
		most = elsewhere
	}
	ratio := map[int]float64{}
	var points []int
	for _, p := range all {
		index, ok := s.indexOf(p)
		if !ok || p.Elsewhere != all[0].Elsewhere {
			continue
		}
		if _, seen := ratio[index]; !seen {
			ratio[index] = p.LogRatio
			points = append(points, index)
		}
	}
	slices.SortStableFunc(points, func(a, b int) int { return cmp.Compare(ratio[b], ratio[a]) })
	return points[:min(len(points), most)], nil
}

// indexOf finds an earlier run's point in this run's space; ok is false if it lies outside.
func (s *Session) indexOf(p store.Prior) (index int, ok bool) {
	named := map[string]search.Value{}
	for k, v := range p.Config {
		named[k] = v
	}
	at := slices.IndexFunc(s.arms, func(a arm.Arm) bool { return store.SettingsText(a.Set) == store.SettingsText(p.Settings) })
	if at < 0 {
		return 0, false
	}
	if len(s.arms) > 1 {
		named[settingsParam] = s.arms[at].Name
	}
	cfg, err := s.space.Config(named)
	if err != nil {
		return 0, false
	}
	return s.space.Index(cfg)
}
