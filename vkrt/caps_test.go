package vkrt_test

import (
	"encoding/json"
	"testing"

	"github.com/krisptune/krisptune/vkrt"
	"github.com/krisptune/krisptune/vkrt/vkrttest"
)

func TestCaps(t *testing.T) {
	in, _ := vkrttest.OpenIn(t, vkrt.Options{}, vkrt.DeviceOptions{})
	devices := must[[]*vkrt.PhysicalDevice](t)(in.PhysicalDevices())
	for _, p := range devices {
		c := p.Caps()
		t.Logf("%s", must[[]byte](t)(json.MarshalIndent(c, "", "  ")))
		if c.Name == "" || len(c.PipelineCacheUUID) != 32 || len(c.DeviceUUID) != 32 {
			t.Errorf("name %q, UUIDs %q and %q", c.Name, c.PipelineCacheUUID, c.DeviceUUID)
		}
		// The least that Vulkan 1.0 requires of every device.
		l := c.Limits
		if l.SharedMemory < 16384 || l.MaxInvocations < 128 || l.PushConstantBytes < 128 ||
			l.MaxStorageBufferRange < 1<<27 || l.MaxWorkgroupCount[2] < 65535 || l.MaxAllocations < 4096 {
			t.Errorf("limits below the required ones: %+v", l)
		}
		if l.SubgroupMin > l.SubgroupSize || l.SubgroupSize > l.SubgroupMax {
			t.Errorf("subgroup size %d is not in %d to %d", l.SubgroupSize, l.SubgroupMin, l.SubgroupMax)
		}
		if len(c.Memory.Heaps) == 0 || c.Memory.Heaps[0].Size <= 0 {
			t.Errorf("heaps %+v", c.Memory.Heaps)
		}
		m := c.Coopmat
		if m.Usable && !(m.Extension && m.Feature && m.Shape) || m.Shape != (len(m.Shapes) > 0) {
			t.Errorf("cooperative matrix %+v", m)
		}
	}
}

func TestRobustAndStatistics(t *testing.T) {
	d := vkrttest.Open(t, vkrt.DeviceOptions{Robust: true, Statistics: true})
	m := must[*vkrt.Module](t)(d.NewModule(axpySPIRV))
	defer m.Close()
	p := must[*vkrt.Pipeline](t)(d.NewPipeline(vkrt.PipelineInfo{Module: m, Entry: "main", Bindings: axpyBindings, PushBytes: 8}))
	defer p.Close()
	statistics := must[[]vkrt.Statistic](t)(p.Statistics())
	if has := d.Caps().Features.PipelineExecutableProperties; has != (len(statistics) > 0) {
		t.Errorf("%d statistics, the driver has them: %v", len(statistics), has)
	}
	for _, s := range statistics {
		if s.Name == "" {
			t.Errorf("statistic without a name: %+v", s)
		}
		t.Logf("%s: %g (%s)", s.Name, s.Value, s.Description)
	}
}
