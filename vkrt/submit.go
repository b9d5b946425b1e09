package vkrt

// #include "calls.h"
import "C"

import (
	"errors"
	"time"
	"unsafe"

	vk "github.com/vulkan-go/vulkan"
)

// Submit runs what r recorded and waits for it. The error is a *TimeoutError when
// the deadline passes, wraps ErrDeviceLost or ErrOutOfMemory, or is another
// *ResultError.
//
// After a *TimeoutError the device may run the commands for ever: further submits
// are refused, Close does nothing, and the process must exit.
func (d *Device) Submit(r *Recorder, deadline time.Duration) error {
	if r.state != recorderReady {
		return errors.New("submit: nothing was recorded (Begin, commands, End)")
	}
	if deadline <= 0 {
		return errors.New("submit: deadline must be above 0")
	}
	d.queueMu.Lock()
	defer d.queueMu.Unlock()
	if d.wedged.Load() {
		return errors.New("submit: the device still runs an earlier submit that timed out")
	}
	if err := d.flushMapped(); err != nil {
		return err
	}
	var out unsafe.Pointer
	if err := check("vkCreateFence", vk.Result(C.vkrt_fence_create(d.c, &out))); err != nil {
		return err
	}
	fence := vk.Fence(out)
	result := vk.Result(C.vkrt_submit(d.c, unsafe.Pointer(d.queue), unsafe.Pointer(r.buffer), out))
	if err := check("vkQueueSubmit", result); err != nil {
		vk.DestroyFence(d.handle(), fence, nil)
		return err
	}
	result = vk.WaitForFences(d.handle(), 1, []vk.Fence{fence}, vk.True, uint64(deadline))
	if result == vk.Timeout {
		d.wedged.Store(true)
		d.instance.wedged.Store(true)
		return &TimeoutError{Deadline: deadline}
	}
	vk.DestroyFence(d.handle(), fence, nil)
	if err := check("vkWaitForFences", result); err != nil {
		return err
	}
	return d.invalidateMapped()
}
