package runner

import (
	"context"
	"fmt"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/vkrt"
)

// Devices implements plugins.Runner.
func (r *Runner) Devices(context.Context) ([]plugins.Device, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	physical, err := r.physicalDevices(r.validates)
	if err != nil {
		return nil, err
	}
	var out []plugins.Device
	for i, p := range physical {
		out = append(out, describe(i, p.Caps()))
	}
	return out, nil
}

// physicalDevices opens an instance, or another one where validation differs.
func (r *Runner) physicalDevices(validate bool) ([]*vkrt.PhysicalDevice, error) {
	if r.instance != nil && r.validates != validate {
		r.instance.Close()
		r.instance = nil
	}
	if r.instance == nil {
		instance, err := vkrt.NewInstance(vkrt.Options{Validate: validate})
		if err != nil {
			return nil, err
		}
		r.instance, r.validates = instance, validate
	}
	return r.instance.PhysicalDevices()
}

// describe writes every field in the vocabulary's form.
func describe(index int, c vkrt.Caps) plugins.Device {
	d := plugins.Device{
		Index: index, Name: c.Name, VendorID: c.VendorID, Vendor: c.VendorName, DeviceID: c.DeviceID,
		DriverID: uint32(c.DriverID), DriverName: c.DriverName, DriverInfo: c.DriverInfo, DriverVersion: c.DriverVersion,
		APIVersion: c.APIVersion, Type: c.Type, UUID: c.DeviceUUID,
		Limits: plugins.Limits{
			SharedMemory:        int64(c.Limits.SharedMemory),
			MaxInvocations:      int64(c.Limits.MaxInvocations),
			MaxWorkgroupSize:    c.Limits.MaxWorkgroupSize,
			MaxWorkgroupCount:   c.Limits.MaxWorkgroupCount,
			PushConstantBytes:   int64(c.Limits.PushConstantBytes),
			BufferAlignment:     int64(c.Limits.StorageBufferAlignment),
			MaxBufferRange:      c.Limits.MaxStorageBufferRange,
			MaxAllocation:       c.Limits.MaxMemoryAllocation,
			SubgroupSize:        uint32(c.Limits.SubgroupSize),
			SubgroupMin:         uint32(c.Limits.SubgroupMin),
			SubgroupMax:         uint32(c.Limits.SubgroupMax),
			SubgroupSizeControl: c.Limits.RequiredSubgroupSizeCompute,
			TimestampBits:       c.Limits.TimestampValidBits,
			TimestampPeriod:     c.Limits.TimestampPeriod,
		},
		Memory: plugins.Memory{Unified: c.Memory.Unified},
		Features: plugins.Features{
			Float16: c.Features.Float16, Float64: c.Features.Float64,
			Int8: c.Features.Int8, Int16: c.Features.Int16, Int64: c.Features.Int64,
			Storage16: c.Features.Storage16, Storage8: c.Features.Storage8,
			IntegerDotProduct:  c.Features.IntegerDotProduct,
			BFloat16:           c.Features.BFloat16,
			PipelineStatistics: c.Features.PipelineExecutableProperties,
			PipelineRobustness: c.Features.PipelineRobustness,
			HostQueryReset:     c.Features.HostQueryReset,
		},
		Coopmat: plugins.Coopmat{Extension: c.Coopmat.Extension, Feature: c.Coopmat.Feature, Usable: c.Coopmat.Usable},
	}
	for _, h := range c.Memory.Heaps {
		d.Memory.Heaps = append(d.Memory.Heaps, plugins.Heap{Size: h.Size, DeviceLocal: h.DeviceLocal})
	}
	for _, s := range c.Coopmat.Shapes {
		text := fmt.Sprintf("%dx%dx%d %s*%s+%s", s.M, s.N, s.K, s.A, s.B, s.C)
		if s.Result != s.C {
			text += "=" + s.Result
		}
		if s.Scope != "subgroup" {
			text += " " + s.Scope
		}
		d.Coopmat.Shapes = append(d.Coopmat.Shapes, text)
	}
	return d
}
