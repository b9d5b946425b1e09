package tuner

import (
	"context"
	"fmt"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner/emit"
	"github.com/krisptune/krisptune/tuner/stats"
	"github.com/krisptune/krisptune/tuner/store"
)

// BenchStrategy is what the store names the strategy of a run that compares named
// configurations.
const BenchStrategy = "bench"

// benchRounds are taken of every configuration, however early the fastest is known: who compares
// two configurations asks by how much they differ.
const benchRounds = 40

// BenchOptions say how configurations are compared.
type BenchOptions struct {
	SpecText string // as it is kept in the store
	Command  []string
	Fresh    bool // believe no verdict of an earlier run
}

// Bench guards the baseline and the given configurations, in the baseline's arm, and races
// those that pass, as a run of the store. A configuration that failed has its verdict in the
// result; the error is ErrRejected then. Where the baseline failed, the first that passed takes
// its place in the race and there are no ratios.
func (s *Session) Bench(ctx context.Context, db *store.Store, configs []plugins.Config, opts BenchOptions) (*emit.Bench, error) {
	s.store, s.fresh = db, opts.Fresh
	if err := s.newRun(ctx, opts.SpecText, BenchStrategy, opts.Command); err != nil {
		return nil, err
	}
	result, err := s.bench(ctx, configs)
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err != nil {
		// A comparison that was cut short is begun anew, never continued.
		state := store.Failed
		if ctx.Err() != nil {
			state = store.Interrupted
		}
		_ = s.store.FinishRun(late, s.run, state, "", nil)
		return nil, err
	}
	doc, err := result.JSON()
	if err != nil {
		return nil, err
	}
	if err := s.store.FinishRun(late, s.run, store.Done, "", doc); err != nil {
		return nil, err
	}
	for _, e := range result.Entrants {
		if e.Verdict != plugins.OK {
			return result, fmt.Errorf("%w: %s: %s", ErrRejected, plugins.Config(e.Config), e.Verdict)
		}
	}
	return result, nil
}

func (s *Session) bench(ctx context.Context, configs []plugins.Config) (*emit.Bench, error) {
	if err := s.proveBaseline(ctx); err != nil {
		return nil, err
	}
	all := make([]*candidate, len(configs))
	for i, config := range configs {
		all[i] = s.newNamed(fmt.Sprintf("named%d", i), config)
	}
	if err := s.prove(ctx, all); err != nil {
		return nil, err
	}
	race, rec, entries, err := s.benchRace(ctx, all)
	if err != nil {
		return nil, err
	}
	s.evaluated = append([]*candidate{s.baseline}, all...)
	for _, c := range s.evaluated {
		for i, e := range entries {
			if e.candidate == c && e.role != stats.Control && !c.rejected() {
				c.entrant, c.race = i, rec.id
				estimate := race.Estimate(i)
				c.estimate, c.medianNS = &estimate, stats.Summarize(rec.mean(i, estimate.N, s.weights), confidence).Median
			}
		}
		if err := s.keep(ctx, c); err != nil {
			return nil, err
		}
		s.observer.Evaluated(s.evaluation(c))
	}
	return s.benchResult(race, rec, entries), nil
}

// benchRace races those that passed, until the fastest is known or the rounds are spent. The
// race is nil if there was nothing to time.
func (s *Session) benchRace(ctx context.Context, all []*candidate) (*stats.Race, *raceRecord, []entry, error) {
	for {
		cs := live(all)
		if s.reference == nil {
			if len(cs) == 0 {
				return nil, nil, nil, nil
			}
			s.reference = cs[0]
		}
		entries := []entry{{s.reference, stats.Baseline}, {s.reference, stats.Control}}
		for _, c := range cs {
			if c != s.reference {
				entries = append(entries, entry{c, stats.Candidate})
			}
		}
		if len(entries) == 2 {
			// The reference alone: it is timed against itself.
			entries = append(entries, entry{s.reference, stats.Candidate})
		}
		s.observer.Stage("race")
		race, rec, err := s.race(ctx, stats.Final, entries, stats.Options{MinRounds: benchRounds})
		if err != nil {
			return nil, nil, nil, err
		}
		for _, w := range race.Warnings() {
			s.warn(w)
		}
		if !s.dethrone() {
			return race, rec, entries, nil
		}
	}
}

// benchResult says what a comparison found.
func (s *Session) benchResult(race *stats.Race, rec *raceRecord, entries []entry) *emit.Bench {
	b := &emit.Bench{Kernel: s.bound.Kernel.Name, Family: s.info.Name, Device: emit.DeviceOf(s.device()), Run: s.run,
		Clock: s.opened.Clock, Mode: s.mode, Gap: s.gap, OverheadNS: float64(s.opened.Overhead), Warnings: s.warnings}
	for _, c := range s.evaluated {
		e := emit.Entrant{Config: emit.Values(c.config), Settings: s.arms[c.arm].Set, Verdict: c.verdict, Message: c.evidence.Message}
		if !c.rejected() && c.race != 0 {
			sum := stats.Summarize(rec.mean(c.entrant, race.Comparison(c.entrant).N, s.weights), confidence)
			e.MedianNS, e.IntervalNS, e.Samples = &sum.Median, emit.Interval(sum.Lo, sum.Hi), sum.N
			if s.reference == s.baseline && c != s.baseline {
				ratio, lo, hi := ratioOf(race.Comparison(c.entrant))
				e.Ratio, e.RatioInterval = &ratio, emit.Interval(lo, hi)
			}
		}
		b.Entrants = append(b.Entrants, e)
	}
	if race == nil {
		return b
	}
	b.Clock, b.Rounds = rec.clock, race.Rounds()
	ratio, lo, hi := ratioOf(race.AA())
	b.AARatio, b.AARatioInterval = &ratio, emit.Interval(lo, hi)
	if standing := race.Standing(); standing.Declared {
		fastest := entries[standing.Leader].candidate
		for i, c := range s.evaluated {
			if c == fastest {
				b.Fastest = &i
			}
		}
	}
	return b
}
