package runner

import (
	"os"
	"testing"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/vkrt"
	"github.com/krisptune/krisptune/vkrt/vkrttest"
)

// The guard runs without robust buffer access, and sees what robustness would hide: the same
// kernel that stores one element beyond its buffer is refused on the runner's device. With
// robustness on, a driver may drop that store; the guard refuses it there, too, for the wide
// descriptors of its second run let it land.
func TestOutOfBoundsWithAndWithoutRobustness(t *testing.T) {
	for _, robust := range []bool{false, true} {
		r := open(t, Options{}, plugins.OpenOptions{})
		if robust {
			reopenRobust(t, r)
		}
		if c := compileOne(t, r, "beyond", reverse(t, "out_of_bounds", 1000)); c.Verdict != plugins.OK {
			t.Fatalf("%+v", c)
		}
		got := guardOne(t, r, plugins.Check{ID: "beyond", Problem: problem(1000)})
		t.Logf("robust %t: %s in run %d: %s", robust, got.Verdict, got.Evidence.Runs, got.Evidence.Message)
		if got.Verdict != plugins.OutOfBounds {
			t.Errorf("robust %t: %s, want out-of-bounds", robust, got.Verdict)
		}
	}
}

// reopenRobust puts a robust device in the place of a runner's own.
func reopenRobust(t *testing.T, r *Runner) {
	t.Helper()
	physical, err := r.physicalDevices(false)
	if err != nil {
		t.Fatal(err)
	}
	var caps []vkrt.Caps
	for _, p := range physical {
		caps = append(caps, p.Caps())
	}
	index, err := vkrt.Select(caps, os.Getenv(vkrttest.DeviceEnv))
	if err != nil {
		t.Fatal(err)
	}
	r.closeDevice()
	r.timestamps = nil
	if r.device, err = physical[index].Open(vkrt.DeviceOptions{Robust: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.start(t.Context(), index, plugins.OpenOptions{SessionDir: t.TempDir(), Seed: 1}); err != nil {
		t.Fatal(err)
	}
}
