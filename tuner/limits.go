package tuner

import (
	"encoding/binary"
	"fmt"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/vkrt/spirv"
)

// checkLimits says which limit of the device a build would break, if any. It reads the modules
// themselves: drivers compile kernels beyond their limits without a word (Honeykrisp does), so
// nothing illegal may reach them.
func checkLimits(b plugins.Build, d plugins.Device, reflect func(plugins.Module) (*spirv.Module, error)) error {
	l := d.Limits
	for _, buf := range b.Buffers {
		if buf.Size() > l.MaxBufferRange {
			return fmt.Errorf("buffer %s has %d bytes, device limit is %d", buf.Name, buf.Size(), l.MaxBufferRange)
		}
	}
	for _, p := range b.Passes {
		if p.Module < 0 || p.Module >= len(b.Modules) {
			return fmt.Errorf("a pass names module %d of %d", p.Module, len(b.Modules))
		}
		for i, g := range p.Grid {
			if g > l.MaxWorkgroupCount[i] {
				return fmt.Errorf("grid %dx%dx%d is above the device limit %dx%dx%d", p.Grid[0], p.Grid[1], p.Grid[2],
					l.MaxWorkgroupCount[0], l.MaxWorkgroupCount[1], l.MaxWorkgroupCount[2])
			}
		}
		if n := int64(len(p.Push)); n > l.PushConstantBytes {
			return fmt.Errorf("%d bytes of push constants, device limit is %d", n, l.PushConstantBytes)
		}
		if p.SubgroupSize > 0 && (!l.SubgroupSizeControl || p.SubgroupSize < l.SubgroupMin || p.SubgroupSize > l.SubgroupMax) {
			return fmt.Errorf("required subgroup size %d, the device offers %d to %d (control: %t)",
				p.SubgroupSize, l.SubgroupMin, l.SubgroupMax, l.SubgroupSizeControl)
		}
		m, err := reflect(b.Modules[p.Module])
		if err != nil {
			return err
		}
		values := specValues(p.Spec)
		size, err := m.LocalSize(p.Entry, values)
		if err != nil {
			return err
		}
		invocations := int64(1)
		for i, n := range size {
			if n == 0 || n > l.MaxWorkgroupSize[i] {
				return fmt.Errorf("workgroup %dx%dx%d, device limit is %dx%dx%d", size[0], size[1], size[2],
					l.MaxWorkgroupSize[0], l.MaxWorkgroupSize[1], l.MaxWorkgroupSize[2])
			}
			invocations *= int64(n)
		}
		if invocations > l.MaxInvocations {
			return fmt.Errorf("workgroup %dx%dx%d = %d invocations, device limit is %d", size[0], size[1], size[2], invocations, l.MaxInvocations)
		}
		shared, err := m.SharedMemory(values)
		if err != nil {
			return err
		}
		if shared > l.SharedMemory {
			return fmt.Errorf("%d bytes of shared memory, device limit is %d", shared, l.SharedMemory)
		}
	}
	return nil
}

// specValues widens specialization data to the form that reflection takes.
func specValues(spec []plugins.SpecConstant) map[uint32]uint64 {
	values := make(map[uint32]uint64, len(spec))
	for _, s := range spec {
		var wide [8]byte
		copy(wide[:], s.Data)
		values[s.ID] = binary.LittleEndian.Uint64(wide[:])
	}
	return values
}
