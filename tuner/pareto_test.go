package tuner

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/plugintest"
)

// A scratchFamily needs memory in proportion to BLOCK.
type scratchFamily struct{ plugintest.FakeFamily }

func (f scratchFamily) Describe(ctx context.Context) (plugins.Info, error) {
	info, err := f.FakeFamily.Describe(ctx)
	info.Name = "scratch"
	return info, err
}

func (f scratchFamily) Build(ctx context.Context, problem plugins.Problem, config plugins.Config) (plugins.Build, error) {
	b, err := f.FakeFamily.Build(ctx, problem, config)
	if err != nil {
		return b, err
	}
	block, err := config.Int("BLOCK")
	b.Buffers = append(b.Buffers, plugins.Buffer{Name: "partial", Type: plugins.F32, Elements: 1000 * block, Role: plugins.Scratch})
	return b, err
}

func TestTuneReportsTimeAgainstMemory(t *testing.T) {
	text := strings.Replace(fakeSpec, `family = "fake"`, `family = "scratch"`, 1)
	db := t.TempDir() + "/results.db"
	ctx, cancel := context.WithCancel(t.Context())
	interrupted := &quiet{after: func(n int) {
		if n == 8 {
			cancel()
		}
	}}
	with := text + `objectives = ["time", "memory"]` + "\n"
	if _, _, err := tune(t, ctx, "block-for-time", with, interrupted, TuneOptions{}, db); err == nil {
		t.Fatal("the run was not interrupted")
	}
	// A resumed run knows the memory of what was evaluated before, too.
	_, r, err := tune(t, t.Context(), "block-for-time", with, &quiet{}, TuneOptions{Resume: true}, db)
	if err != nil {
		t.Fatal(err)
	}
	var front []string
	for _, p := range r.Pareto {
		front = append(front, fmt.Sprintf("%s %d", plugins.Config(p.Config), p.MemoryBytes))
		if p.Ratio < p.RatioInterval[0] || p.Ratio > p.RatioInterval[1] {
			t.Errorf("ratio %v outside %v", p.Ratio, p.RatioInterval)
		}
	}
	const xy = 2 * 4 * 1000 // bytes of both vectors
	var want []string
	for _, block := range []int{256, 128, 64, 32} {
		want = append(want, fmt.Sprintf("BLOCK=%d,UNROLL=1 %d", block, xy+4000*block))
	}
	if !slices.Equal(front, want) {
		t.Errorf("front %q, want %q", front, want)
	}

	_, r, err = tune(t, t.Context(), "block-for-time", text, &quiet{}, TuneOptions{}, "")
	if err != nil || len(r.Pareto) != 0 {
		t.Errorf("memory is no objective: front %v, %v", r.Pareto, err)
	}
}
