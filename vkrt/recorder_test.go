package vkrt_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/krisptune/krisptune/vkrt"
	"github.com/krisptune/krisptune/vkrt/vkrttest"
)

// exerciseRecorder fills, copies and runs one recording twice.
func exerciseRecorder(t *testing.T, d *vkrt.Device) {
	t.Helper()
	a := must[*vkrt.Buffer](t)(d.NewBuffer(256, vkrt.DeviceLocal))
	defer a.Close()
	b := must[*vkrt.Buffer](t)(d.NewBuffer(256, vkrt.HostVisible))
	defer b.Close()
	r := must[*vkrt.Recorder](t)(d.NewRecorder())
	defer r.Close()
	check(t, d.Upload(b, 0, bytes.Repeat([]byte{9}, 256)))
	check(t, r.Begin())
	r.Fill(a, 0, 256, 0x01020304)
	r.Barrier()
	r.Fill(a, 64, 4, 0xffffffff)
	r.Barrier()
	r.Copy(b, 8, a, 60, 12)
	r.Barrier()
	r.Copy(b, 100, b, 8, 12)
	r.HostBarrier()
	check(t, r.End())
	for range 2 {
		check(t, d.Submit(r, testDeadline))
		word := binary.NativeEndian.AppendUint32(nil, 0x01020304)
		want := bytes.Repeat([]byte{9}, 256)
		piece := bytes.Join([][]byte{word, {255, 255, 255, 255}, word}, nil)
		copy(want[8:], piece)
		copy(want[100:], piece)
		if !bytes.Equal(b.Mapped(), want) {
			t.Fatalf("buffer is\n% x, want\n% x", b.Mapped(), want)
		}
	}
}

func TestRecorder(t *testing.T) { exerciseRecorder(t, vkrttest.Device(t)) }

func TestRecorderRefuses(t *testing.T) {
	d := vkrttest.Device(t)
	m := must[*vkrt.Module](t)(d.NewModule(axpySPIRV))
	defer m.Close()
	p := must[*vkrt.Pipeline](t)(d.NewPipeline(vkrt.PipelineInfo{Module: m, Entry: "main", Bindings: axpyBindings, PushBytes: 8}))
	defer p.Close()
	a := must[*vkrt.Buffer](t)(d.NewBuffer(256, vkrt.HostVisible))
	defer a.Close()
	b := must[*vkrt.Bindings](t)(d.NewBindings(p, []vkrt.BoundBuffer{
		{Binding: axpyBindings[0], Buffer: a}, {Binding: axpyBindings[1], Buffer: a}}))
	defer b.Close()
	tooMany := d.Caps().Limits.MaxWorkgroupCount[1]
	r := must[*vkrt.Recorder](t)(d.NewRecorder())
	defer r.Close()
	for _, test := range []struct {
		name, want string
		record     func()
	}{
		{"push constants", "0 bytes of push constants", func() { r.Dispatch(p, b, nil, 1, 1, 1) }},
		{"workgroups", "device limit", func() {
			if tooMany == 1<<32-1 {
				t.Skip("no limit")
			}
			r.Dispatch(p, b, make([]byte, 8), 1, tooMany+1, 1)
		}},
		{"no buffers", "0 descriptor sets", func() { r.Dispatch(p, nil, make([]byte, 8), 1, 1, 1) }},
		{"fill past the end", "bytes 252 to 260 of a buffer of 256", func() { r.Fill(a, 252, 8, 0) }},
		{"fill of odd size", "multiples of 4", func() { r.Fill(a, 0, 7, 0) }},
		{"copy before the start", "buffer of 256", func() { r.Copy(a, -4, a, 8, 4) }},
		{"copy of a huge size", "buffer of 256", func() { r.Copy(a, 8, a, 8, 1<<63-1) }},
		{"copy onto itself", "overlaps", func() { r.Copy(a, 0, a, 4, 8) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			check(t, r.Begin())
			test.record()
			r.Barrier()
			err := r.End()
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want one with %q", err, test.want)
			}
			if d.Submit(r, testDeadline) == nil {
				t.Error("a failed recording was submitted")
			}
		})
	}
}

func TestBindingsRefused(t *testing.T) {
	d := vkrttest.Device(t)
	m := must[*vkrt.Module](t)(d.NewModule(axpySPIRV))
	defer m.Close()
	p := must[*vkrt.Pipeline](t)(d.NewPipeline(vkrt.PipelineInfo{Module: m, Entry: "main", Bindings: axpyBindings, PushBytes: 8}))
	defer p.Close()
	a := must[*vkrt.Buffer](t)(d.NewBuffer(1024, vkrt.HostVisible))
	defer a.Close()
	good := vkrt.BoundBuffer{Binding: axpyBindings[1], Buffer: a}
	for _, test := range []struct {
		name, want string
		buffers    []vkrt.BoundBuffer
	}{
		{"missing", "no buffer is bound to set 0 binding 0", []vkrt.BoundBuffer{good}},
		{"twice", "bound twice", []vkrt.BoundBuffer{good, good}},
		{"unknown", "2 bindings", []vkrt.BoundBuffer{good,
			{Binding: axpyBindings[0], Buffer: a}, {Binding: vkrt.Binding{Set: 5}, Buffer: a}}},
		{"range too long", "buffer of 1024", []vkrt.BoundBuffer{good, {Binding: axpyBindings[0], Buffer: a, Range: 1025}}},
		{"offset at the end", "empty range", []vkrt.BoundBuffer{good, {Binding: axpyBindings[0], Buffer: a, Offset: 1024}}},
		{"odd offset", "want a multiple of", []vkrt.BoundBuffer{good, {Binding: axpyBindings[0], Buffer: a, Offset: 2}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, err := d.NewBindings(p, test.buffers)
			if err == nil {
				b.Close()
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want one with %q", err, test.want)
			}
		})
	}
}
