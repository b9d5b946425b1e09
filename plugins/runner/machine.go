package runner

import (
	"context"
	"time"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/runner/guard"
	"github.com/krisptune/krisptune/plugins/runner/launch"
	"github.com/krisptune/krisptune/vkrt"
)

// A machine executes one build's passes for the guard.
type machine struct {
	r      *Runner
	build  plugins.Build
	passes []*pipeline
}

var _ guard.Machine = (*machine)(nil)

// Run implements guard.Machine.
func (m *machine) Run(ctx context.Context, run guard.Run) (*guard.Memory, error) {
	r := m.r
	set, err := r.pool.Set(run.Key, m.build.Buffers)
	if err != nil {
		return nil, err
	}
	l, err := launch.New(r.device, m.build.Passes, vulkanPipelines(m.passes), set, m.reach(run))
	if err != nil {
		return nil, err
	}
	defer l.Close()
	memory := &guard.Memory{Reused: set.Holds(run.Key)}
	if err := set.Load(run.Key, run.Inputs); err != nil {
		return nil, err
	}
	prepare := func() {
		set.Fill(r.recorder, run.Fill)
		r.shared.Record(r.recorder, r.sharedWord(run.Fill), run.Light)
	}
	if run.Rest > 0 {
		if err = r.submit(run.Deadline, prepare); err != nil {
			return nil, err
		}
		select {
		case <-time.After(run.Rest):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		prepare = func() {}
	}
	err = r.submit(run.Deadline, func() {
		prepare()
		r.recorder.Barrier()
		l.Record(r.recorder)
	})
	if err != nil {
		return nil, err
	}
	memory.Executed = r.shared.Executed()
	for i := range m.build.Buffers {
		contents, err := set.Contents(i)
		if err != nil {
			return nil, err
		}
		memory.Buffers = append(memory.Buffers, contents)
	}
	return memory, nil
}

// sharedWord is what shared memory is filled with before a guarded run.
func (r *Runner) sharedWord(fill launch.Fill) uint32 {
	if r.zeroShared {
		return 0
	}
	return fill.Scratch
}

// reach widens the descriptors where the run asks for it and no pass would notice.
func (m *machine) reach(run guard.Run) launch.Range {
	if !run.Wide {
		return launch.ExactRange
	}
	for _, pass := range m.build.Passes {
		if launch.AsksLength(m.build.Modules[pass.Module]) {
			return launch.ExactRange
		}
	}
	return launch.WideRange
}

// Distrust implements guard.Machine.
func (m *machine) Distrust() {
	m.r.pool.Forget()
	if m.r.rotating != nil {
		m.r.rotating.Forget()
	}
}

func vulkanPipelines(passes []*pipeline) []*vkrt.Pipeline {
	var out []*vkrt.Pipeline
	for _, p := range passes {
		out = append(out, p.pipeline)
	}
	return out
}
