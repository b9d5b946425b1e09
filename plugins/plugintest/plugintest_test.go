package plugintest_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/host"
	"github.com/krisptune/krisptune/plugins/plugintest"
)

func TestMain(m *testing.M) {
	plugintest.Main(m, plugintest.Processes{
		Families: map[string]plugins.Family{
			"fake":  plugintest.FakeFamily{},
			"moody": &moody{},
		},
		Runners: map[string]func() plugins.Runner{
			"fake": func() plugins.Runner {
				return &plugintest.FakeRunner{Behave: behave, Noise: plugintest.Noise{Sigma: 0.01}}
			},
		},
	})
}

// behave gives each fate to one configuration.
func behave(b plugins.Build) plugintest.Behaviour {
	config := plugintest.FakeConfig(b)
	block, _ := config.Int("BLOCK")
	unroll, _ := config.Int("UNROLL")
	truth := plugintest.Behaviour{Time: time.Duration(20+block/32*unroll) * time.Microsecond}
	switch config.String() {
	case "BLOCK=32,UNROLL=8":
		truth.Verdict, truth.At = plugins.Wrong, plugintest.AtCheck
	case "BLOCK=64,UNROLL=8":
		truth.Verdict, truth.At = plugins.CompileFailed, plugintest.AtCompile
	case "BLOCK=128,UNROLL=8":
		truth.Fault, truth.At = plugintest.Crash, plugintest.AtCheck
	case "BLOCK=32,UNROLL=4":
		truth.Fault, truth.At = plugintest.Hang, plugintest.AtRace
	case "BLOCK=64,UNROLL=4":
		truth.Verdict, truth.At = plugins.DeviceLost, plugintest.AtRace
	}
	return truth
}

func TestFakeFamilyConforms(t *testing.T) {
	plugintest.TestFamily(t, "fake", plugintest.ConformanceOptions{})
}

// The suite must find what is wrong with a family that does everything wrong at once.
func TestConformanceFindsFaults(t *testing.T) {
	found := map[string]bool{}
	for _, f := range plugintest.Conformance(t.Context(), &moody{}, plugintest.ConformanceOptions{}) {
		found[f.Check] = true
	}
	for _, check := range []string{"build", "refuse", "reference"} {
		if !found[check] {
			t.Errorf("no finding of %s", check)
		}
	}
}

// moody answers differently every time, refuses nothing and has no references.
type moody struct{ calls atomic.Int64 }

func (*moody) Describe(ctx context.Context) (plugins.Info, error) {
	return plugintest.FakeFamily{}.Describe(ctx)
}

func (m *moody) Build(ctx context.Context, _ plugins.Problem, _ plugins.Config) (plugins.Build, error) {
	info, _ := m.Describe(ctx)
	b, err := plugintest.FakeFamily{}.Build(ctx, plugintest.ExampleProblem(info), info.Baseline)
	b.Flops = float64(m.calls.Add(1))
	return b, err
}

