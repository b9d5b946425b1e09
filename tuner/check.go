package tuner

import (
	"context"
	"fmt"

	"github.com/krisptune/krisptune/plugins"
)

// check guards compiled candidates of one arm; those that pass have the verdict ok afterwards.
func (s *Session) check(ctx context.Context, arm int, cs []*candidate) error {
	pending := unguarded(cs)
	for _, c := range pending {
		if err := s.furtherCases(ctx, c); err != nil {
			return err
		}
	}
	alone := false
	for {
		if pending = unguarded(pending); len(pending) == 0 {
			return nil
		}
		batch := pending
		if alone {
			batch = pending[:1]
		}
		// The runner may have been replaced: what it held is compiled again.
		if err := s.compile(ctx, arm, batch); err != nil {
			return err
		}
		if batch = live(batch); len(batch) == 0 {
			continue
		}
		death, err := s.checkBatch(ctx, arm, batch)
		if err != nil {
			return err
		}
		switch {
		case death == nil:
		case len(batch) == 1:
			if err := s.bury(ctx, batch[0], death, "guard", alone); err != nil {
				return err
			}
			alone = false
		default:
			// A process that dies takes answers with it that were not delivered: who killed it
			// is not known until that one is alone.
			alone = true
		}
	}
}

// unguarded filters out the candidates that have a verdict.
func unguarded(cs []*candidate) []*candidate {
	var out []*candidate
	for _, c := range live(cs) {
		if !c.guarded {
			out = append(out, c)
		}
	}
	return out
}

// checkBatch guards candidates in order until all have a verdict or the runner is lost. The
// first error is the runner's death.
func (s *Session) checkBatch(ctx context.Context, arm int, pending []*candidate) (death, err error) {
	defer s.watch.enter(PhaseGuard)()
	r, err := s.fleet.get(ctx, arm)
	if err != nil {
		return nil, err
	}
	release, err := s.hold(ctx, shared)
	if err != nil {
		return nil, err
	}
	defer release()

	owner := map[string]*candidate{}
	var checks []plugins.Check
	for _, c := range pending {
		for p := range c.builds {
			check := plugins.Check{ID: c.launch(p), Problem: s.problems[p], Config: c.config, Deadline: s.deadline}
			if p == 0 {
				check.Cases = c.cases
			}
			owner[check.ID] = c
			checks = append(checks, check)
		}
	}
	switch err := s.references(ctx, r, checks, pending...); {
	case err != nil && died(err):
		return err, s.fleet.drop(arm)
	case err != nil:
		return nil, err
	case len(live(pending)) < len(pending):
		return nil, nil // without the rejected the rest is checked next
	}
	passed := map[*candidate]int{}
	checked := map[*candidate]plugins.Evidence{} // counts problems and runs
	spent := false
	err = attend(ctx, r.process, s.patience(), func(ctx context.Context, alive func()) error {
		return r.process.Runner().Check(ctx, checks, func(res plugins.Checked) {
			alive()
			c := owner[res.ID]
			if c == nil || spent {
				return // a spent runner fails every check after the one that spent it
			}
			c.checked += res.Elapsed - res.Compile
			c.compiled += res.Compile
			s.watch.shift(PhaseGuard, PhaseCompile, res.Compile)
			if res.Verdict != plugins.OK {
				c.reject(res.Verdict, res.Evidence)
				spent = spent || spends(res.Verdict)
				return
			}
			all := checked[c]
			all.Cases, all.Runs = all.Cases+res.Evidence.Cases, all.Runs+res.Evidence.Runs
			checked[c] = all
			if passed[c]++; passed[c] == len(c.builds) && !c.rejected() {
				c.verdict, c.evidence, c.guarded = plugins.OK, all, true
			}
		})
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	left := unguarded(pending)
	switch {
	case spent:
		return nil, s.fleet.drop(arm)
	case err != nil && !died(err):
		return nil, err
	case err != nil:
		return err, s.fleet.drop(arm)
	case len(left) > 0:
		return nil, fmt.Errorf("the runner gave no verdict for %s", left[0].config)
	}
	return nil, nil
}

// references has the family compute what the named operations do not cover, for checks of the
// candidates cs. A family that cannot costs the candidate that asked.
func (s *Session) references(ctx context.Context, r *warmRunner, checks []plugins.Check, cs ...*candidate) error {
	var requests []plugins.ReferenceRequest
	err := attend(ctx, r.process, s.patience(), func(ctx context.Context, _ func()) (err error) {
		requests, err = r.process.Runner().Inputs(ctx, checks)
		return err
	})
	if err != nil {
		return err
	}
	for _, req := range requests {
		err := s.ask(ctx, func(ctx context.Context, f plugins.Family) error {
			family, ok := f.(plugins.FamilyWithReference)
			if !ok {
				return fmt.Errorf("family %s names no reference operation and computes none: its kernels cannot be proved correct", s.info.Name)
			}
			return family.Reference(ctx, req)
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, c := range cs {
			if err != nil && c.config.String() == req.Config.String() {
				c.reject(plugins.PluginError, plugins.Evidence{Check: "reference", Problem: req.Problem.String(), Message: err.Error()})
			}
		}
	}
	return nil
}
