package plugintest

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/host"
	"github.com/krisptune/krisptune/plugins/internal/wire"
	"github.com/krisptune/krisptune/plugins/sdk"
)

// T is what the harness needs of a *testing.T.
type T interface {
	Helper()
	Context() context.Context
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Cleanup(func())
}

// Processes are what a test program can be started again as, under names of the test's choice.
type Processes struct {
	Families map[string]plugins.Family
	Runners  map[string]func() plugins.Runner
}

const argument = "krisptune-plugintest"

// Main is the body of a TestMain. It serves a family or a runner if this process was started by
// FamilyCommand or RunnerCommand; else it runs the tests. It does not return.
func Main(m interface{ Run() int }, p Processes) {
	if len(os.Args) != 4 || os.Args[1] != argument {
		os.Exit(m.Run())
	}
	kind, name := os.Args[2], os.Args[3]
	family, isFamily := p.Families[name]
	runner, isRunner := p.Runners[name]
	switch {
	case kind == "family" && isFamily:
		sdk.Main(family)
	case kind == "runner" && isRunner:
		wire.ServeRunner(runner())
	default:
		fmt.Fprintf(os.Stderr, "plugintest: no %s %q in Processes\n", kind, name)
		os.Exit(2)
	}
	os.Exit(0)
}

// FamilyCommand starts this test program as Processes.Families[name].
func FamilyCommand(name string) host.FamilyCommand {
	return host.FamilyCommand{Path: self(), Args: []string{argument, "family", name}}
}

// RunnerCommand starts this test program as Processes.Runners[name], with exactly env.
func RunnerCommand(name string, env []string) host.RunnerCommand {
	return host.RunnerCommand{Path: self(), Args: []string{argument, "runner", name}, Env: env}
}

func self() string {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return path
}

// StartFamily starts Processes.Families[name] and closes it when the test ends.
func StartFamily(t T, name string) *host.FamilyProcess {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	p, err := host.StartFamily(ctx, FamilyCommand(name))
	if err != nil {
		t.Fatalf("start family %s: %v", name, err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("close family %s: %v", name, err)
		}
	})
	return p
}

// StartRunner starts Processes.Runners[name] with exactly env and closes it when the test ends.
func StartRunner(t T, name string, env []string) *host.RunnerProcess {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	p, err := host.StartRunner(ctx, RunnerCommand(name, env))
	if err != nil {
		t.Fatalf("start runner %s: %v", name, err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("close runner %s: %v", name, err)
		}
	})
	return p
}

// TestFamily runs the conformance suite on a family of Processes, over the real wire.
func TestFamily(t T, name string, o ConformanceOptions) {
	t.Helper()
	for _, f := range Conformance(t.Context(), StartFamily(t, name).Family(), o) {
		t.Errorf("%s", f)
	}
}
