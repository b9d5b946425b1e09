package store

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/krisptune/krisptune/plugins"
)

// Formats are the formats of Export: everything as JSON lines, the evaluations as a table, the
// autotuning community's results schema (T4), and the samples in the Go benchmark format.
var Formats = []string{"jsonl", "csv", "t4", "gobench"}

// Export writes a run in one of Formats.
func (s *Store) Export(ctx context.Context, w io.Writer, run int64, format string) error {
	write := map[string]func(io.Writer, *record) error{
		"jsonl": exportJSONL, "csv": exportCSV, "t4": exportT4, "gobench": exportGoBench}[format]
	if write == nil {
		return fmt.Errorf("export format %q, expected one of %s", format, strings.Join(Formats, ", "))
	}
	r, err := s.record(ctx, run)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	if err := write(b, r); err != nil {
		return err
	}
	return b.Flush()
}

// A record is all that the file holds of one run.
type record struct {
	run         Run
	arms        []Arm
	evaluations []Evaluation
	races       []Race
	emissions   []Emission
	// samples of one race, read when asked for: there may be many.
	samples func(race int64) ([]Sample, error)
}

func (s *Store) record(ctx context.Context, run int64) (*record, error) {
	r := &record{samples: func(race int64) ([]Sample, error) { return s.Samples(ctx, race) }}
	var err error
	if r.run, err = s.Run(ctx, run); err != nil {
		return nil, err
	}
	if r.arms, err = s.Arms(ctx, run); err != nil {
		return nil, err
	}
	if r.evaluations, err = s.Evaluations(ctx, run); err != nil {
		return nil, err
	}
	if r.races, err = s.Races(ctx, run); err != nil {
		return nil, err
	}
	r.emissions, err = s.Emissions(ctx, run)
	return r, err
}

func (r *record) arm(id int64) Arm {
	for _, a := range r.arms {
		if a.ID == id {
			return a
		}
	}
	return Arm{ID: id}
}

// objective is the time of an entrant in each round that it completed, in the order taken: the
// mean over the problems by their weights, in nanoseconds.
func (r *record) objective(samples []Sample, entrant int) []float64 {
	var total float64
	for _, p := range r.run.Problems {
		total += p.Weight
	}
	var times []float64
	var sum float64
	seen := map[int]bool{}
	round := -1
	for _, s := range samples {
		if s.Entrant != entrant {
			continue
		}
		if s.Round != round {
			round, sum, seen = s.Round, 0, map[int]bool{}
		}
		if s.Verdict != plugins.OK || s.Problem >= len(r.run.Problems) || seen[s.Problem] {
			continue
		}
		seen[s.Problem] = true
		sum += s.Nanoseconds * r.run.Problems[s.Problem].Weight
		if len(seen) == len(r.run.Problems) {
			times = append(times, sum/total)
		}
	}
	return times
}

// number is x, or nil where JSON has no number for it.
func number(x float64) any {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return x
}
