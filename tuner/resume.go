package tuner

import (
	"context"
	"errors"
	"fmt"

	"github.com/krisptune/krisptune/search"
	"github.com/krisptune/krisptune/tuner/store"
)

// resume takes up the latest unfinished run of the same spec, search, measuring and device.
func (s *Session) resume(ctx context.Context, opts TuneOptions) (bool, error) {
	d := s.device()
	run, err := s.store.LatestUnfinished(ctx, store.ResumeKey{SpecHash: store.SpecHash(opts.SpecText), Strategy: s.bound.Search.Strategy,
		Mode: s.mode, Gap: s.gap, Seed: s.seed, DeviceUUID: d.UUID, DriverID: d.DriverID, DriverVersion: d.DriverVersion})
	if errors.Is(err, store.ErrNoRun) {
		s.warn("there is no unfinished run to resume: a new one begins")
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := s.store.ResumeRun(ctx, run.ID); err != nil {
		return false, err
	}
	s.run = run.ID
	// Killed before all of them were written, a run may lack arms.
	if err := s.putArms(ctx); err != nil {
		return false, err
	}
	if s.known, err = s.store.Evaluations(ctx, run.ID); err != nil {
		return false, err
	}
	races, err := s.store.Races(ctx, run.ID)
	if err != nil {
		return false, err
	}
	s.races = len(races) // seeds go on, they do not repeat
	return true, nil
}

// restoreKnown takes up what a resumed run already knows. Rejections are believed, and a pass only
// where the store knows it of the very same build (recall); times guide the search and the choice
// of finalists, and never stand beside this process's samples: the final race measures afresh.
func (s *Session) restoreKnown(ctx context.Context) ([]search.Outcome, error) {
	var known []*candidate
	last := map[int64]int{} // a candidate that failed late is kept twice: the last word counts
	for i, e := range s.known {
		last[e.SpaceIndex] = i
	}
	for i, e := range s.known {
		if last[e.SpaceIndex] != i || store.Momentary(e.Verdict) {
			continue // what held for a moment is looked at again
		}
		index := int(e.SpaceIndex)
		if index < 0 || index >= s.space.Len() || s.newCandidate(index).config.String() != e.Config.String() {
			return nil, fmt.Errorf("run %d was begun in another space, where %s was number %d: start again without --resume", s.run, e.Config, index)
		}
		c := s.candidateAt(index)
		// The baseline was proved again just now.
		if c != s.baseline {
			c.verdict, c.evidence, c.stats, c.estimate = e.Verdict, e.Evidence, e.Statistics, e.Comparison
			c.spirv = e.SPIRVSHA256
		}
		s.evaluated = append(s.evaluated, c)
		known = append(known, c)
	}
	if err := s.weigh(ctx, known); err != nil {
		return nil, err
	}
	s.known = nil
	return outcomes(known), nil
}
