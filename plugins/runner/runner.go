// Package runner is the process that touches a driver: it compiles, guards and times
// candidates on one device, in whatever environment it was started with.
//
// After a dispatch that did not end, a lost device or a pipeline that did not compile in time,
// nothing more can be done in the process: driver threads are stuck, and destroying the device
// would block. The runner then answers the call with the verdict, refuses every further call
// with ErrSpent, and its process exits (see Main).
package runner

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/runner/guard"
	"github.com/krisptune/krisptune/plugins/runner/launch"
	"github.com/krisptune/krisptune/vkrt"
)

// ErrSpent is what a spent runner answers: start a fresh one.
var ErrSpent = errors.New("the runner is spent")

// Options bound what a runner may take. The zero value means the documented defaults.
type Options struct {
	// CompileDeadline bounds one pipeline. 60 s if 0.
	CompileDeadline time.Duration
	// DispatchDeadline bounds one guarded run or one sample where the request names no
	// deadline. 10 s if 0.
	DispatchDeadline time.Duration
	// ZeroShared fills shared memory with zeros rather than with poison before each run. It
	// is for tests that show what the poison is worth.
	ZeroShared bool
}

// Runner implements plugins.Runner on vkrt.
type Runner struct {
	compileDeadline, dispatchDeadline time.Duration
	zeroShared                        bool

	mu    sync.Mutex // one call at a time
	spent chan struct{}
	why   error // set before spent is closed

	instance  *vkrt.Instance
	validates bool

	device     *vkrt.Device
	caps       vkrt.Caps
	clock      plugins.Clock
	inert      bool // the device reports success and executes nothing
	recorder   *vkrt.Recorder
	timestamps *vkrt.Timestamps
	shared     *launch.SharedPoison
	pool       *launch.Pool
	pipelines  *pipelines
	trials     *guard.Trials
	candidates map[string]*candidate
	lastSample time.Time
	cacheBytes int64         // of the last-level cache, 0 if not known
	flush      *flush        // made for the first cold race, with rotating
	rotating   *launch.Pool  // the buffers of cold launches but the first set
	compiling  time.Duration // for cases of the check under way
	rates      rates
	ratesFile  string // keeps them for the next runner; empty keeps none
}

// A candidate is what Compile keeps under an ID.
type candidate struct {
	id    string
	build plugins.Build
	// pipelines are those of build and of every case that was checked, one use each.
	pipelines []*pipeline
	passes    []*pipeline // of build, in order
	// problem and guarded are known once the guard has seen the candidate, digest once it
	// passed there or after timing.
	problem plugins.Problem
	guarded plugins.Checked
	digest  uint64
	proved  bool
	// repeats is how many launches one sample takes under calibrated, 0 before it is known.
	repeats    int
	calibrated measuring
	samples    int // recorded so far
}

var _ plugins.Runner = (*Runner)(nil)

// New makes a runner; nothing of Vulkan is touched before the first call.
func New(o Options) *Runner {
	r := &Runner{compileDeadline: o.CompileDeadline, dispatchDeadline: o.DispatchDeadline, zeroShared: o.ZeroShared,
		spent: make(chan struct{}), candidates: make(map[string]*candidate)}
	if r.compileDeadline == 0 {
		r.compileDeadline = 60 * time.Second
	}
	if r.dispatchDeadline == 0 {
		r.dispatchDeadline = 10 * time.Second
	}
	return r
}

// Spent is closed when the runner can do nothing more and its process must be replaced.
func (r *Runner) Spent() <-chan struct{} { return r.spent }

// begin takes the runner for one call that needs an open device.
func (r *Runner) begin() (end func(), err error) {
	r.mu.Lock()
	switch {
	case r.why != nil:
		err = fmt.Errorf("%w: %w", ErrSpent, r.why)
	case r.device == nil:
		err = errors.New("the runner has no device: Open comes first")
	}
	if err != nil {
		r.mu.Unlock()
		return nil, err
	}
	return r.mu.Unlock, nil
}

// spend ends the runner's use. It is called inside a call, which still gives its answer.
func (r *Runner) spend(why error) {
	if r.why == nil {
		r.why = why
		close(r.spent)
	}
}

// failure turns an error into a verdict where it is the candidate's. A verdict after which
// nothing works spends the runner.
func (r *Runner) failure(err error) (plugins.Verdict, bool) {
	verdict, ok := launch.Verdict(err)
	if spends(verdict) {
		r.spend(err)
	}
	return verdict, ok
}

// spends is whether nothing works in the process after a verdict.
func spends(v plugins.Verdict) bool {
	return v == plugins.Timeout || v == plugins.CompileTimeout || v == plugins.DeviceLost
}

// Release frees what Compile keeps for ids; unknown ones are ignored.
func (r *Runner) Release(_ context.Context, ids []string) error {
	end, err := r.begin()
	if err != nil {
		return err
	}
	defer end()
	for _, id := range ids {
		r.release(id)
	}
	return nil
}

func (r *Runner) release(id string) {
	c, ok := r.candidates[id]
	if !ok {
		return
	}
	delete(r.candidates, id)
	for _, p := range c.pipelines {
		r.pipelines.drop(p)
	}
}

// Close frees the device, and writes its pipeline cache. A spent runner is left as it is.
func (r *Runner) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.why != nil {
		return
	}
	if r.device != nil {
		for id := range r.candidates {
			r.release(id)
		}
		r.trials.Wait()
		r.closeDevice()
	}
	if r.instance != nil {
		r.instance.Close()
		r.instance = nil
	}
}

func (r *Runner) closeDevice() {
	if r.pool != nil {
		r.pool.Clear()
	}
	if r.flush != nil {
		r.rotating.Clear()
		r.flush.close()
	}
	if r.shared != nil {
		r.shared.Close()
	}
	if r.timestamps != nil {
		r.timestamps.Close()
	}
	if r.recorder != nil {
		r.recorder.Close()
	}
	r.device.Close()
	r.device = nil
}
