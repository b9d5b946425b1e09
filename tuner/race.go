package tuner

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner/stats"
)

// An entry is one label in a race. The baseline stands under two.
type entry struct {
	*candidate
	role stats.Role
}

// screenRounds and screenRatio drop hopeless candidates of a batch race early: after so many
// rounds, one that was slower than this ratio of the baseline in the median is not sampled
// again. Nothing is claimed from that; it keeps its estimate and only loses the chance to win.
const (
	screenRounds = 3
	screenRatio  = 0.5
)

// clockCheck is the check under which a runner doubts one reading of a clock, and maxDoubts how
// many in a row are forgiven.
const (
	clockCheck = "clock"
	maxDoubts  = 5
)

// maxLostRounds ends a race on a device that loses its runner again and again.
const maxLostRounds = 20

// race runs a race over guarded entries, round by round under the device lock, and stores every
// sample. Entrants whose samples fail are rejected and withdrawn.
func (s *Session) race(ctx context.Context, kind stats.Kind, entries []entry, opts stats.Options) (*stats.Race, *raceRecord, error) {
	if err := s.ready(ctx, entries); err != nil {
		return nil, nil, err
	}
	entrants := make([]stats.Entrant, len(entries))
	for i, e := range entries {
		entrants[i] = stats.Entrant{Name: e.config.String(), Role: e.role}
	}
	race, err := stats.NewRace(kind, entrants, opts)
	if err != nil {
		return nil, nil, err
	}
	withdrawRejected(race, entries)
	s.races++
	seed := s.seed ^ uint64(s.races)<<32
	rec, err := s.openRace(ctx, kind, seed, entries)
	if err != nil {
		return nil, nil, err
	}
	if err := s.rounds(ctx, race, entries, rec, kind, seed); err != nil {
		return nil, nil, err
	}
	if err := s.closeRace(ctx, rec, race); err != nil {
		return nil, nil, err
	}
	// What passed the guard and failed when it was timed must not pass again unseen.
	for _, e := range entries {
		if e.rejected() {
			if err := s.remember(ctx, e.candidate); err != nil {
				return nil, nil, err
			}
		}
	}
	return race, rec, nil
}

// rounds holds the device lock while a race runs.
func (s *Session) rounds(ctx context.Context, race *stats.Race, entries []entry, rec *raceRecord, kind stats.Kind, seed uint64) error {
	defer s.watch.enter(PhaseRace)()
	release, err := s.hold(ctx, exclusive)
	if err != nil {
		return err
	}
	defer release()
	warm := -1 // the arm that ran last
	lost := 0  // rounds in a row that did not count
	for round := 0; !race.Done(); round++ {
		times, err := s.round(ctx, race, entries, round, seed, &warm, rec)
		if err != nil {
			return err
		}
		counts := !withdrawRejected(race, entries) && times != nil
		rec.endRound(counts)
		if !counts {
			if lost++; lost > maxLostRounds {
				return fmt.Errorf("%d rounds of a race in a row were lost to dying runners or failing samples", lost)
			}
			continue
		}
		lost = 0
		if err := race.Round(times); err != nil {
			return err
		}
		if kind == stats.Batch && race.Rounds() == screenRounds {
			screen(race, entries)
		}
	}
	return nil
}

// withdrawRejected takes out the entries that were rejected and reports whether there were any.
func withdrawRejected(race *stats.Race, entries []entry) bool {
	any := false
	for _, i := range race.Live() {
		if entries[i].rejected() {
			race.Withdraw(i)
			any = true
		}
	}
	return any
}

// screen withdraws the hopeless.
func screen(race *stats.Race, entries []entry) {
	for _, i := range race.Live() {
		if entries[i].role == stats.Candidate && race.Comparison(i).Ratio() < screenRatio {
			race.Withdraw(i)
			entries[i].screened = true
		}
	}
}

// round takes one sample of every live entry on every problem and returns an entry's time as
// the weighted geometric mean over the problems, in nanoseconds. Nil times mean that a process
// died: the round does not count.
func (s *Session) round(ctx context.Context, race *stats.Race, entries []entry, round int, seed uint64, warm *int, rec *raceRecord) ([]float64, error) {
	byArm := map[int][]int{}
	var arms []int
	for _, i := range race.Live() {
		arm := entries[i].arm
		if byArm[arm] == nil {
			arms = append(arms, arm)
		}
		byArm[arm] = append(byArm[arm], i)
	}
	rng := rand.New(rand.NewPCG(seed, uint64(round)))
	rng.Shuffle(len(arms), func(i, j int) { arms[i], arms[j] = arms[j], arms[i] })

	logs := make([]float64, len(entries))
	for _, arm := range arms {
		lost, err := s.sampleArm(ctx, arm, byArm[arm], entries, round, seed, *warm != arm, logs, rec)
		if err != nil {
			return nil, err
		}
		*warm = arm
		if lost {
			*warm = -1
			return nil, nil
		}
	}
	times := make([]float64, len(entries))
	for i, l := range logs {
		times[i] = math.Exp(l)
	}
	return times, nil
}

