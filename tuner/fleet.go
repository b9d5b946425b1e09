package tuner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/krisptune/krisptune/plugins"
)

// A Process is a runner's process as the core sees it. plugins/host starts real ones; tests
// bring their own.
type Process interface {
	Runner() plugins.Runner
	// Kill ends the process at once; calls in flight return.
	Kill() error
}

// StartRunner starts a runner in the environment of one arm.
type StartRunner func(ctx context.Context, arm int) (Process, error)

// A fleet keeps one warm runner for each arm and replaces those that die.
type fleet struct {
	start   StartRunner
	options func(arm int) plugins.OpenOptions
	runners map[int]*warmRunner
	// opening surrounds the opening of a device, which measures its clocks.
	opening func(ctx context.Context, open func() error) error
	// started, if set, is called with every runner that was started and opened.
	started func(ctx context.Context, r *warmRunner) error
	inert   map[int]bool  // of the first opening of each arm that was opened
	pause   time.Duration // before a device is asked again that did not answer after a loss
}

// A warmRunner is an open runner and what it holds.
type warmRunner struct {
	arm      int
	process  Process
	opened   plugins.Opened
	compiled map[string]bool // candidate IDs
}

func newFleet(start StartRunner, options func(arm int) plugins.OpenOptions) *fleet {
	return &fleet{start: start, options: options, runners: map[int]*warmRunner{},
		inert: map[int]bool{}, pause: time.Second, opening: func(_ context.Context, open func() error) error { return open() }}
}

// openPatience is how long a runner may take to open its device and test its clocks.
const openPatience = 2 * time.Minute

// maxStarts bounds how often a runner is started in a row for one arm before the device is
// given up.
const maxStarts = 3

// get returns the arm's runner, starting and opening one if none is warm.
func (f *fleet) get(ctx context.Context, arm int) (*warmRunner, error) {
	if r := f.runners[arm]; r != nil {
		return r, nil
	}
	_, again := f.inert[arm]
	var err error
	for try := range maxStarts {
		if try > 0 && again {
			// A driver resets its device in its own time.
			select {
			case <-time.After(time.Duration(try) * f.pause):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		var r *warmRunner
		if r, err = f.open(ctx, arm); err == nil {
			f.runners[arm] = r
			if f.started != nil {
				err = f.started(ctx, r)
			}
			return r, err
		}
		if ctx.Err() != nil || !died(err) && !again {
			break
		}
	}
	return nil, fmt.Errorf("no runner: %w", err)
}

// open starts a runner and opens the device. Open dispatches kernels of the runner's own and
// looks at what they did: a device that executed before, and after a loss reports success only,
// is not trusted again.
func (f *fleet) open(ctx context.Context, arm int) (*warmRunner, error) {
	p, err := f.start(ctx, arm)
	if err != nil {
		return nil, err
	}
	var opened plugins.Opened
	err = f.opening(ctx, func() error {
		return attend(ctx, p, openPatience, func(ctx context.Context, _ func()) (err error) {
			opened, err = p.Runner().Open(ctx, f.options(arm))
			return err
		})
	})
	if inert, again := f.inert[arm]; err == nil && again && opened.Inert && !inert {
		err = errors.New("the device executes nothing any more although it reports success")
	}
	if err != nil {
		return nil, errors.Join(err, p.Kill())
	}
	f.inert[arm] = opened.Inert
	return &warmRunner{arm: arm, process: p, opened: opened, compiled: map[string]bool{}}, nil
}

// drop ends the arm's runner; the next get starts a fresh one.
func (f *fleet) drop(arm int) error {
	r := f.runners[arm]
	if r == nil {
		return nil
	}
	delete(f.runners, arm)
	return r.process.Kill()
}

// close ends every runner.
func (f *fleet) close() error {
	var errs []error
	for arm := range f.runners {
		errs = append(errs, f.drop(arm))
	}
	return errors.Join(errs...)
}

// spends reports whether a verdict leaves its runner unfit: a hung dispatch or a compiler that
// will not return cannot be ended but with the process.
func spends(v plugins.Verdict) bool {
	switch v {
	case plugins.Timeout, plugins.CompileTimeout, plugins.DeviceLost:
		return true
	}
	return false
}
