package runner

import (
	"encoding/json"
	"math"
	"os"
	"time"

	"github.com/krisptune/krisptune/plugins/runner/kernel"
	"github.com/krisptune/krisptune/vkrt"
)

// rates are what the device reached in kernels of the runner's own; zero is not known.
type rates struct {
	Driver string `json:"driver"` // that they hold for
	// Copy is bytes read and written per second through buffers beyond every cache,
	// CachedCopy through small ones that are copied again and again.
	Copy       float64 `json:"copy"`
	CachedCopy float64 `json:"cached_copy"`
	// Flops is f32 operations per second, a multiply-add as two.
	Flops float64 `json:"flops"`
}

// What is measured, and for how long at least: the fastest of a few runs counts, for a run may
// be slow for reasons of the moment, never fast.
const (
	rateRuns       = 5
	rateTime       = 2 * time.Millisecond
	largeCopy      = int64(256 << 20) // more than twice the largest last-level cache that we know
	largeCopyCPU   = int64(64 << 20)
	rateGroups     = 2048
	operations     = 64.0 * 256 // of one iteration of one workgroup of kernel.MultiplyAdd
	rateIterations = 1024
)

// cachedCopies are the sizes that are tried for the in-cache copy; the fastest counts.
var cachedCopies = []int64{256 << 10, 1 << 20, 4 << 20}

// knownRates are the device's rates: measured by this runner, or by an earlier one of the same
// device, driver and arm, whose file lies beside the pipeline cache.
func (r *Runner) knownRates() (rates, error) {
	if r.rates.Driver != "" {
		return r.rates, nil
	}
	if data, err := os.ReadFile(r.ratesFile); err == nil {
		var kept rates
		if json.Unmarshal(data, &kept) == nil && kept.Driver == r.driver() && kept.Copy > 0 && kept.CachedCopy > 0 && kept.Flops > 0 {
			r.rates = kept
			return kept, nil
		}
	}
	return r.measureRates()
}

// measureRates measures now and keeps the best ever seen: a busy machine measures too low.
func (r *Runner) measureRates() (rates, error) {
	large := largeCopy
	if r.caps.Type == "cpu" {
		large = largeCopyCPU
	}
	large = min(large, r.poolBytes()/4, r.caps.Limits.MaxStorageBufferRange) &^ 0xffff
	now := rates{Driver: r.driver()}
	var err error
	if now.Copy, err = r.copyRate(large); err != nil {
		return rates{}, err
	}
	now.CachedCopy = now.Copy
	for _, size := range cachedCopies {
		rate, err := r.copyRate(size)
		if err != nil {
			return rates{}, err
		}
		now.CachedCopy = max(now.CachedCopy, rate)
	}
	if now.Flops, err = r.flopRate(); err != nil {
		return rates{}, err
	}
	now.Copy, now.CachedCopy, now.Flops = max(now.Copy, r.rates.Copy), max(now.CachedCopy, r.rates.CachedCopy), max(now.Flops, r.rates.Flops)
	r.rates = now
	if r.ratesFile != "" {
		if data, err := json.Marshal(now); err == nil {
			_ = os.WriteFile(r.ratesFile, data, 0o600) // only costs the next runner time
		}
	}
	return now, nil
}

func (r *Runner) driver() string { return r.caps.DriverName + " " + r.caps.DriverVersion }

// copyRate is bytes read and written per second when a buffer of size bytes is copied.
func (r *Runner) copyRate(size int64) (float64, error) {
	count := uint32(size / 16)
	groups := min(count/256, rateGroups)
	push := littleEndian(count, groups*256)
	return r.rate(kernel.Copy, []int64{size, size}, push, groups, 2*float64(size))
}

func (r *Runner) flopRate() (float64, error) {
	groups, iterations := uint32(rateGroups), uint32(rateIterations)
	if r.caps.Type == "cpu" {
		groups /= 64
	}
	return r.rate(kernel.MultiplyAdd, []int64{16}, littleEndian(iterations, 0), groups, operations*float64(groups)*float64(iterations))
}

// rate is how much of work a second one of the runner's kernels does, at best.
func (r *Runner) rate(spirv []byte, sizes []int64, push []byte, groups uint32, work float64) (float64, error) {
	module, err := r.device.NewModule(spirv)
	if err != nil {
		return 0, err
	}
	defer module.Close()
	info := vkrt.PipelineInfo{Module: module, Entry: "main", PushBytes: len(push)}
	var bound []vkrt.BoundBuffer
	for i, size := range sizes {
		at := vkrt.Binding{Binding: uint32(i)}
		buffer, err := r.device.NewBuffer(size, vkrt.DeviceLocal)
		if err != nil {
			return 0, err
		}
		defer buffer.Close()
		info.Bindings = append(info.Bindings, at)
		bound = append(bound, vkrt.BoundBuffer{Binding: at, Buffer: buffer, Range: size})
	}
	p, err := r.device.NewPipeline(info)
	if err != nil {
		return 0, err
	}
	defer p.Close()
	bindings, err := r.device.NewBindings(p, bound)
	if err != nil {
		return 0, err
	}
	defer bindings.Close()
	best := math.Inf(1) // seconds of one dispatch
	repeats := 1
	for range rateRuns {
		t, err := r.measure(testTimeout, nil, func() {
			for i := range repeats {
				if i > 0 {
					r.recorder.Barrier()
				}
				r.recorder.Dispatch(p, bindings, push, groups, 1, 1)
			}
		})
		if err != nil {
			return 0, err
		}
		if elapsed, doubt := r.believe(t); doubt == "" {
			best = min(best, elapsed.Seconds()/float64(repeats))
			repeats = max(repeats, min(maxDispatches, int(rateTime.Seconds()/elapsed.Seconds()*float64(repeats))))
		}
	}
	if math.IsInf(best, 1) {
		return 0, nil
	}
	return work / best, nil
}
