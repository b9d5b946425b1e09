package tuner

import (
	"context"
	"fmt"
	"slices"

	"github.com/krisptune/krisptune/plugins"
)

// compile has the arm's runner make the pipelines of every candidate that it does not hold yet
// and rejects those that fail. A runner that dies is replaced and the survivors are compiled
// one at a time, so that the death falls on the candidate that caused it.
func (s *Session) compile(ctx context.Context, arm int, cs []*candidate) error {
	defer s.watch.enter(PhaseCompile)()
	if s.device().Type == "cpu" {
		// There a compiler takes the time of what another tuner measures.
		release, err := s.hold(ctx, shared)
		if err != nil {
			return err
		}
		defer release()
	}
	alone := false
	for {
		r, err := s.fleet.get(ctx, arm)
		if err != nil {
			return err
		}
		var todo []*candidate
		for _, c := range live(cs) {
			// The baseline stands in a race twice.
			if !r.compiled[c.id] && !slices.Contains(todo, c) {
				todo = append(todo, c)
			}
		}
		if len(todo) == 0 {
			return nil
		}
		if alone {
			todo = todo[:1]
		}
		err = s.compileOn(ctx, r, todo)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			continue
		}
		if !died(err) {
			return err
		}
		if len(todo) == 1 {
			if err := s.bury(ctx, todo[0], err, "compile", alone); err != nil {
				return err
			}
		}
		alone = len(todo) > 1
		if err := s.fleet.drop(arm); err != nil {
			return err
		}
	}
}

// compileOn compiles todo on one runner. Every candidate ends compiled or rejected, or the
// error says why not.
func (s *Session) compileOn(ctx context.Context, r *warmRunner, todo []*candidate) error {
	owner := map[string]*candidate{}
	missing := map[*candidate]int{}
	var launches []plugins.Candidate
	for _, c := range todo {
		for p, b := range c.builds {
			owner[c.launch(p)] = c
			launches = append(launches, plugins.Candidate{ID: c.launch(p), Build: b})
		}
		missing[c] = len(c.builds)
	}
	spent := false
	err := attend(ctx, r.process, s.patience(), func(ctx context.Context, alive func()) error {
		return r.process.Runner().Compile(ctx, launches, func(res plugins.Compiled) {
			alive()
			c := owner[res.ID]
			if c == nil || spent && res.Verdict == plugins.DeviceLost {
				return // a lost device fails every pipeline after the one that lost it
			}
			missing[c]--
			c.compiled += res.Elapsed
			if res.Verdict != plugins.OK {
				c.reject(res.Verdict, res.Evidence)
			} else if c.stats == nil {
				c.stats = res.Statistics
			}
			spent = spent || spends(res.Verdict)
		})
	})
	for c, n := range missing {
		if n == 0 {
			r.compiled[c.id] = true
		}
	}
	if spent {
		return s.fleet.drop(r.arm)
	}
	if err != nil {
		return err
	}
	for c, n := range missing {
		if n > 0 {
			return fmt.Errorf("the runner gave no result for %s", c.config)
		}
	}
	return nil
}
