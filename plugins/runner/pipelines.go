package runner

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/vkrt"
)

// errCompileTimeout is a pipeline that the driver did not finish by its deadline. The driver's
// thread cannot be stopped, so the process must be replaced.
var errCompileTimeout = errors.New("the driver did not finish the pipeline in time")

// pipelines keeps compiled pipelines, shared by all passes that need the same one.
type pipelines struct {
	device   *vkrt.Device
	deadline time.Duration

	mu    sync.Mutex
	byKey map[string]*pipeline
}

// A pipeline may still be compiling. Its fields are set before done is closed.
type pipeline struct {
	key      string
	users    int // guarded by pipelines.mu
	started  time.Time
	done     chan struct{}
	pipeline *vkrt.Pipeline
	err      error

	bindings  []vkrt.Binding
	pushBytes int
	settled   bool // see Runner.settle
}

func newPipelines(device *vkrt.Device, deadline time.Duration) *pipelines {
	return &pipelines{device: device, deadline: deadline, byKey: make(map[string]*pipeline)}
}

// take gives the pipeline of a pass, compiled, and counts one use. The error is the driver's,
// errCompileTimeout or ctx's; the use counts then, too. A cancelled wait leaves the driver
// compiling.
func (ps *pipelines) take(ctx context.Context, b plugins.Build, pass plugins.Pass) (*pipeline, error) {
	key := pipelineKey(b.Modules[pass.Module], pass)
	ps.mu.Lock()
	p, ok := ps.byKey[key]
	if !ok {
		p = &pipeline{key: key, started: time.Now(), done: make(chan struct{})}
		ps.byKey[key] = p
		// The driver may never return: the goroutine is left behind then.
		go p.compile(ps.device, b.Modules[pass.Module].SPIRV, pass)
	}
	p.users++
	ps.mu.Unlock()

	timer := time.NewTimer(time.Until(p.started.Add(ps.deadline)))
	defer timer.Stop()
	select {
	case <-p.done:
		return p, p.err
	case <-ctx.Done():
		return p, ctx.Err()
	case <-timer.C:
		return p, fmt.Errorf("%w (%v)", errCompileTimeout, ps.deadline)
	}
}

func (p *pipeline) compile(device *vkrt.Device, spirv []byte, pass plugins.Pass) {
	defer close(p.done)
	module, err := device.NewModule(spirv)
	if err != nil {
		p.err = err
		return
	}
	defer module.Close()
	info := vkrt.PipelineInfo{Module: module, Entry: pass.Entry, PushBytes: len(pass.Push), SubgroupSize: pass.SubgroupSize}
	for _, s := range pass.Spec {
		info.Spec = append(info.Spec, vkrt.SpecConstant{ID: s.ID, Data: s.Data})
	}
	for _, b := range pass.Bindings {
		info.Bindings = append(info.Bindings, vkrt.Binding{Set: b.Set, Binding: b.Binding})
	}
	p.bindings, p.pushBytes = info.Bindings, info.PushBytes
	p.pipeline, p.err = device.NewPipeline(info)
}

// drop ends one use; the last one frees the pipeline.
func (ps *pipelines) drop(p *pipeline) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	p.users--
	if p.users > 0 {
		return
	}
	select {
	case <-p.done:
	default:
		return // stuck in the driver
	}
	delete(ps.byKey, p.key)
	if p.pipeline != nil {
		p.pipeline.Close()
	}
}

// pipelineKey names all that a pipeline is made from.
func pipelineKey(m plugins.Module, pass plugins.Pass) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%x %q sub %d push %d", sha256.Sum256(m.SPIRV), pass.Entry, pass.SubgroupSize, len(pass.Push))
	for _, c := range pass.Spec {
		fmt.Fprintf(&s, " %d=%x", c.ID, c.Data)
	}
	for _, b := range pass.Bindings {
		fmt.Fprintf(&s, " %d.%d", b.Set, b.Binding)
	}
	return s.String()
}
