package runner

import (
	"os"
	"strings"
	"testing"

	"github.com/krisptune/krisptune/plugins"
)

// NoopEnv is set to "1" where the test's device reports success and executes nothing: Mesa's
// no-op DRM shim, with which the driver for Apple silicon runs on any machine.
const NoopEnv = "KRISPTUNE_TEST_NOOP"

// Every candidate on such a device is unwritten, a right one and those of the zoo alike.
func TestNoopDevice(t *testing.T) {
	if os.Getenv(NoopEnv) != "1" {
		t.Skipf("needs a device that executes nothing (%s=1)", NoopEnv)
	}
	r := open(t, Options{}, plugins.OpenOptions{})
	if r.clock != plugins.HostBatch {
		t.Errorf("clock %s, expected timestamps that are never written to be refused", r.clock)
	}
	for _, defect := range []string{"", "wrong", "nan", "out_of_bounds", "endless"} {
		if c := compileOne(t, r, defect, reverse(t, defect, 1000)); c.Verdict != plugins.OK {
			t.Fatalf("%s: %+v", defect, c)
		}
		got := guardOne(t, r, plugins.Check{ID: defect, Problem: problem(1000)})
		if got.Verdict != plugins.Unwritten || !strings.Contains(got.Evidence.Message, "executed nothing") {
			t.Errorf("%q: %s %q", defect, got.Verdict, got.Evidence.Message)
		}
	}
	compileOne(t, r, "unguarded", reverse(t, "", 1000))
	for _, s := range race(t, r, plugins.Race{Entrants: []string{"", "unguarded"}, Rounds: 3, Warmup: true}) {
		if s.Verdict != plugins.Unwritten || s.Nanoseconds != 0 {
			t.Errorf("a sample of a kernel that never ran: %+v", s)
		}
	}
}
