package tuner

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/search"
	"github.com/krisptune/krisptune/tuner/stats"
)

const (
	// batchSize is how many candidates meet in one batch race, with the baseline twice and the
	// incumbent.
	batchSize = 8
	// finalists is how many of the best meet in the final race.
	finalists = 8
)

// Stopped says why a search ended.
type Stopped string

const (
	StoppedBudget    Stopped = "budget"          // evaluations or time are spent
	StoppedExhausted Stopped = "space-exhausted" // every configuration was evaluated
)

// search evaluates batch after batch until the budget is spent or the space exhausted.
func (s *Session) search(ctx context.Context, strategy search.Strategy) (Stopped, error) {
	s.observer.Planned(s.plannedEvaluations(), s.space.Len())
	start := time.Now()
	for {
		n := batchSize
		if b := s.bound.Search.Budget; b.Evaluations > 0 {
			n = min(n, b.Evaluations-s.Evaluated())
		} else if b.Duration > 0 && time.Since(start) >= b.Duration {
			n = 0
		}
		if n <= 0 {
			return StoppedBudget, nil
		}
		indices := strategy.Ask(n)
		if len(indices) == 0 {
			return StoppedExhausted, nil
		}
		batch := make([]*candidate, len(indices))
		for i, index := range indices {
			batch[i] = s.candidateAt(index)
		}
		if err := s.evaluate(ctx, batch); err != nil {
			return "", err
		}
		strategy.Tell(outcomes(batch))
	}
}

// plannedEvaluations is how many evaluations the budget allows in this space; 0 for a budget
// in time.
func (s *Session) plannedEvaluations() int {
	switch b := s.bound.Search.Budget; {
	case b.Evaluations > 0:
		return min(b.Evaluations, s.space.Len())
	case b.Duration > 0:
		return 0
	}
	return s.space.Len()
}

// evaluate takes a batch through build, compile, guard and race, and stores each evaluation.
func (s *Session) evaluate(ctx context.Context, batch []*candidate) error {
	if err := s.prove(ctx, batch); err != nil {
		return err
	}
	if err := s.raceBatch(ctx, batch); err != nil {
		return err
	}
	if err := s.weigh(ctx, batch); err != nil {
		return err
	}
	for _, c := range batch {
		s.evaluated = append(s.evaluated, c)
		s.holding = append(s.holding, c)
		if err := s.keep(ctx, c); err != nil {
			return err
		}
		s.crown(c)
		s.observer.Evaluated(s.evaluation(c))
	}
	s.retire()
	return s.releaseLosers(ctx)
}

// raceBatch races the candidates of a batch that passed the guard and notes their estimates. A
// reference that fails while it is timed is no reference: another takes its place.
func (s *Session) raceBatch(ctx context.Context, batch []*candidate) error {
	for {
		var passed []*candidate
		for _, c := range live(batch) {
			if c != s.baseline {
				passed = append(passed, c)
			}
		}
		if len(passed) == 0 {
			return nil
		}
		if s.reference == nil {
			// Without a baseline the first candidate that passes is what others are measured by.
			s.reference = passed[0]
		}
		entries := s.standing(passed)
		race, rec, err := s.race(ctx, stats.Batch, entries, stats.Options{Comparisons: s.comparisons()})
		if err != nil {
			return err
		}
		s.drift.add(race)
		if s.dethrone() {
			continue
		}
		for i, e := range entries {
			if e.role != stats.Candidate || e.rejected() {
				continue
			}
			if estimate := race.Estimate(i); estimate.N > 0 {
				bound := race.Comparison(i)
				e.estimate, e.bound = &estimate, &bound
				e.race, e.entrant = rec.id, i
				status, _ := race.Status(i)
				e.beaten = status == stats.Beaten
				e.medianNS = stats.Summarize(rec.mean(i, estimate.N, s.weights), confidence).Median
			}
		}
		return nil
	}
}

// dethrone gives up a reference or incumbent that was rejected while it was timed, and reports
// whether the reference was.
func (s *Session) dethrone() bool {
	if s.incumbent != nil && s.incumbent.rejected() {
		s.incumbent = nil
	}
	if s.reference == nil || !s.reference.rejected() {
		return false
	}
	if s.reference == s.baseline {
		s.warn(fmt.Sprintf("the baseline %s passed the guard and failed when it was timed: %s: %s",
			s.baseline.config, s.baseline.verdict, s.baseline.evidence.Message))
	}
	s.reference = nil
	return true
}

