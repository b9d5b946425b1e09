package mutants

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/host"
	"github.com/krisptune/krisptune/plugins/runner"
)

const (
	// deadline bounds each dispatch: right kernels take milliseconds here.
	deadline = 5 * time.Second
	// RunnerArg makes a process of this program a runner.
	RunnerArg = "krisptune-mutants-runner"
	// DeviceEnv names the device to use; unset, the default one.
	DeviceEnv = "KRISPTUNE_TEST_DEVICE"
)

// A Guard guards candidates in a runner: one of its own process, replaced when it dies, or one
// in this process.
type Guard struct {
	seed    uint64
	dir     string
	device  plugins.Device
	inner   *runner.Options
	process *host.RunnerProcess
	runner  plugins.Runner
}

// NewGuard guards in a process of its own, with inputs made from seed.
func NewGuard(seed uint64) (*Guard, error) { return newGuard(seed, nil) }

// NewUnpoisonedGuard guards in this process, with shared memory zeroed rather than poisoned. A
// kernel that may hang does not belong here.
func NewUnpoisonedGuard(seed uint64) (*Guard, error) {
	return newGuard(seed, &runner.Options{ZeroShared: true})
}

func newGuard(seed uint64, inner *runner.Options) (*Guard, error) {
	dir, err := os.MkdirTemp("", "mutants")
	return &Guard{seed: seed, dir: dir, inner: inner}, err
}

// Device names the device that guards use.
func Device(ctx context.Context) (string, error) {
	g, err := NewGuard(1)
	if err != nil {
		return "", err
	}
	defer g.Close()
	err = g.start(ctx)
	return g.device.Name + ", " + g.device.DriverName + " " + g.device.DriverInfo, err
}

// Close ends the runner.
func (g *Guard) Close() error {
	g.end()
	return os.RemoveAll(g.dir)
}

func (g *Guard) end() {
	if g.process != nil {
		_ = g.process.Kill() // a process that cannot die leaves its message on stderr
	}
	if r, ok := g.runner.(*runner.Runner); ok {
		r.Close()
	}
	g.process, g.runner = nil, nil
}

func (g *Guard) start(ctx context.Context) error {
	if g.runner != nil {
		return nil
	}
	if g.inner != nil {
		g.runner = runner.New(*g.inner)
	} else {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		g.process, err = host.StartRunner(ctx, host.RunnerCommand{Path: self, Args: []string{RunnerArg}, Env: os.Environ()})
		if err != nil {
			return err
		}
		g.runner = g.process.Runner()
	}
	opened, err := g.runner.Open(ctx, plugins.OpenOptions{Device: os.Getenv(DeviceEnv), SessionDir: g.dir, Seed: g.seed})
	g.device = opened.Device
	return err
}

// Check guards one candidate. The death of the runner's process is the verdict crash.
func (g *Guard) Check(ctx context.Context, candidate plugins.Candidate, check plugins.Check) (plugins.Checked, error) {
	if err := g.start(ctx); err != nil {
		return plugins.Checked{}, err
	}
	out, err := g.check(ctx, candidate, check)
	if death := (*host.DeathError)(nil); errors.As(err, &death) {
		g.end()
		return plugins.Checked{ID: check.ID, Verdict: plugins.Crash,
			Evidence: plugins.Evidence{Check: "process", Message: death.Error()}}, nil
	}
	if err != nil {
		return out, fmt.Errorf("%s: %w", check.ID, err)
	}
	switch out.Verdict {
	case plugins.Timeout, plugins.CompileTimeout, plugins.DeviceLost:
		g.end()
	}
	return out, nil
}

func (g *Guard) check(ctx context.Context, candidate plugins.Candidate, check plugins.Check) (plugins.Checked, error) {
	out := plugins.Checked{ID: check.ID}
	err := g.runner.Compile(ctx, []plugins.Candidate{candidate}, func(c plugins.Compiled) {
		out.Verdict, out.Evidence, out.Elapsed = c.Verdict, c.Evidence, c.Elapsed
	})
	if err != nil || out.Verdict != plugins.OK {
		return out, err
	}
	compiling := out.Elapsed
	if err := g.runner.Check(ctx, []plugins.Check{check}, func(c plugins.Checked) { out = c }); err != nil {
		return out, err
	}
	out.Elapsed += compiling
	switch out.Verdict {
	case plugins.Timeout, plugins.CompileTimeout, plugins.DeviceLost:
		return out, nil
	}
	return out, g.runner.Release(ctx, []string{check.ID})
}
