package stats

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestDetectDrift(t *testing.T) {
	steady := func(int, *rand.Rand) float64 { return 1 }
	for _, c := range []struct {
		name  string
		clock func(i int, rng *rand.Rand) float64
		kind  DriftKind
	}{
		{"steady", steady, ""},
		{"two states all the time", func(_ int, rng *rand.Rand) float64 { return 1 + float64(rng.IntN(2)) }, ""},
		{"one step", func(i int, _ *rand.Rand) float64 {
			if i >= 25 {
				return 2
			}
			return 1
		}, Step},
		{"slope", func(i int, _ *rand.Rand) float64 { return 1 + 0.002*float64(i) }, Slope},
		{"one disturbed round", func(i int, _ *rand.Rand) float64 {
			if i == 30 {
				return 10
			}
			return 1
		}, ""},
	} {
		rng := rand.New(rand.NewPCG(19, 20))
		times := make([]float64, 60)
		for i := range times {
			times[i] = 100 * c.clock(i, rng) * math.Exp(0.01*rng.NormFloat64())
		}
		d := DetectDrift(times)
		switch {
		case d == nil && c.kind != "":
			t.Errorf("%s: nothing seen", c.name)
		case d != nil && d.Kind != c.kind:
			t.Errorf("%s: %v", c.name, d)
		case d != nil && d.Kind == Step && (d.Round != 25 || math.Abs(d.Change-1) > 0.05):
			t.Errorf("%s: %+v, expected a doubling at round 25", c.name, d)
		case d != nil && !strings.Contains(d.String(), "slower"):
			t.Errorf("%s: %q", c.name, d)
		}
	}
	if DetectDrift([]float64{1, 1, 1, 2, 2, 2}) != nil {
		t.Error("drift seen in 6 rounds")
	}
}

func TestDriftFalseAlarms(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	alarms := 0
	for trial := 0; trial < 2000; trial++ {
		times := make([]float64, 40)
		for i := range times {
			times[i] = math.Exp(0.02 * rng.NormFloat64())
		}
		if DetectDrift(times) != nil {
			alarms++
		}
	}
	if alarms > 6 {
		t.Errorf("%d alarms in 2000 steady races", alarms)
	}
}
