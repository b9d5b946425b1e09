package vkrt

// #include "calls.h"
import "C"

import (
	"fmt"
	"slices"
	"unsafe"

	vk "github.com/vulkan-go/vulkan"
)

// A Binding is a place of a storage buffer in a module.
type Binding struct{ Set, Binding uint32 }

// PipelineInfo is all that a compute pipeline is made of.
type PipelineInfo struct {
	Module   *Module
	Entry    string // the entry point, usually "main"
	Spec     []SpecConstant
	Bindings []Binding // storage buffers; repeats count once
	// PushBytes is the size of the push-constant block, a multiple of 4.
	PushBytes int
	// SubgroupSize is required where not 0; it needs RequiredSubgroupSizeCompute.
	SubgroupSize uint32
}

// A Pipeline is a compiled kernel with its layout.
type Pipeline struct {
	d          *Device
	handle     vk.Pipeline
	layout     vk.PipelineLayout
	setLayouts []unsafe.Pointer // one per set, empty ones between those in use
	bindings   []Binding        // sorted
	pushBytes  int
}

// maxSets bounds set numbers where the driver's limit is none (up to 2^32-1): every
// set below the highest gets a layout.
const maxSets = 32

// NewPipeline compiles a pipeline; many goroutines may do so at once, through the
// device's pipeline cache. Drivers compile kernels beyond their limits without an
// error: check limits first.
func (d *Device) NewPipeline(info PipelineInfo) (*Pipeline, error) {
	limits := d.caps.Limits
	switch {
	case info.PushBytes < 0 || info.PushBytes%4 != 0:
		return nil, fmt.Errorf("push-constant block of %d bytes, want a multiple of 4", info.PushBytes)
	case info.PushBytes > limits.PushConstantBytes:
		return nil, fmt.Errorf("push-constant block of %d bytes, device limit is %d", info.PushBytes, limits.PushConstantBytes)
	case info.SubgroupSize != 0 && !limits.RequiredSubgroupSizeCompute:
		return nil, fmt.Errorf("subgroup size %d is required, but the device has no choice of sizes", info.SubgroupSize)
	case info.SubgroupSize != 0 && (int64(info.SubgroupSize) < int64(limits.SubgroupMin) ||
		int64(info.SubgroupSize) > int64(limits.SubgroupMax) || info.SubgroupSize&(info.SubgroupSize-1) != 0):
		return nil, fmt.Errorf("subgroup size %d is required, want a power of two from %d to %d",
			info.SubgroupSize, limits.SubgroupMin, limits.SubgroupMax)
	}
	p := &Pipeline{d: d, pushBytes: info.PushBytes, bindings: slices.Clone(info.Bindings)}
	slices.SortFunc(p.bindings, func(a, b Binding) int {
		if a.Set != b.Set {
			return int(int64(a.Set) - int64(b.Set))
		}
		return int(int64(a.Binding) - int64(b.Binding))
	})
	p.bindings = slices.Compact(p.bindings)
	sets := min(limits.MaxDescriptorSets, maxSets)
	if n := len(p.bindings); n > 0 && int64(p.bindings[n-1].Set) >= int64(sets) {
		return nil, fmt.Errorf("descriptor set %d, device allows sets 0 to %d", p.bindings[n-1].Set, sets-1)
	}
	err := p.createLayout()
	if err == nil {
		err = p.compile(info)
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func (p *Pipeline) createLayout() error {
	sets := map[uint32][]uint32{}
	count := uint32(0)
	for _, b := range p.bindings {
		sets[b.Set] = append(sets[b.Set], b.Binding)
		count = b.Set + 1
	}
	for set := range count {
		numbers := sets[set]
		var layout unsafe.Pointer
		result := C.vkrt_set_layout_create(p.d.c, C.uint32_t(len(numbers)), uint32s(numbers), &layout)
		if err := check("vkCreateDescriptorSetLayout", vk.Result(result)); err != nil {
			return err
		}
		p.setLayouts = append(p.setLayouts, layout)
	}
	var layout unsafe.Pointer
	result := C.vkrt_pipeline_layout_create(p.d.c, C.uint32_t(len(p.setLayouts)), unsafe.SliceData(p.setLayouts),
		C.uint32_t(p.pushBytes), &layout)
	p.layout = vk.PipelineLayout(layout)
	return check("vkCreatePipelineLayout", vk.Result(result))
}

func (p *Pipeline) compile(info PipelineInfo) error {
	ids, sizes, data, err := packSpec(info.Spec)
	if err != nil {
		return err
	}
	entry := append([]byte(info.Entry), 0)
	var out unsafe.Pointer
	result := C.vkrt_pipeline_create(p.d.c, C.vkrt_pipeline_info{
		cache:         unsafe.Pointer(p.d.cache),
		layout:        unsafe.Pointer(p.layout),
		module:        unsafe.Pointer(info.Module.handle),
		spec_count:    C.uint32_t(len(ids)),
		data_size:     C.size_t(len(data)),
		subgroup_size: C.uint32_t(info.SubgroupSize),
		statistics:    cBool(p.d.statistics),
	}, (*C.char)(unsafe.Pointer(&entry[0])), uint32s(ids), uint32s(sizes), unsafe.Pointer(unsafe.SliceData(data)), &out)
	p.handle = vk.Pipeline(out)
	return check("vkCreateComputePipelines", vk.Result(result))
}

// uint32s passes a slice to C, nil when it is empty.
func uint32s(s []uint32) *C.uint32_t { return (*C.uint32_t)(unsafe.SliceData(s)) }

// Close destroys the pipeline. No submitted command may still use it.
func (p *Pipeline) Close() {
	if p.d.wedged.Load() {
		return
	}
	device := p.d.handle()
	vk.DestroyPipeline(device, p.handle, nil)
	vk.DestroyPipelineLayout(device, p.layout, nil)
	for _, l := range p.setLayouts {
		vk.DestroyDescriptorSetLayout(device, vk.DescriptorSetLayout(l), nil)
	}
	p.handle, p.layout, p.setLayouts = vk.NullPipeline, vk.NullPipelineLayout, nil
}
