package host_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/host"
	"github.com/krisptune/krisptune/plugins/plugintest"
)

// TestMain also makes this program the other ones that the tests need (programs).
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if program, ok := programs[os.Args[1]]; ok {
			program(os.Args[2:])
			os.Exit(0)
		}
	}
	plugintest.Main(m, plugintest.Processes{
		Families: map[string]plugins.Family{"fake": plugintest.FakeFamily{}, "odd": odd{}},
		Runners: map[string]func() plugins.Runner{
			"fake":        func() plugins.Runner { return &plugintest.FakeRunner{} },
			"environment": func() plugins.Runner { return &environmentRunner{} },
			"parent":      newParentRunner,
			"slow":        func() plugins.Runner { return &slowRunner{} },
		},
	})
}

// odd is a family that misbehaves as its problem says.
type odd struct{ plugintest.FakeFamily }

func (odd) Describe(ctx context.Context) (plugins.Info, error) {
	info, err := plugintest.FakeFamily{}.Describe(ctx)
	info.Fields = []plugins.Field{{Name: "do", Type: plugins.String, Default: "panic"}}
	return info, err
}

func (odd) Build(ctx context.Context, problem plugins.Problem, config plugins.Config) (plugins.Build, error) {
	fine := func() (plugins.Build, error) {
		return plugintest.FakeFamily{}.Build(ctx, plugins.Problem{"n": int64(64), "alpha": 1.0}, config)
	}
	switch do := problem["do"]; do {
	case "panic":
		panic("the odd family panics")
	case "fail":
		return plugins.Build{}, errors.New("no such table\x1b[31m!")
	case "refuse":
		return plugins.Build{}, fmt.Errorf("wrapped: %w", &plugins.RequestError{Reason: "never mind"})
	case "exit":
		fmt.Fprintln(os.Stderr, "leaving\x1b[2J now")
		os.Exit(3)
	case "stdout":
		fmt.Println("printed to stdout")
		_, _ = unix.Write(1, []byte(strings.Repeat("a driver writes to descriptor 1\n", 10_000)))
		return fine()
	case "large":
		b, err := fine()
		b.Modules[0].SPIRV = append(slices.Clone(b.Modules[0].SPIRV), make([]byte, 20<<20)...)
		return b, err
	case "huge":
		b, err := fine()
		b.Modules[0].SPIRV = append(slices.Clone(b.Modules[0].SPIRV), make([]byte, 65<<20)...)
		return b, err
	case "nowhere":
		b, err := fine()
		b.Passes[0].Module = 7
		return b, err
	case "wait":
		<-ctx.Done()
		return plugins.Build{}, ctx.Err()
	}
	return fine()
}

func (odd) Reference(context.Context, plugins.ReferenceRequest) error { panic("no reference") }

func buildOdd(ctx context.Context, p *host.FamilyProcess, do string) (plugins.Build, error) {
	return p.Family().Build(ctx, plugins.Problem{"do": do}, p.Info().Baseline)
}

