package guard

import (
	"strings"
	"testing"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/runner/launch"
)

// A driver that is wrong in one run of many, and one that is so only after an idle pause, are
// caught in that run; a right kernel is not.
func TestSoak(t *testing.T) {
	const n, rounds = 64, 60
	soak := func(m *fakeMachine, rest time.Duration) (Result, int) {
		k := NewSoak(doubling(plugins.F32, n, m))
		for round := range rounds {
			got, err := k.Round(t.Context(), round, rest)
			if err != nil {
				t.Fatal(err)
			}
			if got.Verdict != plugins.OK {
				return got, round
			}
		}
		return Result{Verdict: plugins.OK}, rounds
	}
	m := &fakeMachine{kernel: right(plugins.F32, 0, n)}
	if got, at := soak(m, 0); got.Verdict != plugins.OK || m.runs != rounds {
		t.Errorf("a right kernel: %+v in round %d, %d runs", got, at, m.runs)
	}
	m = &fakeMachine{}
	m.kernel = func(b []launch.Contents) {
		right(plugins.F32, 0, n)(b)
		if m.runs == 38 {
			put(plugins.F32, b[1].Data, 9, 3)
		}
	}
	got, at := soak(m, 0)
	if got.Verdict != plugins.Wrong || at != 37 || got.Evidence.Check != "soak" || got.Evidence.Runs != 38 || got.Evidence.First.Index != 9 {
		t.Errorf("wrong in run 38: %+v in round %d", got, at)
	}
	if want := "in run 38 of a soak, after 37 that were right: c: 1 of 64 elements"; !strings.Contains(got.Evidence.Message, want) {
		t.Errorf("message %q, want %q in it", got.Evidence.Message, want)
	}
	m = &fakeMachine{}
	m.kernel = func(b []launch.Contents) {
		if m.rest == 0 {
			right(plugins.F32, 0, n)(b)
		} else {
			right(plugins.F32, 0, n-8)(b)
		}
	}
	if got, at := soak(m, time.Millisecond); got.Verdict != plugins.NaN || at != 0 {
		t.Errorf("a row unwritten after a pause: %+v in round %d", got, at)
	}
}
