// Package vkrt runs compute kernels on Vulkan devices: one file per Vulkan object.
//
// The binding github.com/vulkan-go/vulkan supplies types, constants, handles and
// the calls that take no struct. Calls that take one go through the C files beside
// this one, because the binding frees such memory while C still reads it.
//
// An Instance, a PhysicalDevice and a Device may be used from many goroutines. A
// Recorder, a Bindings, a Timestamps and the contents of a Buffer belong to one
// goroutine at a time.
package vkrt

// #include "calls.h"
import "C"

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	vk "github.com/vulkan-go/vulkan"
)

const validationLayer = "VK_LAYER_KHRONOS_validation"

// Options of an instance.
type Options struct {
	// Validate turns on the Khronos validation layer; its warnings and errors are
	// collected by Messages.
	Validate bool
}

// An Instance is one use of the Vulkan loader, with its drivers.
type Instance struct {
	c *C.vkrt_instance // nil when there is no driver

	mu      sync.Mutex
	devices []*PhysicalDevice // queried once
	wedged  atomic.Bool       // a device of it is
}

// A Message is one warning or error of the validation layer.
type Message struct {
	Severity string // "warning" or "error"
	ID       string // the rule, for example "VUID-vkCmdDispatch-None-02699"
	Text     string
}

// NewInstance opens the loader and creates an instance; without any driver it is
// one that has no devices. The error is a *NoLoaderError without libvulkan.so.1, a
// *MissingLayerError when the validation layer is asked for and not installed, and a
// *ResultError otherwise.
func NewInstance(o Options) (*Instance, error) {
	getProc, err := loadVulkan()
	if err != nil {
		return nil, err
	}
	validate := C.int(0)
	if o.Validate {
		validate = 1
	}
	in := new(Instance)
	var c *C.vkrt_instance
	result := vk.Result(C.vkrt_instance_create(getProc, validate, &c))
	switch result {
	case vk.ErrorLayerNotPresent:
		return nil, &MissingLayerError{Layer: validationLayer}
	case vk.ErrorIncompatibleDriver: // how the loader says that it found no driver
		return in, nil
	}
	if err := check("vkCreateInstance", result); err != nil {
		return nil, err
	}
	in.c = c
	if err := bindInstance(in.handle()); err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

func (in *Instance) handle() vk.Instance { return vk.Instance(unsafe.Pointer(in.c.handle)) }

// PhysicalDevices lists the devices of all drivers, in the loader's order; the
// slice is empty when there are none.
func (in *Instance) PhysicalDevices() ([]*PhysicalDevice, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.c == nil || in.devices != nil {
		return in.devices, nil
	}
	var handles []vk.PhysicalDevice
	for {
		var n uint32
		result := vk.EnumeratePhysicalDevices(in.handle(), &n, nil)
		if result == vk.ErrorInitializationFailed {
			return nil, nil // the loader's answer where no driver finds hardware of its own
		}
		if err := check("vkEnumeratePhysicalDevices", result); err != nil {
			return nil, err
		}
		if n == 0 {
			return nil, nil
		}
		handles = make([]vk.PhysicalDevice, n)
		result = vk.EnumeratePhysicalDevices(in.handle(), &n, handles)
		if result == vk.Incomplete {
			continue // a device appeared between the two calls
		}
		if err := check("vkEnumeratePhysicalDevices", result); err != nil {
			return nil, err
		}
		handles = handles[:n]
		break
	}
	var devices []*PhysicalDevice
	for i, h := range handles {
		p, err := queryPhysicalDevice(in, h)
		if err != nil {
			freePhysicalDevices(devices)
			return nil, fmt.Errorf("device %d: %w", i, err)
		}
		devices = append(devices, p)
	}
	in.devices = devices
	return devices, nil
}

// Messages returns what the validation layer reported since the last call, oldest
// first. Drivers may report from their own threads, so a message belongs to
// whatever ran since that call.
func (in *Instance) Messages() []Message {
	if in.c == nil {
		return nil
	}
	var out []Message
	for m := C.vkrt_messages_take(in.c); m != nil; m = C.vkrt_message_free(m) {
		text := printable(C.GoString(m.text))
		if aboutLayersAge(text) {
			continue
		}
		severity := "warning"
		if m.severity >= C.VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT {
			severity = "error"
		}
		out = append(out, Message{
			Severity: severity,
			ID:       printable(C.GoString(m.id)),
			Text:     text,
		})
	}
	return out
}

// aboutLayersAge recognises complaints about structs and extensions that are newer
// than the layer (Debian 12's is older than most drivers). They say nothing about a
// kernel, and would fail every one.
func aboutLayersAge(text string) bool {
	return strings.Contains(text, "includes a structure with unknown VkStructureType") ||
		strings.Contains(text, "is not supported by this layer")
}

// Close destroys the instance. Its devices must be closed before. After a
// *TimeoutError it does nothing, as Device.Close.
func (in *Instance) Close() {
	if in.c == nil || in.wedged.Load() {
		return
	}
	freePhysicalDevices(in.devices)
	in.devices = nil
	C.vkrt_instance_destroy(in.c)
	in.c = nil
}
