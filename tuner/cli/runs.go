package cli

import (
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/krisptune/krisptune/tuner/store"
)

func runsCommand(c *common) *cobra.Command {
	var db string
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List the runs that the result database holds, the oldest first",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			results, err := openResults(db)
			if err != nil {
				return err
			}
			defer results.Close()
			if c.json {
				return results.WriteRuns(cmd.Context(), c.stdout)
			}
			runs, err := results.Runs(cmd.Context())
			if err != nil {
				return err
			}
			t := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
			fmt.Fprintln(t, "RUN\tSTARTED\tSTATE\tOUTCOME\tKERNEL\tSTRATEGY\tDEVICE")
			for _, r := range runs {
				fmt.Fprintf(t, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", r.ID, r.Started.Local().Format(time.DateTime), r.State,
					dash(r.Outcome), printable(r.Kernel), printable(r.Strategy), deviceOf(r))
			}
			return t.Flush()
		},
	}
	registerDB(cmd, &db)
	return cmd
}

// dash stands for nothing in a table.
func dash(s string) string {
	if s == "" {
		return "-"
	}
	return printable(s)
}

func deviceOf(r store.Run) string {
	return printable(fmt.Sprintf("%s (%s %s)", r.Device.Name, r.Device.DriverName, r.Device.DriverVersion))
}