// prove builds, compiles and guards candidates, arm by arm.
func (s *Session) prove(ctx context.Context, cs []*candidate) error {
	if err := s.build(ctx, cs); err != nil {
		return err
	}
	if err := s.recall(ctx, cs); err != nil {
		return err
	}
	byArm := map[int][]*candidate{}
	var arms []int
	for _, c := range live(cs) {
		if byArm[c.arm] == nil {
			arms = append(arms, c.arm)
		}
		byArm[c.arm] = append(byArm[c.arm], c)
	}
	for _, arm := range arms {
		if err := s.compile(ctx, arm, byArm[arm]); err != nil {
			return err
		}
		if err := s.check(ctx, arm, byArm[arm]); err != nil {
			return err
		}
	}
	for _, c := range cs {
		if err := s.remember(ctx, c); err != nil {
			return err
		}
		c.cases = nil
	}
	return nil
}

// standing is the entries of a race: the reference under two labels, the incumbent, and the
// candidates.
func (s *Session) standing(cs []*candidate) []entry {
	entries := []entry{{s.reference, stats.Baseline}, {s.reference, stats.Control}}
	if s.incumbent != nil && s.incumbent != s.reference {
		entries = append(entries, entry{s.incumbent, stats.Incumbent})
	}
	for _, c := range cs {
		entries = append(entries, entry{c, stats.Candidate})
	}
	return entries
}

// comparisons is how many candidates share the error probability of the run's claims.
func (s *Session) comparisons() int {
	if n := s.plannedEvaluations(); n > 0 {
		return max(n, batchSize)
	}
	return s.space.Len() // a budget in time: no more than all of them
}

// crown makes a candidate the incumbent if its estimate is the best so far. The incumbent is
// where the search looks from; nothing is claimed of it.
func (s *Session) crown(c *candidate) {
	if c.rejected() || c.estimate == nil || c.estimate.N == 0 {
		return
	}
	if s.incumbent == nil || s.incumbent.estimate == nil || c.estimate.LogRatio > s.incumbent.estimate.LogRatio {
		s.incumbent = c
	}
}

// ready builds and compiles entries again where their runner was replaced, they were released,
// or they come from an earlier run.
func (s *Session) ready(ctx context.Context, entries []entry) error {
	byArm := map[int][]*candidate{}
	for _, e := range entries {
		if err := s.build(ctx, []*candidate{e.candidate}); err != nil {
			return err
		}
		byArm[e.arm] = append(byArm[e.arm], e.candidate)
	}
	for arm, cs := range byArm {
		if err := s.compile(ctx, arm, cs); err != nil {
			return err
		}
	}
	return nil
}

// releaseLosers frees what runners and this process keep for candidates that are neither
// reference nor incumbent; finalists are built and compiled again, from the driver's cache.
func (s *Session) releaseLosers(ctx context.Context) error {
	ids := map[int][]string{}
	s.holding = slices.DeleteFunc(s.holding, func(c *candidate) bool {
		if c == s.baseline || c == s.reference || c == s.incumbent {
			return false
		}
		if r := s.fleet.runners[c.arm]; r != nil && r.compiled[c.id] {
			ids[c.arm] = append(ids[c.arm], c.launches()...)
			delete(r.compiled, c.id)
		}
		c.builds = nil
		return true
	})
	for arm, ids := range ids {
		p := s.fleet.runners[arm].process
		err := attend(ctx, p, s.patience(), func(ctx context.Context, _ func()) error { return p.Runner().Release(ctx, ids) })
		if err != nil {
			if !died(err) {
				return err
			}
			if err := s.fleet.drop(arm); err != nil {
				return err
			}
		}
	}
	return nil
}

// outcomes tells a strategy what became of a batch.
func outcomes(batch []*candidate) []search.Outcome {
	out := make([]search.Outcome, len(batch))
	for i, c := range batch {
		o := search.Outcome{Index: c.index, Verdict: string(c.verdict)}
		if c.rejected() || c.estimate == nil {
			o.Failed = true
		} else {
			o.Cost, o.Others = -c.estimate.LogRatio, c.others()
		}
		out[i] = o
	}
	return out
}

// evaluation is what an observer sees of a candidate.
func (s *Session) evaluation(c *candidate) Evaluation {
	e := Evaluation{Config: c.config, Arm: s.arms[c.arm].Name, Verdict: c.verdict, Evidence: c.evidence, Ratio: c.estimate}
	if s.incumbent != nil && s.incumbent.estimate != nil {
		e.Best = s.incumbent.estimate.Ratio()
	}
	if c.rejected() || c.verdict == "" {
		e.Ratio = nil
	}
	if e.Verdict == "" {
		e.Verdict = plugins.PluginError
	}
	return e
}
