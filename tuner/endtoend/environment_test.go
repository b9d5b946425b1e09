package endtoend

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner"
	"github.com/krisptune/krisptune/tuner/arm"
	"github.com/krisptune/krisptune/tuner/device"
)

// TestArmsOfARealDriver starts runners of a real driver in two arms. LP_NATIVE_VECTOR_WIDTH shows
// in lavapipe's device name: the arm that sets it must see it, and the stock arm must not,
// although the user's shell sets it too.
func TestArmsOfARealDriver(t *testing.T) {
	if !hasDevice(t) {
		t.Skip("no Vulkan device")
	}
	const knob = "LP_NATIVE_VECTOR_WIDTH"
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	host := &tuner.Host{Program: program}
	found, _ := host.Devices(t.Context())
	i := slices.IndexFunc(found, func(f device.Found) bool { return strings.HasPrefix(f.Name, "llvmpipe") })
	if i < 0 {
		t.Skip("no lavapipe device")
	}
	open := func(a arm.Arm) (plugins.Device, tuner.Environment) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		p, env, err := host.Runner(ctx, found[i], a)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Kill()
		opened, err := p.Runner().Open(ctx, plugins.OpenOptions{Device: found[i].UUID})
		if err != nil {
			t.Fatal(err)
		}
		return opened.Device, env
	}
	stock := found[i].Device
	t.Setenv(knob, "128")
	leaked, env := open(arm.New(nil, nil))
	if leaked.Name != stock.Name || leaked.Limits.SubgroupSize != stock.Limits.SubgroupSize {
		t.Errorf("the shell's %s=128 reached the stock arm: %s, subgroup size %d", knob, leaked.Name, leaked.Limits.SubgroupSize)
	}
	if !slices.Contains(env.Removed, knob+"=128") {
		t.Errorf("removed %q does not list the shell's %s", env.Removed, knob)
	}
	t.Setenv(knob, "256")
	set, _ := open(arm.New(map[string]string{knob: "128"}, []string{knob}))
	if !strings.Contains(set.Name, "128 bits") || set.Limits.SubgroupSize != 4 {
		t.Errorf("the arm that sets %s=128 is %s with subgroup size %d, want 128 bits and 4", knob, set.Name, set.Limits.SubgroupSize)
	}
}
