// Package launch puts one configuration's passes on a device: buffers with guard bands, their
// patterns, bindings and the recorded dispatches. It neither judges nor times.
package launch

import (
	"fmt"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/vkrt"
)

// A Launch is a build's passes bound to a set of buffers.
type Launch struct {
	passes    []plugins.Pass
	pipelines []*vkrt.Pipeline
	bindings  []*vkrt.Bindings
}

// A Range says how much of a buffer a descriptor covers.
type Range int

const (
	// ExactRange ends with the buffer's last byte.
	ExactRange Range = iota
	// WideRange goes on over the guard band behind it. Some drivers (lavapipe) drop every
	// store beyond the descriptor's range whatever robustness says; with a wide range it
	// lands where it is seen.
	WideRange
)

// New binds passes, whose pipelines come in the same order, to the buffers of set.
func New(device *vkrt.Device, passes []plugins.Pass, pipelines []*vkrt.Pipeline, set *Set, reach Range) (*Launch, error) {
	l := &Launch{passes: passes, pipelines: pipelines}
	for i, pass := range passes {
		var bound []vkrt.BoundBuffer
		for _, b := range pass.Bindings {
			size := set.Buffers[b.Buffer].Size()
			if wide := size + Band; reach == WideRange && wide <= device.Caps().Limits.MaxStorageBufferRange {
				size = wide
			}
			bound = append(bound, vkrt.BoundBuffer{
				Binding: vkrt.Binding{Set: b.Set, Binding: b.Binding},
				Buffer:  set.memory[b.Buffer], Offset: Band, Range: size,
			})
		}
		bindings, err := device.NewBindings(pipelines[i], bound)
		if err != nil {
			l.Close()
			return nil, fmt.Errorf("pass %d: %w", i, err)
		}
		l.bindings = append(l.bindings, bindings)
	}
	return l, nil
}

// Record records all passes once, with a barrier between them but none before or after.
func (l *Launch) Record(rec *vkrt.Recorder) {
	for i, pass := range l.passes {
		if i > 0 {
			rec.Barrier()
		}
		rec.Dispatch(l.pipelines[i], l.bindings[i], pass.Push, pass.Grid[0], pass.Grid[1], pass.Grid[2])
	}
}

// Passes is the number of dispatches that Record records.
func (l *Launch) Passes() int { return len(l.passes) }

// Close frees the bindings; pipelines and buffers belong to others.
func (l *Launch) Close() {
	for _, b := range l.bindings {
		b.Close()
	}
	l.bindings = nil
}
