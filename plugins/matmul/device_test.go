//go:build cgo

package matmul

import (
	"fmt"
	"os"
	"testing"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/runner"
	"github.com/krisptune/krisptune/vkrt/vkrttest"
)

// On a device, the guard finds nothing wrong: every type and layout, each way of prefetching,
// rolled and unrolled, sizes at and around multiples of the tile, a slice depth that allows no
// vectors, and a workgroup that does not divide its copies.
func TestGuardPasses(t *testing.T) {
	vkrttest.Device(t)
	r := runner.New(runner.Options{})
	t.Cleanup(r.Close)
	if _, err := r.Open(t.Context(), plugins.OpenOptions{Device: os.Getenv(vkrttest.DeviceEnv), SessionDir: t.TempDir(), Seed: 1}); err != nil {
		t.Fatal(err)
	}
	i := func(block, bm, bn, bk, wm, wn, tm, tn, pad, prefetch int64, unroll bool) plugins.Config {
		return plugins.Config{"BLOCK_SIZE": block, "BM": bm, "BN": bn, "BK": bk, "WM": wm, "WN": wn, "TM": tm, "TN": tn,
			"PAD": pad, "PREFETCH": prefetch, "UNROLL": unroll}
	}
	for n, c := range []struct {
		elem, acc, layout string
		config            plugins.Config
	}{
		{"f32", "f32", "nt", i(32, 32, 32, 8, 32, 32, 4, 8, 4, 1, true)},
		{"f32", "f32", "nn", i(32, 32, 32, 8, 16, 16, 8, 4, 0, 2, false)},
		{"f32", "f32", "nt", i(12, 24, 32, 6, 8, 16, 8, 8, 4, 2, false)},
		{"f16", "f32", "nt", i(16, 32, 32, 8, 32, 16, 8, 8, 0, 2, false)},
		{"f16", "f32", "nn", i(32, 32, 16, 16, 16, 16, 4, 4, 4, 0, false)},
		{"f16", "f16", "nt", i(16, 16, 64, 16, 16, 16, 8, 8, 0, 1, false)},
		{"f16", "f16", "nn", i(64, 32, 32, 3, 16, 8, 4, 4, 8, 2, false)},
		{"bf16", "f32", "nt", i(32, 64, 16, 8, 64, 8, 8, 4, 4, 1, false)},
		{"bf16", "f32", "nn", i(20, 40, 32, 8, 8, 32, 8, 8, 4, 0, true)},
	} {
		t.Run(fmt.Sprintf("%d %s %s %s", n, c.elem, c.acc, c.layout), func(t *testing.T) {
			bm, bn, bk := c.config["BM"].(int64), c.config["BN"].(int64), c.config["BK"].(int64)
			own := problem(2*bm, 2*bn, 4*bk, c.elem, c.acc, c.layout)
			var cases []plugins.Case
			for _, p := range []plugins.Problem{
				problem(1, 1, 1, c.elem, c.acc, c.layout),
				problem(bm+4, bn, bk, c.elem, c.acc, c.layout), // each size alone beyond its tile
				problem(bm, bn+4, bk, c.elem, c.acc, c.layout),
				problem(bm, bn, bk+4, c.elem, c.acc, c.layout),
				problem(bm-1, bn+1, bk+1, c.elem, c.acc, c.layout),
				problem(bm-2, bn+2, bk+2, c.elem, c.acc, c.layout),
				problem(bm, bn, 3001, c.elem, c.acc, c.layout),
			} {
				cases = append(cases, plugins.Case{Problem: p, Build: mustBuild(t, p, c.config)})
			}
			id := t.Name()
			err := r.Compile(t.Context(), []plugins.Candidate{{ID: id, Build: mustBuild(t, own, c.config)}}, func(x plugins.Compiled) {
				if x.Verdict != plugins.OK {
					t.Fatalf("compile: %s: %+v", x.Verdict, x.Evidence)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			checked := false
			err = r.Check(t.Context(), []plugins.Check{{ID: id, Problem: own, Config: c.config, Cases: cases}}, func(x plugins.Checked) {
				checked = true
				if x.Verdict != plugins.OK {
					t.Errorf("%s: %+v", x.Verdict, x.Evidence)
				}
			})
			if err != nil || !checked {
				t.Fatalf("check: error %v, answered %v", err, checked)
			}
		})
	}
}
