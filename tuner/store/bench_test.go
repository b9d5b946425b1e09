package store

import (
	"path/filepath"
	"testing"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner/stats"
)

// An evaluation as the core stores it: one durable transaction each.
func BenchmarkAppendEvaluation(b *testing.B) {
	s, run, arm, _ := benchStore(b)
	for i := 0; b.Loop(); i++ {
		if _, err := s.AppendEvaluations(ctx, run, testEvaluation(arm, i)); err != nil {
			b.Fatal(err)
		}
	}
}

// A round of 11 entrants, one durable transaction each.
func BenchmarkAppendRound(b *testing.B) {
	s, _, _, race := benchStore(b)
	samples := make([]Sample, 11)
	for i := range samples {
		samples[i] = Sample{Entrant: i, Nanoseconds: 1e6 + float64(i), Repeats: 3, Clock: plugins.GPUTimestamp, Mode: plugins.Hot, Gap: plugins.Dependent, Verdict: plugins.OK}
	}
	for b.Loop() {
		if err := s.AppendSamples(ctx, race, samples...); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*len(samples))/b.Elapsed().Seconds(), "samples/s")
}

func benchStore(b *testing.B) (s *Store, run, arm, race int64) {
	s, err := Open(filepath.Join(b.TempDir(), "r.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	if run, err = s.BeginRun(ctx, testRun()); err != nil {
		b.Fatal(err)
	}
	if arm, err = s.PutArm(ctx, run, testArm()); err != nil {
		b.Fatal(err)
	}
	if race, err = s.BeginRace(ctx, run, Race{Kind: stats.Batch}); err != nil {
		b.Fatal(err)
	}
	return s, run, arm, race
}
