package runner

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/vkrt"
)

// What is asked for is what is taken: each launch by itself or streamed, over one set of buffers
// or over so many that together they exceed the rotation.
func TestModesAndGaps(t *testing.T) {
	r := open(t, Options{}, plugins.OpenOptions{})
	const n = 1 << 14
	prepared(t, r, "a", n)
	for _, mode := range []plugins.Mode{"", plugins.Hot, plugins.Cold} {
		for _, gap := range []plugins.Gap{"", plugins.Dependent, plugins.Submit} {
			samples := race(t, r, plugins.Race{Entrants: []string{"a", "a"}, Rounds: 3, MinSample: time.Millisecond, Mode: mode, Gap: gap})
			wantMode, wantGap := plugins.Hot, plugins.Dependent
			if mode == plugins.Cold {
				wantMode = plugins.Cold
			}
			if gap == plugins.Submit {
				wantGap = plugins.Submit
			}
			var times []float64
			for _, s := range samples {
				if s.Verdict != plugins.OK || s.Mode != wantMode || s.Gap != wantGap || s.Nanoseconds <= 0 {
					t.Errorf("mode %q, gap %q: %+v", mode, gap, s)
				}
				if wantMode == plugins.Cold && s.Repeats > maxSlots {
					t.Errorf("%d launches over %d slots that fit the cache", s.Repeats, maxSlots)
				}
				times = append(times, s.Nanoseconds)
			}
			slices.Sort(times)
			t.Logf("mode %q, gap %q: %.0f ns, %d launches a sample", wantMode, wantGap, times[len(times)/2], samples[0].Repeats)
		}
	}
	if err := r.Race(t.Context(), plugins.Race{Entrants: []string{"a"}, Rounds: 1, Mode: "warm"}, func(plugins.Sample) {}); err == nil {
		t.Error("mode warm was taken")
	}
}

// Launches that add to what they find start from the initial values in every slot.
func TestColdInOut(t *testing.T) {
	r := open(t, Options{}, plugins.OpenOptions{})
	b := reverse(t, "accumulates", 1000)
	b.Buffers[2].Role = plugins.InOut
	if c := compileOne(t, r, "adds", b); c.Verdict != plugins.OK {
		t.Fatalf("%+v", c)
	}
	check := plugins.Check{ID: "adds", Problem: problem(1000)}
	if got := guardOne(t, r, check); got.Verdict != plugins.OK {
		t.Fatalf("%+v", got)
	}
	for _, gap := range []plugins.Gap{plugins.Dependent, plugins.Submit} {
		r.candidates["adds"].repeats, r.candidates["adds"].calibrated = 5, measuring{plugins.Cold, gap}
		for _, s := range race(t, r, plugins.Race{Entrants: []string{"adds"}, Rounds: 2, Mode: plugins.Cold, Gap: gap}) {
			if s.Verdict != plugins.OK || s.Repeats != 5 {
				t.Errorf("%+v", s)
			}
		}
	}
}

func TestSlots(t *testing.T) {
	r := &Runner{}
	r.cacheBytes = 32 << 20
	r.caps.Memory.Heaps = append(r.caps.Memory.Heaps, vkrt.Heap{Size: 8 << 30, DeviceLocal: true})
	f32 := func(n int64) []plugins.Buffer { return []plugins.Buffer{{Name: "x", Type: plugins.F32, Elements: n}} }
	for _, test := range []struct {
		elements int64
		mode     plugins.Mode
		want     int
	}{{1 << 20, plugins.Hot, 1}, {1 << 20, plugins.Cold, 16}, {64 << 20, plugins.Cold, 1}, {16, plugins.Cold, maxSlots}} {
		if got := r.slots(f32(test.elements), test.mode); got != test.want {
			t.Errorf("%d elements, %s: %d slots, want %d", test.elements, test.mode, got, test.want)
		}
	}
}

func TestCacheEdge(t *testing.T) {
	var sizes []int64
	for s := int64(1 << 20); s <= 512<<20; s *= 2 {
		sizes = append(sizes, s)
	}
	curve := func(f func(mib float64) float64) []float64 {
		var out []float64
		for _, s := range sizes {
			out = append(out, f(float64(s)/(1<<20)))
		}
		return out
	}
	for name, test := range map[string]struct {
		times []float64
		want  int64
	}{
		"cache of 32 MiB":        {curve(func(mib float64) float64 { return map[bool]float64{true: 1, false: 3}[mib <= 32] }), 32 << 20},
		"two levels":             {curve(func(mib float64) float64 { return math.Min(3, 1+math.Floor(math.Log2(mib+1)/3)) }), 32 << 20},
		"nothing is faster":      {curve(func(float64) float64 { return 2 }), 0},
		"memory was not reached": {curve(func(mib float64) float64 { return 1 + mib/64 }), 0},
		"small sets are slow":    {curve(func(mib float64) float64 { return map[bool]float64{true: 9, false: 3}[mib < 4] }), 0},
		"too few":                {[]float64{1, 2}, 0},
	} {
		if got := cacheEdge(sizes, test.times); got != test.want {
			t.Errorf("%s: %d MiB, want %d; times %v", name, got>>20, test.want>>20, test.times)
		}
	}
}

// The sweep runs on any device; what it finds is at most what it tried.
func TestMeasureCache(t *testing.T) {
	r := open(t, Options{}, plugins.OpenOptions{})
	const most = 16 << 20
	bytes, err := r.measureCache(most)
	t.Logf("last-level cache: %d KiB", bytes>>10)
	if err != nil || bytes < 0 || bytes > most {
		t.Errorf("cache of %d bytes, %v", bytes, err)
	}
}
