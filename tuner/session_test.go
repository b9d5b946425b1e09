package tuner

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/host"
	"github.com/krisptune/krisptune/plugins/plugintest"
	"github.com/krisptune/krisptune/tuner/arm"
	"github.com/krisptune/krisptune/tuner/device"
	"github.com/krisptune/krisptune/tuner/emit"
	"github.com/krisptune/krisptune/tuner/spec"
	"github.com/krisptune/krisptune/tuner/store"
)

// truths are the behaviours under which runners of the tests are started, by name.
var truths = map[string]func(plugins.Build) plugintest.Behaviour{
	// One configuration is twice as fast as all others.
	"one-fast": func(b plugins.Build) plugintest.Behaviour {
		if plugintest.FakeConfig(b).String() == "BLOCK=128,UNROLL=4" {
			return plugintest.Behaviour{Time: 50 * time.Microsecond}
		}
		return plugintest.Behaviour{Time: 100 * time.Microsecond}
	},
	// One is 3% faster.
	"one-better": func(b plugins.Build) plugintest.Behaviour {
		if plugintest.FakeConfig(b).String() == "BLOCK=128,UNROLL=4" {
			return plugintest.Behaviour{Time: 97 * time.Microsecond}
		}
		return plugintest.Behaviour{Time: 100 * time.Microsecond}
	},
	"all-equal": func(plugins.Build) plugintest.Behaviour { return plugintest.Behaviour{Time: 100 * time.Microsecond} },
	// The fastest are wrong, crash, hang and lose the device; the right winner comes fifth.
	"traps": func(b plugins.Build) plugintest.Behaviour {
		fate := plugintest.Behaviour{Time: 100 * time.Microsecond}
		switch plugintest.FakeConfig(b).String() {
		case "BLOCK=32,UNROLL=1":
			fate = plugintest.Behaviour{Time: 10 * time.Microsecond, Verdict: plugins.Wrong, At: plugintest.AtCheck}
		case "BLOCK=32,UNROLL=2":
			fate = plugintest.Behaviour{Time: 10 * time.Microsecond, Fault: plugintest.Crash, At: plugintest.AtCheck}
		case "BLOCK=32,UNROLL=4":
			fate = plugintest.Behaviour{Time: 10 * time.Microsecond, Fault: plugintest.Hang, At: plugintest.AtCheck}
		case "BLOCK=32,UNROLL=8":
			fate = plugintest.Behaviour{Time: 10 * time.Microsecond, Fault: plugintest.Crash, At: plugintest.AtRace}
		case "BLOCK=128,UNROLL=8":
			fate = plugintest.Behaviour{Time: 10 * time.Microsecond, Verdict: plugins.DeviceLost, At: plugintest.AtRace}
		case "BLOCK=128,UNROLL=1":
			fate = plugintest.Behaviour{Time: 10 * time.Microsecond, Verdict: plugins.CompileFailed, At: plugintest.AtCompile}
		case "BLOCK=128,UNROLL=2":
			fate = plugintest.Behaviour{Time: 10 * time.Microsecond, Fault: plugintest.Crash, At: plugintest.AtCompile}
		case "BLOCK=256,UNROLL=1":
			fate = plugintest.Behaviour{Time: 10 * time.Microsecond, Verdict: plugins.CompileTimeout, At: plugintest.AtCompile}
		case "BLOCK=256,UNROLL=4":
			fate = plugintest.Behaviour{Time: 10 * time.Microsecond, Verdict: plugins.OutOfMemory, At: plugintest.AtCheck}
		case "BLOCK=256,UNROLL=2":
			fate = plugintest.Behaviour{Time: 80 * time.Microsecond}
		}
		return fate
	},
	"baseline-wrong": func(b plugins.Build) plugintest.Behaviour {
		fate := plugintest.Behaviour{Time: 100 * time.Microsecond}
		if plugintest.FakeConfig(b).String() == "BLOCK=64,UNROLL=1" {
			fate.Verdict, fate.At = plugins.Wrong, plugintest.AtCheck
		}
		return fate
	},
	// One passes the guard and is found wrong when it is timed.
	"wrong-when-timed": func(b plugins.Build) plugintest.Behaviour {
		fate := plugintest.Behaviour{Time: 100 * time.Microsecond}
		if plugintest.FakeConfig(b).String() == "BLOCK=128,UNROLL=4" {
			fate.Verdict, fate.At = plugins.Wrong, plugintest.AtRace
		}
		return fate
	},
	// The baseline passes the guard and its device is lost when it is timed.
	"baseline-dies": func(b plugins.Build) plugintest.Behaviour {
		fate := plugintest.Behaviour{Time: 100 * time.Microsecond}
		if plugintest.FakeConfig(b).String() == "BLOCK=64,UNROLL=1" {
			fate.Verdict, fate.At = plugins.DeviceLost, plugintest.AtRace
		}
		return fate
	},
	// The fastest is wrong only after the guard and the races, the second fastest only crashes
	// then, and the third is right.
	"soak-fails": func(b plugins.Build) plugintest.Behaviour {
		switch plugintest.FakeConfig(b).String() {
		case "BLOCK=128,UNROLL=4":
			return plugintest.Behaviour{Time: 50 * time.Microsecond, Verdict: plugins.Nondeterministic, At: plugintest.AtSoak}
		case "BLOCK=128,UNROLL=2":
			return plugintest.Behaviour{Time: 60 * time.Microsecond, Fault: plugintest.Crash, At: plugintest.AtSoak}
		case "BLOCK=128,UNROLL=1":
			return plugintest.Behaviour{Time: 80 * time.Microsecond}
		}
		return plugintest.Behaviour{Time: 100 * time.Microsecond}
	},
	// Large workgroups are fast, unrolling is not.
	"block-for-time": func(b plugins.Build) plugintest.Behaviour {
		config := plugintest.FakeConfig(b)
		us := map[int64]time.Duration{32: 100, 64: 90, 128: 80, 256: 70}[config["BLOCK"].(int64)]
		if config["UNROLL"].(int64) > 1 {
			us += 40
		}
		return plugintest.Behaviour{Time: us * time.Microsecond}
	},
	"all-wrong": func(plugins.Build) plugintest.Behaviour {
		return plugintest.Behaviour{Time: time.Microsecond, Verdict: plugins.Unwritten, At: plugintest.AtCheck}
	},
	// One configuration takes every process with it that checks it. FAKE_TALLY names a file that
	// collects the processes that saw it.
	"killer": func(b plugins.Build) plugintest.Behaviour {
		fate := plugintest.Behaviour{Time: 100 * time.Microsecond}
		if plugintest.FakeConfig(b).String() == "BLOCK=32,UNROLL=2" {
			if f, err := os.OpenFile(os.Getenv("FAKE_TALLY"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
				fmt.Fprintln(f, os.Getpid())
				f.Close()
			}
			fate.Fault, fate.At = plugintest.Crash, plugintest.AtCheck
		}
		return fate
	},
	// A driver setting makes everything faster.
	"setting": func(plugins.Build) plugintest.Behaviour {
		if os.Getenv("FAKE_MODE") == "fast" {
			return plugintest.Behaviour{Time: 60 * time.Microsecond}
		}
		return plugintest.Behaviour{Time: 100 * time.Microsecond}
	},
}

func TestMain(m *testing.M) {
	runners := map[string]func() plugins.Runner{}
	for name, truth := range truths {
		runners[name] = func() plugins.Runner {
			return &plugintest.FakeRunner{Behave: truth, Noise: plugintest.Noise{Sigma: 0.01}}
		}
		for weather, noise := range noises {
			runners[name+" "+weather] = func() plugins.Runner { return &plugintest.FakeRunner{Behave: truth, Noise: noise} }
		}
	}
	plugintest.Main(m, plugintest.Processes{
		Families: map[string]plugins.Family{"fake": plugintest.FakeFamily{}, "padded": paddedFamily{}, "scratch": scratchFamily{},
			"mortal": mortalFamily{}},
		Runners: runners,
	})
}

// A fakeMachine has one device, served by a fake runner in a process of its own.
type fakeMachine struct{ truth string }

func (m fakeMachine) Family(ctx context.Context, name string) (FamilyProcess, error) {
	if !slices.Contains([]string{"fake", "padded", "scratch", "mortal"}, name) {
		return nil, fmt.Errorf("no family %q, expected fake, padded, scratch or mortal", name)
	}
	return host.StartFamily(ctx, plugintest.FamilyCommand(name))
}

func (m fakeMachine) Devices(context.Context) ([]device.Found, []device.Failure) {
	return []device.Found{{Device: plugintest.FakeDevice()}}, nil
}

func (m fakeMachine) Runner(ctx context.Context, _ device.Found, a arm.Arm) (Process, Environment, error) {
	env, removed := host.Environment(os.Environ(), a.Unset, a.Set, "")
	p, err := host.StartRunner(ctx, plugintest.RunnerCommand(m.truth, env))
	if err != nil {
		return nil, Environment{}, err
	}
	return p, Environment{Set: env, Removed: removed}, nil
}

// Lock gives each test a lock of its own: fake devices are not shared.
func (m fakeMachine) Lock(string) (DeviceLock, error) { return noLock{}, nil }

type noLock struct{}

func (noLock) Shared(context.Context) error    { return nil }
func (noLock) Exclusive(context.Context) error { return nil }
func (noLock) Unlock()                         {}

// A quiet observer counts evaluations and may act after one.
type quiet struct {
	evaluated []Evaluation
	after     func(n int)
}

func (q *quiet) Opened(plugins.Opened) {}
func (q *quiet) Planned(int, int)      {}
func (q *quiet) Stage(string)          {}
func (q *quiet) Warn(string)           {}
func (q *quiet) Evaluated(e Evaluation) {
	q.evaluated = append(q.evaluated, e)
	if q.after != nil {
		q.after(len(q.evaluated))
	}
}

const fakeSpec = `version = 1
[kernel]
family = "fake"
name = "axpy"
[[problem]]
n = 1000
[search]
budget = "100"
`

func tune(t *testing.T, ctx context.Context, truth, text string, q *quiet, opts TuneOptions, dbPath string) (*Session, *emit.Result, error) {
	t.Helper()
	s, db := session(t, ctx, truth, text, q, dbPath)
	opts.SpecText = text
	if opts.Out == "" {
		opts.Out = t.TempDir()
	}
	r, err := s.Tune(ctx, db, opts)
	return s, r, err
}

func session(t *testing.T, ctx context.Context, truth, text string, q *quiet, dbPath string) (*Session, *store.Store) {
	t.Helper()
	sp, err := spec.Parse("test.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(ctx, fakeMachine{truth}, sp, Options{Silence: 2 * time.Second, Deadline: time.Millisecond, AllowSettings: []string{"FAKE_MODE"}}, q)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if dbPath == "" {
		dbPath = filepath.Join(t.TempDir(), "results.db")
	}
	db, err := store.Open(dbPath)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return s, db
}

func TestTuneFindsTheFastOne(t *testing.T) {
	_, r, err := tune(t, t.Context(), "one-fast", fakeSpec, &quiet{}, TuneOptions{}, "")
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != emit.Better || plugins.Config(r.Winner.Config).String() != "BLOCK=128,UNROLL=4" {
		t.Fatalf("outcome %s, winner %v", r.Outcome, r.Winner)
	}
	if math.Abs(*r.Winner.Ratio-2) > 0.05 || r.Winner.RatioInterval[0] > 2 || r.Winner.RatioInterval[1] < 2 {
		t.Errorf("ratio %v in %v, the truth is 2", *r.Winner.Ratio, *r.Winner.RatioInterval)
	}
	if math.Abs(*r.AARatio-1) > 0.02 {
		t.Errorf("A/A ratio %v, the truth is 1", *r.AARatio)
	}
	if r.Stopped != string(StoppedExhausted) || r.Evaluations != 15 {
		t.Errorf("stopped %s after %d evaluations, want all 15 of the space", r.Stopped, r.Evaluations)
	}
	if len(r.Files) != 2 {
		t.Errorf("files %v", r.Files)
	}
}

func TestTuneSoaksTheLeader(t *testing.T) {
	_, r, err := tune(t, t.Context(), "soak-fails", fakeSpec, &quiet{}, TuneOptions{}, "")
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != emit.Better || plugins.Config(r.Winner.Config).String() != "BLOCK=128,UNROLL=1" {
		t.Fatalf("outcome %s, winner %v; the two faster ones fail when soaked", r.Outcome, r.Winner)
	}
	if r.Verdicts[plugins.Nondeterministic] != 1 || r.Verdicts[plugins.Crash] != 1 || r.Verdicts[plugins.OK] != 13 {
		t.Errorf("verdicts %v, want one nondeterministic and one crash", r.Verdicts)
	}
	soak := r.Winner.Soak
	if soak == nil || soak.Rounds < 60 || soak.Problems < 3 || soak.Runs != soak.Rounds*soak.Problems {
		t.Errorf("soak %+v, want at least 60 rounds at several sizes", soak)
	}
	if all := strings.Join(r.Warnings, "\n"); strings.Count(all, "failed when soaked") != 2 {
		t.Errorf("warnings do not name both leaders that failed:\n%s", all)
	}
}

func TestTuneLetsTheBaselineStand(t *testing.T) {
	_, r, err := tune(t, t.Context(), "all-equal", fakeSpec, &quiet{}, TuneOptions{}, "")
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != emit.BaselineStands || plugins.Config(r.Winner.Config).String() != "BLOCK=64,UNROLL=1" || *r.Winner.Ratio != 1 {
		t.Errorf("outcome %s, winner %v: identical kernels must not beat each other", r.Outcome, r.Winner)
	}
}

func TestTuneSurvivesTraps(t *testing.T) {
	q := &quiet{}
	_, r, err := tune(t, t.Context(), "traps", fakeSpec, q, TuneOptions{}, "")
	if err != nil {
		for _, e := range q.evaluated {
			t.Logf("%s: %s %s %v", e.Config, e.Verdict, e.Evidence.Message, e.Ratio)
		}
		t.Fatal(err)
	}
	if r.Outcome != emit.Better || plugins.Config(r.Winner.Config).String() != "BLOCK=256,UNROLL=2" {
		t.Errorf("outcome %s, winner %v", r.Outcome, r.Winner)
	}
	want := map[plugins.Verdict]int{plugins.OK: 6, plugins.Wrong: 1, plugins.Crash: 3, plugins.Timeout: 1, plugins.DeviceLost: 1, plugins.CompileFailed: 1,
		plugins.CompileTimeout: 1, plugins.OutOfMemory: 1}
	for v, n := range want {
		if r.Verdicts[v] != n {
			t.Errorf("%d %s, want %d (all: %v)", r.Verdicts[v], v, n, r.Verdicts)
		}
	}
}

func TestTuneWithAWrongBaseline(t *testing.T) {
	_, r, err := tune(t, t.Context(), "baseline-wrong", fakeSpec, &quiet{}, TuneOptions{}, "")
	if !errors.Is(err, ErrBaselineWrong) {
		t.Errorf("error %v, want ErrBaselineWrong", err)
	}
	if r == nil || r.Baseline != nil || r.Winner == nil || r.Winner.Ratio != nil {
		t.Errorf("result %+v: without a baseline there are times and no ratios", r)
	}
	if _, r, err = tune(t, t.Context(), "baseline-wrong", fakeSpec, &quiet{}, TuneOptions{NoBaseline: true}, ""); err != nil || r == nil {
		t.Errorf("with NoBaseline: %v", err)
	}
}

func TestTuneGivesUpABaselineThatFailsWhenTimed(t *testing.T) {
	_, r, err := tune(t, t.Context(), "baseline-dies", fakeSpec, &quiet{}, TuneOptions{}, "")
	if !errors.Is(err, ErrBaselineWrong) || r == nil || r.Winner == nil || r.Winner.Ratio != nil {
		t.Errorf("result %+v, error %v", r, err)
	}
	if r != nil && r.Verdicts[plugins.OK] != 14 {
		t.Errorf("verdicts %v, want 14 ok", r.Verdicts)
	}
}

func TestTuneEmitsNothingWhenNothingPassed(t *testing.T) {
	out := t.TempDir()
	s, r, err := tune(t, t.Context(), "all-wrong", fakeSpec, &quiet{}, TuneOptions{Out: out}, "")
	if !errors.Is(err, ErrNothingPassed) || r == nil || r.Outcome != emit.NonePassed || r.Winner != nil {
		t.Errorf("result %+v, error %v", r, err)
	}
	if files, _ := os.ReadDir(out); len(files) != 0 {
		t.Errorf("files were written: %v", files)
	}
	if why := s.Rejected(); why[plugins.Unwritten] == "" {
		t.Errorf("no reason is given: %v", why)
	}
}

func TestTuneChoosesADriverSetting(t *testing.T) {
	text := fakeSpec + "[driver.settings]\nFAKE_MODE = [\"slow\", \"fast\"]\n"
	t.Setenv("FAKE_MODE", "fast") // the user's shell must not colour the stock arm
	_, r, err := tune(t, t.Context(), "setting", text, &quiet{}, TuneOptions{}, "")
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != emit.Better || r.Winner.Settings["FAKE_MODE"] != "fast" || len(r.Baseline.Settings) != 0 {
		t.Errorf("outcome %s, winner %+v, baseline %+v", r.Outcome, r.Winner, r.Baseline)
	}
	if math.Abs(*r.Winner.Ratio-100./60) > 0.05 {
		t.Errorf("ratio %v, the truth is %v", *r.Winner.Ratio, 100./60)
	}
}

func TestTuneResumes(t *testing.T) {
	db := filepath.Join(t.TempDir(), "results.db")
	ctx, cancel := context.WithCancel(t.Context())
	first := &quiet{after: func(n int) {
		if n == 8 {
			cancel()
		}
	}}
	s, r, err := tune(t, ctx, "one-fast", fakeSpec, first, TuneOptions{}, db)
	if !errors.Is(err, context.Canceled) || r != nil {
		t.Fatalf("result %v, error %v; want an interrupted run", r, err)
	}
	run := s.Run()
	s.Close()

	second := &quiet{}
	s, r, err = tune(t, t.Context(), "one-fast", fakeSpec, second, TuneOptions{Resume: true}, db)
	if err != nil {
		t.Fatal(err)
	}
	if s.Run() != run {
		t.Errorf("run %d, want %d continued", s.Run(), run)
	}
	if len(second.evaluated) != 15-8 || r.Evaluations != 15 {
		t.Errorf("%d evaluated after resuming, %d in all; want 7 and 15", len(second.evaluated), r.Evaluations)
	}
	if plugins.Config(r.Winner.Config).String() != "BLOCK=128,UNROLL=4" {
		t.Errorf("winner %v", r.Winner.Config)
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, test := range []struct{ name, text, says string }{
		{"unknown family", strings.Replace(fakeSpec, `"fake"`, `"nothing"`, 1), "test.toml:3:10: "},
		{"empty space", "constraints = [\"BLOCK > 4096\"]\n" + fakeSpec, `test.toml:1:17: the constraints leave no configuration`},
		{"typo", "constraints = [\"BLOK > 4\"]\n" + fakeSpec, `test.toml:1:17: `},
		{"division by zero", "constraints = [\"BLOCK // (UNROLL - 1) > 0\"]\n" + fakeSpec, `division by zero`},
	} {
		t.Run(test.name, func(t *testing.T) {
			sp, err := spec.Parse("test.toml", []byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			_, err = Open(t.Context(), fakeMachine{"all-equal"}, sp, Options{}, &quiet{})
			var bad *spec.Error
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want a *spec.Error that says %q", err, test.says)
			}
		})
	}
}
