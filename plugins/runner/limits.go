package runner

import (
	"fmt"

	"github.com/krisptune/krisptune/plugins"
	"github.com/krisptune/krisptune/plugins/runner/launch"
	"github.com/krisptune/krisptune/vkrt"
)

// withinLimits says which limit of the device a build exceeds, and by what.
func withinLimits(caps vkrt.Caps, b plugins.Build) error {
	limits := caps.Limits
	for _, buf := range b.Buffers {
		if buf.Size() > limits.MaxStorageBufferRange {
			return fmt.Errorf("buffer %q has %d bytes, device limit is %d", buf.Name, buf.Size(), limits.MaxStorageBufferRange)
		}
		if limits.MaxMemoryAllocation > 0 && buf.Size()+2*launch.Band > limits.MaxMemoryAllocation {
			return fmt.Errorf("buffer %q has %d bytes, the device allocates at most %d at once", buf.Name, buf.Size(), limits.MaxMemoryAllocation)
		}
	}
	for i, pass := range b.Passes {
		if err := passWithinLimits(limits, b, pass); err != nil {
			return fmt.Errorf("pass %d, module %s: %w", i, b.Modules[pass.Module].Name, err)
		}
	}
	return nil
}

func passWithinLimits(limits vkrt.Limits, b plugins.Build, pass plugins.Pass) error {
	for axis, n := range pass.Grid {
		if n > limits.MaxWorkgroupCount[axis] {
			return fmt.Errorf("grid %dx%dx%d, device limit is %d on axis %d",
				pass.Grid[0], pass.Grid[1], pass.Grid[2], limits.MaxWorkgroupCount[axis], axis)
		}
	}
	if len(pass.Push) > limits.PushConstantBytes {
		return fmt.Errorf("%d bytes of push constants, device limit is %d", len(pass.Push), limits.PushConstantBytes)
	}
	if n := int(pass.SubgroupSize); n > 0 && (!limits.RequiredSubgroupSizeCompute || n < limits.SubgroupMin || n > limits.SubgroupMax) {
		return fmt.Errorf("subgroup size %d is required, the device allows %s", n, subgroupSizes(limits))
	}
	return nil
}

func subgroupSizes(l vkrt.Limits) string {
	if !l.RequiredSubgroupSizeCompute {
		return fmt.Sprintf("no choice (%d)", l.SubgroupSize)
	}
	return fmt.Sprintf("%d to %d", l.SubgroupMin, l.SubgroupMax)
}
