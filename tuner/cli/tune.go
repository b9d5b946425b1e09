package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/krisptune/krisptune/plugins/host"
	"github.com/krisptune/krisptune/tuner"
	"github.com/krisptune/krisptune/tuner/emit"
	"github.com/krisptune/krisptune/tuner/store"
)

func tuneCommand(c *common) *cobra.Command {
	var flags specFlags
	var db, out string
	var resume, fresh, noBaseline bool
	cmd := &cobra.Command{
		Use:   "tune SPEC",
		Short: "Search for the fastest configuration that the guard passes, and emit it with its evidence",
		Args:  oneSpec,
		RunE: func(cmd *cobra.Command, args []string) error {
			progress := newProgress(c)
			// A signal must end every child within two seconds, also one that hangs in a driver.
			stop := context.AfterFunc(cmd.Context(), func() { _ = host.KillAll() })
			defer stop()
			s, text, err := flags.open(cmd.Context(), cmd, c, args[0], progress)
			if err != nil {
				return err
			}
			defer s.Close()
			if err := writable(out); err != nil {
				return usage(fmt.Errorf("--out: %w", err))
			}
			results, err := store.Open(db)
			if err != nil {
				return usage(err)
			}
			defer results.Close()
			result, err := s.Tune(cmd.Context(), results, tuner.TuneOptions{SpecText: text, Command: append([]string{"krisptune"}, c.args...),
				Out: out, Resume: resume, Fresh: fresh, NoBaseline: noBaseline})
			if b, ok := progress.(*bar); ok {
				b.end()
			}
			if cmd.Context().Err() != nil {
				verdicts, wall := s.Progress()
				fmt.Fprintf(c.stderr, "interrupted: run %d keeps %d evaluations (%s) in %s; go on with --resume\nwall time %s\n",
					s.Run(), s.Evaluated(), counts(verdicts), results.Path(), split(wall))
				return &exitError{code: exitInterrupted}
			}
			if result != nil {
				if show := showResult(c, s, result); show != nil {
					return errors.Join(err, show)
				}
			}
			switch {
			case errors.Is(err, tuner.ErrBaselineWrong), errors.Is(err, tuner.ErrNothingPassed):
				return &exitError{exitRejected, err}
			case err != nil && s.Run() != 0 && result == nil:
				fmt.Fprintf(c.stderr, "run %d keeps %d evaluations in %s; go on with --resume\n", s.Run(), s.Evaluated(), results.Path())
			}
			return err
		},
	}
	flags.register(cmd)
	flags.registerSearch(cmd)
	flags.registerMeasure(cmd)
	registerDB(cmd, &db)
	cmd.Flags().StringVar(&out, "out", "krisptune-out", "folder for best.toml and best.json")
	cmd.Flags().BoolVar(&resume, "resume", false, "continue the latest unfinished run of this spec on this device")
	cmd.Flags().BoolVar(&fresh, "fresh", false, "start from nothing: believe no verdict and no time of an earlier run")
	cmd.Flags().BoolVar(&noBaseline, "no-baseline", false, "succeed although the baseline fails the guard")
	cmd.MarkFlagsMutuallyExclusive("resume", "fresh")
	return cmd
}

func showResult(c *common, s *tuner.Session, r *emit.Result) error {
	if c.json {
		doc, err := emit.JSON(*r)
		if err != nil {
			return err
		}
		_, err = c.stdout.Write(doc)
		return err
	}
	return printResult(c.stdout, r, s.Rejected())
}
