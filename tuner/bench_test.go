package tuner

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/tuner/emit"
	"github.com/krisptune/krisptune/tuner/store"
)

func bench(t *testing.T, ctx context.Context, truth string, configs ...string) (*emit.Bench, *Session, error) {
	t.Helper()
	s, db := session(t, ctx, truth, fakeSpec, &quiet{}, "")
	var named []plugins.Config
	for _, text := range configs {
		c, err := s.ParseConfig(text)
		if err != nil {
			t.Fatal(err)
		}
		named = append(named, c)
	}
	b, err := s.Bench(ctx, db, named, BenchOptions{SpecText: fakeSpec})
	return b, s, err
}

func TestBench(t *testing.T) {
	b, s, err := bench(t, t.Context(), "one-fast", "BLOCK=128,UNROLL=4", "BLOCK=256,UNROLL=1")
	if err != nil {
		t.Fatal(err)
	}
	fast, same := b.Entrants[1], b.Entrants[2]
	if b.Fastest == nil || *b.Fastest != 1 || math.Abs(*fast.Ratio-2) > 0.05 || !(fast.RatioInterval[0] > 1.9 && fast.RatioInterval[1] < 2.1) {
		t.Errorf("fastest %v, ratio %v in %v; the truth is entrant 1 and 2", b.Fastest, *fast.Ratio, fast.RatioInterval)
	}
	if same.RatioInterval[0] > 1 || same.RatioInterval[1] < 1 || b.Entrants[0].Ratio != nil || b.Rounds < benchRounds {
		t.Errorf("%+v after %d rounds; an identical kernel must not differ", same, b.Rounds)
	}
	run, err := s.store.Run(t.Context(), b.Run)
	var doc struct {
		Entrants []struct{ Verdict string }
	}
	if err != nil || run.State != store.Done || json.Unmarshal(run.Result, &doc) != nil || len(doc.Entrants) != 3 {
		t.Errorf("%+v, %v", run, err)
	}
	evaluations, err := s.store.Evaluations(t.Context(), b.Run)
	if err != nil || len(evaluations) != 3 || evaluations[1].Race == 0 || evaluations[1].MedianNS == nil || evaluations[1].Guard == 0 {
		t.Errorf("%+v, %v", evaluations, err)
	}
}

func TestBenchReportsARejection(t *testing.T) {
	b, _, err := bench(t, t.Context(), "traps", "BLOCK=32,UNROLL=1", "BLOCK=256,UNROLL=2")
	if !errors.Is(err, ErrRejected) || b == nil {
		t.Fatalf("%+v, %v", b, err)
	}
	if e := b.Entrants[1]; e.Verdict != plugins.Wrong || e.MedianNS != nil || e.Message == "" {
		t.Errorf("the wrong one: %+v", e)
	}
	if e := b.Entrants[2]; e.Verdict != plugins.OK || e.Ratio == nil || math.Abs(*e.Ratio-1.25) > 0.05 {
		t.Errorf("the right one: %+v", e)
	}
}

func TestBenchWithoutABaseline(t *testing.T) {
	for _, truth := range []string{"baseline-wrong", "baseline-dies"} {
		b, _, err := bench(t, t.Context(), truth, "BLOCK=128,UNROLL=4", "BLOCK=256,UNROLL=1")
		if !errors.Is(err, ErrRejected) || b == nil || b.Entrants[0].Verdict == plugins.OK {
			t.Fatalf("%s: %+v, %v", truth, b, err)
		}
		for _, e := range b.Entrants[1:] {
			if e.Verdict != plugins.OK || e.MedianNS == nil || e.Ratio != nil {
				t.Errorf("%s: %+v: times and no ratios", truth, e)
			}
		}
	}
	b, _, err := bench(t, t.Context(), "all-wrong", "BLOCK=128,UNROLL=4")
	if !errors.Is(err, ErrRejected) || b == nil || b.AARatio != nil || b.Fastest != nil {
		t.Errorf("%+v, %v", b, err)
	}
}

func TestBenchInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, db := session(t, ctx, "all-equal", fakeSpec, &quiet{}, "")
	cancel()
	if _, err := s.Bench(ctx, db, []plugins.Config{s.bound.Baseline}, BenchOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
