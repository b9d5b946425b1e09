package endtoend

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/krisptune/krisptune/configs"
	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/host"
	"github.com/krisptune/krisptune/tuner"
	"github.com/krisptune/krisptune/tuner/spec"
	"github.com/krisptune/krisptune/tuner/store"
)

// A builtInMachine has the program serve the built-in families: a test binary cannot.
type builtInMachine struct{ *tuner.Host }

func (builtInMachine) Family(ctx context.Context, name string) (tuner.FamilyProcess, error) {
	return host.StartFamily(ctx, host.FamilyCommand{Path: program, Args: []string{"plugin", name}})
}

// BenchmarkGuardShare tunes the embedded spec for small devices and says which share of the time
// for each accepted candidate the guard takes: with the drivers' caches empty, and full. The
// pipelines of the guard's further problems count as compiling, and are given beside it.
func BenchmarkGuardShare(b *testing.B) {
	if !hasDevice(b) {
		b.Skip("no Vulkan device")
	}
	text, ok := configs.Kernel("matmul_f32")
	if !ok {
		b.Fatal("no embedded spec matmul_f32")
	}
	b.Setenv("XDG_CACHE_HOME", b.TempDir())
	for _, caches := range []string{"empty", "full"} {
		b.Run(caches, func(b *testing.B) {
			// A tuning run is long and averages within itself: one is enough, and b.N stays 1.
			sp, err := spec.Parse("matmul_f32.toml", text)
			if err != nil {
				b.Fatal(err)
			}
			sp.Search.Budget.Evaluations = 24
			s, err := tuner.Open(b.Context(), builtInMachine{&tuner.Host{Program: program}}, sp, tuner.Options{}, silent{})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			db, err := store.Open(filepath.Join(b.TempDir(), "results.db"))
			if err != nil {
				b.Fatal(err)
			}
			defer db.Close()
			r, err := s.Tune(b.Context(), db, tuner.TuneOptions{SpecText: string(text), Out: b.TempDir()})
			if err != nil {
				b.Fatal(err)
			}
			accepted := float64(r.Verdicts[plugins.OK])
			total := r.WallS.Compile + r.WallS.Guard + r.WallS.Race + r.WallS.Other
			b.ReportMetric(100*r.WallS.Guard/total, "%guard")
			b.ReportMetric(100*r.WallS.Compile/total, "%compile")
			b.ReportMetric(1e3*r.WallS.Guard/accepted, "guard-ms/accepted")
			b.ReportMetric(1e3*total/accepted, "ms/accepted")
		})
	}
}
