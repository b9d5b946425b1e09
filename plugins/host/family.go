package host

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/internal/wire"
)

// A FamilyCommand says how to start a family.
type FamilyCommand struct {
	Path string
	Args []string
	// Env is the whole environment; nil takes this process's.
	Env []string
}

// A FamilyProcess is a running family. Kill or Close frees it, after its death too.
type FamilyProcess struct {
	process *process
	family  plugins.Family
	info    plugins.Info
}

// StartFamily starts a family and asks it to describe itself; a description that does not hold
// together (CheckInfo) is an error. A process that does not answer before ctx ends, or within
// 30 s, is killed. The error is a *DeathError if the process ended by itself.
func StartFamily(ctx context.Context, command FamilyCommand) (*FamilyProcess, error) {
	env := command.Env
	if env == nil {
		env = os.Environ()
	}
	ctx, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	name := "family plugin " + filepath.Base(command.Path)
	p, err := startProcess(ctx, wire.FamilyService, name, plugins.PluginError, command.Path, command.Args, env)
	if err != nil {
		return nil, err
	}
	f := &family{process: p, client: p.service.(*wire.FamilyClient)}
	computes, err := f.describe(ctx)
	if err != nil {
		if wedged := p.end(); wedged != nil {
			return nil, wedged
		}
		return nil, err
	}
	fp := &FamilyProcess{process: p, family: f, info: f.info}
	if computes {
		fp.family = &familyWithReference{f}
	}
	return fp, nil
}

// Family is the running family; a plugins.FamilyWithReference if it computes references.
// Errors of its calls are *plugins.RequestError, *DeathError, the context's, or what the
// process told.
func (p *FamilyProcess) Family() plugins.Family { return p.family }

// Info is the family's description, asked once at the start.
func (p *FamilyProcess) Info() plugins.Info { return p.info }

// PID is the process's number, and its group's.
func (p *FamilyProcess) PID() int { return p.process.pid }

// Stderr are the last lines of the process's output, safe for a terminal.
func (p *FamilyProcess) Stderr() []string { return p.process.output.lines(tailLines) }

// Kill ends the process and its group at once. The error is a *WedgedError.
func (p *FamilyProcess) Kill() error { return p.process.end() }

// Close asks the process to end and kills it after 2 s. The error is a *WedgedError.
func (p *FamilyProcess) Close() error { return p.process.close() }

// family is what the core sees of a process.
type family struct {
	process *process
	client  *wire.FamilyClient
	info    plugins.Info
}

var _ plugins.Family = (*family)(nil)
var _ plugins.FamilyWithReference = (*familyWithReference)(nil)

func (f *family) describe(ctx context.Context) (computesReferences bool, err error) {
	info, computes, err := f.client.Describe(ctx)
	if err != nil {
		return false, f.process.explain(ctx, "Describe", err)
	}
	if err := CheckInfo(info); err != nil {
		return false, fmt.Errorf("%s: Describe: %w", f.process.name, err)
	}
	f.info = info
	return computes, nil
}

func (f *family) Describe(context.Context) (plugins.Info, error) { return f.info, nil }

func (f *family) Build(ctx context.Context, problem plugins.Problem, config plugins.Config) (plugins.Build, error) {
	build, err := f.client.Build(ctx, problem, config)
	if err != nil {
		return plugins.Build{}, f.process.explain(ctx, "Build", err)
	}
	if err := CheckBuild(build); err != nil {
		return plugins.Build{}, fmt.Errorf("%s: Build of %s with %s: %w", f.process.name, problem, config, err)
	}
	return build, nil
}

type familyWithReference struct{ *family }

func (f *familyWithReference) Reference(ctx context.Context, req plugins.ReferenceRequest) error {
	return f.process.explain(ctx, "Reference", f.client.Reference(ctx, req))
}
