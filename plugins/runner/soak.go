package runner

import (
	"context"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/runner/guard"
)

// A long pause comes in every longPauseEvery-th round of a soak: caches and clocks of a
// device fall asleep in steps.
const (
	longPauseEvery = 10
	longPause      = 10 // pauses
)

// soak runs a candidate that passed the guard round after round, each problem once a round.
// Cases counts the problems in the evidence, Runs all runs.
func (r *Runner) soak(ctx context.Context, check plugins.Check) (plugins.Verdict, plugins.Evidence, error) {
	cases, sets, verdict, evidence, err := r.trialsOf(check)
	if err != nil || verdict != plugins.OK {
		return verdict, evidence, err
	}
	var soaks []*guard.Soak
	for i, c := range cases {
		one, verdict, evidence, err := r.prepare(ctx, check, c, sets[i])
		if err != nil || verdict != plugins.OK {
			return verdict, evidence, err
		}
		soaks = append(soaks, guard.NewSoak(one))
	}
	total := plugins.Evidence{Check: "soak", Cases: len(cases)}
	for round := range check.Soak {
		pause := check.Pause
		if round%longPauseEvery == longPauseEvery-1 {
			pause *= longPause
		}
		for i := range soaks {
			i = (i + round) % len(soaks) // each takes its turn after the pause
			result, err := soaks[i].Round(ctx, round, pause)
			pause = 0
			if result, err = r.judge(ctx, cases[i], result, err); err != nil {
				return "", total, err
			}
			if result.Verdict != plugins.OK {
				result.Evidence.Cases = len(cases)
				return result.Verdict, result.Evidence, nil
			}
			total.Runs++
		}
	}
	return plugins.OK, total, nil
}
