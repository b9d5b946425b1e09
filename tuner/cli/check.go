package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner/emit"
)

// A checkDocument is what `check --json` prints.
type checkDocument struct {
	Verdict  plugins.Verdict  `json:"verdict"`
	Config   emit.Values      `json:"config"`
	Evidence plugins.Evidence `json:"evidence"`
}

func checkCommand(c *common) *cobra.Command {
	var flags specFlags
	cmd := &cobra.Command{
		Use:   "check SPEC K=V,...",
		Short: "Guard one configuration and print the verdict with its evidence",
		Args:  func(cmd *cobra.Command, args []string) error { return usage(cobra.ExactArgs(2)(cmd, args)) },
		RunE: func(cmd *cobra.Command, args []string) error {
			s, _, err := flags.open(cmd.Context(), cmd, c, args[0], newProgress(c))
			if err != nil {
				return err
			}
			defer s.Close()
			config, err := s.ParseConfig(args[1])
			if err != nil {
				return usage(err)
			}
			verdict, evidence, err := s.CheckOne(cmd.Context(), config)
			if err != nil {
				return err
			}
			if c.json {
				err = writeJSON(c.stdout, checkDocument{verdict, emit.Values(config), evidence})
			} else {
				printVerdict(c, config, verdict, evidence)
			}
			if err == nil && verdict != plugins.OK {
				return &exitError{code: exitRejected}
			}
			return err
		},
	}
	flags.register(cmd)
	return cmd
}

func printVerdict(c *common, config plugins.Config, verdict plugins.Verdict, e plugins.Evidence) {
	fmt.Fprintf(c.stdout, "%s: %s\n", config, verdict)
	row := func(name, text string) {
		if text != "" {
			fmt.Fprintf(c.stdout, "  %-9s %s\n", name, printable(text))
		}
	}
	row("message", e.Message)
	row("problem", e.Problem)
	row("check", e.Check)
	row("buffer", e.Buffer)
	if e.Bad > 0 {
		row("elements", fmt.Sprintf("%d of %d are wrong", e.Bad, e.Elements))
	}
	for _, shown := range []struct {
		name     string
		mismatch *plugins.Mismatch
	}{{"first", e.First}, {"worst", e.Worst}} {
		if m := shown.mismatch; m != nil {
			bound := ""
			if m.Bound != "" {
				bound = ", bound " + m.Bound
			}
			row(shown.name, fmt.Sprintf("row %d, column %d: got %s, expected %s%s", m.Row, m.Column, m.Got, m.Expected, bound))
		}
	}
	if verdict == plugins.OK {
		row("checked", fmt.Sprintf("%d problems, %d runs", e.Cases, e.Runs))
	}
	for _, l := range e.Log {
		row("log", l)
	}
}
