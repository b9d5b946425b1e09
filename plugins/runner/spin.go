package runner

import (
	"encoding/binary"
	"fmt"

	"github.com/krisptune/krisptune/plugins/runner/kernel"
	"github.com/krisptune/krisptune/vkrt"
)

const (
	// spinIterations is below the 65,535 at which some drivers stop a loop.
	spinIterations    = 4096
	spinMaxGroups     = 1 << 16
	spinMaxDispatches = 256
	// loopProbe is above that limit.
	loopProbe = 70_000
)

// A spin keeps the device busy for a chosen time.
type spin struct {
	r        *Runner
	module   *vkrt.Module
	pipeline *vkrt.Pipeline
	sink     *vkrt.Buffer
	bindings *vkrt.Bindings
}

func newSpin(r *Runner) (s *spin, err error) {
	s = &spin{r: r}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if s.module, err = r.device.NewModule(kernel.Spin); err != nil {
		return s, err
	}
	at := vkrt.Binding{}
	s.pipeline, err = r.device.NewPipeline(vkrt.PipelineInfo{Module: s.module, Entry: "main", Bindings: []vkrt.Binding{at}, PushBytes: 4})
	if err != nil {
		return s, err
	}
	if s.sink, err = r.device.NewBuffer(8*spinMaxGroups, vkrt.HostVisible); err != nil {
		return s, err
	}
	s.bindings, err = r.device.NewBindings(s.pipeline, []vkrt.BoundBuffer{{Binding: at, Buffer: s.sink, Range: s.sink.Size()}})
	return s, err
}

// A load is what one run of a spin does: dispatches after one another, each of that many
// workgroups whose invocations loop that often.
type load struct{ groups, dispatches, iterations uint32 }

// quarter is about a quarter of the load.
func (l load) quarter() load {
	if l.dispatches >= 4 {
		l.dispatches /= 4
	} else {
		l.groups = max(1, l.groups*l.dispatches/4)
		l.dispatches = 1
	}
	return l
}

func (s *spin) run(l load) (timing, error) {
	return s.r.measure(testTimeout, nil, func() {
		for i := range l.dispatches {
			if i > 0 {
				s.r.recorder.Barrier()
			}
			s.r.recorder.Dispatch(s.pipeline, s.bindings, littleEndian(l.iterations), l.groups, 1, 1)
		}
	})
}

// probeLoops counts the iterations of a long loop. Some drivers stop after 65,535 per
// invocation and report success; right kernels then give wrong answers.
func (s *spin) probeLoops() (warning string, err error) {
	clear(s.sink.Mapped()) // Vulkan promises nothing about fresh memory
	if _, err := s.run(load{groups: 1, dispatches: 1, iterations: loopProbe}); err != nil {
		return "", err
	}
	switch done := binary.LittleEndian.Uint32(s.sink.Mapped()); {
	case done == loopProbe:
		return "", nil
	case done == 0:
		s.r.inert = true
		return "the device reports success but executed nothing: every candidate will be refused as unwritten", nil
	default:
		return fmt.Sprintf("the driver stopped a loop of %d iterations after %d: "+
			"kernels that loop longer in one invocation give wrong answers here and are refused", loopProbe, done), nil
	}
}

func (s *spin) close() {
	if s.bindings != nil {
		s.bindings.Close()
	}
	if s.sink != nil {
		s.sink.Close()
	}
	if s.pipeline != nil {
		s.pipeline.Close()
	}
	if s.module != nil {
		s.module.Close()
	}
}
