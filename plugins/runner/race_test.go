package runner

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/krisptune/krisptune/plugins"
)

// race takes a race's samples.
func race(t testing.TB, r *Runner, request plugins.Race) []plugins.Sample {
	t.Helper()
	var out []plugins.Sample
	if err := r.Race(context.Background(), request, func(s plugins.Sample) { out = append(out, s) }); err != nil {
		t.Fatal(err)
	}
	return out
}

// prepared compiles and guards a build that is right.
func prepared(t testing.TB, r *Runner, id string, n int64) {
	t.Helper()
	if c := compileOne(t, r, id, reverse(t, "", n)); c.Verdict != plugins.OK {
		t.Fatalf("%+v", c)
	}
	if c := guardOne(t, r, plugins.Check{ID: id, Problem: problem(n)}); c.Verdict != plugins.OK {
		t.Fatalf("%+v", c)
	}
}

func TestRaceInterleaves(t *testing.T) {
	r := open(t, Options{}, plugins.OpenOptions{})
	prepared(t, r, "small", 1<<12)
	prepared(t, r, "large", 1<<18)
	entrants := []string{"small", "large", "small"}
	samples := race(t, r, plugins.Race{Entrants: entrants, Rounds: 7, FirstRound: 3, Seed: 5, MinSample: 2 * time.Millisecond, Warmup: true})
	if len(samples) != 21 {
		t.Fatalf("%d samples, expected 7 rounds of 3", len(samples))
	}
	times := make(map[int][]float64)
	orders := make(map[string]bool)
	for i, s := range samples {
		if s.Verdict != plugins.OK || s.Round != 3+i/3 || s.Nanoseconds <= 0 || s.Gap != plugins.Dependent {
			t.Errorf("sample %d: %+v", i, s)
		}
		if total := s.Nanoseconds * float64(s.Repeats); total < 0.5e6 {
			t.Errorf("sample %d of entrant %d lasts %.0f ns over %d repeats, expected about 2 ms", i, s.Entrant, total, s.Repeats)
		}
		times[s.Entrant] = append(times[s.Entrant], s.Nanoseconds)
		if i%3 == 0 {
			orders[string(rune('0'+s.Entrant))+string(rune('0'+samples[i+1].Entrant))+string(rune('0'+samples[i+2].Entrant))] = true
		}
	}
	if len(orders) < 2 {
		t.Errorf("7 rounds came in %d orders, expected a new one each round", len(orders))
	}
	for _, v := range times {
		slices.Sort(v)
	}
	small, large, again := times[0][3], times[1][3], times[2][3]
	t.Logf("medians: small %.0f ns, large %.0f ns, small again %.0f ns", small, large, again)
	if large < 4*small {
		t.Errorf("64 times the work took %.1f times as long", large/small)
	}
	if math.Abs(math.Log(again/small)) > math.Log(2) {
		t.Errorf("the same kernel twice: %.0f and %.0f ns", small, again)
	}
}

// The order of a round depends on seed and number alone, so a race can be taken in parts.
func TestRaceOrderContinues(t *testing.T) {
	for round := range 20 {
		if !slices.Equal(order(9, round, 6), order(9, round, 6)) {
			t.Fatal("the same round in another order")
		}
	}
	if slices.Equal(order(9, 0, 50), order(9, 1, 50)) || slices.Equal(order(9, 0, 50), order(8, 0, 50)) {
		t.Error("rounds or seeds share an order")
	}
}

