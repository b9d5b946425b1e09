package tuner

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/plugintest"
	"github.com/krisptune/krisptune/tuner/emit"
)

// noises are simulated devices on which naive tuners pick noise.
var noises = map[string]plugintest.Noise{
	"heavy-tailed":    {Sigma: 0.02, Outlier: 0.05},
	"two-state clock": {Sigma: 0.01, Stay: 40, Slow: 2.03},
	"drifting":        {Sigma: 0.01, Drift: 0.15},
	"periodic":        {Sigma: 0.01, Period: 37, Pulse: 1.3},
	// Another process takes the device in a third of all samples.
	"contended": {Sigma: 0.01, Outlier: 0.33},
	// The second label of a kernel is slower: what is compared is not the kernels.
	"biased": {Sigma: 0.01, Second: 1.05},
	// The clock halves in the middle of a race of four over at least 40 rounds.
	"step": {Sigma: 0.01, StepAt: 3 + 4*20, Step: 2},
}

// Identical kernels are never called different, and one that is twice as fast is found, with an
// interval that holds the truth, whatever the device does. On a contended one it may be missed,
// never mistaken.
func TestTuneUnderNoise(t *testing.T) {
	for _, weather := range []string{"heavy-tailed", "two-state clock", "drifting", "periodic", "contended"} {
		for seed := range 3 {
			t.Run(fmt.Sprintf("%s/%d", weather, seed), func(t *testing.T) {
				t.Parallel()
				text := fakeSpec + fmt.Sprintf("seed = %d\n", 100+seed)
				_, r, err := tune(t, t.Context(), "all-equal "+weather, text, &quiet{}, TuneOptions{}, "")
				if err != nil || r.Outcome != emit.BaselineStands {
					t.Errorf("identical kernels: %+v, %v", r, err)
				}
				_, r, err = tune(t, t.Context(), "one-fast "+weather, text, &quiet{}, TuneOptions{}, "")
				if err == nil && weather == "contended" && r.Outcome == emit.BaselineStands {
					return
				}
				if err != nil || r.Outcome != emit.Better || plugins.Config(r.Winner.Config).String() != "BLOCK=128,UNROLL=4" {
					t.Fatalf("one is twice as fast: %+v, %v", r, err)
				}
				if w := strings.Join(r.Warnings, "\n"); weather == "drifting" && !strings.Contains(w, "the device drifted in") {
					t.Errorf("no warning of a drift: %q", r.Warnings)
				}
				if lo, hi := r.Winner.RatioInterval[0], r.Winner.RatioInterval[1]; lo > 2 || hi < 2 {
					t.Errorf("ratio in %v to %v, the truth is 2", lo, hi)
				}
			})
		}
	}
}

// Where the baseline's two labels disagree, a small gain is not a gain and a large one is said
// with a warning.
func TestDisagreementIsNoWinner(t *testing.T) {
	_, r, err := tune(t, t.Context(), "one-better biased", fakeSpec, &quiet{}, TuneOptions{}, "")
	if err != nil || r.Outcome != emit.BaselineStands {
		t.Errorf("3%% under an A/A disagreement of 5%%: %+v, %v", r, err)
	}
	if w := strings.Join(r.Warnings, "\n"); !strings.Contains(w, "something disturbs the device") {
		t.Errorf("warnings %q", r.Warnings)
	}
	_, r, err = tune(t, t.Context(), "one-fast biased", fakeSpec, &quiet{}, TuneOptions{}, "")
	if err != nil || r.Outcome != emit.Better || math.Abs(*r.AARatio-1/1.05) > 0.01 || !strings.Contains(strings.Join(r.Warnings, "\n"), "disturbs") {
		t.Errorf("twice as fast under an A/A disagreement of 5%%: %+v, %v", r, err)
	}
}

// On a contended device the interval is wide, not wrong.
func TestContentionWidensTheInterval(t *testing.T) {
	width := func(truth string) float64 {
		b, _, err := bench(t, t.Context(), truth, "BLOCK=128,UNROLL=4")
		if err != nil {
			t.Fatal(err)
		}
		e := b.Entrants[1]
		if e.RatioInterval[0] > 1/0.97 || e.RatioInterval[1] < 1/0.97 {
			t.Errorf("%s: ratio in %v, the truth is %v", truth, *e.RatioInterval, 1/0.97)
		}
		return math.Log(e.RatioInterval[1] / e.RatioInterval[0])
	}
	calm, contended := width("one-better"), width("one-better contended")
	t.Logf("width of the interval: calm %.2f%%, contended %.2f%%", 100*calm, 100*contended)
	if contended < 1.5*calm {
		t.Errorf("width %v on a calm device, %v on a contended one", calm, contended)
	}
}

// A step in the baseline's time is a warning on the result, and the rounds before it do not count.
func TestAStepRestartsTheRace(t *testing.T) {
	b, s, err := bench(t, t.Context(), "one-fast step", "BLOCK=128,UNROLL=4", "BLOCK=256,UNROLL=1")
	if err != nil {
		t.Fatal(err)
	}
	if w := strings.Join(b.Warnings, "\n"); !strings.Contains(w, "started again because the baseline became") {
		t.Errorf("warnings %q", b.Warnings)
	}
	base := b.Entrants[0]
	if *base.MedianNS < 190e3 || base.Samples != b.Rounds || math.Abs(*b.Entrants[1].Ratio-2) > 0.05 {
		t.Errorf("%+v over %d rounds: the median must be of the second state alone", base, b.Rounds)
	}
	races, err := s.store.Races(t.Context(), b.Run)
	if err != nil || len(races) != 2 || len(races[1].Warnings) == 0 {
		t.Fatalf("%+v, %v", races, err)
	}
	// Every sample is kept, those that do not count too.
	samples, err := s.store.Samples(t.Context(), races[1].ID)
	if err != nil || len(samples) < 4*(40+b.Rounds) {
		t.Errorf("%d samples, %v", len(samples), err)
	}
}
