package endtoend

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/host"
	"github.com/krisptune/krisptune/plugins/plugintest"
	"github.com/krisptune/krisptune/tuner"
	"github.com/krisptune/krisptune/tuner/arm"
	"github.com/krisptune/krisptune/tuner/device"
	"github.com/krisptune/krisptune/tuner/emit"
	"github.com/krisptune/krisptune/tuner/spec"
	"github.com/krisptune/krisptune/tuner/store"
)

// A testMachine serves the fake family, and a runner that is real or fake.
type testMachine struct {
	tuner.Machine // the real one; nil for a fake device
}

func (m testMachine) Family(ctx context.Context, name string) (tuner.FamilyProcess, error) {
	return host.StartFamily(ctx, plugintest.FamilyCommand(name))
}

// A fakeDevice is a machine whose one device answers 100 µs for everything.
type fakeDevice struct{ testMachine }

func (fakeDevice) Devices(context.Context) ([]device.Found, []device.Failure) {
	return []device.Found{{Device: plugintest.FakeDevice()}}, nil
}

func (fakeDevice) Runner(ctx context.Context, _ device.Found, a arm.Arm) (tuner.Process, tuner.Environment, error) {
	env, removed := host.Environment(os.Environ(), a.Unset, a.Set, "")
	p, err := host.StartRunner(ctx, plugintest.RunnerCommand("steady", env))
	if err != nil {
		return nil, tuner.Environment{}, err
	}
	return p, tuner.Environment{Set: env, Removed: removed}, nil
}

func (fakeDevice) Lock(uuid string) (tuner.DeviceLock, error) { return host.NewDeviceLock(uuid) }

var processes = plugintest.Processes{
	Families: map[string]plugins.Family{"fake": plugintest.FakeFamily{}},
	Runners: map[string]func() plugins.Runner{"steady": func() plugins.Runner {
		return &plugintest.FakeRunner{Noise: plugintest.Noise{Sigma: 0.01}}
	}},
}

// silent observes nothing.
type silent struct{}

func (silent) Opened(plugins.Opened)      {}
func (silent) Planned(int, int)           {}
func (silent) Evaluated(tuner.Evaluation) {}
func (silent) Stage(string)               {}
func (silent) Warn(string)                {}

// TestTuneOnEveryMachine is one body on a fake device and on the real one: a family that computes
// its own reference is tuned, and what comes out keeps the contract.
func TestTuneOnEveryMachine(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	machines := map[string]tuner.Machine{"fake": fakeDevice{}}
	if hasDevice(t) {
		machines["real"] = testMachine{&tuner.Host{Program: program}}
	}
	const text = "version = 1\n[kernel]\nfamily = \"fake\"\nname = \"axpy\"\n[[problem]]\nn = 100_000\n[[problem]]\nn = 4096\nweight = 3.0\n"
	for name, machine := range machines {
		t.Run(name, func(t *testing.T) {
			sp, err := spec.Parse("axpy.toml", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			s, err := tuner.Open(t.Context(), machine, sp, tuner.Options{MinSample: 200 * time.Microsecond}, silent{})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			dir := t.TempDir()
			db, err := store.Open(filepath.Join(dir, "results.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			r, err := s.Tune(t.Context(), db, tuner.TuneOptions{SpecText: text, Out: dir})
			if err != nil {
				t.Fatal(err)
			}
			if r.Outcome != emit.Better && r.Outcome != emit.BaselineStands {
				t.Errorf("outcome %s", r.Outcome)
			}
			if n := s.Space().Len(); r.Evaluations != n || r.Verdicts[plugins.OK] != n {
				t.Errorf("%d evaluations, verdicts %v; all %d of the space are right", r.Evaluations, r.Verdicts, n)
			}
			if r.Winner == nil || r.Winner.MedianNS <= 0 || r.Winner.Ratio == nil || r.AARatio == nil || len(r.Problems) != 2 {
				t.Errorf("result %+v", r)
			}
			if total := r.WallS.Compile + r.WallS.Guard + r.WallS.Race + r.WallS.Other; total <= 0 {
				t.Errorf("wall time %+v", r.WallS)
			}
			kept, err := db.Evaluations(t.Context(), s.Run())
			if err != nil || len(kept) != r.Evaluations {
				t.Errorf("the store holds %d of %d evaluations, %v", len(kept), r.Evaluations, err)
			}
			for _, file := range r.Files {
				if _, err := os.Stat(file); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// A pipeline that the driver does not finish in time is refused as such, by its own deadline,
// and its runner replaced; it is neither wrong nor a crash.
func TestCompileTimeoutOnTheRealDevice(t *testing.T) {
	if !hasDevice(t) {
		t.Skip("no Vulkan device")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // nothing is in the driver's cache
	const text = "version = 1\n[kernel]\nfamily = \"fake\"\nname = \"axpy\"\n[[problem]]\nn = 4096\n" +
		"[params]\nBLOCK = [32, 64]\nUNROLL = [1]\n"
	sp, err := spec.Parse("axpy.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := tuner.Open(t.Context(), testMachine{&tuner.Host{Program: program}}, sp,
		tuner.Options{CompileDeadline: time.Microsecond}, silent{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	db, err := store.Open(filepath.Join(t.TempDir(), "results.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	r, err := s.Tune(t.Context(), db, tuner.TuneOptions{SpecText: text, Out: t.TempDir()})
	if !errors.Is(err, tuner.ErrNothingPassed) || r == nil || r.Verdicts[plugins.CompileTimeout] != 2 {
		t.Errorf("%v, %+v; want both candidates refused with compile-timeout", err, r)
	}
}
