package vkrt

// #include "calls.h"
import "C"

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	vk "github.com/vulkan-go/vulkan"
)

// DeviceOptions say how a device is opened.
type DeviceOptions struct {
	// Robust turns on robustBufferAccess: reads and writes out of bounds are
	// contained, at some cost in code.
	Robust bool
	// CacheFile is where the pipeline cache is read from and, by SaveCache, written
	// to. A missing, damaged or foreign file is an empty cache. Use one file per
	// device, driver version and driver environment. Empty: no file.
	CacheFile string
	// Statistics turns on pipeline statistics where the driver has them.
	Statistics bool
}

// A Device is an opened device with one compute queue. Its features are all of
// Caps().Features, robustness and statistics as the options say.
type Device struct {
	instance   *Instance
	caps       Caps
	c          *C.vkrt_device
	memory     []memoryType
	family     C.uint32_t
	cache      vk.PipelineCache
	cacheFile  string
	statistics bool

	queueMu sync.Mutex // queues are externally synchronized
	queue   vk.Queue
	wedged  atomic.Bool // a submit timed out and may still run

	stagingMu sync.Mutex // held through a transfer
	staging   *Buffer    // nil until the first

	mu         sync.Mutex
	incoherent map[*Buffer]struct{} // mapped buffers that need flushing
}

// Open opens the device. The error is a *ResultError, or says what a kernel
// cannot do without and the device lacks.
func (p *PhysicalDevice) Open(o DeviceOptions) (*Device, error) {
	if vk.Version(p.c.api) < vk.Version(vk.MakeVersion(1, 1, 0)) {
		return nil, fmt.Errorf("device %s has Vulkan %s, 1.1 is needed", p.caps.Name, p.caps.APIVersion)
	}
	if p.c.has_compute == 0 {
		return nil, fmt.Errorf("device %s has no compute queue", p.caps.Name)
	}
	statistics := o.Statistics && p.caps.Features.PipelineExecutableProperties
	d := &Device{
		instance:   p.instance,
		caps:       p.caps,
		memory:     memoryTypes(p.c),
		family:     p.c.family,
		cacheFile:  o.CacheFile,
		statistics: statistics,
		incoherent: map[*Buffer]struct{}{},
	}
	var c *C.vkrt_device
	result := C.vkrt_device_create(p.c, cBool(o.Robust), cBool(statistics), &c)
	if err := check("vkCreateDevice", vk.Result(result)); err != nil {
		return nil, err
	}
	d.c = c
	var queue vk.Queue
	vk.GetDeviceQueue(d.handle(), uint32(d.family), 0, &queue)
	d.queue = queue
	if err := d.openCache(); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// Caps returns the capabilities of the device.
func (d *Device) Caps() Caps { return d.caps }

func (d *Device) handle() vk.Device { return vk.Device(unsafe.Pointer(d.c.handle)) }

// Close destroys the device. Whatever was made from it must be closed before.
//
// After a *TimeoutError nothing may be destroyed: drivers block in DestroyDevice
// until the hung dispatch ends, which is never. Close, here and on every object of
// the device, then does nothing, and the process should exit: the kernel driver
// cleans up after it.
func (d *Device) Close() {
	if d.c == nil || d.wedged.Load() {
		return
	}
	if d.staging != nil {
		d.staging.Close()
	}
	vk.DestroyPipelineCache(d.handle(), d.cache, nil)
	vk.DestroyDevice(d.handle(), nil)
	C.free(unsafe.Pointer(d.c))
	d.c = nil
}

func cBool(b bool) C.int {
	if b {
		return 1
	}
	return 0
}
