package runner

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/krisptune/krisptune/plugins"
)

// Race implements plugins.Runner. Samples come in the order in which they are taken, each after
// what it left in its outputs was looked at (see verifyNow). After a timeout or a lost device
// the runner is spent and the race ends there.
func (r *Runner) Race(ctx context.Context, race plugins.Race, each func(plugins.Sample)) error {
	end, err := r.begin()
	if err != nil {
		return err
	}
	defer end()
	defer r.pool.Hold()()
	r.trials.Wait()
	if !r.inert {
		// Measured here, the rates disturb no sample; an error comes again where they are used.
		_, _ = r.knownRates()
	}
	if r.validates {
		r.instance.Messages()
	}
	if trusted := r.clock; race.Clock == plugins.HostBatch {
		r.clock = plugins.HostBatch
		defer func() { r.clock = trusted }()
	}
	how, err := r.measuring(race)
	if err != nil {
		return err
	}
	if how.mode == plugins.Cold {
		defer r.rotating.Hold()()
	}
	deadline := race.Deadline
	if deadline <= 0 {
		deadline = r.dispatchDeadline
	}
	entrants := make([]*entrant, len(race.Entrants))
	byID := make(map[string]*entrant)
	for i, id := range race.Entrants {
		e, ok := byID[id]
		if !ok {
			c, ok := r.candidates[id]
			if !ok {
				return fmt.Errorf("candidate %q is not compiled here", id)
			}
			if e, err = r.newEntrant(c, deadline, how); err != nil {
				return fmt.Errorf("candidate %s: %w", id, err)
			}
			defer e.close()
			byID[id] = e
		}
		entrants[i] = e
	}
	for _, id := range race.Entrants {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.ready(byID[id], race.MinSample, race.Warmup)
		if r.why != nil {
			break
		}
	}
	for round := race.FirstRound; round < race.FirstRound+race.Rounds; round++ {
		for _, i := range order(race.Seed, round, len(entrants)) {
			if err := ctx.Err(); err != nil {
				return err
			}
			e := entrants[i]
			sample := plugins.Sample{Round: round, Entrant: i, Clock: r.clock, Mode: how.mode, Gap: how.gap, Repeats: e.candidate.repeats}
			if e.failed == plugins.OK {
				if r.why != nil {
					continue
				}
				if r.wake(e); e.failed == plugins.OK {
					sample.Nanoseconds = r.sample(e, true)
				}
			}
			sample.Verdict, sample.Evidence = e.failed, e.evidence
			if e.failed != plugins.OK {
				sample.Nanoseconds = 0
			}
			each(sample)
			if e.failed == plugins.Implausible {
				e.failed, e.evidence = plugins.OK, plugins.Evidence{} // of one sample, not of the kernel
			}
		}
		if r.why != nil {
			return nil
		}
	}
	return nil
}

// order is the order of one round, drawn from seed and round alone: a race continued in a
// second call goes on as it would have.
func order(seed uint64, round, n int) []int {
	return rand.New(rand.NewPCG(seed, uint64(round))).Perm(n)
}

// Bounds of one sample. Recording takes time and memory of its own, and a sample must stay far
// from its deadline though the clocks of some devices vary by a factor.
const (
	maxDispatches = 16384
	deadlineShare = 4
	maxWarmups    = 12
	warmAgreement = 0.05
	idleGap       = 20 * time.Millisecond
	wakeSamples   = 4
)

// ready finds how many launches make a sample long enough, and warms up.
func (r *Runner) ready(e *entrant, minSample time.Duration, warmup bool) {
	c := e.candidate
	if e.ready || e.failed != plugins.OK {
		return
	}
	e.ready = true
	if c.repeats == 0 || c.calibrated != e.how {
		c.calibrated = e.how
		r.calibrate(e, minSample)
	}
	if warmup {
		r.warmUp(e, maxWarmups)
	}
}

// warmUp takes unrecorded samples until two in a row agree.
func (r *Runner) warmUp(e *entrant, most int) {
	last := 0.0
	for range most {
		ns := r.sample(e, false)
		if e.failed != plugins.OK || last > 0 && max(ns, last)-min(ns, last) <= warmAgreement*min(ns, last) {
			return
		}
		last = ns
	}
}

// wake warms up a device that has been idle: its clocks fall, and the entrant that happened to
// come first would pay for it.
func (r *Runner) wake(e *entrant) {
	if time.Since(r.lastSample) > idleGap {
		r.warmUp(e, wakeSamples)
	}
}

// calibrate raises repeats until a sample lasts minSample. A launch may be slow for reasons of
// the moment, never fast, so the better of two counts.
func (r *Runner) calibrate(e *entrant, minSample time.Duration) {
	c := e.candidate
	limit := min(max(1, maxDispatches/len(c.build.Passes)), r.mostLaunches(e))
	for c.repeats = 1; ; {
		ns := math.Inf(1)
		for range 2 {
			ns = min(ns, r.sample(e, false))
			if e.failed != plugins.OK {
				c.repeats = 1
				return
			}
		}
		if ns*float64(c.repeats) >= float64(minSample) {
			return
		}
		// At most tenfold a step: the first launches of a kernel are slow.
		want := min(1.1*float64(minSample)/ns, 10*float64(c.repeats)) + 1
		room := float64(e.deadline) / deadlineShare / ns
		next := min(int(min(want, room)), limit)
		if next <= c.repeats {
			return
		}
		c.repeats = next
	}
}
