package runner

import (
	"errors"
	"fmt"

	"github.com/krisptune/krisptune/vkrt"
)

// settle has the device finish pipelines that its driver compiles only when they are first
// dispatched, as lavapipe does: by a dispatch of no workgroups, so that compiling has its own
// deadline and does not count against the first run's. An error is the driver's, or
// errCompileTimeout.
func (r *Runner) settle(passes []*pipeline) error {
	if r.caps.Type != "cpu" {
		return nil
	}
	for _, p := range passes {
		if p.settled {
			continue
		}
		if err := r.dispatchNothing(p); err != nil {
			if timeout := (*vkrt.TimeoutError)(nil); errors.As(err, &timeout) {
				err = fmt.Errorf("%w (%v)", errCompileTimeout, r.compileDeadline)
			}
			return err
		}
		p.settled = true
	}
	return nil
}

func (r *Runner) dispatchNothing(p *pipeline) error {
	buffer, err := r.device.NewBuffer(16, vkrt.DeviceLocal)
	if err != nil {
		return err
	}
	defer buffer.Close()
	var bound []vkrt.BoundBuffer
	for _, at := range p.bindings {
		bound = append(bound, vkrt.BoundBuffer{Binding: at, Buffer: buffer})
	}
	bindings, err := r.device.NewBindings(p.pipeline, bound)
	if err != nil {
		return err
	}
	defer bindings.Close()
	return r.submit(r.compileDeadline, func() {
		r.recorder.Dispatch(p.pipeline, bindings, make([]byte, p.pushBytes), 0, 0, 0)
	})
}
