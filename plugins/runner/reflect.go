package runner

import (
	"encoding/binary"
	"fmt"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/vkrt"
	"github.com/krisptune/krisptune/vkrt/spirv"
)

// moduleWellFormed says where a pass and what its module says of itself disagree. Drivers take
// such a pipeline for granted, and may crash.
func moduleWellFormed(m *spirv.Module, pass plugins.Pass) error {
	var entry *spirv.EntryPoint
	for i := range m.EntryPoints {
		if e := &m.EntryPoints[i]; e.Name == pass.Entry && e.Compute {
			entry = e
		}
	}
	if entry == nil {
		return fmt.Errorf("the module has no compute entry point %q", pass.Entry)
	}
	for _, given := range pass.Spec {
		for _, c := range m.SpecConstants {
			if c.ID == given.ID && 8*len(given.Data) != c.Width {
				return fmt.Errorf("specialization constant %d (%s, %s) is given %d bytes, expected %d", c.ID, c.Name, c.Type, len(given.Data), c.Width/8)
			}
		}
	}
	if m.Push != nil && m.Push.Size > int64(len(pass.Push)) {
		return fmt.Errorf("the module declares %d bytes of push constants, the pass gives %d", m.Push.Size, len(pass.Push))
	}
	for _, want := range m.Bindings {
		if want.Kind != spirv.KindStorageBuffer {
			return fmt.Errorf("binding (%d, %d) is a %s, only storage buffers are bound", want.Set, want.Binding, want.Kind)
		}
		bound := false
		for _, have := range pass.Bindings {
			bound = bound || have.Set == want.Set && have.Binding == want.Binding
		}
		// A module with several entry points may not use this one here.
		if !bound && len(m.EntryPoints) == 1 {
			return fmt.Errorf("the module declares binding (%d, %d), the pass binds nothing there", want.Set, want.Binding)
		}
	}
	return nil
}

// moduleWithinLimits says which limit a module exceeds with the pass's specialization.
func moduleWithinLimits(caps vkrt.Caps, m *spirv.Module, pass plugins.Pass) error {
	for _, c := range m.Capabilities {
		if have, known := capability(caps, c.String()); known && !have {
			return fmt.Errorf("the module needs %s, which the device lacks", c)
		}
	}
	values := specValues(pass.Spec)
	size, err := m.LocalSize(pass.Entry, values)
	if err != nil {
		return err
	}
	limits := caps.Limits
	for axis, n := range size {
		if n > limits.MaxWorkgroupSize[axis] {
			return fmt.Errorf("workgroup %dx%dx%d, device limit is %d on axis %d", size[0], size[1], size[2], limits.MaxWorkgroupSize[axis], axis)
		}
	}
	// Each axis is within 32 bits and a limit that is at most that: no overflow in 64 bits
	// before the third factor, which is small on every device.
	if n := uint64(size[0]) * uint64(size[1]) * uint64(size[2]); n > uint64(limits.MaxInvocations) {
		return fmt.Errorf("workgroup %dx%dx%d = %d invocations, device limit is %d", size[0], size[1], size[2], n, limits.MaxInvocations)
	}
	shared, err := m.SharedMemory(values)
	if err != nil {
		return err
	}
	if shared > int64(limits.SharedMemory) {
		return fmt.Errorf("%d bytes of shared memory, device limit is %d", shared, limits.SharedMemory)
	}
	return nil
}

// capability is whether the device has the feature behind a SPIR-V capability; known is false
// for those that every device has or that nothing is known of.
func capability(caps vkrt.Caps, name string) (have, known bool) {
	f := caps.Features
	have, known = map[string]bool{
		"Float16":                  f.Float16,
		"Float64":                  f.Float64,
		"Int8":                     f.Int8,
		"Int16":                    f.Int16,
		"Int64":                    f.Int64,
		"StorageBuffer16BitAccess": f.Storage16,
		"StorageBuffer8BitAccess":  f.Storage8,
		"StoragePushConstant16":    f.Push16,
		"StoragePushConstant8":     f.Push8,
		"DotProduct":               f.IntegerDotProduct,
		"BFloat16TypeKHR":          f.BFloat16,
		"CooperativeMatrixKHR":     caps.Coopmat.Usable,
		"VulkanMemoryModel":        f.VulkanMemoryModel,
	}[name]
	return have, known
}

// specValues are specialization values as reflection takes them.
func specValues(spec []plugins.SpecConstant) map[uint32]uint64 {
	out := make(map[uint32]uint64, len(spec))
	for _, s := range spec {
		var bits [8]byte
		copy(bits[:], s.Data)
		out[s.ID] = binary.LittleEndian.Uint64(bits[:])
	}
	return out
}
