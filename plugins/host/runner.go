package host

import (
	"context"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/internal/wire"
)

// A RunnerCommand says how to start a runner.
type RunnerCommand struct {
	Path string
	Args []string
	// Env is the whole environment of the arm, as Environment makes it.
	Env []string
}

// A RunnerProcess is a running runner, on one device in one arm. Kill or Close frees it, after
// its death too.
type RunnerProcess struct {
	process *process
	runner  plugins.Runner
}

// StartRunner starts a runner. A process that does not answer before ctx ends, or within 30 s,
// is killed. The error is a *DeathError if the process ended by itself.
func StartRunner(ctx context.Context, command RunnerCommand) (*RunnerProcess, error) {
	p, err := startProcess(ctx, wire.RunnerService, "runner", plugins.Crash, command.Path, command.Args, command.Env)
	if err != nil {
		return nil, err
	}
	return &RunnerProcess{process: p, runner: &runner{process: p, client: p.service.(*wire.RunnerClient)}}, nil
}

// Runner is the running runner. Errors of its calls are *plugins.RequestError, *DeathError, the
// context's, or what the process told. Cancelling a call returns at once; the process stops at
// its next dispatch, and the call after it waits for that.
func (p *RunnerProcess) Runner() plugins.Runner { return p.runner }

// PID is the process's number, and its group's.
func (p *RunnerProcess) PID() int { return p.process.pid }

// Stderr are the last lines of the process's output, safe for a terminal.
func (p *RunnerProcess) Stderr() []string { return p.process.output.lines(tailLines) }

// Kill ends the process and its group at once. The error is a *WedgedError.
func (p *RunnerProcess) Kill() error { return p.process.end() }

// Close asks the process to end and kills it after 2 s. The error is a *WedgedError.
func (p *RunnerProcess) Close() error { return p.process.close() }

// runner is what the core sees of a process.
type runner struct {
	process *process
	client  *wire.RunnerClient
}

var _ plugins.Runner = (*runner)(nil)

func (r *runner) Devices(ctx context.Context) ([]plugins.Device, error) {
	devices, err := r.client.Devices(ctx)
	return devices, r.process.explain(ctx, "Devices", err)
}

func (r *runner) Open(ctx context.Context, opts plugins.OpenOptions) (plugins.Opened, error) {
	opened, err := r.client.Open(ctx, opts)
	return opened, r.process.explain(ctx, "Open", err)
}

func (r *runner) Compile(ctx context.Context, candidates []plugins.Candidate, each func(plugins.Compiled)) error {
	return r.process.explain(ctx, "Compile", r.client.Compile(ctx, candidates, each))
}

func (r *runner) Inputs(ctx context.Context, checks []plugins.Check) ([]plugins.ReferenceRequest, error) {
	requests, err := r.client.Inputs(ctx, checks)
	return requests, r.process.explain(ctx, "Inputs", err)
}

func (r *runner) Check(ctx context.Context, checks []plugins.Check, each func(plugins.Checked)) error {
	return r.process.explain(ctx, "Check", r.client.Check(ctx, checks, each))
}

func (r *runner) Race(ctx context.Context, race plugins.Race, each func(plugins.Sample)) error {
	return r.process.explain(ctx, "Race", r.client.Race(ctx, race, each))
}

func (r *runner) Release(ctx context.Context, ids []string) error {
	return r.process.explain(ctx, "Release", r.client.Release(ctx, ids))
}
