package cli

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/krisptune/krisptune/search"
	"github.com/krisptune/krisptune/search/replay"
)

// A simulateDocument is what `simulate --json` prints.
type simulateDocument struct {
	Spaces    []simulatedSpace     `json:"spaces"`
	Aggregate []simulatedAggregate `json:"aggregate"`
}

type simulatedSpace struct {
	Name          string             `json:"name"`
	Device        string             `json:"device"`
	Strategy      string             `json:"strategy"`
	Score         float64            `json:"score"`
	ScoreInterval [2]float64         `json:"score_interval"`
	FractionAt    map[string]float64 `json:"fraction_at"`
	Cutoff        int                `json:"cutoff"` // evaluations that the score covers
	Repeats       int                `json:"repeats"`
	OwnMS         float64            `json:"own_ms"` // the strategy's own wall time per evaluation
}

type simulatedAggregate struct {
	Strategy      string             `json:"strategy"`
	Score         float64            `json:"score"`
	ScoreInterval [2]float64         `json:"score_interval"`
	FractionAt    map[string]float64 `json:"fraction_at"` // geometric mean over spaces
}

func simulateCommand(c *common) *cobra.Command {
	var strategies []string
	var s replay.Simulation
	cmd := &cobra.Command{
		Use:   "simulate SPACE...",
		Short: "Run strategies against recorded spaces, without a device",
		Long: `Simulate replays recorded spaces: Kernel Tuner cachefiles, T4 results, and what export writes as jsonl or t4, all
of them also as .gz. It prints each strategy's score (Willemsen et al. 2024: 0 is random search, 1 the optimum at
once) with its 95% bootstrap interval over the repeats, and the median fraction of the optimum that was found
within 25, 50, 100 and 200 evaluations.`,
		Args: func(cmd *cobra.Command, args []string) error { return usage(cobra.MinimumNArgs(1)(cmd, args)) },
		RunE: func(cmd *cobra.Command, paths []string) error {
			for _, name := range strategies {
				if err := search.Known(name); err != nil {
					return usage(fmt.Errorf("--strategy: %w", err))
				}
			}
			if s.Repeats < 1 || s.Batch < 1 || s.Budget < 0 {
				return usage(fmt.Errorf("--repeats %d --batch %d --budget %d, expected positive numbers", s.Repeats, s.Batch, s.Budget))
			}
			if !(s.Percentile > 0 && s.Percentile < 1) {
				return usage(fmt.Errorf("--percentile %v, expected a number between 0 and 1", s.Percentile))
			}
			var recordings []*replay.Recording
			for _, path := range paths {
				r, err := replay.Open(path)
				if err != nil {
					return usage(err)
				}
				if r.Open && !c.quiet {
					fmt.Fprintf(c.stderr, "%s has no end: the %d configurations before it count\n", path, r.Space.Len())
				}
				recordings = append(recordings, r)
			}
			doc, err := simulate(cmd, c, s, recordings, strategies)
			if err != nil {
				return err
			}
			if c.json {
				return writeJSON(c.stdout, doc)
			}
			return printSimulation(c.stdout, doc)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&strategies, "strategy", search.Names()[:1], strings.Join(search.Names(), ", ")+"; several are compared")
	f.IntVar(&s.Repeats, "repeats", 100, "runs with different seeds")
	f.IntVar(&s.Budget, "budget", 0, "evaluations of a run (default: as many as the score covers, and at least 200)")
	f.Float64Var(&s.Percentile, "percentile", 0.95, "the score covers as many evaluations as random search needs for this share of the way from the median to the optimum")
	f.IntVar(&s.Batch, "batch", 1, "points asked at a time; tune asks for 8")
	f.Uint64Var(&s.Seed, "seed", 0, "of the first run; the others count up")
	return cmd
}

// simulate runs each strategy on each recording, and says so as it goes.
func simulate(cmd *cobra.Command, c *common, s replay.Simulation, recordings []*replay.Recording, strategies []string) (simulateDocument, error) {
	var doc simulateDocument
	for _, name := range strategies {
		var results []replay.Result
		for _, r := range recordings {
			result, err := s.Run(cmd.Context(), r, func(space *search.Space, seed uint64) search.Strategy {
				strategy, err := search.New(name, space, seed)
				if err != nil {
					panic(err) // the name was checked
				}
				return strategy
			})
			if err != nil {
				return doc, err
			}
			results = append(results, result)
			doc.Spaces = append(doc.Spaces, simulatedSpace{Name: r.Name, Device: r.Device, Strategy: name, Score: result.Score,
				ScoreInterval: result.Interval, FractionAt: fractions(result), Cutoff: result.Cutoff, Repeats: result.Repeats,
				OwnMS: float64(result.PerEval) / float64(time.Millisecond)})
			if !c.quiet {
				fmt.Fprintf(c.stderr, "%s on %s: score %.3f\n", name, printable(r.Name), result.Score)
			}
		}
		score, interval := replay.Aggregate(results)
		doc.Aggregate = append(doc.Aggregate, simulatedAggregate{name, score, interval, fractions(results...)})
	}
	return doc, nil
}

// fractions are the geometric means over results, of the counts that all of them have.
func fractions(results ...replay.Result) map[string]float64 {
	out := map[string]float64{}
	for _, n := range replay.FractionsAt {
		sum, have := 0.0, 0
		for _, r := range results {
			if f, ok := r.FractionAt[n]; ok {
				sum += math.Log(f)
				have++
			}
		}
		if have == len(results) {
			out[strconv.Itoa(n)] = math.Exp(sum / float64(have))
		}
	}
	return out
}

func printSimulation(w io.Writer, doc simulateDocument) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "space\tstrategy\tevaluations\tscore\t95% interval")
	for _, n := range replay.FractionsAt {
		fmt.Fprintf(t, "\tat %d", n)
	}
	fmt.Fprintln(t, "\town time")
	cells := func(at map[string]float64) {
		for _, n := range replay.FractionsAt {
			if f, ok := at[strconv.Itoa(n)]; ok {
				fmt.Fprintf(t, "\t%.3f", f)
			} else {
				fmt.Fprint(t, "\t-")
			}
		}
	}
	for _, s := range doc.Spaces {
		fmt.Fprintf(t, "%s\t%s\t%d\t%.3f\t%.3f to %.3f", printable(s.Name), s.Strategy, s.Cutoff, s.Score, s.ScoreInterval[0], s.ScoreInterval[1])
		cells(s.FractionAt)
		fmt.Fprintf(t, "\t%.3f ms\n", s.OwnMS)
	}
	if len(doc.Spaces) > len(doc.Aggregate) {
		for _, a := range doc.Aggregate {
			fmt.Fprintf(t, "all\t%s\t\t%.3f\t%.3f to %.3f", a.Strategy, a.Score, a.ScoreInterval[0], a.ScoreInterval[1])
			cells(a.FractionAt)
			fmt.Fprintln(t, "\t")
		}
	}
	return t.Flush()
}
