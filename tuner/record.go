package tuner

import (
	"context"
	"math"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner/stats"
	"github.com/krisptune/krisptune/tuner/store"
)

// A raceRecord collects a race's samples, for the store and for what is reported of them.
type raceRecord struct {
	id      int64
	samples []store.Sample
	// times holds the nanoseconds of every whole round: of entry, of problem, in the order taken.
	times [][][]float64
	// current is the round being taken; it joins times only when it is whole.
	current map[[2]int]float64
	clock   plugins.Clock
	mode    plugins.Mode
	gap     plugins.Gap
}

// openRace writes a race before its first round.
func (s *Session) openRace(ctx context.Context, kind stats.Kind, seed uint64, entries []entry) (*raceRecord, error) {
	r := store.Race{Kind: kind, Seed: seed}
	for _, e := range entries {
		r.Entrants = append(r.Entrants, store.Entrant{Role: e.role, Arm: s.armRows[e.arm], Config: e.config})
	}
	id, err := s.store.BeginRace(ctx, s.run, r)
	if err != nil {
		return nil, err
	}
	rec := &raceRecord{id: id, times: make([][][]float64, len(entries)), current: map[[2]int]float64{}}
	for i := range rec.times {
		rec.times[i] = make([][]float64, len(s.problems))
	}
	return rec, nil
}

// add notes one sample.
func (r *raceRecord) add(entry, problem int, sample plugins.Sample) {
	r.samples = append(r.samples, store.Sample{Round: sample.Round, Entrant: entry, Problem: problem,
		Nanoseconds: sample.Nanoseconds, Repeats: sample.Repeats, Clock: sample.Clock, Mode: sample.Mode, Gap: sample.Gap, Verdict: sample.Verdict})
	if sample.Verdict == plugins.OK {
		r.current[[2]int{entry, problem}] = sample.Nanoseconds
		r.clock, r.mode, r.gap = sample.Clock, sample.Mode, sample.Gap
	}
}

// endRound keeps the current round if it counts.
func (r *raceRecord) endRound(counts bool) {
	if counts {
		for at, ns := range r.current {
			r.times[at[0]][at[1]] = append(r.times[at[0]][at[1]], ns)
		}
	}
	clear(r.current)
}

// last gives the entry's times on one problem in the last n rounds: a confirmation that was
// disturbed starts again, and only its last rounds count.
func (r *raceRecord) last(entry, problem, n int) []float64 {
	t := r.times[entry][problem]
	return t[max(0, len(t)-n):]
}

// mean gives the entry's weighted geometric mean over the problems in each of the last n rounds.
func (r *raceRecord) mean(entry, n int, weights []float64) []float64 {
	logs := make([]float64, len(r.last(entry, 0, n)))
	for p, w := range weights {
		for i, ns := range r.last(entry, p, n) {
			logs[i] += w * math.Log(ns)
		}
	}
	for i, l := range logs {
		logs[i] = math.Exp(l)
	}
	return logs
}

// close writes the samples, in the order taken, and how the race ended.
func (s *Session) closeRace(ctx context.Context, rec *raceRecord, race *stats.Race) error {
	if err := s.store.AppendSamples(ctx, rec.id, rec.samples...); err != nil {
		return err
	}
	rec.samples = nil
	return s.store.EndRace(ctx, rec.id, race.Rounds(), race.Standing().Declared, race.Warnings())
}

// keep makes an evaluation durable.
func (s *Session) keep(ctx context.Context, c *candidate) error {
	e := store.Evaluation{
		Arm: s.armRows[c.arm], Config: c.config, SpaceIndex: int64(c.index), Verdict: c.verdict, Evidence: c.evidence,
		Statistics: c.stats, SPIRVSHA256: c.moduleHash(), GuardVersion: plugins.GuardVersion, Comparison: c.estimate,
		Race: c.race, Entrant: c.entrant, Compile: c.compiled, Guard: c.checked,
	}
	if c.medianNS > 0 {
		e.MedianNS = &c.medianNS
	}
	if c.rejected() {
		e.Comparison, e.MedianNS = nil, nil
	}
	_, err := s.store.AppendEvaluations(ctx, s.run, e)
	return err
}
