package runner

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/krisptune/krisptune/plugins"
)

// A time that implies more than the device can do is implausible by bytes and by operations,
// cold sooner than hot; one within the margin is not, and where arithmetic has units of its own
// operations bound nothing.
func TestPlausible(t *testing.T) {
	known := rates{Copy: 100e9, CachedCopy: 400e9, Flops: 1e12}
	b := reverse(t, "", 1024)
	b.Bytes, b.Flops = 1e6, 1e6
	for _, test := range []struct {
		ns   time.Duration
		cold bool
		says string
	}{
		{6000, true, ""}, {4000, true, "beyond its caches"}, {4000, false, ""}, {1000, false, "within its caches"},
	} {
		if got := plausible(b, known, test.cold, test.ns); (got == "") != (test.says == "") || !strings.Contains(got, test.says) {
			t.Errorf("%v, cold %t: %q, want %q", test.ns, test.cold, got, test.says)
		}
	}
	b.Bytes, b.Flops = 1, 1e9
	if got := plausible(b, known, false, 400*time.Microsecond); !strings.Contains(got, "2500 Gflop/s") {
		t.Errorf("%q, want 2500 Gflop/s in it", got)
	}
	if got := plausible(b, rates{}, false, 1); got != "" {
		t.Errorf("without rates: %q", got)
	}
	_, _, half := product(t, "f16", "f16", "nt", 64, 64, 64, nil)
	half.Bytes, half.Flops = 1, 1e9
	if got := plausible(half, known, false, 400*time.Microsecond); got != "" {
		t.Errorf("f16 at 2.5 times the f32 rate: %q", got)
	}
}

// A right kernel whose family claims far more work than it does is refused when it is timed, in
// words that name the device's rate; the same kernel with honest figures races.
func TestImplausibleRate(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "pipelines")
	r := open(t, Options{}, plugins.OpenOptions{CacheFile: cache})
	const n = 1 << 16
	honest := reverse(t, "", n)
	bytes, flops := honest, honest
	bytes.Bytes, flops.Flops = 1e15, 1e15
	for id, b := range map[string]plugins.Build{"honest": honest, "bytes": bytes, "flops": flops} {
		if c := compileOne(t, r, id, b); c.Verdict != plugins.OK {
			t.Fatalf("%+v", c)
		}
		if c := guardOne(t, r, plugins.Check{ID: id, Problem: problem(n)}); c.Verdict != plugins.OK {
			t.Fatalf("%+v", c)
		}
	}
	for _, s := range race(t, r, plugins.Race{Entrants: []string{"honest", "bytes", "flops"}, Rounds: 2, MinSample: time.Millisecond, Warmup: true}) {
		want, says := plugins.Implausible, map[int]string{1: "GB/s", 2: "Gflop/s"}[s.Entrant]
		if s.Entrant == 0 {
			want, says = plugins.OK, ""
		}
		t.Log(s.Verdict, s.Evidence.Message)
		if s.Verdict != want || !strings.Contains(s.Evidence.Message, says) {
			t.Errorf("entrant %d: %s %q, want %s", s.Entrant, s.Verdict, s.Evidence.Message, want)
		}
		if s.Entrant > 0 && (s.Evidence.Check != "rate" || !strings.Contains(s.Evidence.Message, "no less by the host's clock")) {
			t.Errorf("entrant %d: %+v, want the host's clock heard", s.Entrant, s.Evidence)
		}
	}
	t.Logf("%+v", r.rates)
	if r.rates.Copy <= 0 || r.rates.CachedCopy < r.rates.Copy || r.rates.Flops <= 0 {
		t.Errorf("rates %+v", r.rates)
	}
	// The next runner finds them; one under another driver does not believe them.
	again := open(t, Options{}, plugins.OpenOptions{CacheFile: cache})
	kept, err := os.ReadFile(cache + ".rates.json")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := again.knownRates(); err != nil || got != r.rates {
		t.Errorf("%+v, %v, want those of the first runner", got, err)
	}
	other := strings.Replace(string(kept), `"driver":"`, `"driver":"other `, 1)
	if err := os.WriteFile(cache+".rates.json", []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	third := open(t, Options{}, plugins.OpenOptions{CacheFile: cache})
	if got, err := third.knownRates(); err != nil || got.Driver != third.driver() || got.Flops <= 0 {
		t.Errorf("%+v, %v, want this driver's", got, err)
	}
}
