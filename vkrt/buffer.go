package vkrt

// #include "calls.h"
import "C"

import (
	"fmt"
	"unsafe"

	vk "github.com/vulkan-go/vulkan"
)

// A Buffer is a storage buffer with memory of its own. Every buffer is one
// allocation, of which drivers allow Caps().Limits.MaxAllocations (4096 or more).
type Buffer struct {
	d      *Device
	handle vk.Buffer
	memory vk.DeviceMemory
	size   int64
	mapped []byte
	// coherent memory needs no flushing; other mapped memory is flushed and
	// invalidated by Submit.
	coherent bool
}

// NewBuffer makes a buffer of size bytes, contents undefined. It serves as a
// storage buffer and as source and destination of copies and fills. The error
// wraps ErrOutOfMemory when memory is short.
func (d *Device) NewBuffer(size int64, kind MemoryKind) (*Buffer, error) {
	if size <= 0 {
		return nil, fmt.Errorf("buffer of %d bytes, at least 1 is needed", size)
	}
	if limit := d.caps.Limits.MaxBufferSize; limit > 0 && size > limit {
		return nil, fmt.Errorf("buffer of %d bytes, device limit is %d: %w", size, limit, ErrOutOfMemory)
	}
	b := &Buffer{d: d, size: size}
	if err := b.create(kind); err != nil {
		b.Close()
		return nil, fmt.Errorf("buffer of %d bytes: %w", size, err)
	}
	return b, nil
}

func (b *Buffer) create(kind MemoryKind) error {
	d := b.d
	var handle, memory, mapped unsafe.Pointer
	var need C.VkMemoryRequirements
	result := C.vkrt_buffer_create(d.c, C.uint64_t(b.size), &handle, &need)
	if err := check("vkCreateBuffer", vk.Result(result)); err != nil {
		return err
	}
	b.handle = vk.Buffer(handle)
	index := chooseMemory(d.memory, uint32(need.memoryTypeBits), kind, d.caps.Memory.Unified)
	if index < 0 {
		return fmt.Errorf("no memory type fits (allowed types 0x%x)", uint32(need.memoryTypeBits))
	}
	result = C.vkrt_memory_allocate(d.c, need.size, C.uint32_t(index), &memory)
	if err := check("vkAllocateMemory", vk.Result(result)); err != nil {
		return err
	}
	b.memory = vk.DeviceMemory(memory)
	if err := check("vkBindBufferMemory", vk.BindBufferMemory(d.handle(), b.handle, b.memory, 0)); err != nil {
		return err
	}
	b.coherent = d.memory[index]&hostCoherent != 0
	if d.memory[index]&hostVisible == 0 || kind == DeviceLocal && !d.caps.Memory.Unified {
		return nil
	}
	if err := check("vkMapMemory", vk.MapMemory(d.handle(), b.memory, 0, vk.DeviceSize(vk.WholeSize), 0, &mapped)); err != nil {
		return err
	}
	b.mapped = unsafe.Slice((*byte)(mapped), b.size)
	if !b.coherent {
		d.mu.Lock()
		d.incoherent[b] = struct{}{}
		d.mu.Unlock()
	}
	return nil
}

// Size is the size in bytes.
func (b *Buffer) Size() int64 { return b.size }

// Mapped is the buffer's memory, nil when the host cannot see it. It may be read
// after a Submit whose commands end in a HostBarrier, and written before the next
// Submit; it is C memory and gone after Close.
func (b *Buffer) Mapped() []byte { return b.mapped }

// Close frees the buffer. No submitted command may still use it.
func (b *Buffer) Close() {
	d := b.d
	if d.wedged.Load() {
		return
	}
	d.mu.Lock()
	delete(d.incoherent, b)
	d.mu.Unlock()
	vk.DestroyBuffer(d.handle(), b.handle, nil)
	vk.FreeMemory(d.handle(), b.memory, nil) // unmaps
	b.handle, b.memory, b.mapped = vk.NullBuffer, vk.NullDeviceMemory, nil
}

// contains reports whether n bytes at offset lie in the buffer, as an error.
func (b *Buffer) contains(offset, n int64) error {
	if offset < 0 || n < 0 || offset > b.size || n > b.size-offset {
		return fmt.Errorf("bytes %d to %d of a buffer of %d bytes", offset, offset+n, b.size)
	}
	return nil
}

// flushMapped makes host writes visible to the device, for memory that is not coherent.
func (d *Device) flushMapped() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for b := range d.incoherent {
		result := C.vkrt_memory_flush(d.c, unsafe.Pointer(b.memory))
		if err := check("vkFlushMappedMemoryRanges", vk.Result(result)); err != nil {
			return err
		}
	}
	return nil
}

// invalidateMapped makes device writes visible to the host, for memory that is not coherent.
func (d *Device) invalidateMapped() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for b := range d.incoherent {
		result := C.vkrt_memory_invalidate(d.c, unsafe.Pointer(b.memory))
		if err := check("vkInvalidateMappedMemoryRanges", vk.Result(result)); err != nil {
			return err
		}
	}
	return nil
}
