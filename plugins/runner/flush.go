package runner

import (
	"encoding/binary"

	"github.com/krisptune/krisptune/plugins/runner/kernel"
	"github.com/krisptune/krisptune/vkrt"
)

const (
	sweepLocal  = 256             // invocations of a workgroup of kernel.Sweep
	sweepGroups = 1024            // workgroups: enough to keep the largest device reading
	flushPart   = int64(64 << 20) // bytes of one buffer: below every driver's descriptor range
	sweepUnit   = int64(16)       // bytes
)

// A flush reads a number of bytes, so that a last-level cache of half the size holds nothing else.
type flush struct {
	r        *Runner
	module   *vkrt.Module
	pipeline *vkrt.Pipeline
	sink     *vkrt.Buffer
	parts    []*vkrt.Buffer
	bindings []*vkrt.Bindings
	bytes    int64
}

func newFlush(r *Runner, bytes int64) (f *flush, err error) {
	f = &flush{r: r}
	defer func() {
		if err != nil {
			f.close()
			f = nil
		}
	}()
	data, sink := vkrt.Binding{Binding: 0}, vkrt.Binding{Binding: 1}
	if f.module, err = r.device.NewModule(kernel.Sweep); err != nil {
		return f, err
	}
	f.pipeline, err = r.device.NewPipeline(vkrt.PipelineInfo{Module: f.module, Entry: "main", Bindings: []vkrt.Binding{data, sink}, PushBytes: 8})
	if err != nil {
		return f, err
	}
	if f.sink, err = r.device.NewBuffer(sweepUnit, vkrt.DeviceLocal); err != nil {
		return f, err
	}
	for f.bytes < bytes {
		size := min(bytes-f.bytes, flushPart, r.caps.Limits.MaxStorageBufferRange) / sweepUnit * sweepUnit
		if size == 0 {
			break
		}
		part, err := r.device.NewBuffer(size, vkrt.DeviceLocal)
		if err != nil {
			return f, err
		}
		f.parts = append(f.parts, part)
		bound, err := r.device.NewBindings(f.pipeline, []vkrt.BoundBuffer{{Binding: data, Buffer: part, Range: size},
			{Binding: sink, Buffer: f.sink, Range: sweepUnit}})
		if err != nil {
			return f, err
		}
		f.bindings = append(f.bindings, bound)
		f.bytes += size
	}
	return f, r.submit(testTimeout, func() {
		for _, part := range f.parts {
			r.recorder.Fill(part, 0, part.Size(), 0)
		}
	})
}

// record reads the first bytes of the buffers once, whole parts but for the last.
func (f *flush) record(bytes int64) {
	for i, part := range f.parts {
		if bytes <= 0 {
			return
		}
		size := min(bytes, part.Size())
		count := uint32(size / sweepUnit)
		groups := min((count+sweepLocal-1)/sweepLocal, sweepGroups)
		push := binary.LittleEndian.AppendUint32(nil, count)
		push = binary.LittleEndian.AppendUint32(push, groups*sweepLocal)
		f.r.recorder.Dispatch(f.pipeline, f.bindings[i], push, groups, 1, 1)
		bytes -= size
	}
}

func (f *flush) close() {
	for _, b := range f.bindings {
		b.Close()
	}
	for _, p := range f.parts {
		p.Close()
	}
	if f.sink != nil {
		f.sink.Close()
	}
	if f.pipeline != nil {
		f.pipeline.Close()
	}
	if f.module != nil {
		f.module.Close()
	}
}
