package vkrt_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/krisptune/krisptune/vkrt"
	"github.com/krisptune/krisptune/vkrt/vkrttest"
)

const testDeadline = 20 * time.Second

func TestDispatch(t *testing.T) {
	d := vkrttest.Device(t)
	m := must[*vkrt.Module](t)(d.NewModule(axpySPIRV))
	defer m.Close()
	for _, a := range []axpyRun{
		{n: 1, workgroup: 1, scale: 1},
		{n: 1000, workgroup: 64, scale: 3, bias: -5},
		{n: 1000, workgroup: 32, scale: -1, kind: vkrt.DeviceLocal},
		{n: 70001, workgroup: 128, scale: 9, assign: true, bias: 1},
	} {
		t.Run(fmt.Sprintf("%+v", a), func(t *testing.T) { a.run(t, d, m) })
	}
}

func TestSpecConstantWidths(t *testing.T) {
	d := vkrttest.Device(t)
	if f := d.Caps().Features; !f.Int8 || !f.Int16 || !f.Int64 || !f.Float64 {
		t.Skipf("the device lacks a type: %+v", f)
	}
	m := must[*vkrt.Module](t)(d.NewModule(specWidthsSPIRV))
	defer m.Close()
	bindings := []vkrt.Binding{{Set: 2, Binding: 1}, {Set: 0, Binding: 3}, {Set: 0, Binding: 3}}
	for _, test := range []struct {
		name  string
		spec  []vkrt.SpecConstant
		ints  []int64
		reals []float64
	}{
		{"defaults", nil, []int64{1, 2, 3, 4, 0}, []float64{5, 6}},
		{"given", []vkrt.SpecConstant{
			vkrt.SpecInt8(10, -100), vkrt.SpecUint16(11, 65000), vkrt.SpecUint32(12, 4e9),
			vkrt.SpecInt64(13, -1<<62), vkrt.SpecFloat32(14, 0.5), vkrt.SpecFloat64(15, math.Pi), vkrt.SpecBool(16, true),
		}, []int64{-100, 65000, 4e9, -1 << 62, 1}, []float64{0.5, math.Pi}},
		{"some", []vkrt.SpecConstant{vkrt.SpecInt64(13, 1<<40), vkrt.SpecInt8(10, 7)},
			[]int64{7, 2, 3, 1 << 40, 0}, []float64{5, 6}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := must[*vkrt.Pipeline](t)(d.NewPipeline(vkrt.PipelineInfo{Module: m, Entry: "main", Spec: test.spec, Bindings: bindings}))
			defer p.Close()
			a := must[*vkrt.Buffer](t)(d.NewBuffer(8*5, vkrt.HostVisible))
			defer a.Close()
			c := must[*vkrt.Buffer](t)(d.NewBuffer(8*2, vkrt.HostVisible))
			defer c.Close()
			b := must[*vkrt.Bindings](t)(d.NewBindings(p, []vkrt.BoundBuffer{
				{Binding: bindings[0], Buffer: c}, {Binding: bindings[1], Buffer: a}}))
			defer b.Close()
			r := must[*vkrt.Recorder](t)(d.NewRecorder())
			defer r.Close()
			check(t, r.Begin())
			r.Dispatch(p, b, nil, 1, 1, 1)
			r.HostBarrier()
			check(t, r.End())
			check(t, d.Submit(r, testDeadline))
			for i, want := range test.ints {
				if got := int64(binary.NativeEndian.Uint64(a.Mapped()[8*i:])); got != want {
					t.Errorf("integer %d is %d, want %d", i, got, want)
				}
			}
			for i, want := range test.reals {
				if got := math.Float64frombits(binary.NativeEndian.Uint64(c.Mapped()[8*i:])); got != want {
					t.Errorf("float %d is %g, want %g", i, got, want)
				}
			}
		})
	}
}

func TestRequiredSubgroupSize(t *testing.T) {
	d := vkrttest.Device(t)
	m := must[*vkrt.Module](t)(d.NewModule(axpySPIRV))
	defer m.Close()
	limits := d.Caps().Limits
	info := vkrt.PipelineInfo{Module: m, Entry: "main", Bindings: axpyBindings, PushBytes: 8}
	if limits.RequiredSubgroupSizeCompute {
		info.SubgroupSize = uint32(limits.SubgroupMax)
		must[*vkrt.Pipeline](t)(d.NewPipeline(info)).Close()
	}
	info.SubgroupSize = uint32(limits.SubgroupMax) * 2
	if p, err := d.NewPipeline(info); err == nil {
		p.Close()
		t.Errorf("subgroup size %d was taken, the largest is %d", info.SubgroupSize, limits.SubgroupMax)
	}
}

func TestPipelinesFromManyGoroutines(t *testing.T) {
	d := vkrttest.Device(t)
	m := must[*vkrt.Module](t)(d.NewModule(axpySPIRV))
	defer m.Close()
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 5 {
				// Errors, not t.Fatal: this is not the test's goroutine.
				p, err := d.NewPipeline(vkrt.PipelineInfo{Module: m, Entry: "main", Bindings: axpyBindings, PushBytes: 8,
					Spec: []vkrt.SpecConstant{vkrt.SpecInt32(1, int32(g*5+i))}})
				if err != nil {
					t.Error(err)
					return
				}
				p.Close()
			}
		})
	}
	wg.Wait()
}

func TestPipelineInfoRefused(t *testing.T) {
	d := vkrttest.Device(t)
	m := must[*vkrt.Module](t)(d.NewModule(axpySPIRV))
	defer m.Close()
	for name, change := range map[string]func(*vkrt.PipelineInfo){
		"odd push constants":      func(i *vkrt.PipelineInfo) { i.PushBytes = 6 },
		"too many push constants": func(i *vkrt.PipelineInfo) { i.PushBytes = d.Caps().Limits.PushConstantBytes + 4 },
		"constant of 3 bytes":     func(i *vkrt.PipelineInfo) { i.Spec = []vkrt.SpecConstant{{ID: 1, Data: make([]byte, 3)}} },
		"constant given twice": func(i *vkrt.PipelineInfo) {
			i.Spec = []vkrt.SpecConstant{vkrt.SpecBool(1, true), vkrt.SpecInt32(1, 1)}
		},
		"set number": func(i *vkrt.PipelineInfo) { i.Bindings = []vkrt.Binding{{Set: 1 << 30}} },
	} {
		t.Run(name, func(t *testing.T) {
			info := vkrt.PipelineInfo{Module: m, Entry: "main", Bindings: axpyBindings, PushBytes: 8}
			change(&info)
			if p, err := d.NewPipeline(info); err == nil {
				p.Close()
				t.Error("no error")
			}
		})
	}
}

func TestModuleRefused(t *testing.T) {
	d := vkrttest.Device(t)
	for name, code := range map[string][]byte{
		"empty": nil, "cut": axpySPIRV[:len(axpySPIRV)-1], "not SPIR-V": make([]byte, 64),
	} {
		if m, err := d.NewModule(code); err == nil {
			m.Close()
			t.Errorf("%s: no error", name)
		}
	}
}

func TestModuleByteOrder(t *testing.T) {
	d := vkrttest.Device(t)
	swapped := make([]byte, len(axpySPIRV))
	for i := 0; i < len(swapped); i += 4 {
		binary.BigEndian.PutUint32(swapped[i:], binary.LittleEndian.Uint32(axpySPIRV[i:]))
	}
	m := must[*vkrt.Module](t)(d.NewModule(swapped))
	defer m.Close()
	axpyRun{n: 10, workgroup: 8, scale: 2}.run(t, d, m)
}
