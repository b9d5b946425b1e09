package runner

import (
	"context"
	"errors"
	"fmt"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/runner/guard"
	"github.com/krisptune/krisptune/plugins/runner/launch"
	"github.com/krisptune/krisptune/vkrt"
)

// Memory that the runner keeps between candidates: device buffers, and inputs with references
// on the host.
const (
	maxPoolShare  = 2 // of the largest device-local heap
	maxPoolSets   = 128
	maxTrialBytes = 2 << 30
)

// Open implements plugins.Runner.
func (r *Runner) Open(ctx context.Context, o plugins.OpenOptions) (plugins.Opened, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.device != nil {
		return plugins.Opened{}, errors.New("the runner has a device already: Open is called once")
	}
	physical, err := r.physicalDevices(o.Validate)
	if err != nil {
		return plugins.Opened{}, err
	}
	var caps []vkrt.Caps
	for _, p := range physical {
		caps = append(caps, p.Caps())
	}
	index, err := vkrt.Select(caps, o.Device)
	if err != nil {
		return plugins.Opened{}, err
	}
	r.caps = caps[index]
	r.device, err = physical[index].Open(vkrt.DeviceOptions{CacheFile: o.CacheFile, Statistics: true})
	if err != nil {
		return plugins.Opened{}, err
	}
	opened, err := r.start(ctx, index, o)
	if err != nil {
		if _, spent := r.failure(err); !spent {
			r.closeDevice()
		}
		return plugins.Opened{}, err
	}
	return opened, nil
}

// start makes what every call needs, and learns what the device's clocks are worth.
func (r *Runner) start(ctx context.Context, index int, o plugins.OpenOptions) (plugins.Opened, error) {
	var err error
	if r.recorder, err = r.device.NewRecorder(); err != nil {
		return plugins.Opened{}, err
	}
	if r.caps.Limits.TimestampValidBits > 0 {
		if r.timestamps, err = r.device.NewTimestamps(2); err != nil {
			return plugins.Opened{}, err
		}
	}
	if r.shared, err = launch.NewSharedPoison(r.device, r.caps); err != nil {
		return plugins.Opened{}, err
	}
	r.pool = launch.NewPool(r.device, r.poolBytes(), maxPoolSets)
	if o.CacheFile != "" {
		r.ratesFile = o.CacheFile + ".rates.json"
	}
	if o.CompileDeadline > 0 {
		r.compileDeadline = o.CompileDeadline
	}
	r.pipelines = newPipelines(r.device, r.compileDeadline)
	r.trials = guard.NewTrials(o.Seed, o.SessionDir, maxTrialBytes)

	opened := plugins.Opened{Device: describe(index, r.caps)}
	if r.caps.Type == "cpu" {
		opened.Warnings = append(opened.Warnings,
			fmt.Sprintf("%s is a CPU device: times say nothing about a GPU", r.caps.Name))
	}
	test, err := r.testClocks(ctx)
	if err != nil {
		return plugins.Opened{}, err
	}
	r.clock = test.clock
	opened.Inert = r.inert
	opened.Clock, opened.ClockReason, opened.Overhead = test.clock, test.reason, test.overhead
	opened.Warnings = append(opened.Warnings, test.warnings...)
	// On a CPU the sweep takes ten seconds and finds nothing: the kernels compute, not read.
	if o.MeasureCache && r.caps.Type != "cpu" {
		if r.cacheBytes, err = r.measureCache(sweepMost); err != nil {
			return plugins.Opened{}, err
		}
		opened.CacheBytes = r.cacheBytes
	}
	// What our own kernels provoked is no candidate's fault, but someone should know.
	for _, m := range r.instance.Messages() {
		opened.Warnings = append(opened.Warnings, "validation: "+m.ID+": "+m.Text)
	}
	return opened, nil
}

func (r *Runner) poolBytes() int64 {
	var largest int64
	for _, h := range r.caps.Memory.Heaps {
		if h.DeviceLocal {
			largest = max(largest, h.Size)
		}
	}
	return largest / maxPoolShare
}
