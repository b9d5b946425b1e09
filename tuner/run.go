package tuner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/search"
	"github.com/krisptune/krisptune/tuner/emit"
	"github.com/krisptune/krisptune/tuner/stats"
	"github.com/krisptune/krisptune/tuner/store"
)

// TuneOptions say how a tuning run searches and where it keeps and writes results.
type TuneOptions struct {
	SpecText string // as it is kept in the store
	Command  []string
	// Out is the folder for the emitted files.
	Out string
	// Resume continues the latest unfinished run of the same spec, seed and device; Fresh
	// believes no verdict of an earlier run.
	Resume, Fresh bool
	// NoBaseline lets a run succeed whose baseline fails the guard.
	NoBaseline bool
}

// ErrBaselineWrong ends a run whose baseline failed the guard: there are no ratios.
var ErrBaselineWrong = errors.New("the baseline failed the guard")

// ErrRejected ends a comparison in which the guard rejected a configuration.
var ErrRejected = errors.New("a configuration failed the guard")

// ErrNothingPassed ends a run in which the guard rejected every candidate.
var ErrNothingPassed = errors.New("no candidate passed the guard: nothing is emitted")

// Tune searches the space, races the best, and emits what it found. The result is there with
// ErrBaselineWrong and ErrNothingPassed too.
func (s *Session) Tune(ctx context.Context, db *store.Store, opts TuneOptions) (*emit.Result, error) {
	s.store, s.fresh = db, opts.Fresh
	if err := s.dropDead(ctx); err != nil {
		return nil, err
	}
	strategy, err := s.newStrategy()
	if err != nil {
		return nil, err
	}
	if err := s.beginRun(ctx, opts); err != nil {
		return nil, err
	}
	result, err := s.tune(ctx, strategy, opts)
	if err := s.finishRun(ctx, result); err != nil {
		return result, err
	}
	return result, err
}

// finishRun writes how the run ended.
func (s *Session) finishRun(ctx context.Context, result *emit.Result) error {

	// The run's end must be written although ctx may be done.
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	state, outcome := store.Done, ""
	var doc json.RawMessage
	switch {
	case result == nil:
		// A user's interrupt, or a device or driver that failed and may be back tomorrow: what
		// was found is resumable.
		state = store.Interrupted
	default:
		outcome = string(result.Outcome)
		var encodeErr error
		if doc, encodeErr = emit.JSON(*result); encodeErr != nil {
			return encodeErr
		}
	}
	return s.store.FinishRun(late, s.run, state, outcome, doc)
}

// Progress is what a run has come to so far: verdicts counted, and its wall time by phase.
func (s *Session) Progress() (map[plugins.Verdict]int, emit.Wall) {
	return s.verdicts(), s.wall()
}

// Run is the number of the session's run in the store.
func (s *Session) Run() int64 { return s.run }

// Evaluated is how many evaluations the run has made.
func (s *Session) Evaluated() int { return s.retired.n + len(s.evaluated) }

func (s *Session) tune(ctx context.Context, strategy search.Strategy, opts TuneOptions) (*emit.Result, error) {
	if err := s.proveBaseline(ctx); err != nil {
		return nil, err
	}
	warm, err := s.warmStart(ctx, strategy)
	if err != nil {
		return nil, err
	}
	stopped, err := s.search(ctx, warm)
	if err != nil {
		return nil, err
	}
	winner, confirmed, err := s.crowned(ctx)
	if err != nil {
		return nil, err
	}
	result, err := s.result(stopped, winner, confirmed, opts)
	if err != nil {
		return nil, err
	}
	if result.Outcome == emit.NonePassed {
		return result, ErrNothingPassed
	}
	if err := s.emit(ctx, result, opts.Out); err != nil {
		return nil, err
	}
	if s.baseline.rejected() && !opts.NoBaseline {
		return result, fmt.Errorf("%w: %s", ErrBaselineWrong, s.baseline.verdict)
	}
	return result, nil
}

// proveBaseline guards the baseline first: it is what every ratio stands on.
func (s *Session) proveBaseline(ctx context.Context) error {
	s.baseline = s.newBaseline()
	if err := s.prove(ctx, []*candidate{s.baseline}); err != nil {
		return err
	}
	if s.baseline.rejected() {
		s.warn(fmt.Sprintf("the baseline %s failed the guard: %s: %s", s.baseline.config, s.baseline.verdict, s.baseline.evidence.Message))
		return nil
	}
	s.reference = s.baseline
	return s.setDeadline(ctx)
}

// deadlineFactor and minDeadline bound a dispatch relative to the baseline's time.
const (
	deadlineFactor = 20
	minDeadline    = 2 * time.Second
)

