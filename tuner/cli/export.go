package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krisptune/krisptune/tuner/store"
)

func exportCommand(c *common) *cobra.Command {
	var db, format string
	cmd := &cobra.Command{
		Use:   "export RUN",
		Short: "Write a run as JSON lines, CSV, T4 or Go benchmark text to standard output",
		Long: `Export writes a run to standard output:

  jsonl    everything: run, arms, evaluations, races, every sample, emissions
  csv      one row for each evaluation
  t4       the autotuning community's results schema, for Kernel Tuner's analysis tools
  gobench  every sample in the Go benchmark format, for benchstat`,
		Args: func(cmd *cobra.Command, args []string) error { return usage(cobra.ExactArgs(1)(cmd, args)) },
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(store.Formats, format) {
				return usage(fmt.Errorf("--format %q, expected one of %s", format, strings.Join(store.Formats, ", ")))
			}
			results, run, err := openRun(cmd, db, args[0])
			if err != nil {
				return err
			}
			defer results.Close()
			return results.Export(cmd.Context(), c.stdout, run.ID, format)
		},
	}
	registerDB(cmd, &db)
	cmd.Flags().StringVar(&format, "format", "jsonl", strings.Join(store.Formats, ", "))
	return cmd
}
