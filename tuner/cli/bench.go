package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/host"
	"github.com/krisptune/krisptune/tuner"
	"github.com/krisptune/krisptune/tuner/emit"
	"github.com/krisptune/krisptune/tuner/store"
)

func benchCommand(c *common) *cobra.Command {
	var flags specFlags
	var db string
	var fresh bool
	cmd := &cobra.Command{
		Use:   "bench SPEC K=V,... [K=V,...]",
		Short: "Guard the named configurations and race those that pass against the baseline",
		Args:  func(cmd *cobra.Command, args []string) error { return usage(cobra.MinimumNArgs(2)(cmd, args)) },
		RunE: func(cmd *cobra.Command, args []string) error {
			progress := newProgress(c)
			stop := context.AfterFunc(cmd.Context(), func() { _ = host.KillAll() })
			defer stop()
			s, text, err := flags.open(cmd.Context(), cmd, c, args[0], progress)
			if err != nil {
				return err
			}
			defer s.Close()
			var configs []plugins.Config
			for _, a := range args[1:] {
				config, err := s.ParseConfig(a)
				if err != nil {
					return usage(err)
				}
				configs = append(configs, config)
			}
			results, err := store.Open(db)
			if err != nil {
				return usage(err)
			}
			defer results.Close()
			b, err := s.Bench(cmd.Context(), results, configs, tuner.BenchOptions{SpecText: text, Command: append([]string{"krisptune"}, c.args...), Fresh: fresh})
			if b != nil {
				if show := showBench(c, b); show != nil {
					return errors.Join(err, show)
				}
			}
			if errors.Is(err, tuner.ErrRejected) {
				return &exitError{exitRejected, err}
			}
			return err
		},
	}
	flags.register(cmd)
	flags.registerMeasure(cmd)
	registerDB(cmd, &db)
	cmd.Flags().BoolVar(&fresh, "fresh", false, "believe no verdict of an earlier run")
	return cmd
}

func showBench(c *common, b *emit.Bench) error {
	if c.json {
		doc, err := b.JSON()
		if err != nil {
			return err
		}
		_, err = c.stdout.Write(doc)
		return err
	}
	return printBench(c.stdout, b)
}

// printBench writes one row for each configuration, the baseline first.
func printBench(w io.Writer, b *emit.Bench) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\tVERDICT\tMEDIAN\tINTERVAL\tN\tRATIO\tINTERVAL\tCONFIGURATION")
	for i, e := range b.Entrants {
		name := ""
		if i == 0 {
			name = "baseline"
		}
		if b.Fastest != nil && *b.Fastest == i {
			name += "*"
		}
		median, interval, ratio, ratios := "-", "-", "-", "-"
		if e.MedianNS != nil {
			median, interval = nanoseconds(*e.MedianNS), nanoseconds(e.IntervalNS[0])+" to "+nanoseconds(e.IntervalNS[1])
		}
		if e.Ratio != nil {
			ratio, ratios = fmt.Sprintf("%.3f", *e.Ratio), limits(e.RatioInterval)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\n", name, e.Verdict, median, interval, e.Samples, ratio, ratios,
			printable(plugins.Config(e.Config).String()))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, e := range b.Entrants {
		if e.Verdict != plugins.OK {
			fmt.Fprintf(w, "%s: %s: %s\n", printable(plugins.Config(e.Config).String()), e.Verdict, printable(e.Message))
		}
	}
	if b.AARatio == nil {
		return nil
	}
	verdict := "* no other is faster by more than 1%"
	if b.Fastest == nil {
		verdict = "the race did not tell which is the fastest"
	}
	fmt.Fprintf(w, "%s; A/A %.3f (%s), %d rounds, %s, %s, empty dispatch %v, run %d\n", verdict, *b.AARatio, limits(b.AARatioInterval),
		b.Rounds, b.Clock, measuring(b.Mode, b.Gap), time.Duration(b.OverheadNS), b.Run)
	return nil
}

// nanoseconds spells a time to four digits.
func nanoseconds(ns float64) string {
	if math.IsInf(ns, 0) {
		return "open"
	}
	for _, u := range []struct {
		name string
		ns   float64
	}{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}} {
		if math.Abs(ns) >= u.ns {
			return fmt.Sprintf("%.4g %s", ns/u.ns, u.name)
		}
	}
	return fmt.Sprintf("%.4g ns", ns)
}

// limits spells an interval of a ratio.
func limits(l *emit.Limits) string {
	end := func(x float64) string {
		if math.IsInf(x, 0) {
			return "open"
		}
		return fmt.Sprintf("%.3f", x)
	}
	return end(l[0]) + " to " + end(l[1])
}