func TestRaceStopsWhenCancelled(t *testing.T) {
	r := open(t, Options{}, plugins.OpenOptions{})
	prepared(t, r, "a", 1<<12)
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	err := r.Race(ctx, plugins.Race{Entrants: []string{"a"}, Rounds: 1000}, func(plugins.Sample) {
		if n++; n == 3 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || n != 3 {
		t.Errorf("%d samples and %v, expected 3 and a cancelled context", n, err)
	}
}

// What the timed launches left is checked: here the kernel was wrong all along, and nobody
// asked the guard about its own problem with this reference.
func TestRaceChecksWhatItTimed(t *testing.T) {
	r := open(t, Options{}, plugins.OpenOptions{})
	prepared(t, r, "right", 1024)
	if c := compileOne(t, r, "wrong", reverse(t, "off_by_one_percent", 1024)); c.Verdict != plugins.OK {
		t.Fatalf("%+v", c)
	}
	// As if the guard had been deceived: its digest is of other outputs.
	r.candidates["wrong"].problem, r.candidates["wrong"].proved = problem(1024), true
	samples := race(t, r, plugins.Race{Entrants: []string{"right", "wrong"}, Rounds: 3})
	last := samples[len(samples)-2:]
	for _, s := range last {
		switch s.Entrant {
		case 0:
			if s.Verdict != plugins.OK {
				t.Errorf("the right kernel: %+v", s)
			}
		case 1:
			if s.Verdict != plugins.Wrong || s.Nanoseconds != 0 || !strings.Contains(s.Evidence.Message, "beyond their error bound") {
				t.Errorf("the wrong kernel: %+v", s)
			}
		}
	}
}

// What the guard refused is never timed.
func TestRaceRefusesTheRefused(t *testing.T) {
	r := open(t, Options{}, plugins.OpenOptions{})
	compileOne(t, r, "wrong", reverse(t, "wrong", 1024))
	guardOne(t, r, plugins.Check{ID: "wrong", Problem: problem(1024)})
	for _, s := range race(t, r, plugins.Race{Entrants: []string{"wrong"}, Rounds: 2}) {
		if s.Verdict != plugins.Wrong || s.Nanoseconds != 0 || s.Evidence.Message == "" {
			t.Errorf("%+v", s)
		}
	}
}

func TestRaceTimeout(t *testing.T) {
	r := open(t, Options{}, plugins.OpenOptions{})
	if c := compileOne(t, r, "endless", reverse(t, "endless", 64*65535)); c.Verdict != plugins.OK {
		t.Fatalf("%+v", c)
	}
	samples := race(t, r, plugins.Race{Entrants: []string{"endless"}, Rounds: 5, Deadline: 100 * time.Millisecond})
	if len(samples) != 1 || samples[0].Verdict != plugins.Timeout {
		t.Errorf("%+v, expected one sample with the verdict timeout", samples)
	}
	select {
	case <-r.Spent():
	default:
		t.Error("the runner is not spent")
	}
}

// A timestamp that cannot be is a failed sample, not a time.
func TestImplausibleTimes(t *testing.T) {
	r := &Runner{clock: plugins.GPUTimestamp}
	for _, bad := range []timing{
		{host: time.Millisecond, gpu: 0},
		{host: time.Millisecond, gpu: -5},
		{host: time.Millisecond, gpu: 3 * time.Second},
		{host: time.Millisecond, gpu: time.Microsecond, gpuErr: errors.New("VK_NOT_READY")},
	} {
		if elapsed, doubt := r.believe(bad); doubt == "" || elapsed != 0 {
			t.Errorf("%+v was believed", bad)
		}
	}
	if elapsed, doubt := r.believe(timing{host: time.Millisecond, gpu: 900 * time.Microsecond}); doubt != "" || elapsed != 900*time.Microsecond {
		t.Errorf("a good time: %v %q", elapsed, doubt)
	}
}

// A kernel that adds to its output is right where the output is inout: it starts from other
// values in each exact trial, and is reset before each sample.
func TestInOut(t *testing.T) {
	r := open(t, Options{}, plugins.OpenOptions{})
	b := reverse(t, "accumulates", 1000)
	b.Buffers[2].Role = plugins.InOut
	if c := compileOne(t, r, "adds", b); c.Verdict != plugins.OK {
		t.Fatalf("%+v", c)
	}
	check := plugins.Check{ID: "adds", Problem: problem(1000)}
	if requests, err := r.Inputs(context.Background(), []plugins.Check{check}); err != nil || len(requests) != 3 {
		t.Errorf("%d requests, %v; expected two exact trials and a rounded one", len(requests), err)
	}
	if got := guardOne(t, r, check); got.Verdict != plugins.OK || got.Evidence.Runs != 5 {
		t.Fatalf("%+v", got)
	}
	for _, minSample := range []time.Duration{0, time.Millisecond} {
		for _, s := range race(t, r, plugins.Race{Entrants: []string{"adds"}, Rounds: 2, MinSample: minSample, Warmup: true}) {
			if s.Verdict != plugins.OK {
				t.Errorf("%+v", s)
			}
		}
		r.candidates["adds"].repeats = 0
	}
	// Storing where it should add is wrong, though the outputs of both runs agree.
	b = reverse(t, "", 1000)
	b.Buffers[2].Role = plugins.InOut
	compileOne(t, r, "stores", b)
	if got := guardOne(t, r, plugins.Check{ID: "stores", Problem: problem(1000)}); got.Verdict != plugins.Wrong {
		t.Errorf("%+v", got)
	}
}
