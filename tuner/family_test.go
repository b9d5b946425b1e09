package tuner

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/plugintest"
	"github.com/krisptune/krisptune/tuner/emit"
)

// A mortalFamily is a FakeFamily whose process ends when it is asked for one configuration.
type mortalFamily struct{ plugintest.FakeFamily }

func (f mortalFamily) Build(ctx context.Context, p plugins.Problem, c plugins.Config) (plugins.Build, error) {
	if c.String() == "BLOCK=32,UNROLL=8" {
		os.Exit(3)
	}
	return f.FakeFamily.Build(ctx, p, c)
}

func TestTuneSurvivesAFamilysDeath(t *testing.T) {
	text := strings.Replace(fakeSpec, `"fake"`, `"mortal"`, 1)
	q := &quiet{}
	_, r, err := tune(t, t.Context(), "one-fast", text, q, TuneOptions{}, "")
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != emit.Better || plugins.Config(r.Winner.Config).String() != "BLOCK=128,UNROLL=4" {
		t.Errorf("outcome %s, winner %v", r.Outcome, r.Winner)
	}
	if r.Verdicts[plugins.OK] != 14 || r.Verdicts[plugins.PluginError] != 1 {
		t.Errorf("verdicts %v, want 14 ok and one plugin-error: a family's death costs one verdict", r.Verdicts)
	}
}
