package guard

import (
	"context"
	"fmt"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/reference"
	"github.com/krisptune/krisptune/plugins/runner/launch"
)

// A Soak runs one case again and again. Drivers are known that are wrong in 7 runs of 60, or
// only after the device was idle. On exact inputs every legal order of summation gives the same
// bits, so the outputs of every run must be those of the first, which is held against the
// reference.
type Soak struct {
	s      *session
	trials []reference.Trial
	exact  bool
	first  map[int]uint64 // digest of a trial's first outputs
}

// NewSoak soaks a case that passed Check.
func NewSoak(c Case) *Soak {
	k := &Soak{s: &session{Case: c, sound: make(map[string]bool)}, first: make(map[int]uint64)}
	k.trials, k.exact = c.Trials.Exact, true
	if len(k.trials) == 0 {
		k.trials, k.exact = []reference.Trial{c.Trials.Rounded}, false
	}
	return k
}

// Round runs the case once, on the trial and from the poison whose turn it is, after the device
// has idled for rest with everything in place.
func (k *Soak) Round(ctx context.Context, round int, rest time.Duration) (Result, error) {
	k.s.rest = rest
	k.s.light = k.s.runs >= len(launch.Fills)
	f, err := k.round(ctx, round)
	if err != nil || f == nil {
		return Result{Verdict: plugins.OK, Evidence: plugins.Evidence{Runs: k.s.runs}}, err
	}
	if f.verdict == plugins.OutOfBounds || f.verdict == plugins.InputModified {
		k.s.Machine.Distrust()
	}
	f.evidence.Message = fmt.Sprintf("in run %d of a soak, after %d that were right: %s", k.s.runs, k.s.runs-1, f.evidence.Message)
	f.evidence.Check, f.evidence.Problem, f.evidence.Runs = "soak", k.s.Name, k.s.runs
	return Result{Verdict: f.verdict, Evidence: f.evidence}, nil
}

func (k *Soak) round(ctx context.Context, round int) (*finding, error) {
	at := round % len(k.trials)
	key := fmt.Sprintf("%s exact %d", k.s.Trials.Key, at)
	if !k.exact {
		key = k.s.Trials.RoundedKey()
	}
	fill := launch.Fills[round/len(k.trials)%len(launch.Fills)]
	memory, f, err := k.s.run(ctx, key, k.s.toBuffers(k.trials[at].Inputs()), fill, exactRange)
	if f != nil || err != nil {
		return f, err
	}
	outputs := k.s.outputs(memory)
	digest := Digest(outputs)
	first, known := k.first[at]
	if known && digest == first {
		return nil, nil
	}
	if f := k.s.finite("soak", outputs); f != nil {
		return f, nil
	}
	mode := "exact"
	if !k.exact {
		mode = "rounded"
	}
	if f, err := k.s.values(mode, k.trials[at], outputs); f != nil || err != nil {
		return f, err
	}
	if known && k.exact {
		return found(plugins.Nondeterministic, "soak", "", "the outputs differ from those of the first run on the same inputs"), nil
	}
	k.first[at] = digest
	return nil, nil
}
