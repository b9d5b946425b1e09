package runner

import (
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/vkrt"
)

// A timing is one submit by both clocks.
type timing struct {
	host   time.Duration // submit to fence
	gpu    time.Duration
	gpuErr error // why gpu is not known
}

// measure submits what record records between two timestamps, after prelude, which is outside
// the interval. On drivers that stamp the end of the current control stream (Honeykrisp's
// hk_query_pool.c) an interval covers a dispatch only if a pipeline barrier stands between the
// first timestamp and the dispatch. The prelude is a submit of its own where the host's clock
// is all there is.
func (r *Runner) measure(deadline time.Duration, prelude, record func()) (timing, error) {
	rec, stamps := r.recorder, r.timestamps
	if r.clock == plugins.HostBatch {
		stamps = nil
	}
	if stamps == nil && prelude != nil {
		if err := r.submit(deadline, prelude); err != nil {
			return timing{}, err
		}
		prelude = nil
	}
	if stamps != nil {
		if err := stamps.Reset(); err != nil {
			return timing{}, err
		}
	}
	if err := rec.Begin(); err != nil {
		return timing{}, err
	}
	if prelude != nil {
		prelude()
		rec.Barrier()
	}
	if stamps != nil {
		rec.Timestamp(stamps, 0)
	}
	rec.Barrier()
	record()
	if stamps != nil {
		rec.Timestamp(stamps, 1)
	}
	rec.HostBarrier()
	if err := rec.End(); err != nil {
		return timing{}, err
	}
	start := time.Now()
	if err := r.device.Submit(rec, deadline); err != nil {
		return timing{}, err
	}
	t := timing{host: time.Since(start)}
	if stamps == nil {
		return t, nil
	}
	ticks, err := stamps.Read()
	if err != nil {
		t.gpuErr = err
		return t, nil
	}
	t.gpu = vkrt.Elapsed(ticks[0], ticks[1], r.caps.Limits.TimestampValidBits, r.caps.Limits.TimestampPeriod)
	return t, nil
}

// submit runs what record records, and waits.
func (r *Runner) submit(deadline time.Duration, record func()) error {
	if err := r.recorder.Begin(); err != nil {
		return err
	}
	record()
	r.recorder.HostBarrier()
	if err := r.recorder.End(); err != nil {
		return err
	}
	return r.device.Submit(r.recorder, deadline)
}