// sampleArm samples the entries of one arm for one round and adds their weighted log times to
// logs. lost reports that the round does not count: the runner died and was replaced, or a
// clock was not to be believed.
func (s *Session) sampleArm(ctx context.Context, arm int, members []int, entries []entry, round int, seed uint64, warmup bool, logs []float64, rec *raceRecord) (lost bool, err error) {
	r, err := s.fleet.get(ctx, arm)
	if err != nil {
		return false, err
	}
	req := plugins.Race{Rounds: 1, FirstRound: round, Seed: seed, MinSample: s.minSample, Deadline: s.deadline, Warmup: warmup,
		Mode: s.mode, Gap: s.gap, Clock: s.clock}
	type slot struct{ entry, problem int }
	var slots []slot
	for _, i := range members {
		for p := range s.problems {
			req.Entrants = append(req.Entrants, entries[i].launch(p))
			slots = append(slots, slot{i, p})
		}
	}
	got := 0
	spent, doubted := false, false
	err = attend(ctx, r.process, s.patience(), func(ctx context.Context, alive func()) error {
		return r.process.Runner().Race(ctx, req, func(sample plugins.Sample) {
			alive()
			if sample.Entrant < 0 || sample.Entrant >= len(slots) {
				return
			}
			at := slots[sample.Entrant]
			if spent && sample.Verdict != plugins.OK {
				return // a lost device fails every sample after the one that lost it
			}
			got++
			rec.add(at.entry, at.problem, sample)
			if sample.Verdict == plugins.Implausible && sample.Evidence.Check == clockCheck {
				// One reading of a clock says nothing of the kernel; many in a row do.
				if entries[at.entry].doubts++; entries[at.entry].doubts <= maxDoubts {
					doubted = true
					return
				}
			}
			if sample.Verdict != plugins.OK {
				entries[at.entry].reject(sample.Verdict, sample.Evidence)
				spent = spent || spends(sample.Verdict)
				return
			}
			entries[at.entry].doubts = 0
			logs[at.entry] += s.weights[at.problem] * math.Log(sample.Nanoseconds)
		})
	})
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case spent:
		if err := s.fleet.drop(arm); err != nil {
			return false, err
		}
		return true, s.restore(ctx, arm, members, entries)
	case err != nil && died(err):
		if err := s.blame(ctx, arm, members, entries); err != nil {
			return false, err
		}
		return true, s.restore(ctx, arm, members, entries)
	case err != nil:
		return false, err
	case doubted:
		return true, nil
	case got != len(slots):
		return false, fmt.Errorf("the runner gave %d samples of %d", got, len(slots))
	}
	return false, nil
}

// blame finds which entry took the runner with it by running each alone in a fresh one.
func (s *Session) blame(ctx context.Context, arm int, members []int, entries []entry) error {
	if err := s.fleet.drop(arm); err != nil {
		return err
	}
	for _, i := range members {
		c := entries[i].candidate
		if c.rejected() {
			continue
		}
		if err := s.compile(ctx, arm, []*candidate{c}); err != nil {
			return err
		}
		r, err := s.fleet.get(ctx, arm)
		if err != nil {
			return err
		}
		err = attend(ctx, r.process, s.patience(), func(ctx context.Context, alive func()) error {
			req := plugins.Race{Entrants: c.launches(), Rounds: 1, Seed: s.seed, MinSample: s.minSample, Deadline: s.deadline,
				Warmup: true, Mode: s.mode, Gap: s.gap, Clock: s.clock}
			return r.process.Runner().Race(ctx, req, func(sample plugins.Sample) {
				alive()
				if sample.Verdict != plugins.OK && sample.Evidence.Check != clockCheck {
					c.reject(sample.Verdict, sample.Evidence)
				}
			})
		})
		if spends(c.verdict) {
			// Its runner is spent, and the next one's death would be this one's doing.
			if err := s.fleet.drop(arm); err != nil {
				return err
			}
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			continue
		}
		if !died(err) {
			return err
		}
		if err := s.bury(ctx, c, err, "race", true); err != nil { // it died in company and alone
			return err
		}
		if err := s.fleet.drop(arm); err != nil {
			return err
		}
	}
	return nil
}

// restore compiles the surviving entries of an arm into its fresh runner.
func (s *Session) restore(ctx context.Context, arm int, members []int, entries []entry) error {
	var cs []*candidate
	for _, i := range members {
		cs = append(cs, entries[i].candidate)
	}
	return s.compile(ctx, arm, cs)
}
