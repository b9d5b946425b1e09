package tuner

import (
	"context"
	"fmt"
	"time"

	"github.com/krisptune/krisptune/plugins"
)

// A finalist is run soakRounds times more on every problem and guard case, with the device idle
// for soakPause between, before it may win: drivers are known that are wrong in 7 runs of 60.
const (
	soakRounds = 60
	soakPause  = 20 * time.Millisecond
)

// soak runs a candidate again and again and rejects it if any run differs from the first. What
// was run is noted with the candidate.
func (s *Session) soak(ctx context.Context, c *candidate) error {
	if c.soaked != nil || c.rejected() {
		return nil
	}
	s.observer.Stage("soak")
	if err := s.build(ctx, []*candidate{c}); err != nil {
		return err
	}
	cases, err := s.cases(ctx, c)
	if err != nil {
		return s.rejectBuild(ctx, c, s.problems[0], err)
	}
	for !c.rejected() && c.soaked == nil {
		// A death is the candidate's second chance, too, in a fresh runner.
		if err := s.compile(ctx, c.arm, []*candidate{c}); err != nil || c.rejected() {
			return err
		}
		if err := s.soakOnce(ctx, c, cases); err != nil {
			return err
		}
	}
	return nil
}

// soakOnce soaks on one runner. The candidate is soaked or rejected afterwards, or its runner
// died for the first time.
func (s *Session) soakOnce(ctx context.Context, c *candidate, cases []plugins.Case) error {
	defer s.watch.enter(PhaseGuard)()
	r, err := s.fleet.get(ctx, c.arm)
	if err != nil {
		return err
	}
	if err := s.lock.Exclusive(ctx); err != nil { // another's work would fill the pauses
		return err
	}
	defer s.lock.Unlock()
	var checks []plugins.Check
	for p := range c.builds {
		check := plugins.Check{ID: c.launch(p), Problem: s.problems[p], Config: c.config, Deadline: s.deadline,
			Soak: soakRounds, Pause: soakPause}
		if p == 0 {
			check.Cases = cases
		}
		checks = append(checks, check)
	}
	if err := s.references(ctx, r, checks); err != nil {
		return err
	}
	// The runner is silent until a whole soak is done.
	dog := watch(r, s.silence+time.Duration(soakRounds*(1+len(cases)))*s.deadline)
	defer dog.stop()
	soaked := plugins.Evidence{}
	answers := 0
	err = r.process.Runner().Check(ctx, checks, func(res plugins.Checked) {
		dog.alive()
		answers++
		if res.Verdict != plugins.OK {
			c.reject(res.Verdict, res.Evidence)
			return
		}
		soaked.Runs += res.Evidence.Runs
		soaked.Cases += res.Evidence.Cases
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && !died(err):
		return err
	case err != nil:
		c.died(err, "soak")
		return s.fleet.drop(c.arm)
	case spends(c.verdict):
		return s.fleet.drop(c.arm)
	case !c.rejected() && answers != len(checks):
		return fmt.Errorf("the runner gave %d verdicts of %d when soaking %s", answers, len(checks), c.config)
	case !c.rejected():
		c.soaked = &soaked
	}
	return nil
}
