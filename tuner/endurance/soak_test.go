package endurance

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/host"
	"github.com/krisptune/krisptune/plugins/plugintest"
	"github.com/krisptune/krisptune/tuner"
	"github.com/krisptune/krisptune/tuner/spec"
	"github.com/krisptune/krisptune/tuner/store"
)

const soakName = "soak"

// soakFamily is the fake family, whose kernel is real, over a space of more than ten thousand
// configurations.
type soakFamily struct{ plugintest.FakeFamily }

func (f soakFamily) Describe(ctx context.Context) (plugins.Info, error) {
	info, err := f.FakeFamily.Describe(ctx)
	info.Name = soakName
	info.Fields[0].Tile = "" // without tails there is time for more evaluations
	var all []plugins.Value
	for v := int64(1); v <= 256; v++ {
		all = append(all, v)
	}
	for i := range info.Params {
		info.Params[i].Values = all
	}
	info.Params = append(info.Params, plugins.Param{Name: "SPARE", Doc: "workgroups beyond the last element", Kind: plugins.Host, Type: plugins.Int,
		Values: all[:8]})
	info.Baseline["SPARE"] = int64(1)
	return info, err
}

func (f soakFamily) Build(ctx context.Context, problem plugins.Problem, config plugins.Config) (plugins.Build, error) {
	b, err := f.FakeFamily.Build(ctx, problem, config)
	if err != nil {
		return b, err
	}
	spare, err := config.Int("SPARE")
	if err != nil {
		return b, &plugins.RequestError{Reason: err.Error()}
	}
	b.Passes[0].Grid[0] += uint32(spare)
	return b, nil
}

// A soakMachine is this host with the soak family.
type soakMachine struct{ *tuner.Host }

func (m soakMachine) Family(ctx context.Context, name string) (tuner.FamilyProcess, error) {
	return host.StartFamily(ctx, plugintest.FamilyCommand(name))
}

// Lock is nobody's: no time of a soak counts, and others may use the device.
func (m soakMachine) Lock(string) (tuner.DeviceLock, error) { return noLock{}, nil }

type noLock struct{}

func (noLock) Shared(context.Context) error    { return nil }
func (noLock) Exclusive(context.Context) error { return nil }
func (noLock) Unlock()                         {}

// TestSoak makes many evaluations of a small kernel and watches the resident size of core,
// runner and family: the largest of the last quarter is within 5% of that of the second.
//
// KRISPTUNE_TEST_EVALUATIONS sets how many there are; fewer than 2,000 show nothing of growth,
// and are only run through.
func TestSoak(t *testing.T) {
	evaluations := count(t, "KRISPTUNE_TEST_EVALUATIONS", 64)
	path := program(t)
	text := fmt.Sprintf("version = 1\n[kernel]\nfamily = %q\nname = \"soak\"\n[[problem]]\nn = 256\n[search]\nstrategy = \"random\"\nbudget = \"%d\"\n", soakName, evaluations)
	sp, err := spec.Parse("soak.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	w := &watcher{path: path, largest: map[string]*[4]int64{}, total: evaluations}
	s, err := tuner.Open(t.Context(), soakMachine{&tuner.Host{Program: path}}, sp, tuner.Options{MinSample: time.Microsecond}, w)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	db, err := store.Open(filepath.Join(t.TempDir(), "results.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	start := time.Now()
	r, err := s.Tune(t.Context(), db, tuner.TuneOptions{SpecText: text, Out: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	// A driver that hangs costs one verdict and one runner. Every kernel is right.
	late := r.Verdicts[plugins.CompileTimeout] + r.Verdicts[plugins.Timeout]
	if r.Evaluations != evaluations || r.Verdicts[plugins.OK]+late != evaluations || late > evaluations/100 {
		t.Errorf("%d evaluations: %v", r.Evaluations, r.Verdicts)
	}
	t.Logf("%d evaluations in %v on %s: %v, seconds %+v", evaluations, time.Since(start).Round(time.Second), r.Device.Name, r.Verdicts, r.WallS)
	for _, name := range []string{"core", "runner", "family"} {
		q, ok := w.largest[name]
		if !ok {
			t.Errorf("%s: never seen", name)
			continue
		}
		t.Logf("%-6s largest resident size of each quarter: %5.1f %5.1f %5.1f %5.1f MiB, last over second %.3f", name,
			mib(q[0]), mib(q[1]), mib(q[2]), mib(q[3]), float64(q[3])/float64(q[1]))
		if evaluations >= 2000 && float64(q[3]) > 1.05*float64(q[1]) {
			t.Errorf("%s grows: %.1f MiB in the second quarter, %.1f MiB in the last", name, mib(q[1]), mib(q[3]))
		}
	}
}

func mib(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// A watcher reads the resident size of each process after every evaluation.
type watcher struct {
	path    string
	total   int
	done    int
	largest map[string]*[4]int64
}

func (w *watcher) Opened(plugins.Opened) {}
func (w *watcher) Planned(int, int)      {}
func (w *watcher) Stage(string)          {}
func (w *watcher) Warn(string)           {}
func (w *watcher) Evaluated(tuner.Evaluation) {
	quarter := min(3, 4*w.done/w.total)
	w.done++
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	note := func(name, pid string) {
		if w.largest[name] == nil {
			w.largest[name] = &[4]int64{}
		}
		at := &w.largest[name][quarter]
		*at = max(*at, resident(pid))
	}
	me := strconv.Itoa(os.Getpid())
	note("core", me)
	for _, pid := range processes(w.path) {
		note("runner", pid)
	}
	for _, pid := range processes(self) {
		if pid != me {
			note("family", pid)
		}
	}
}

// resident is a process's resident size in bytes, 0 if it is gone.
func resident(pid string) int64 {
	data, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return 0
	}
	for _, line := range strings.Split(string(data), "\n") {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kib, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			return kib << 10
		}
	}
	return 0
}
