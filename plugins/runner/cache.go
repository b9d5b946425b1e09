package runner

import (
	"math"
	"slices"

	"github.com/krisptune/krisptune/plugins/runner/launch"
)

// The working-set sweep reads sets of growing size again and again. Where a set no longer fits
// the last-level cache, a byte takes as long as from memory.
const (
	sweepLeast = int64(1 << 20)
	sweepMost  = int64(512 << 20)
	sweepReads = int64(64 << 20) // bytes read in one measurement, at least
	sweepRuns  = 3               // measurements of a size; the fastest counts
	// cacheGain is how many times as fast a set in the cache must be read as one in memory.
	cacheGain = 1.3
	// plateau is how far apart the two largest sets may be: memory is reached only where
	// more bytes make no difference.
	plateau = 1.15
)

// defaultRotation is how many bytes cold launches rotate through where the cache's size is not
// known: twice the largest last-level cache of GPUs that we know (128 MiB).
const defaultRotation = int64(256 << 20)

// measureCache finds the size of the last-level cache in bytes, 0 if sets of up to most
// bytes show no edge.
func (r *Runner) measureCache(most int64) (int64, error) {
	f, err := newFlush(r, min(most, r.poolBytes()/4))
	if err != nil {
		return 0, err
	}
	defer f.close()
	var sizes []int64
	var times []float64 // nanoseconds a byte
	for size := float64(sweepLeast); int64(size) <= f.bytes; size *= math.Sqrt2 {
		bytes := int64(size) / sweepUnit * sweepUnit
		t, err := f.timePerByte(bytes)
		if err != nil || t <= 0 {
			return 0, err
		}
		sizes, times = append(sizes, bytes), append(times, t)
	}
	return cacheEdge(sizes, times), nil
}

// timePerByte is the least time of a byte, in nanoseconds, when bytes are read over and over.
func (f *flush) timePerByte(bytes int64) (float64, error) {
	reads := int(max(1, sweepReads/bytes))
	least := math.Inf(1)
	for range sweepRuns {
		t, err := f.r.measure(testTimeout, func() { f.record(bytes) }, func() {
			for i := range reads {
				if i > 0 {
					f.r.recorder.Barrier()
				}
				f.record(bytes)
			}
		})
		if err != nil {
			return 0, err
		}
		elapsed, doubt := f.r.believe(t)
		if doubt != "" {
			return 0, nil
		}
		least = min(least, float64(elapsed)/float64(bytes*int64(reads)))
	}
	return least, nil
}

// cacheEdge is the largest set that is read clearly faster than memory, 0 if memory was not
// reached or nothing is faster.
func cacheEdge(sizes []int64, times []float64) int64 {
	n := len(times)
	if n < 3 {
		return 0
	}
	memory := slices.Max(times[n-2:])
	if memory > plateau*slices.Min(times[n-2:]) {
		return 0
	}
	for i := n - 3; i >= 0; i-- {
		if memory >= cacheGain*times[i] {
			return sizes[i]
		}
	}
	return 0
}

// rotation is how many bytes cold launches rotate through: twice the cache, for caches are not
// strict about what they forget.
func (r *Runner) rotation() int64 {
	bytes := defaultRotation
	if r.cacheBytes > 0 {
		bytes = 2 * r.cacheBytes
	}
	return min(bytes, max(r.poolBytes()/4, 1))
}

// flushCaches makes the buffers that a cold race reads before each sample.
func (r *Runner) flushCaches() error {
	if r.flush != nil {
		return nil
	}
	var err error
	if r.flush, err = newFlush(r, r.rotation()); err == nil {
		r.rotating = launch.NewPool(r.device, r.poolBytes(), maxSlots*maxRotating)
	}
	return err
}
