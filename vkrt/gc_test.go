package vkrt_test

import (
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/krisptune/krisptune/vkrt"
	"github.com/krisptune/krisptune/vkrt/vkrttest"
)

// TestEvaluationsUnderGarbageCollection makes, runs and checks evaluations while
// collections run without a pause: C must not be left with memory that Go may free
// or move. Run it under GOEXPERIMENT=cgocheck2 as well.
func TestEvaluationsUnderGarbageCollection(t *testing.T) {
	in, d := vkrttest.OpenIn(t, vkrt.Options{}, vkrt.DeviceOptions{})
	evaluations := 400
	if testing.Short() {
		evaluations = 50
	}
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var stop atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		var churn [][]byte
		for i := 0; !stop.Load(); i++ {
			runtime.GC()
			// Freed memory must be reused at once for a dangling pointer to show.
			for len(churn) < 64 {
				churn = append(churn, make([]byte, 64<<(i%6)))
			}
			churn = churn[:0]
		}
	})
	collections := func() int {
		runtime.ReadMemStats(&after)
		return int(after.NumGC - before.NumGC)
	}
	done := 0
	// A loaded machine collects more slowly: go on until there were as many.
	for i := 0; i < evaluations || collections() < evaluations; i++ {
		m := must[*vkrt.Module](t)(d.NewModule(axpySPIRV))
		axpyRun{
			n: 100 + i, workgroup: 32 << (i % 2), scale: int32(i % 5), assign: i%7 == 0, bias: int32(i),
			kind: vkrt.MemoryKind(i % 2),
		}.run(t, d, m)
		m.Close()
		if devices, err := in.PhysicalDevices(); err != nil || len(devices) == 0 {
			t.Fatalf("%d devices, %v", len(devices), err)
		}
		done++
	}
	stop.Store(true)
	wg.Wait()
	t.Logf("%d evaluations, %d collections", done, collections())
}
