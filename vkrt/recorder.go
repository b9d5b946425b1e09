package vkrt

// #include "calls.h"
import "C"

import (
	"errors"
	"fmt"
	"unsafe"

	vk "github.com/vulkan-go/vulkan"
)

// A Recorder records commands for Submit, which may run them any number of times.
// The first error of a recording is kept and returned by End.
type Recorder struct {
	d      *Device
	pool   vk.CommandPool
	buffer vk.CommandBuffer
	state  recorderState
	err    error
}

type recorderState int

const (
	recorderEmpty recorderState = iota
	recorderBegun
	recorderReady
)

// NewRecorder makes a command pool with one command buffer.
func (d *Device) NewRecorder() (*Recorder, error) {
	var pool, buffer unsafe.Pointer
	result := C.vkrt_command_buffer_create(d.c, d.family, &pool, &buffer)
	r := &Recorder{d: d, pool: vk.CommandPool(pool), buffer: vk.CommandBuffer(buffer)}
	if err := check("vkAllocateCommandBuffers", vk.Result(result)); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Begin starts a recording and drops the one before.
func (r *Recorder) Begin() error {
	r.err = nil
	r.state = recorderEmpty
	if err := check("vkResetCommandPool", vk.ResetCommandPool(r.d.handle(), r.pool, 0)); err != nil {
		return err
	}
	result := C.vkrt_command_buffer_begin(r.d.c, unsafe.Pointer(r.buffer))
	if err := check("vkBeginCommandBuffer", vk.Result(result)); err != nil {
		return err
	}
	r.state = recorderBegun
	return nil
}

// End finishes the recording. It returns the first error since Begin.
func (r *Recorder) End() error {
	if r.state != recorderBegun {
		return errors.New("recorder: End without Begin")
	}
	r.state = recorderEmpty
	err := check("vkEndCommandBuffer", vk.EndCommandBuffer(r.buffer))
	if r.err != nil {
		return r.err
	}
	if err == nil {
		r.state = recorderReady
	}
	return err
}

// recording reports whether a command may be recorded.
func (r *Recorder) recording() bool {
	if r.state != recorderBegun && r.err == nil {
		r.err = errors.New("recorder: command without Begin")
	}
	return r.err == nil
}

func (r *Recorder) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// Dispatch runs x × y × z workgroups of p with the buffers of b, which was made for
// p, or for a pipeline of the same bindings; nil when p has none. push is the whole
// push-constant block. Dispatches without a Barrier between them may overlap.
func (r *Recorder) Dispatch(p *Pipeline, b *Bindings, push []byte, x, y, z uint32) {
	if !r.recording() {
		return
	}
	if len(push) != p.pushBytes {
		r.fail("dispatch with %d bytes of push constants, the pipeline has %d", len(push), p.pushBytes)
		return
	}
	var sets []vk.DescriptorSet
	if b != nil {
		sets = b.sets
	}
	if len(sets) != len(p.setLayouts) {
		r.fail("dispatch with %d descriptor sets, the pipeline has %d", len(sets), len(p.setLayouts))
		return
	}
	limit := r.d.caps.Limits.MaxWorkgroupCount
	if x > limit[0] || y > limit[1] || z > limit[2] {
		r.fail("dispatch of %dx%dx%d workgroups, device limit is %dx%dx%d", x, y, z, limit[0], limit[1], limit[2])
		return
	}
	vk.CmdBindPipeline(r.buffer, vk.PipelineBindPointCompute, p.handle)
	if len(sets) > 0 {
		vk.CmdBindDescriptorSets(r.buffer, vk.PipelineBindPointCompute, p.layout, 0, uint32(len(sets)), sets, 0, nil)
	}
	if len(push) > 0 {
		vk.CmdPushConstants(r.buffer, p.layout, vk.ShaderStageFlags(vk.ShaderStageComputeBit), 0,
			uint32(len(push)), unsafe.Pointer(&push[0]))
	}
	vk.CmdDispatch(r.buffer, x, y, z)
}

// Barrier makes everything recorded before it finish, and its writes visible,
// before any dispatch, fill or copy after it begins.
func (r *Recorder) Barrier() {
	if !r.recording() {
		return
	}
	C.vkrt_cmd_barrier(r.d.c, unsafe.Pointer(r.buffer),
		C.VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT|C.VK_PIPELINE_STAGE_TRANSFER_BIT,
		C.VK_ACCESS_SHADER_READ_BIT|C.VK_ACCESS_SHADER_WRITE_BIT|
			C.VK_ACCESS_TRANSFER_READ_BIT|C.VK_ACCESS_TRANSFER_WRITE_BIT)
}

// HostBarrier makes all writes before it visible to the host once the submit is done.
func (r *Recorder) HostBarrier() {
	if !r.recording() {
		return
	}
	C.vkrt_cmd_barrier(r.d.c, unsafe.Pointer(r.buffer), C.VK_PIPELINE_STAGE_HOST_BIT,
		C.VK_ACCESS_HOST_READ_BIT|C.VK_ACCESS_HOST_WRITE_BIT)
}

// Fill writes pattern, in the host's byte order, over size bytes from offset, both
// multiples of 4.
func (r *Recorder) Fill(b *Buffer, offset, size int64, pattern uint32) {
	if !r.recording() {
		return
	}
	if err := b.contains(offset, size); err != nil {
		r.fail("fill: %w", err)
		return
	}
	if offset%4 != 0 || size%4 != 0 {
		r.fail("fill of %d bytes at offset %d, want multiples of 4", size, offset)
		return
	}
	if size > 0 {
		vk.CmdFillBuffer(r.buffer, b.handle, vk.DeviceSize(offset), vk.DeviceSize(size), pattern)
	}
}

// Copy copies size bytes between buffers; in one buffer the ranges must not overlap.
func (r *Recorder) Copy(dst *Buffer, dstOff int64, src *Buffer, srcOff, size int64) {
	if !r.recording() {
		return
	}
	err := dst.contains(dstOff, size)
	if err == nil {
		err = src.contains(srcOff, size)
	}
	if err != nil {
		r.fail("copy: %w", err)
		return
	}
	if dst == src && dstOff < srcOff+size && srcOff < dstOff+size {
		r.fail("copy of %d bytes from offset %d to %d overlaps", size, srcOff, dstOff)
		return
	}
	if size > 0 {
		C.vkrt_cmd_copy(r.d.c, unsafe.Pointer(r.buffer), unsafe.Pointer(src.handle), C.uint64_t(srcOff),
			unsafe.Pointer(dst.handle), C.uint64_t(dstOff), C.uint64_t(size))
	}
}

// Timestamp writes slot of t when everything recorded before it has finished.
//
// On Honeykrisp the first dispatch after a timestamp joins the stream that the
// timestamp ends, unless a Barrier stands between them: record one.
func (r *Recorder) Timestamp(t *Timestamps, slot uint32) {
	if !r.recording() {
		return
	}
	if slot >= t.count {
		r.fail("timestamp slot %d, want less than %d", slot, t.count)
		return
	}
	vk.CmdWriteTimestamp(r.buffer, vk.PipelineStageBottomOfPipeBit, t.pool, slot)
}

// Close frees the recorder. Its commands must not be running.
func (r *Recorder) Close() {
	if r.d.wedged.Load() {
		return
	}
	vk.DestroyCommandPool(r.d.handle(), r.pool, nil)
	r.pool, r.state = vk.NullCommandPool, recorderEmpty
}
