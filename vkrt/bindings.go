package vkrt

// #include "calls.h"
import "C"

import (
	"fmt"
	"unsafe"

	vk "github.com/vulkan-go/vulkan"
)

// A BoundBuffer puts Range bytes of a buffer from Offset at a binding; a Range of 0
// is the rest of the buffer.
type BoundBuffer struct {
	Binding       Binding
	Buffer        *Buffer
	Offset, Range int64
}

// Bindings are the buffers of one dispatch: a descriptor pool with one set for
// each set of the pipeline.
type Bindings struct {
	d    *Device
	pool vk.DescriptorPool
	sets []vk.DescriptorSet
}

// NewBindings binds buffers for dispatches of p: one for each of its bindings.
func (d *Device) NewBindings(p *Pipeline, buffers []BoundBuffer) (*Bindings, error) {
	bound := map[Binding]BoundBuffer{}
	for _, b := range buffers {
		if _, twice := bound[b.Binding]; twice {
			return nil, fmt.Errorf("set %d binding %d is bound twice", b.Binding.Set, b.Binding.Binding)
		}
		if b.Range == 0 {
			b.Range = b.Buffer.size - b.Offset
		}
		if err := d.checkBound(b); err != nil {
			return nil, fmt.Errorf("set %d binding %d: %w", b.Binding.Set, b.Binding.Binding, err)
		}
		bound[b.Binding] = b
	}
	if len(bound) > len(p.bindings) {
		return nil, fmt.Errorf("%d buffers are bound, the pipeline has %d bindings", len(bound), len(p.bindings))
	}
	out := &Bindings{d: d}
	if len(p.bindings) == 0 {
		return out, nil
	}
	sets := make([]unsafe.Pointer, len(p.setLayouts))
	var pool unsafe.Pointer
	result := C.vkrt_descriptor_sets_create(d.c, C.uint32_t(len(sets)), &p.setLayouts[0],
		C.uint32_t(len(p.bindings)), &pool, &sets[0])
	out.pool = vk.DescriptorPool(pool)
	if err := check("vkAllocateDescriptorSets", vk.Result(result)); err != nil {
		out.Close()
		return nil, err
	}
	for _, s := range sets {
		out.sets = append(out.sets, vk.DescriptorSet(s))
	}
	for _, at := range p.bindings {
		b, ok := bound[at]
		if !ok {
			out.Close()
			return nil, fmt.Errorf("no buffer is bound to set %d binding %d", at.Set, at.Binding)
		}
		C.vkrt_descriptor_write(d.c, sets[at.Set], C.uint32_t(at.Binding), unsafe.Pointer(b.Buffer.handle),
			C.uint64_t(b.Offset), C.uint64_t(b.Range))
	}
	return out, nil
}

func (d *Device) checkBound(b BoundBuffer) error {
	limits := d.caps.Limits
	if err := b.Buffer.contains(b.Offset, b.Range); err != nil {
		return err
	}
	switch {
	case b.Range == 0:
		return fmt.Errorf("empty range at offset %d", b.Offset)
	case limits.StorageBufferAlignment > 0 && b.Offset%int64(limits.StorageBufferAlignment) != 0:
		return fmt.Errorf("offset %d, want a multiple of %d", b.Offset, limits.StorageBufferAlignment)
	case b.Range > limits.MaxStorageBufferRange:
		return fmt.Errorf("range of %d bytes, device limit is %d", b.Range, limits.MaxStorageBufferRange)
	}
	return nil
}

// Close frees the descriptors. No submitted command may still use them.
func (b *Bindings) Close() {
	if b.d.wedged.Load() {
		return
	}
	vk.DestroyDescriptorPool(b.d.handle(), b.pool, nil)
	b.pool, b.sets = vk.NullDescriptorPool, nil
}
