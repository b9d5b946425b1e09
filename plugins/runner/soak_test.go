package runner

import (
	"testing"
	"time"

	"github.com/krisptune/krisptune/plugins"
)

func TestSoak(t *testing.T) {
	r := open(t, Options{}, plugins.OpenOptions{})
	for defect, want := range map[string]plugins.Verdict{"": plugins.OK, "reads_scratch": plugins.Wrong} {
		if c := compileOne(t, r, "soaked", reverse(t, defect, 1000)); c.Verdict != plugins.OK {
			t.Fatalf("%+v", c)
		}
		check := plugins.Check{ID: "soaked", Problem: problem(1000), Soak: 60, Pause: time.Millisecond,
			Cases: []plugins.Case{{Problem: problem(65), Build: reverse(t, defect, 65)}}}
		got := guardOne(t, r, check)
		t.Logf("%q: %s in %v: %+v", defect, got.Verdict, got.Elapsed, got.Evidence)
		if got.Verdict != want || got.Evidence.Check != "soak" || got.Evidence.Cases != 2 {
			t.Errorf("%q: %s %+v, expected %s", defect, got.Verdict, got.Evidence, want)
		}
		if want == plugins.OK && (got.Evidence.Runs != 120 || got.Elapsed < 60*time.Millisecond) {
			t.Errorf("%d runs in %v, expected 120 with 60 pauses", got.Evidence.Runs, got.Elapsed)
		}
	}
}
