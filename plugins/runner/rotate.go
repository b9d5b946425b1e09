package runner

import (
	"cmp"
	"fmt"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/runner/launch"
)

// A measuring is what a sample is of.
type measuring struct {
	mode plugins.Mode
	gap  plugins.Gap
}

// measuring reads what a race asks for, and makes ready what it needs.
func (r *Runner) measuring(race plugins.Race) (measuring, error) {
	how := measuring{cmp.Or(race.Mode, plugins.Hot), cmp.Or(race.Gap, plugins.Dependent)}
	_, err := plugins.ParseMode(string(how.mode))
	if err == nil {
		_, err = plugins.ParseGap(string(how.gap))
	}
	if err != nil {
		return how, &plugins.RequestError{Reason: err.Error()}
	}
	if how.mode == plugins.Cold {
		err = r.flushCaches()
	}
	return how, err
}

// A slot is one set of buffers with a candidate bound to it. Hot launches have one, cold ones
// rotate through as many as exceed the last-level cache.
type slot struct {
	set    *launch.Set
	launch *launch.Launch
}

// Every buffer of a slot is an allocation of its own, and drivers allow 4,096.
const (
	maxSlots           = 256
	maxSlotAllocations = 1024
	maxRotating        = 4 // problems whose slots are kept from one race to the next
)

// slots is how many sets of buffers launches rotate through.
func (r *Runner) slots(buffers []plugins.Buffer, mode plugins.Mode) int {
	if mode != plugins.Cold {
		return 1
	}
	bytes := max(launch.Bytes(buffers), 1)
	want := (r.rotation() + bytes - 1) / bytes
	return int(max(1, min(want, maxSlots, int64(maxSlotAllocations/max(len(buffers), 1)))))
}

// mostLaunches is how many launches one sample may have: where the slots together do not exceed
// the cache, none of them may be used twice.
func (r *Runner) mostLaunches(e *entrant) int {
	if e.how.mode == plugins.Hot || int64(len(e.slots))*launch.Bytes(e.candidate.build.Buffers) >= r.rotation() {
		return maxDispatches
	}
	return len(e.slots)
}

// fillSlots makes the first n slots if they are not there, and puts the inputs into them; inout
// buffers, which launches change, anew each time.
func (r *Runner) fillSlots(e *entrant, n int) error {
	key := e.trials.RoundedKey()
	for i := range n {
		s := &e.slots[i]
		fresh := s.set == nil
		if fresh {
			pool, name := r.pool, key
			if i > 0 {
				pool, name = r.rotating, fmt.Sprintf("%s #%d", key, i)
			}
			var err error
			if s.set, err = pool.Set(name, e.candidate.build.Buffers); err != nil {
				return err
			}
		}
		if fresh || e.inout {
			if err := s.set.Load(key, e.inputs); err != nil {
				return err
			}
		}
		if s.launch == nil {
			var err error
			s.launch, err = launch.New(r.device, e.candidate.build.Passes, vulkanPipelines(e.candidate.passes), s.set, launch.ExactRange)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// launches times repeats launches over the first used slots: streamed in one submit, or each in
// a submit of its own. Poison and, for cold launches, the reading of more than the caches hold
// come before, outside the interval.
func (r *Runner) launches(e *entrant, used, repeats int) (timing, error) {
	prelude := func() {
		for _, s := range e.slots[:used] {
			s.set.Fill(r.recorder, launch.Fills[0])
		}
		if e.how.mode == plugins.Cold {
			r.recorder.Barrier()
			r.flush.record(r.flush.bytes)
		}
	}
	if e.how.gap == plugins.Dependent {
		return r.measure(e.deadline, prelude, func() {
			for i := range repeats {
				if i > 0 {
					r.recorder.Barrier()
				}
				e.slots[i%used].launch.Record(r.recorder)
			}
		})
	}
	if err := r.submit(e.deadline, prelude); err != nil {
		return timing{}, err
	}
	var sum timing
	for i := range repeats {
		t, err := r.measure(e.deadline, nil, func() { e.slots[i%used].launch.Record(r.recorder) })
		if err != nil {
			return timing{}, err
		}
		if _, doubt := r.believe(t); doubt != "" {
			return t, nil // the whole sample is in doubt
		}
		sum.host += t.host
		sum.gpu += t.gpu
	}
	return sum, nil
}
