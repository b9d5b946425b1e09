package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner/emit"
)

// printResult writes the short table that ends a tuning run.
func printResult(w io.Writer, r *emit.Result, why map[plugins.Verdict]string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(t, "%s\t%s\n", name, printable(fmt.Sprintf(format, args...)))
	}
	fmt.Fprintln(t)
	row("kernel", "%s on %s (%s %s)", r.Kernel, r.Device.Name, r.Device.DriverName, r.Device.DriverVersion)
	if b := r.Baseline; b != nil {
		row("baseline", "%s  %s", duration(b), configuration(b))
	}
	switch {
	case r.Winner == nil:
		row("winner", "none: no candidate passed the guard")
	case r.Outcome == emit.BaselineStands:
		row("winner", "the baseline stands")
	default:
		row("winner", "%s  %s", duration(r.Winner), configuration(r.Winner))
	}
	if win := r.Winner; win != nil && win.Ratio != nil && r.Outcome == emit.Better {
		row("ratio", "%.3fx  %.2g%% interval %.3f to %.3f, %d rounds", *win.Ratio, 100*r.Confidence, win.RatioInterval[0], win.RatioInterval[1], win.Samples)
	}
	if r.AARatio != nil {
		row("A/A noise", "%.3fx  %.2g%% interval %.3f to %.3f (the baseline against itself)", *r.AARatio, 100*r.Confidence, r.AARatioInterval[0], r.AARatioInterval[1])
	}
	for i, p := range r.Pareto {
		name := ""
		if i == 0 {
			name = "memory"
		}
		text := plugins.Config(p.Config).String()
		for _, n := range slices.Sorted(maps.Keys(p.Settings)) {
			text += fmt.Sprintf(" %s=%s", n, p.Settings[n])
		}
		row(name, "%.2f MB at %.3fx (not confirmed)  %s", float64(p.MemoryBytes)/1e6, p.Ratio, text)
	}
	row("clock", "%s, %s, empty dispatch %v", r.Clock, measuring(r.Mode, r.Gap), time.Duration(r.OverheadNS))
	reused := ""
	if r.VerdictsReused > 0 {
		reused = fmt.Sprintf(", %d verdicts from earlier runs", r.VerdictsReused)
	}
	row("evaluated", "%d (%s%s), stopped: %s", r.Evaluations, counts(r.Verdicts), reused, r.Stopped)
	for _, v := range plugins.Verdicts {
		if text, ok := why[v]; ok {
			row("", "%s, for example %s", v, text)
		}
	}
	for _, w := range r.Warnings {
		row("warning", "%s", w)
	}
	row("wall time", "%s", split(r.WallS))
	for i, f := range r.Files {
		name := ""
		if i == 0 {
			name = "written"
		}
		row(name, "%s", f)
	}
	return t.Flush()
}

// measuring says in words what samples are of.
func measuring(m plugins.Mode, g plugins.Gap) string {
	caches := map[plugins.Mode]string{plugins.Hot: "hot caches", plugins.Cold: "cold caches"}[m]
	launches := map[plugins.Gap]string{plugins.Dependent: "streamed launches", plugins.Submit: "one launch a submit"}[g]
	return caches + ", " + launches
}

func duration(c *emit.Candidate) string {
	d := func(ns float64) time.Duration { return time.Duration(ns).Round(10 * time.Nanosecond) }
	return fmt.Sprintf("%v (%v to %v)", d(c.MedianNS), d(c.IntervalNS[0]), d(c.IntervalNS[1]))
}

// configuration spells a candidate with its driver settings.
func configuration(c *emit.Candidate) string {
	text := plugins.Config(c.Config).String()
	names := make([]string, 0, len(c.Settings))
	for n := range c.Settings {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		text += fmt.Sprintf(" %s=%s", n, c.Settings[n])
	}
	return text
}

// counts lists verdict counts, ok first.
func counts(verdicts map[plugins.Verdict]int) string {
	var parts []string
	for _, v := range plugins.Verdicts {
		if n := verdicts[v]; n > 0 || v == plugins.OK {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	return strings.Join(parts, ", ")
}

// split writes the parts of the wall time with their shares.
func split(w emit.Wall) string {
	total := w.Compile + w.Guard + w.Race + w.Other
	part := func(name string, s float64) string {
		return fmt.Sprintf("%s %.1f s (%.0f%%)", name, s, 100*s/max(total, 1e-9))
	}
	return fmt.Sprintf("%.1f s: %s, %s, %s, %s", total, part("compile", w.Compile), part("guard", w.Guard), part("race", w.Race), part("other", w.Other))
}
