// Command checkmutants guards every mutant of every kernel, and right kernels, and writes
// plugins/runner/mutants/RESULTS.md. It exits with 3 where a mutant survives without an
// argument or a right kernel is refused.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"

	"github.com/krisptune/krisptune/plugins/runner"
	"github.com/krisptune/krisptune/plugins/runner/mutants"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == mutants.RunnerArg {
		os.Exit(runner.Main())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stderr))
}

func run(ctx context.Context, args []string, stderr io.Writer) int {
	flags := flag.NewFlagSet("checkmutants", flag.ContinueOnError)
	flags.SetOutput(stderr)
	only := flags.String("only", "", "guard the mutants whose ID matches this regular expression, and do not write RESULTS.md")
	checks := flags.Int("checks", 1000, "right candidates to guard")
	reuse := flags.Bool("reuse", false, "take the outcomes of unchanged mutants from the last run: the guard must be the same")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintln(stderr, "checkmutants:", err)
		return 2
	}
	report, root, err := check(ctx, pattern, *checks, *reuse, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "checkmutants:", err)
		return 1
	}
	if *only == "" {
		var text bytes.Buffer
		report.Write(&text)
		if err := os.WriteFile(filepath.Join(root, "plugins/runner/mutants/RESULTS.md"), text.Bytes(), 0o644); err != nil {
			fmt.Fprintln(stderr, "checkmutants:", err)
			return 1
		}
	}
	if ctx.Err() != nil {
		return 130
	}
	faults := report.Faults()
	for _, f := range faults {
		fmt.Fprintln(stderr, f)
	}
	if len(faults) > 0 {
		return 3
	}
	return 0
}

func check(ctx context.Context, pattern *regexp.Regexp, checks int, reuse bool, stderr io.Writer) (mutants.Report, string, error) {
	var report mutants.Report
	root, err := mutants.Root()
	if err != nil {
		return report, root, err
	}
	compiler, err := mutants.NewCompiler(root)
	if err != nil {
		return report, root, err
	}
	if report.Device, err = mutants.Device(ctx); err != nil {
		return report, root, err
	}
	var list []*mutants.Mutant
	for _, k := range mutants.Kernels() {
		made, err := mutants.Make(k, compiler, root)
		if err != nil {
			return report, root, err
		}
		for _, m := range made {
			if pattern.MatchString(m.ID()) {
				list = append(list, m)
			}
		}
	}
	var kept mutants.Kept
	if reuse {
		if kept, err = mutants.LoadKept(root); err != nil {
			return report, root, err
		}
	}
	known, list := kept.Split(list)
	done := 0
	judged, err := mutants.JudgeAll(ctx, list, func(o mutants.Outcome) {
		done++
		fmt.Fprintf(stderr, "%d/%d %s %s: %s in %v: %s\n", done, len(list), o.Mutant.ID(), o.Mutant.Mutation.Kind,
			o.Checked.Verdict, o.Elapsed.Round(1e6), o.Checked.Evidence.Message)
	})
	judged = mutants.Judged(judged)
	if err == nil {
		err = mutants.Unpoison(ctx, judged)
	}
	report.Outcomes, report.Correct = mutants.InOrder(append(known, judged...)), kept.Correct
	report.Unrun = len(list) - len(judged)
	if kept := report.Keep(root); kept != nil {
		return report, root, kept
	}
	if ctx.Err() != nil {
		return report, root, nil // what there is is written, and says that it is not all
	}
	if err != nil || len(report.Correct) > 0 || checks == 0 {
		return report, root, err
	}
	report.Correct, err = mutants.GuardAllRight(ctx, compiler, root, checks, func(c mutants.Correct) {
		fmt.Fprintf(stderr, "%s, seed %d: %d checks: %v\n", c.Kernel, c.Seed, c.Checks, c.Verdicts)
	})
	if err != nil && ctx.Err() == nil {
		return report, root, err
	}
	return report, root, report.Keep(root)
}
