package runner

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/runner/kernel"
	"github.com/krisptune/krisptune/vkrt"
)

// The self-test's terms: the difference of a long and a short run must agree within 20%
// between the two clocks, in the median of 5, one retry allowed.
const (
	agreement   = 0.20
	shortestRun = 5 * time.Millisecond // of the long run
	targetRun   = 20 * time.Millisecond
	clockRuns   = 5
	clockTries  = 2
	testTimeout = 10 * time.Second
)

// A clockTest is what Open learns about time on the device.
type clockTest struct {
	clock    plugins.Clock
	reason   string
	overhead time.Duration
	warnings []string
}

// testClocks measures our own kernels by both clocks. It also learns whether the device
// executes at all, and whether its driver stops long loops.
func (r *Runner) testClocks(ctx context.Context) (clockTest, error) {
	spin, err := newSpin(r)
	if err != nil {
		return clockTest{}, err
	}
	defer spin.close()
	t := clockTest{}
	if warning, err := spin.probeLoops(); err != nil {
		return t, err
	} else if warning != "" {
		t.warnings = append(t.warnings, warning)
	}
	if t.clock, t.reason, err = spin.compareClocks(ctx); err != nil {
		return t, err
	}
	t.overhead, err = r.emptyDispatch(t.clock)
	return t, err
}

// compareClocks decides whether GPU timestamps may be believed.
func (s *spin) compareClocks(ctx context.Context) (plugins.Clock, string, error) {
	if s.r.timestamps == nil {
		return plugins.HostBatch, "the device has no timestamps (0 valid bits)", nil
	}
	load, err := s.loadFor(targetRun)
	if err != nil {
		return "", "", err
	}
	if load.dispatches == 0 {
		return plugins.HostBatch, fmt.Sprintf("no run of our own kernel lasted %v: the device may execute nothing", shortestRun), nil
	}
	var reason string
	for range clockTries {
		var ratios []float64
		for range clockRuns {
			if err := ctx.Err(); err != nil {
				return "", "", err
			}
			long, err := s.run(load)
			if err != nil {
				return "", "", err
			}
			short, err := s.run(load.quarter())
			if err != nil {
				return "", "", err
			}
			if long.gpuErr != nil || short.gpuErr != nil {
				return plugins.HostBatch, fmt.Sprintf("timestamps cannot be read: %v", firstError(long.gpuErr, short.gpuErr)), nil
			}
			ratios = append(ratios, float64(long.gpu-short.gpu)/float64(long.host-short.host))
		}
		slices.Sort(ratios)
		ratio := ratios[len(ratios)/2]
		reason = fmt.Sprintf("GPU over host time of a long less a short run: %.3f (median of %d)", ratio, clockRuns)
		if !math.IsNaN(ratio) && math.Abs(ratio-1) <= agreement {
			return plugins.GPUTimestamp, reason, nil
		}
	}
	return plugins.HostBatch, reason + fmt.Sprintf(", more than %.0f%% apart", 100*agreement), nil
}

// loadFor finds a load that keeps the device busy for about target by the host's clock; the
// zero load if none does for at least shortestRun.
func (s *spin) loadFor(target time.Duration) (load, error) {
	most := min(s.r.caps.Limits.MaxWorkgroupCount[0], spinMaxGroups)
	for l := (load{groups: 1, dispatches: 1, iterations: spinIterations}); ; {
		t, err := s.run(l)
		if err != nil {
			return load{}, err
		}
		switch {
		case t.host >= target:
			return l, nil
		case l.groups < most:
			l.groups = min(most, l.groups*2)
		case l.dispatches < spinMaxDispatches:
			// Large GPUs take every workgroup at once: only more dispatches last longer.
			l.dispatches *= 2
		case t.host >= shortestRun:
			return l, nil
		default:
			return load{}, nil
		}
	}
}

// emptyDispatch is the median time of a kernel that does nothing.
func (r *Runner) emptyDispatch(clock plugins.Clock) (time.Duration, error) {
	module, err := r.device.NewModule(kernel.Empty)
	if err != nil {
		return 0, err
	}
	defer module.Close()
	p, err := r.device.NewPipeline(vkrt.PipelineInfo{Module: module, Entry: "main"})
	if err != nil {
		return 0, err
	}
	defer p.Close()
	bindings, err := r.device.NewBindings(p, nil)
	if err != nil {
		return 0, err
	}
	defer bindings.Close()
	var times []time.Duration
	for range 21 {
		t, err := r.measure(testTimeout, nil, func() { r.recorder.Dispatch(p, bindings, nil, 1, 1, 1) })
		if err != nil {
			return 0, err
		}
		if clock == plugins.GPUTimestamp && t.gpuErr == nil {
			times = append(times, t.gpu)
		} else {
			times = append(times, t.host)
		}
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func littleEndian(words ...uint32) []byte {
	var out []byte
	for _, w := range words {
		out = binary.LittleEndian.AppendUint32(out, w)
	}
	return out
}
