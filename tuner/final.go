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
		if c != s.baseline {
			if err := s.keep(ctx, c); err != nil {
				return nil, err
			}
		}
		for _, other := range s.evaluated {
			other.beaten = false // perhaps by this one
		}
		s.dethrone()
	}
}

// final races the best candidates against each other and returns the leader, nil if nothing
// was timed.
func (s *Session) final(ctx context.Context) (*candidate, error) {
	var timed []*candidate
	var estimates []stats.Comparison
	for _, c := range s.evaluated {
		if !c.rejected() && !c.beaten && c.estimate != nil && c.estimate.N > 0 {
			timed = append(timed, c)
			if c.bound != nil {
				estimates = append(estimates, *c.bound)
			} else {
				estimates = append(estimates, *c.estimate)
			}
		}
	}
	best, open := stats.Finalists(estimates, finalists)
	if len(best) == 0 {
		return nil, nil
	}
	s.leftOpen = open
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
	if s.dethrone() {
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
// beforehand. Its ratio is the one that is reported.
func (s *Session) confirm(ctx context.Context, winner *candidate) (*confirmation, error) {
	s.observer.Stage("confirmation race")
	entries := []entry{{s.reference, stats.Baseline}, {s.reference, stats.Control}, {winner, stats.Candidate}}
	race, rec, err := s.race(ctx, stats.Confirmation, entries, stats.Options{})
	if err != nil {
		return nil, err
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