// session opens the fake runner in a process of its own and compiles the named configurations.
func session(t *testing.T, configs ...plugins.Config) (*host.RunnerProcess, plugins.FamilyWithReference, []plugins.Check) {
	t.Helper()
	family := plugintest.StartFamily(t, "fake")
	withReference, ok := family.Family().(plugins.FamilyWithReference)
	if !ok {
		t.Fatal("the fake family lost its references on the wire")
	}
	runner := plugintest.StartRunner(t, "fake", nil)
	ctx := t.Context()
	opened, err := runner.Runner().Open(ctx, plugins.OpenOptions{SessionDir: t.TempDir(), Seed: 1})
	if err != nil || opened.Device.Name != plugintest.FakeDevice().Name {
		t.Fatalf("Open: %+v, %v", opened, err)
	}
	problem := plugintest.ExampleProblem(family.Info())
	var candidates []plugins.Candidate
	var checks []plugins.Check
	for _, config := range configs {
		build, err := withReference.Build(ctx, problem, config)
		if err != nil {
			t.Fatal(err)
		}
		candidates = append(candidates, plugins.Candidate{ID: config.String(), Build: build})
		checks = append(checks, plugins.Check{ID: config.String(), Problem: problem, Config: config,
			Cases: []plugins.Case{{Problem: problem, Build: build}}})
	}
	err = runner.Runner().Compile(ctx, candidates, func(c plugins.Compiled) {
		checks = slices.DeleteFunc(checks, func(k plugins.Check) bool {
			return k.ID == c.ID && c.Verdict != plugins.OK
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return runner, withReference, checks
}

func config(block, unroll int64) plugins.Config {
	return plugins.Config{"BLOCK": block, "UNROLL": unroll}
}

func TestFakeRunnerOverTheWire(t *testing.T) {
	runner, family, checks := session(t, config(64, 1), config(32, 8), config(64, 8))
	if len(checks) != 2 {
		t.Fatalf("%d candidates compiled, expected 2: one was told to fail", len(checks))
	}
	ctx := t.Context()
	if err := runner.Runner().Check(ctx, checks, func(plugins.Checked) {}); !isRefused(err) {
		t.Fatalf("Check without references: %v, expected it to be refused", err)
	}
	requests, err := runner.Runner().Inputs(ctx, checks)
	if err != nil || len(requests) != 4 {
		t.Fatalf("Inputs: %d requests, %v, expected 4", len(requests), err)
	}
	for _, req := range requests {
		if err := family.Reference(ctx, req); err != nil {
			t.Fatal(err)
		}
	}
	if requests, err = runner.Runner().Inputs(ctx, checks); err != nil || len(requests) != 0 {
		t.Fatalf("Inputs again: %d requests, %v, expected none", len(requests), err)
	}
	verdicts := map[string]plugins.Verdict{}
	err = runner.Runner().Check(ctx, checks, func(c plugins.Checked) { verdicts[c.ID] = c.Verdict })
	if err != nil || verdicts["BLOCK=64,UNROLL=1"] != plugins.OK || verdicts["BLOCK=32,UNROLL=8"] != plugins.Wrong {
		t.Fatalf("Check: %v, %v", verdicts, err)
	}
}

func TestFakeRaceIsSeededAndCentred(t *testing.T) {
	runner, _, _ := session(t, config(64, 1), config(256, 1))
	race := plugins.Race{Entrants: []string{"BLOCK=64,UNROLL=1", "BLOCK=64,UNROLL=1", "BLOCK=256,UNROLL=1"}, Rounds: 200, Seed: 7}
	take := func() [3][]float64 {
		var times [3][]float64
		err := runner.Runner().Race(t.Context(), race, func(s plugins.Sample) {
			times[s.Entrant] = append(times[s.Entrant], s.Nanoseconds)
		})
		if err != nil {
			t.Fatal(err)
		}
		return times
	}
	first, again := take(), take()
	for e, truth := range []float64{22000, 22000, 28000} {
		if !slices.Equal(first[e], again[e]) {
			t.Errorf("entrant %d: the same race gave other samples", e)
		}
		slices.Sort(first[e])
		// A median of 200 with sigma 1% has a standard error below 0.1%.
		if median := first[e][100]; math.Abs(median/truth-1) > 0.005 {
			t.Errorf("entrant %d: median %.0f ns, expected %.0f", e, median, truth)
		}
	}
	if slices.Equal(again[0], again[1]) {
		t.Error("the same candidate under two labels gave the same samples, expected independent noise")
	}
}

func TestFakeFaults(t *testing.T) {
	t.Run("crash", func(t *testing.T) {
		runner, family, checks := session(t, config(128, 8))
		requests, err := runner.Runner().Inputs(t.Context(), checks)
		if err != nil {
			t.Fatal(err)
		}
		for _, req := range requests {
			if err := family.Reference(t.Context(), req); err != nil {
				t.Fatal(err)
			}
		}
		err = runner.Runner().Check(t.Context(), checks, func(plugins.Checked) {})
		var death *host.DeathError
		if !errors.As(err, &death) || death.ByUs || death.Verdict != plugins.Crash {
			t.Fatalf("%v, expected a crash", err)
		}
		if !slices.Contains(death.Stderr, "fake driver: segmentation fault") {
			t.Errorf("last lines %q lack the driver's words", death.Stderr)
		}
	})
	t.Run("hang", func(t *testing.T) {
		runner, _, _ := session(t, config(32, 4))
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		err := runner.Runner().Race(ctx, plugins.Race{Entrants: []string{"BLOCK=32,UNROLL=4"}, Rounds: 1}, func(plugins.Sample) {})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("%v, expected the deadline", err)
		}
		if err := runner.Kill(); err != nil {
			t.Fatal(err)
		}
		err = runner.Runner().Release(t.Context(), nil)
		var death *host.DeathError
		if !errors.As(err, &death) || !death.ByUs || death.Verdict != "" {
			t.Fatalf("%v, expected an end by us without a verdict", err)
		}
	})
	t.Run("device lost", func(t *testing.T) {
		runner, _, _ := session(t, config(64, 1), config(64, 4))
		var verdicts []plugins.Verdict
		race := func(id string) {
			err := runner.Runner().Race(t.Context(), plugins.Race{Entrants: []string{id}, Rounds: 1},
				func(s plugins.Sample) { verdicts = append(verdicts, s.Verdict) })
			if err != nil {
				t.Fatal(err)
			}
		}
		race("BLOCK=64,UNROLL=1")
		race("BLOCK=64,UNROLL=4")
		race("BLOCK=64,UNROLL=1")
		want := []plugins.Verdict{plugins.OK, plugins.DeviceLost, plugins.DeviceLost}
		if !slices.Equal(verdicts, want) {
			t.Errorf("%v, expected %v: a lost device stays lost", verdicts, want)
		}
	})
}

func isRefused(err error) bool {
	var refused *plugins.RequestError
	return errors.As(err, &refused)
}
