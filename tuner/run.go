package tuner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

// ErrNothingPassed ends a run in which the guard rejected every candidate.
var ErrNothingPassed = errors.New("no candidate passed the guard: nothing is emitted")

// Tune searches the space, races the best, and emits what it found. The result is there with
// ErrBaselineWrong and ErrNothingPassed too.
func (s *Session) Tune(ctx context.Context, db *store.Store, opts TuneOptions) (*emit.Result, error) {
	s.store = db
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

	// The run's end must be written although ctx may be done.
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	state, outcome := store.Done, ""
	var doc json.RawMessage
	switch {
	case ctx.Err() != nil:
		state = store.Interrupted
	case result == nil:
		// A device or driver that failed may be back tomorrow: what was found is resumable.
		state = store.Interrupted
	default:
		outcome = string(result.Outcome)
		var encodeErr error
		if doc, encodeErr = emit.JSON(*result); encodeErr != nil {
			return result, errors.Join(err, encodeErr)
		}
	}
	if finishErr := s.store.FinishRun(late, s.run, state, outcome, doc); finishErr != nil {
		return result, errors.Join(err, finishErr)
	}
	return result, err
}

// Progress is what a run has come to so far: verdicts counted, and its wall time by phase.
func (s *Session) Progress() (map[plugins.Verdict]int, emit.Wall) {
	return s.verdicts(), s.wall()
}

// Run is the number of the session's run in the store.
func (s *Session) Run() int64 { return s.run }

// Evaluated is how many evaluations the run has made.
func (s *Session) Evaluated() int { return len(s.evaluated) }

func (s *Session) tune(ctx context.Context, strategy search.Strategy, opts TuneOptions) (*emit.Result, error) {
	if err := s.proveBaseline(ctx); err != nil {
		return nil, err
	}
	if err := s.replay(strategy); err != nil {
		return nil, err
	}
	stopped, err := s.search(ctx, strategy)
	if err != nil {
		return nil, err
	}
	winner, err := s.leader(ctx)
	if err != nil {
		return nil, err
	}
	var confirmed *confirmation
	if winner != nil {
		if confirmed, err = s.confirm(ctx, winner); err != nil {
			return nil, err
		}
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

// newStrategy is the strategy that the spec names.
func (s *Session) newStrategy() (search.Strategy, error) {
	sp := s.bound.Search
	exhaustive := sp.Budget.Duration == 0 && (sp.Budget.Evaluations == 0 || sp.Budget.Evaluations >= s.space.Len())
	switch sp.Strategy {
	case "auto":
		if exhaustive {
			return search.NewExhaustive(s.space), nil
		}
		return search.NewRandom(s.space, s.seed), nil
	case "exhaustive":
		return search.NewExhaustive(s.space), nil
	case "random":
		return search.NewRandom(s.space, s.seed), nil
	}
	return nil, sp.StrategyAt.Errorf("auto, exhaustive or random", "unknown strategy %q", sp.Strategy)
}

// beginRun writes the run and its arms, or takes up an unfinished one.
func (s *Session) beginRun(ctx context.Context, opts TuneOptions) error {
	d := s.device()
	if opts.Resume {
		found, err := s.resume(ctx, opts)
		if err != nil || found {
			return err
		}
	}
	run := store.Run{Spec: opts.SpecText, Kernel: s.bound.Kernel.Name, Family: s.info.Name, FamilyVersion: s.info.Version,
		Seed: s.seed, Strategy: s.bound.Search.Strategy, Device: d, ToolVersion: Version, CommandLine: opts.Command}
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

// putArms writes the arms of a new run. Those whose runner has not started yet say so by an
// empty device.
func (s *Session) putArms(ctx context.Context) error {
	for i, a := range s.arms {
		row := store.Arm{Settings: a.Set, Opened: s.opened}
		if env, ok := s.envs[i]; ok {
			row.Environment, row.Removed = env.Set, env.Removed
		}
		id, err := s.store.PutArm(ctx, s.run, row)
		if err != nil {
			return err
		}
		s.armRows[i] = id
	}
	return nil
}

// resume takes up the latest unfinished run of the same spec, search and device.
func (s *Session) resume(ctx context.Context, opts TuneOptions) (bool, error) {
	d := s.device()
	run, err := s.store.LatestUnfinished(ctx, store.ResumeKey{SpecHash: store.SpecHash(opts.SpecText), Strategy: s.bound.Search.Strategy,
		Seed: s.seed, DeviceUUID: d.UUID, DriverID: d.DriverID, DriverVersion: d.DriverVersion})
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
	rows, err := s.store.Arms(ctx, run.ID)
	if err != nil {
		return false, err
	}
	for i, a := range s.arms {
		for _, row := range rows {
			if store.SettingsText(row.Settings) == store.SettingsText(a.Set) {
				s.armRows[i] = row.ID
			}
		}
		if s.armRows[i] == 0 {
			return false, fmt.Errorf("run %d has no arm %s: it was begun by another version; start again without --resume", run.ID, a.Name)
		}
	}
	evaluations, err := s.store.Evaluations(ctx, run.ID)
	if err != nil {
		return false, err
	}
	races, err := s.store.Races(ctx, run.ID)
	if err != nil {
		return false, err
	}
	s.races = len(races) // seeds go on, they do not repeat
	s.known = map[int64]store.Evaluation{}
	for _, e := range evaluations {
		s.known[e.SpaceIndex] = e
	}
	return true, nil
}

// replay tells the strategy what the resumed run already knows, in the order in which it asks.
// Verdicts are believed; times guide the search and the choice of finalists, and never stand
// beside this run's samples: the final race measures afresh.
func (s *Session) replay(strategy search.Strategy) error {
	for len(s.known) > len(s.evaluated) {
		indices := strategy.Ask(batchSize)
		if len(indices) == 0 {
			break
		}
		batch := make([]*candidate, 0, len(indices))
		for _, index := range indices {
			c := s.newCandidate(index)
			if e, ok := s.known[int64(index)]; ok {
				c.verdict, c.evidence, c.stats, c.estimate = e.Verdict, e.Evidence, e.Statistics, e.Comparison
				c.guarded = e.Verdict == plugins.OK && e.GuardVersion == plugins.GuardVersion
				s.evaluated = append(s.evaluated, c)
				s.crown(c)
				batch = append(batch, c)
			} else {
				s.owed = append(s.owed, c)
			}
		}
		strategy.Tell(outcomes(batch))
	}
	return nil
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