func TestErrorsOfAFamily(t *testing.T) {
	p := plugintest.StartFamily(t, "odd")
	for do, want := range map[string]string{
		"panic":   "panic: the odd family panics",
		"fail":    "no such table!",
		"huge":    "larger than max",
		"nowhere": "pass 0: module 7 of 1",
	} {
		_, err := buildOdd(t.Context(), p, do)
		var refused *plugins.RequestError
		if err == nil || errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected one with %q that is no refusal", do, err, want)
		}
	}
	_, err := buildOdd(t.Context(), p, "refuse")
	var refused *plugins.RequestError
	if !errors.As(err, &refused) || refused.Reason != "wrapped: never mind" {
		t.Errorf("refuse: error %#v, expected a refusal with its reason", err)
	}
	_, err = p.Family().Build(t.Context(), plugins.Problem{"do": int64(1)}, p.Info().Baseline)
	if !errors.As(err, &refused) {
		t.Errorf("a field of a wrong type: error %v, expected a refusal", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := buildOdd(ctx, p, "wait"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("wait: error %v, expected the deadline", err)
	}
	// All that cost the process nothing.
	if _, err := buildOdd(t.Context(), p, "nothing"); err != nil {
		t.Error(err)
	}
}

func TestLargeAnswers(t *testing.T) {
	p := plugintest.StartFamily(t, "odd")
	b, err := buildOdd(t.Context(), p, "large")
	if err != nil || len(b.Modules[0].SPIRV) < 20<<20 {
		t.Fatalf("a module of 20 MiB: %v", err)
	}
}

// Whatever a driver prints to stdout is output, and never stalls or confuses the wire.
func TestStdoutIsNotTheWire(t *testing.T) {
	p := plugintest.StartFamily(t, "odd")
	if _, err := buildOdd(t.Context(), p, "stdout"); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(5 * time.Second)
	for !slices.Contains(p.Stderr(), "a driver writes to descriptor 1") {
		if time.Now().After(deadline) {
			t.Fatalf("output %q lacks the driver's line", p.Stderr())
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestDeaths(t *testing.T) {
	t.Run("exit", func(t *testing.T) {
		p := plugintest.StartFamily(t, "odd")
		_, err := buildOdd(t.Context(), p, "exit")
		death := asDeath(t, err)
		if death.ByUs || death.ExitCode != 3 || death.Verdict != plugins.PluginError || !slices.Equal(death.Stderr, []string{"leaving now"}) {
			t.Errorf("%+v, expected exit status 3 of its own and its last words", death)
		}
		_, err = buildOdd(t.Context(), p, "nothing")
		if again := asDeath(t, err); again.ExitCode != 3 {
			t.Errorf("the call after: %v, expected the same death", err)
		}
	})
	t.Run("signal", func(t *testing.T) {
		p := plugintest.StartRunner(t, "fake", nil)
		if err := unix.Kill(p.PID(), unix.SIGKILL); err != nil {
			t.Fatal(err)
		}
		_, err := p.Runner().Devices(t.Context())
		death := asDeath(t, err)
		if death.ByUs || death.Signal != syscall.SIGKILL || death.ExitCode != -1 || death.Verdict != plugins.Crash {
			t.Errorf("%+v, expected a crash by SIGKILL", death)
		}
	})
	t.Run("during a call", func(t *testing.T) {
		p := plugintest.StartFamily(t, "odd")
		time.AfterFunc(100*time.Millisecond, func() { _ = unix.Kill(p.PID(), unix.SIGABRT) })
		_, err := buildOdd(t.Context(), p, "wait")
		if death := asDeath(t, err); death.ByUs || death.Signal != syscall.SIGABRT && death.ExitCode != 2 {
			t.Errorf("%+v, expected SIGABRT, or what Go makes of it", death)
		}
	})
	t.Run("by us", func(t *testing.T) {
		for name, end := range map[string]func(*host.RunnerProcess) error{
			"Kill":    (*host.RunnerProcess).Kill,
			"Close":   (*host.RunnerProcess).Close,
			"KillAll": func(*host.RunnerProcess) error { return host.KillAll() },
		} {
			p := plugintest.StartRunner(t, "fake", nil)
			if err := end(p); err != nil {
				t.Fatal(err)
			}
			_, err := p.Runner().Devices(t.Context())
			if death := asDeath(t, err); !death.ByUs || death.Verdict != "" {
				t.Errorf("%s: %+v, expected a death by us without a verdict", name, death)
			}
		}
	})
	t.Run("killed during a call", func(t *testing.T) {
		p := plugintest.StartFamily(t, "odd")
		time.AfterFunc(100*time.Millisecond, func() { _ = p.Kill() })
		_, err := buildOdd(t.Context(), p, "wait")
		if death := asDeath(t, err); !death.ByUs {
			t.Errorf("%+v, expected a death by us", death)
		}
	})
	t.Run("before we kill", func(t *testing.T) {
		p := plugintest.StartRunner(t, "fake", nil)
		_ = unix.Kill(p.PID(), unix.SIGKILL)
		if _, err := p.Runner().Devices(t.Context()); asDeath(t, err).ByUs {
			t.Fatal("not ours")
		}
		_ = p.Kill()
		_, err := p.Runner().Devices(t.Context())
		if death := asDeath(t, err); death.ByUs {
			t.Errorf("%+v: killing what had ended by itself made its death ours", death)
		}
	})
}

func asDeath(t *testing.T, err error) *host.DeathError {
	t.Helper()
	var death *host.DeathError
	if !errors.As(err, &death) {
		t.Fatalf("error %v, expected a *DeathError", err)
	}
	return death
}

// parentRunner has a process of its own, as the command family's runner does.
type parentRunner struct {
	plugintest.FakeRunner
	pid int
}

func newParentRunner() plugins.Runner {
	cmd := exec.Command("sleep", "600")
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	return &parentRunner{pid: cmd.Process.Pid}
}

func (r *parentRunner) Devices(context.Context) ([]plugins.Device, error) {
	return []plugins.Device{{Index: r.pid}}, nil
}

// grandchild starts a runner with a process of its own and returns that one's number.
func grandchild(t *testing.T, p *host.RunnerProcess) int {
	t.Helper()
	devices, err := p.Runner().Devices(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if gone(devices[0].Index) {
		t.Fatal("the grandchild is gone before its time")
	}
	return devices[0].Index
}

func TestTheWholeGroupGoes(t *testing.T) {
	for name, end := range map[string]func(*host.RunnerProcess) error{
		"Kill":  (*host.RunnerProcess).Kill,
		"Close": (*host.RunnerProcess).Close,
		"crash": func(p *host.RunnerProcess) error { return unix.Kill(p.PID(), unix.SIGSEGV) },
	} {
		p := plugintest.StartRunner(t, "parent", os.Environ())
		pid := grandchild(t, p)
		if err := end(p); err != nil {
			t.Fatal(err)
		}
		waitFor(t, name+": the grandchild's end", time.Second, func() bool { return gone(pid) })
	}
}

// gone is also true of a process that nobody has reaped.
func gone(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return true
	}
	after := stat[strings.LastIndex(string(stat), ")")+1:]
	return strings.Fields(string(after))[0] == "Z"
}

func waitFor(t *testing.T, what string, limit time.Duration, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s did not come within %v", what, limit)
		}
	}
}

// environmentRunner shows its environment, and what its stdin is, as devices.
type environmentRunner struct{ plugintest.FakeRunner }

func (*environmentRunner) Devices(context.Context) ([]plugins.Device, error) {
	var devices []plugins.Device
	for _, e := range os.Environ() {
		devices = append(devices, plugins.Device{Name: e})
	}
	stdin, err := os.Readlink("/proc/self/fd/0")
	devices = append(devices, plugins.Device{Name: "stdin=" + stdin}, plugins.Device{Name: "pgrp=" + strconv.FormatBool(unix.Getpgrp() == os.Getpid())})
	return devices, err
}

func childEnvironment(t *testing.T, env []string) []string {
	t.Helper()
	devices, err := plugintest.StartRunner(t, "environment", env).Runner().Devices(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var entries []string
	for _, d := range devices {
		// What go-plugin adds for its own handshake.
		if !strings.HasPrefix(d.Name, "PLUGIN_") && !strings.HasPrefix(d.Name, "KRISPTUNE_PLUGIN=") {
			entries = append(entries, d.Name)
		}
	}
	return entries
}

// A knob in the user's shell must not colour the stock arm, nor override another arm's value,
// and the runner must see the list that we print and store, no more and no less.
func TestRunnersSeeExactlyTheArm(t *testing.T) {
	t.Setenv("HK_LAZY_BARRIER", "from the shell")
	t.Setenv("VK_INSTANCE_LAYERS", "VK_LAYER_slow")
	t.Setenv("VK_DRIVER_FILES", "/etc/lavapipe.json")
	t.Setenv("PLUGIN_MULTIPLEX_GRPC", "true") // would change the wire itself
	knobs := []string{"HK_LAZY_BARRIER", "HK_PERFTEST"}

	for name, settings := range map[string]map[string]string{
		"stock": nil,
		"lazy":  {"HK_LAZY_BARRIER": "1"},
	} {
		env, removed := host.Environment(os.Environ(), knobs, settings, "/cache/"+name)
		if !slices.Contains(removed, "HK_LAZY_BARRIER=from the shell") || !slices.Contains(removed, "VK_INSTANCE_LAYERS=VK_LAYER_slow") {
			t.Errorf("%s: removed %q", name, removed)
		}
		got := childEnvironment(t, env)
		want := slices.DeleteFunc(slices.Clone(env), func(e string) bool { return strings.HasPrefix(e, "PLUGIN_") })
		want = append(want, "stdin=/dev/null", "pgrp=true")
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the runner sees\n%q, expected\n%q", name, got, want)
		}
		if lazy := slices.Contains(got, "HK_LAZY_BARRIER=1"); lazy != (settings != nil) {
			t.Errorf("%s: HK_LAZY_BARRIER=1 is %v in the runner", name, lazy)
		}
		if !slices.Contains(got, "VK_DRIVER_FILES=/etc/lavapipe.json") {
			t.Errorf("%s: the user's choice of driver is lost", name)
		}
	}
	// The other side: what is in the list does reach the runner.
	if got := childEnvironment(t, os.Environ()); !slices.Contains(got, "HK_LAZY_BARRIER=from the shell") {
		t.Error("the whole host's environment was given, but the runner does not see it")
	}
}

const slowRace = 1500 * time.Millisecond

// slowRunner does not heed its context in a race, and compiles on many goroutines.
type slowRunner struct {
	plugintest.FakeRunner
	racing atomic.Bool
}

func (r *slowRunner) Race(_ context.Context, _ plugins.Race, each func(plugins.Sample)) error {
	r.racing.Store(true)
	defer r.racing.Store(false)
	each(plugins.Sample{Verdict: plugins.OK})
	time.Sleep(slowRace)
	return nil
}

func (r *slowRunner) Release(context.Context, []string) error {
	if r.racing.Load() {
		return errors.New("released during a race")
	}
	return nil
}

func (r *slowRunner) Compile(_ context.Context, candidates []plugins.Candidate, each func(plugins.Compiled)) error {
	var wg sync.WaitGroup
	for _, c := range candidates {
		wg.Go(func() { each(plugins.Compiled{ID: c.ID, Verdict: plugins.OK}) })
	}
	wg.Wait()
	return nil
}

// A cancelled call returns at once, and what is called next waits until the runner is free.
func TestCallsTakeTurns(t *testing.T) {
	p := plugintest.StartRunner(t, "slow", nil)
	ctx, cancel := context.WithCancel(t.Context())
	begun := time.Now()
	err := p.Runner().Race(ctx, plugins.Race{}, func(plugins.Sample) { cancel() })
	if took := time.Since(begun); !errors.Is(err, context.Canceled) || took > slowRace/2 {
		t.Errorf("error %v after %v, expected the cancellation at once", err, took)
	}
	if err := p.Runner().Release(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if took := time.Since(begun); took < slowRace {
		t.Errorf("the next call took its turn after %v, expected it to wait for the race", took)
	}
}

func TestResultsOfManyGoroutines(t *testing.T) {
	p := plugintest.StartRunner(t, "slow", nil)
	want := map[string]bool{}
	var candidates []plugins.Candidate
	for i := range 500 {
		id := strconv.Itoa(i)
		want[id] = true
		candidates = append(candidates, plugins.Candidate{ID: id})
	}
	err := p.Runner().Compile(t.Context(), candidates, func(c plugins.Compiled) { delete(want, c.ID) })
	if err != nil || len(want) > 0 {
		t.Errorf("error %v, %d results are missing", err, len(want))
	}
}

func TestKillAllIsParallelAndCertain(t *testing.T) {
	var pids []int
	for range 6 {
		p := plugintest.StartRunner(t, "parent", os.Environ())
		pids = append(pids, p.PID(), grandchild(t, p))
	}
	// A stopped process does not heed SIGTERM: it needs the SIGKILL.
	for i := 0; i < len(pids); i += 2 {
		if err := unix.Kill(pids[i], unix.SIGSTOP); err != nil {
			t.Fatal(err)
		}
	}
	begun := time.Now()
	if err := host.KillAll(); err != nil {
		t.Fatal(err)
	}
	// One after another would take 3 s and more.
	if took := time.Since(begun); took < 450*time.Millisecond || took > 2500*time.Millisecond {
		t.Errorf("KillAll took %v, expected about 500 ms", took)
	}
	for _, pid := range pids {
		waitFor(t, fmt.Sprintf("the end of %d", pid), time.Second, func() bool { return gone(pid) })
	}
}
