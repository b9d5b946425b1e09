package cli

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner/store"
)

func showCommand(c *common) *cobra.Command {
	var db string
	var top int
	cmd := &cobra.Command{
		Use:   "show RUN",
		Short: "Show one run: its device and arms, verdicts, best configurations and races",
		Args:  func(cmd *cobra.Command, args []string) error { return usage(cobra.ExactArgs(1)(cmd, args)) },
		RunE: func(cmd *cobra.Command, args []string) error {
			results, run, err := openRun(cmd, db, args[0])
			if err != nil {
				return err
			}
			defer results.Close()
			if c.json {
				return results.WriteRun(cmd.Context(), c.stdout, run.ID)
			}
			v := runView{run: run, top: top}
			ctx := cmd.Context()
			if v.arms, err = results.Arms(ctx, run.ID); err != nil {
				return err
			}
			if v.evaluations, err = results.Evaluations(ctx, run.ID); err != nil {
				return err
			}
			if v.races, err = results.Races(ctx, run.ID); err != nil {
				return err
			}
			if v.emissions, err = results.Emissions(ctx, run.ID); err != nil {
				return err
			}
			return v.print(c.stdout)
		},
	}
	registerDB(cmd, &db)
	cmd.Flags().IntVar(&top, "top", 10, "how many of the fastest configurations to list")
	return cmd
}

// A runView is what show prints of one run.
type runView struct {
	run         store.Run
	arms        []store.Arm
	evaluations []store.Evaluation
	races       []store.Race
	emissions   []store.Emission
	top         int
}

func (v runView) print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(t, "%s\t%s\n", name, printable(fmt.Sprintf(format, args...)))
	}
	r := v.run
	state := string(r.State)
	if r.Outcome != "" {
		state += ", " + r.Outcome
	}
	row("run", "%d: %s", r.ID, state)
	row("kernel", "%s of family %s %s", r.Kernel, r.Family, r.FamilyVersion)
	for _, p := range r.Problems {
		row("problem", "%s  weight %.3g", p.Problem, p.Weight)
	}
	row("device", "%s", deviceOf(r))
	row("started", "%s", r.Started.Local().Format(time.DateTime))
	if !r.Ended.IsZero() {
		row("ended", "%s", r.Ended.Local().Format(time.DateTime))
	}
	row("samples", "%s", measuring(r.Mode, r.Gap))
	row("search", "strategy %s, seed %d, by krisptune %s", r.Strategy, r.Seed, r.ToolVersion)
	for _, a := range v.arms {
		cache := ""
		if a.Opened.CacheBytes > 0 {
			cache = fmt.Sprintf(", last-level cache %.3g MiB", float64(a.Opened.CacheBytes)/(1<<20))
		}
		row("arm", "%s: %s, empty dispatch %v%s", settings(a.Settings), dash(string(a.Opened.Clock)), a.Opened.Overhead, cache)
	}
	verdicts := map[plugins.Verdict]int{}
	for _, e := range v.evaluations {
		verdicts[e.Verdict]++
	}
	row("evaluated", "%d (%s)", len(v.evaluations), counts(verdicts))
	for _, race := range v.races {
		for _, warning := range race.Warnings {
			row("warning", "race %d (%s): %s", race.ID, race.Kind, warning)
		}
	}
	for _, e := range v.emissions {
		row("written", "%s  sha256 %s", e.Path, e.SHA256)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if err := v.printBest(w); err != nil {
		return err
	}
	return v.printRaces(w)
}

// printBest lists the evaluations with the highest ratios. Those are from races of few rounds:
// the confirmed ratio of the winner is the run's result.
func (v runView) printBest(w io.Writer) error {
	var timed []store.Evaluation
	for _, e := range v.evaluations {
		if e.Verdict == plugins.OK && e.Comparison != nil && !math.IsNaN(e.Comparison.LogRatio) {
			timed = append(timed, e)
		}
	}
	if len(timed) == 0 {
		return nil
	}
	slices.SortStableFunc(timed, func(a, b store.Evaluation) int { return cmp.Compare(b.Comparison.LogRatio, a.Comparison.LogRatio) })
	if len(timed) > v.top {
		timed = timed[:max(v.top, 0)]
	}
	fmt.Fprintln(w, "\nfastest in their batches (unconfirmed)")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "NUMBER\tRATIO\tINTERVAL\tROUNDS\tMEDIAN\tCONFIGURATION\tSETTINGS")
	for _, e := range timed {
		lo, hi := e.Comparison.RatioInterval()
		median := "-"
		if e.MedianNS != nil {
			median = time.Duration(*e.MedianNS).String()
		}
		fmt.Fprintf(t, "%d\t%.3f\t%.3f to %.3f\t%d\t%s\t%s\t%s\n", e.Number, e.Comparison.Ratio(), lo, hi, e.Comparison.N,
			median, printable(e.Config.String()), printable(settings(v.settings(e.Arm))))
	}
	return t.Flush()
}

func (v runView) printRaces(w io.Writer) error {
	if len(v.races) == 0 {
		return nil
	}
	fmt.Fprintln(w, "\nraces")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "RACE\tKIND\tENTRANTS\tROUNDS\tEND")
	for _, r := range v.races {
		end := "undecided"
		switch {
		case r.Ended.IsZero():
			end = "unfinished"
		case r.Declared:
			end = "winner declared"
		case r.Kind == "confirmation":
			end = "fixed length"
		}
		fmt.Fprintf(t, "%d\t%s\t%d\t%d\t%s\n", r.ID, r.Kind, len(r.Entrants), r.Rounds, end)
	}
	return t.Flush()
}

func (v runView) settings(arm int64) map[string]string {
	for _, a := range v.arms {
		if a.ID == arm {
			return a.Settings
		}
	}
	return nil
}

// settings spells an arm's driver settings.
func settings(set map[string]string) string {
	if len(set) == 0 {
		return "stock"
	}
	var text string
	for i, n := range slices.Sorted(maps.Keys(set)) {
		if i > 0 {
			text += " "
		}
		text += n + "=" + set[n]
	}
	return text
}