// setDeadline times the baseline once, for the deadline of everything else.
func (s *Session) setDeadline(ctx context.Context) error {
	race, rec, err := s.race(ctx, stats.Batch, []entry{{s.baseline, stats.Baseline}, {s.baseline, stats.Control}, {s.baseline, stats.Candidate}},
		stats.Options{MinRounds: 1, MaxRounds: 1, Comparisons: 1})
	if err != nil {
		return err
	}
	if s.baseline.rejected() || race.Rounds() == 0 {
		s.reference = nil
		return nil
	}
	longest := 0.0
	for p := range s.problems {
		for _, ns := range rec.last(0, p, race.Rounds()) {
			longest = max(longest, ns)
		}
	}
	s.deadline = max(minDeadline, time.Duration(deadlineFactor*longest))
	zero := stats.Comparison{N: race.Rounds(), Confidence: 1}
	s.baseline.estimate = &zero // it is its own measure
	return nil
}

// newStrategy is the strategy that the spec names. Where the budget covers the whole space, auto
// has nothing to choose.
func (s *Session) newStrategy() (search.Strategy, error) {
	sp := s.bound.Search
	name := sp.Strategy
	if whole := sp.Budget.Duration == 0 && (sp.Budget.Evaluations == 0 || sp.Budget.Evaluations >= s.space.Len()); whole && name == "auto" {
		name = "exhaustive"
	}
	strategy, err := search.New(name, s.space, s.seed)
	if err != nil {
		return nil, sp.StrategyAt.Errorf("one of "+strings.Join(search.Names(), ", "), "unknown strategy %q", sp.Strategy)
	}
	return strategy, nil
}

// beginRun writes the run and its arms, or takes up an unfinished one.
func (s *Session) beginRun(ctx context.Context, opts TuneOptions) error {
	if opts.Resume {
		found, err := s.resume(ctx, opts)
		if err != nil || found {
			return err
		}
	}
	return s.newRun(ctx, opts.SpecText, s.bound.Search.Strategy, opts.Command)
}

// newRun writes a new run and its arms.
func (s *Session) newRun(ctx context.Context, specText, strategy string, command []string) error {
	run := store.Run{Spec: specText, Kernel: s.bound.Kernel.Name, Family: s.info.Name, FamilyVersion: s.info.Version,
		Seed: s.seed, Strategy: strategy, Mode: s.mode, Gap: s.gap, Device: s.device(), ToolVersion: Version, CommandLine: command}
	for i, p := range s.problems {
		run.Problems = append(run.Problems, store.Problem{Problem: p, Weight: s.weights[i]})
	}
	id, err := s.store.BeginRun(ctx, run)
	if err != nil {
		return err
	}
	s.run = id
	return s.putArms(ctx)
}

// putArms writes the arms of a new run. What an arm's runner says of itself and what its
// environment is are known once it has started: see armStarted.
func (s *Session) putArms(ctx context.Context) error {
	for i := range s.arms {
		opened := plugins.Opened{Device: s.device()}
		if r := s.fleet.runners[i]; r != nil {
			opened = r.opened
		}
		if err := s.putArm(ctx, i, opened); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) putArm(ctx context.Context, i int, opened plugins.Opened) error {
	env := s.envs[i]
	id, err := s.store.PutArm(ctx, s.run, store.Arm{Settings: s.arms[i].Set, Environment: env.Set, Removed: env.Removed, Opened: opened})
	if err == nil {
		s.armRows[i] = id
	}
	return err
}

// armStarted writes what a runner that was started during a run says of itself. Samples compare
// only under one clock: the first runner without GPU timestamps takes them from all.
func (s *Session) armStarted(ctx context.Context, r *warmRunner) error {
	if r.opened.Clock == plugins.HostBatch && s.clock == "" {
		s.clock = plugins.HostBatch
		if len(s.arms) > 1 {
			s.warn(fmt.Sprintf("arm %s has no GPU timestamps to trust: every arm is timed by the host's clock", s.arms[r.arm].Name))
		}
	}
	if s.store == nil || s.run == 0 {
		return nil
	}
	return s.putArm(ctx, r.arm, r.opened)
}

// emit writes the files and notes them in the store.
func (s *Session) emit(ctx context.Context, result *emit.Result, dir string) error {
	if err := emit.Write(dir, result); err != nil {
		return err
	}
	for _, path := range result.Files {
		e, err := emission(path)
		if err != nil {
			return err
		}
		if err := s.store.AppendEmission(ctx, s.run, e); err != nil {
			return err
		}
	}
	return nil
}
