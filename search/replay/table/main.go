// Command table runs strategies on recorded spaces and prints search/replay/RESULTS.md:
//
//	go run ./search/replay/table -baseline 'kt_|convolution_milo_A100' FILE[@PERCENTILE]... > search/replay/RESULTS.md
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/krisptune/krisptune/search"
	"github.com/krisptune/krisptune/search/replay"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

type entry struct {
	recording  *replay.Recording
	percentile float64
}

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("table", flag.ContinueOnError)
	flags.SetOutput(stderr)
	repeats := flags.Int("repeats", 100, "runs of each strategy on each space")
	names := flags.String("strategies", strings.Join(search.Names(), ","), "comma-separated")
	baseline := flags.String("baseline", ".", "regular expression of the spaces in the first aggregate")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	within, err := regexp.Compile(*baseline)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	var entries []entry
	for _, arg := range flags.Args() {
		path, percentile, stated := strings.Cut(arg, "@")
		e := entry{percentile: 0.95}
		if stated {
			if e.percentile, err = strconv.ParseFloat(percentile, 64); err != nil || e.percentile <= 0 || e.percentile >= 1 {
				fmt.Fprintf(stderr, "%s: the percentile is %q, expected a number between 0 and 1\n", path, percentile)
				return 2
			}
		}
		if e.recording, err = replay.Open(path); err != nil {
			fmt.Fprintln(stderr, err)
			return 2
		}
		entries = append(entries, e)
	}
	if len(entries) == 0 {
		fmt.Fprintln(stderr, "no recorded space given, expected FILE[@PERCENTILE]...")
		return 2
	}
	var detail strings.Builder
	fmt.Fprintf(stdout, "# Strategies on recorded spaces\n\nMachine: %s, %d threads, %s. %d repeats, seeds 0 to %d, one point at a time. Written by `go run ./search/replay/table`.\n\n", cpu(), runtime.GOMAXPROCS(0), runtime.Version(), *repeats, *repeats-1)
	fmt.Fprintf(stdout, "Score: methodology of Willemsen et al. (FGCS 2024) in evaluations, 0 is random search and 1 the optimum; 95%% bootstrap intervals over repeats. Fractions: geometric mean over spaces of the median fraction of the optimum after so many evaluations. Spaces in the first aggregate: those that match `%s`.\n\n", *baseline)
	fmt.Fprintf(stdout, "| strategy | score | 95%% | at 25 | 50 | 100 | 200 | score over all | 95%% |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, name := range strings.Split(*names, ",") {
		if err := search.Known(name); err != nil {
			fmt.Fprintln(stderr, err)
			return 2
		}
		var first, all []replay.Result
		for _, e := range entries {
			if name == "exhaustive" && e.recording.Space.Len() > 1e6 {
				continue
			}
			r, err := replay.Simulation{Repeats: *repeats, Percentile: e.percentile}.Run(context.Background(), e.recording, func(s *search.Space, seed uint64) search.Strategy {
				strategy, _ := search.New(name, s, seed)
				return strategy
			})
			if err != nil {
				fmt.Fprintln(stderr, err)
				return 1
			}
			all = append(all, r)
			if within.MatchString(e.recording.Name) {
				first = append(first, r)
			}
			fmt.Fprintf(io.MultiWriter(&detail, stderr), "| %s | %s | %g | %d | %.3f | %.3f to %.3f | %s | %s |\n", e.recording.Name, name, e.percentile, r.Cutoff, r.Score, r.Interval[0], r.Interval[1], fractions([]replay.Result{r}), r.PerEval.Round(10*time.Microsecond))
		}
		score, bounds := replay.Aggregate(all)
		fmt.Fprintf(stdout, "| %s |", name)
		if len(first) > 0 {
			s, b := replay.Aggregate(first)
			fmt.Fprintf(stdout, " %.3f | %.3f to %.3f | %s |", s, b[0], b[1], fractions(first))
		} else {
			fmt.Fprint(stdout, " | | | | | |")
		}
		fmt.Fprintf(stdout, " %.3f | %.3f to %.3f |\n", score, bounds[0], bounds[1])
	}
	fmt.Fprintf(stdout, "\n## Each space\n\nThe last column is the strategy's own wall time per evaluation, with as many runs at once as threads.\n\n| space | strategy | cut-off percentile | evaluations | score | 95%% | at 25 | 50 | 100 | 200 | own time |\n|---|---|---|---|---|---|---|---|---|---|---|\n%s", detail.String())
	return 0
}

// fractions formats the geometric means over results.
func fractions(results []replay.Result) string {
	var cells []string
	for _, n := range replay.FractionsAt {
		sum := 0.0
		for _, r := range results {
			sum += math.Log(r.FractionAt[n])
		}
		cells = append(cells, fmt.Sprintf("%.3f", math.Exp(sum/float64(len(results)))))
	}
	return strings.Join(cells, " | ")
}

// cpu names the processor where Linux says it.
func cpu() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
