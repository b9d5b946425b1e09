package tuner

import (
	"context"
	"fmt"

	"github.com/krisptune/krisptune/tuner/stats"
)

// leader is the winner of the final race that endures a soak; nil if nothing does. A leader that
// fails is out, and the final race is run again among the rest.
func (s *Session) leader(ctx context.Context) (*candidate, error) {
	for {
		c, err := s.final(ctx)
		if c == nil || err != nil {
			return nil, err
		}
		if err := s.soak(ctx, c); err != nil || !c.rejected() {
			return c, err
		}
		s.warn(fmt.Sprintf("%s led the final race and failed when soaked: %s: %s", c.config, c.verdict, c.evidence.Message))
		if err := s.strike(ctx, c); err != nil {
			return nil, err
		}
	}
}

// strike takes out candidates that had passed the guard and failed later: what the store says of
// them is put right, and whom they beat is in again.
func (s *Session) strike(ctx context.Context, cs ...*candidate) error {
	struck := false
	for _, c := range cs {
		if !c.rejected() {
			continue
		}
		struck = true
		if c != s.baseline {
			if err := s.keep(ctx, c); err != nil {
				return err
			}
		}
	}
	if struck {
		for _, other := range s.evaluated {
			other.beaten = false
		}
		s.dethrone()
	}
	return nil
}

// crowned is the winner and its confirmation race; nil if nothing passed. A winner or reference
// that fails in that race is out, and the next leader is looked for.
func (s *Session) crowned(ctx context.Context) (*candidate, *confirmation, error) {
	for {
		winner, err := s.leader(ctx)
		if winner == nil || err != nil {
			return nil, nil, err
		}
		confirmed, err := s.confirm(ctx, winner)
		if confirmed != nil || err != nil {
			return winner, confirmed, err
		}
		if err := s.strike(ctx, s.reference, winner); err != nil {
			return nil, nil, err
		}
	}
}

// final races the best candidates against each other and returns the leader, nil if nothing
// was timed.
func (s *Session) final(ctx context.Context) (*candidate, error) {
	var timed []*candidate
	var estimates []stats.Comparison
	for _, c := range s.evaluated {
		if c.mayWin() {
			timed = append(timed, c)
			estimates = append(estimates, c.interval())
		}
	}
	best, open := stats.Finalists(estimates, finalists)
	if len(best) == 0 {
		return s.reference, nil // everybody else is beaten; nil if nothing passed at all
	}
	s.leftOpen = open + s.retired.open(estimates[best[0]].Lo)
	if s.reference == nil {
		s.reference = timed[best[0]]
	}
	var cs []*candidate
	for _, i := range best {
		if timed[i] != s.reference {
			cs = append(cs, timed[i])
		}
	}
	if len(cs) == 0 {
		return s.reference, nil
	}
	s.observer.Stage("final race")
	s.incumbent = nil
	// What a resumed run believed of another guard's version is proved again.
	if err := s.prove(ctx, cs); err != nil {
		return nil, err
	}
	if cs = live(cs); len(cs) == 0 {
		return s.final(ctx)
	}
	entries := s.standing(cs)
	race, _, err := s.race(ctx, stats.Final, entries, stats.Options{})
	if err != nil {
		return nil, err
	}
	for _, w := range race.Warnings() {
		s.warn(w)
	}
	before := s.reference
	if err := s.strike(ctx, append(cs, before)...); err != nil {
		return nil, err
	}
	if s.reference != before {
		return s.final(ctx) // the rejected are out: with each turn there are fewer
	}
	standing := race.Standing()
	if standing.Leader < 0 {
		return s.reference, nil
	}
	s.declared = standing.Declared
	return entries[standing.Leader].candidate, nil
}

// confirm races the winner and the baseline alone, in fresh rounds of a number fixed
// beforehand. Its ratio is the one that is reported; nil if one of the two failed.
func (s *Session) confirm(ctx context.Context, winner *candidate) (*confirmation, error) {
	s.observer.Stage("confirmation race")
	entries := []entry{{s.reference, stats.Baseline}, {s.reference, stats.Control}, {winner, stats.Candidate}}
	race, rec, err := s.race(ctx, stats.Confirmation, entries, stats.Options{})
	if err != nil {
		return nil, err
	}
	if s.reference.rejected() || winner.rejected() {
		return nil, nil
	}
	for _, w := range race.Warnings() {
		s.warn(w)
	}
	confirmed, err := race.Confirmed()
	if err != nil {
		return nil, fmt.Errorf("confirmation race: %w", err)
	}
	return &confirmation{race, rec, confirmed}, nil
}
