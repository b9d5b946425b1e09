package vkrt

// #include "calls.h"
import "C"

import (
	"fmt"
	"math"
	"time"
	"unsafe"

	vk "github.com/vulkan-go/vulkan"
)

// Timestamps are slots that a Recorder writes the device's clock into.
type Timestamps struct {
	d     *Device
	pool  vk.QueryPool
	count uint32
	// reset is the recorded reset for drivers that cannot do it from the host.
	reset *Recorder
}

// NewTimestamps makes n slots, ready to be written. The device must have
// TimestampValidBits.
func (d *Device) NewTimestamps(n uint32) (*Timestamps, error) {
	if d.caps.Limits.TimestampValidBits == 0 {
		return nil, fmt.Errorf("device %s has no timestamps", d.caps.Name)
	}
	if n == 0 {
		return nil, fmt.Errorf("0 timestamps, at least 1 is needed")
	}
	var pool unsafe.Pointer
	result := C.vkrt_query_pool_create(d.c, C.uint32_t(n), &pool)
	if err := check("vkCreateQueryPool", vk.Result(result)); err != nil {
		return nil, err
	}
	t := &Timestamps{d: d, pool: vk.QueryPool(pool), count: n}
	err := error(nil)
	if d.c.ResetQueryPool == nil {
		err = t.recordReset()
	}
	if err == nil {
		err = t.Reset()
	}
	if err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

func (t *Timestamps) recordReset() error {
	r, err := t.d.NewRecorder()
	if err != nil {
		return err
	}
	t.reset = r
	if err := r.Begin(); err != nil {
		return err
	}
	vk.CmdResetQueryPool(r.buffer, t.pool, 0, t.count)
	return r.End()
}

// Reset makes all slots ready to be written again. It resets from the host: a
// reset on the device is a dispatch of its own on some drivers, so where the host
// cannot, it is a submit of its own, outside of any interval.
func (t *Timestamps) Reset() error {
	if t.reset != nil {
		return t.d.Submit(t.reset, transferDeadline)
	}
	C.vkrt_query_pool_reset(t.d.c, unsafe.Pointer(t.pool), C.uint32_t(t.count))
	return nil
}

// Read returns all slots, in ticks. When one was not written since Reset the error
// is a *ResultError of VK_NOT_READY.
func (t *Timestamps) Read() ([]uint64, error) {
	ticks := make([]uint64, t.count)
	result := vk.GetQueryPoolResults(t.d.handle(), t.pool, 0, t.count, uint(8*t.count),
		unsafe.Pointer(&ticks[0]), 8, vk.QueryResultFlags(vk.QueryResult64Bit))
	if err := check("vkGetQueryPoolResults", result); err != nil {
		return nil, err
	}
	return ticks, nil
}

// Close frees the slots. No submitted command may still write them.
func (t *Timestamps) Close() {
	if t.d.wedged.Load() {
		return
	}
	if t.reset != nil {
		t.reset.Close()
	}
	vk.DestroyQueryPool(t.d.handle(), t.pool, nil)
	t.pool = vk.NullQueryPool
}

// Elapsed is the time between two timestamps of which validBits count, period
// nanoseconds a tick. A counter that wrapped around once between them is right; one
// that wrapped more often cannot be told.
func Elapsed(start, end uint64, validBits uint32, period float64) time.Duration {
	ticks := end - start
	if validBits < 64 {
		ticks &= 1<<validBits - 1
	}
	ns := math.Round(float64(ticks) * period)
	if ns >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(ns)
}
