package vkrt_test

import (
	_ "embed"
	"encoding/binary"
	"testing"

	"github.com/krisptune/krisptune/vkrt"
)

//go:generate sh -c "$(sh ../shaders/toolchain.sh) --target-env=vulkan1.1 -O testdata/axpy.comp -o testdata/axpy.spv"
//go:generate sh -c "$(sh ../shaders/toolchain.sh) --target-env=vulkan1.1 -O testdata/hang.comp -o testdata/hang.spv"
//go:generate sh -c "$(sh ../shaders/toolchain.sh) --target-env=vulkan1.1 -O testdata/spin.comp -o testdata/spin.spv"
//go:generate sh -c "$(sh ../shaders/toolchain.sh) --target-env=vulkan1.2 -O testdata/spec_widths.comp -o testdata/spec_widths.spv"

//go:embed testdata/axpy.spv
var axpySPIRV []byte

//go:embed testdata/spec_widths.spv
var specWidthsSPIRV []byte

//go:embed testdata/spin.spv
var spinSPIRV []byte

//go:embed testdata/hang.spv
var hangSPIRV []byte

// must returns v of a call that has to work.
func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func int32s(n int, f func(i int) int32) []byte {
	var b []byte
	for i := range n {
		b = binary.NativeEndian.AppendUint32(b, uint32(f(i)))
	}
	return b
}

func int32At(b []byte, i int) int32 { return int32(binary.NativeEndian.Uint32(b[4*i:])) }

// An axpyRun is one evaluation of testdata/axpy.comp on fresh objects.
type axpyRun struct {
	n         int
	workgroup uint32
	scale     int32
	assign    bool
	bias      int32
	kind      vkrt.MemoryKind
}

var axpyBindings = []vkrt.Binding{{Set: 0, Binding: 0}, {Set: 0, Binding: 1}}

// run makes everything, dispatches, reads back and checks each element.
func (a axpyRun) run(t testing.TB, d *vkrt.Device, m *vkrt.Module) {
	t.Helper()
	p := must[*vkrt.Pipeline](t)(d.NewPipeline(vkrt.PipelineInfo{
		Module: m, Entry: "main", Bindings: axpyBindings, PushBytes: 8,
		Spec: []vkrt.SpecConstant{vkrt.SpecUint32(0, a.workgroup), vkrt.SpecInt32(1, a.scale), vkrt.SpecBool(2, a.assign)},
	}))
	defer p.Close()
	x := must[*vkrt.Buffer](t)(d.NewBuffer(int64(4*a.n), a.kind))
	defer x.Close()
	y := must[*vkrt.Buffer](t)(d.NewBuffer(int64(4*a.n), a.kind))
	defer y.Close()
	check(t, d.Upload(x, 0, int32s(a.n, func(i int) int32 { return int32(i) - 7 })))
	check(t, d.Upload(y, 0, int32s(a.n, func(i int) int32 { return int32(3 * i) })))
	b := must[*vkrt.Bindings](t)(d.NewBindings(p, []vkrt.BoundBuffer{
		{Binding: axpyBindings[0], Buffer: x}, {Binding: axpyBindings[1], Buffer: y, Range: y.Size()}}))
	defer b.Close()
	r := must[*vkrt.Recorder](t)(d.NewRecorder())
	defer r.Close()
	push := int32s(2, func(i int) int32 { return []int32{int32(a.n), a.bias}[i] })
	check(t, r.Begin())
	r.Barrier()
	r.Dispatch(p, b, push, (uint32(a.n)+a.workgroup-1)/a.workgroup, 1, 1)
	r.Barrier()
	r.HostBarrier()
	check(t, r.End())
	check(t, d.Submit(r, testDeadline))
	got := make([]byte, 4*a.n)
	check(t, d.Download(y, 0, got))
	for i := range a.n {
		want := a.scale*(int32(i)-7) + int32(3*i) + a.bias
		if a.assign {
			want = int32(i) - 7 + a.bias
		}
		if v := int32At(got, i); v != want {
			t.Fatalf("%+v: y[%d] = %d, want %d", a, i, v, want)
		}
	}
}
