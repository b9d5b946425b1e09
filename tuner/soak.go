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
	if err := s.furtherCases(ctx, c); err != nil || c.rejected() {
		return err
	}
	for !c.rejected() && c.soaked == nil {
		// A death is the candidate's second chance, too, in a fresh runner.
		if err := s.compile(ctx, c.arm, []*candidate{c}); err != nil || c.rejected() {
			return err
		}
		death, err := s.soakOnce(ctx, c)
		if err != nil {
			return err
		}
		if death != nil {
			if err := s.bury(ctx, c, death, "soak", false); err != nil {
				return err
			}
		}
	}
	return nil
}

// soakOnce soaks on one runner. The candidate is soaked or rejected afterwards, or the first
// error is its runner's death.
func (s *Session) soakOnce(ctx context.Context, c *candidate) (death, err error) {
	defer s.watch.enter(PhaseGuard)()
	r, err := s.fleet.get(ctx, c.arm)
	if err != nil {
		return nil, err
	}
	release, err := s.hold(ctx, exclusive) // another's work would fill the pauses
	if err != nil {
		return nil, err
	}
	defer release()
	var checks []plugins.Check
	for p := range c.builds {
		check := plugins.Check{ID: c.launch(p), Problem: s.problems[p], Config: c.config, Deadline: s.deadline,
			Soak: soakRounds, Pause: soakPause}
		if p == 0 {
			check.Cases = c.cases
		}
		checks = append(checks, check)
	}
	if err := s.references(ctx, r, checks, c); err != nil || c.rejected() {
		return nil, err
	}
	// The runner is silent until a whole soak is done.
	soaked := plugins.Evidence{}
	answers := 0
	err = attend(ctx, r.process, s.silence+time.Duration(soakRounds*(1+len(c.cases)))*s.deadline, func(ctx context.Context, alive func()) error {
		return r.process.Runner().Check(ctx, checks, func(res plugins.Checked) {
			alive()
			s.watch.shift(PhaseGuard, PhaseCompile, res.Compile)
			answers++
			if res.Verdict != plugins.OK {
				c.reject(res.Verdict, res.Evidence)
				return
			}
			soaked.Runs += res.Evidence.Runs
			soaked.Cases += res.Evidence.Cases
		})
	})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && !died(err):
		return nil, err
	case err != nil:
		return err, s.fleet.drop(c.arm)
	case spends(c.verdict):
		return nil, s.fleet.drop(c.arm)
	case !c.rejected() && answers != len(checks):
		return nil, fmt.Errorf("the runner gave %d verdicts of %d when soaking %s", answers, len(checks), c.config)
	case !c.rejected():
		c.soaked = &soaked
	}
	return nil, nil
}
