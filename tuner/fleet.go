package tuner

import (
	"context"
	"errors"
	"fmt"

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
	// started is called with every runner that was started and opened.
	started func(ctx context.Context, r *warmRunner) error
}

// A warmRunner is an open runner and what it holds.
type warmRunner struct {
	arm      int
	process  Process
	opened   plugins.Opened
	compiled map[string]bool // candidate IDs
}

func newFleet(start StartRunner, options func(arm int) plugins.OpenOptions) *fleet {
	return &fleet{start: start, options: options, runners: map[int]*warmRunner{}}
}

// maxStarts bounds how often a runner is started in a row for one arm before the device is
// given up.
const maxStarts = 3

// get returns the arm's runner, starting and opening one if none is warm.
func (f *fleet) get(ctx context.Context, arm int) (*warmRunner, error) {
	if r := f.runners[arm]; r != nil {
		return r, nil
	}
	var errs []error
	for range maxStarts {
		p, err := f.start(ctx, arm)
		if err == nil {
			var opened plugins.Opened
			if opened, err = p.Runner().Open(ctx, f.options(arm)); err == nil {
				r := &warmRunner{arm: arm, process: p, opened: opened, compiled: map[string]bool{}}
				f.runners[arm] = r
				return r, f.started(ctx, r)
			}
			if killed := p.Kill(); killed != nil {
				err = errors.Join(err, killed)
			}
		}
		errs = append(errs, err)
		if ctx.Err() != nil || !died(err) {
			break
		}
	}
	return nil, fmt.Errorf("no runner: %w", errs[len(errs)-1])
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
