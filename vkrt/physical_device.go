package vkrt

// #include "calls.h"
import "C"

import (
	"encoding/hex"
	"fmt"
	"math"
	"unsafe"

	vk "github.com/vulkan-go/vulkan"
)

// A PhysicalDevice is one device of one driver, not yet opened.
type PhysicalDevice struct {
	c        *C.vkrt_physical
	instance *Instance
	caps     Caps
}

func queryPhysicalDevice(in *Instance, handle vk.PhysicalDevice) (*PhysicalDevice, error) {
	var c *C.vkrt_physical
	result := C.vkrt_physical_query(in.c, unsafe.Pointer(handle), &c)
	if err := check("vkEnumerateDeviceExtensionProperties", vk.Result(result)); err != nil {
		return nil, err
	}
	return &PhysicalDevice{c: c, instance: in, caps: readCaps(c)}, nil
}

func freePhysicalDevices(devices []*PhysicalDevice) {
	for _, p := range devices {
		C.vkrt_physical_free(p.c)
		p.c = nil
	}
}

// Caps returns what the device says about itself. The slices in it are shared.
func (p *PhysicalDevice) Caps() Caps { return p.caps }

func readCaps(p *C.vkrt_physical) Caps {
	core := &p.properties.core.properties
	driver := &p.properties.driver
	id := &p.properties.id
	c := Caps{
		Name:              goString(core.deviceName[:]),
		VendorID:          uint32(core.vendorID),
		VendorName:        vendorName(uint32(core.vendorID)),
		DeviceID:          uint32(core.deviceID),
		DriverID:          int(driver.driverID),
		DriverName:        goString(driver.driverName[:]),
		DriverInfo:        goString(driver.driverInfo[:]),
		DriverVersion:     driverVersion(int(driver.driverID), uint32(core.vendorID), uint32(core.driverVersion)),
		APIVersion:        vk.Version(core.apiVersion).String(),
		Type:              deviceType(uint32(core.deviceType)),
		DeviceUUID:        goHex(id.deviceUUID[:]),
		DriverUUID:        goHex(id.driverUUID[:]),
		PipelineCacheUUID: goHex(core.pipelineCacheUUID[:]),
		Limits:            readLimits(p),
		Features:          readFeatures(p),
		Coopmat:           readCoopmat(p),
	}
	c.Memory = readMemory(p, c.Type)
	return c
}

func readLimits(p *C.vkrt_physical) Limits {
	core := &p.properties.core.properties.limits
	subgroup := &p.properties.subgroup
	control := &p.properties.subgroup_size
	l := Limits{
		SharedMemory:           int(core.maxComputeSharedMemorySize),
		MaxInvocations:         int(core.maxComputeWorkGroupInvocations),
		PushConstantBytes:      int(core.maxPushConstantsSize),
		MaxDescriptorSets:      int(core.maxBoundDescriptorSets),
		StorageBufferAlignment: int(core.minStorageBufferOffsetAlignment),
		MaxStorageBufferRange:  int64(core.maxStorageBufferRange),
		MaxBufferSize:          clampSize(uint64(p.properties.maintenance4.maxBufferSize)),
		MaxMemoryAllocation:    clampSize(uint64(p.properties.maintenance3.maxMemoryAllocationSize)),
		MaxAllocations:         int(core.maxMemoryAllocationCount),
		SubgroupSize:           int(subgroup.subgroupSize),
		SubgroupMin:            int(control.minSubgroupSize),
		SubgroupMax:            int(control.maxSubgroupSize),
		SubgroupSizeControl:    p.features.subgroup_size.subgroupSizeControl != 0,

		MaxSubgroupsPerWorkgroup: int(control.maxComputeWorkgroupSubgroups),
		TimestampValidBits:       uint32(p.timestamp_bits),
		TimestampPeriod:          float64(core.timestampPeriod),
	}
	for i := range 3 {
		l.MaxWorkgroupSize[i] = uint32(core.maxComputeWorkGroupSize[i])
		l.MaxWorkgroupCount[i] = uint32(core.maxComputeWorkGroupCount[i])
	}
	if l.SubgroupMin == 0 || l.SubgroupMax == 0 { // old Honeykrisp reports zeros
		l.SubgroupMin, l.SubgroupMax = l.SubgroupSize, l.SubgroupSize
	}
	l.RequiredSubgroupSizeCompute = l.SubgroupSizeControl &&
		control.requiredSubgroupSizeStages&C.VK_SHADER_STAGE_COMPUTE_BIT != 0
	if subgroup.supportedStages&C.VK_SHADER_STAGE_COMPUTE_BIT != 0 {
		for i, name := range subgroupOperations {
			if subgroup.supportedOperations>>i&1 != 0 {
				l.SubgroupOperations = append(l.SubgroupOperations, name)
			}
		}
	}
	return l
}

// subgroupOperations are the bits of VkSubgroupFeatureFlags in order.
var subgroupOperations = []string{
	"basic", "vote", "arithmetic", "ballot", "shuffle", "shuffle_relative", "clustered", "quad",
}

func readMemory(p *C.vkrt_physical, kind string) Memory {
	m := Memory{Unified: true}
	for _, h := range p.memory.memoryHeaps[:p.memory.memoryHeapCount] {
		local := h.flags&C.VK_MEMORY_HEAP_DEVICE_LOCAL_BIT != 0
		m.Heaps = append(m.Heaps, Heap{Size: clampSize(uint64(h.size)), DeviceLocal: local})
		m.Unified = m.Unified && local
	}
	// Drivers of integrated devices may still list a heap that is not device-local.
	m.Unified = m.Unified || kind == "integrated" || kind == "cpu"
	return m
}

func readFeatures(p *C.vkrt_physical) Features {
	f := &p.features
	core := &f.core.features
	has := func(b C.VkBool32) bool { return b != 0 }
	return Features{
		Float16:                      has(f.float16_int8.shaderFloat16),
		Float64:                      has(core.shaderFloat64),
		BFloat16:                     has(f.bfloat16.shaderBFloat16Type),
		Int8:                         has(f.float16_int8.shaderInt8),
		Int16:                        has(core.shaderInt16),
		Int64:                        has(core.shaderInt64),
		Storage8:                     has(f.storage8.storageBuffer8BitAccess),
		Storage16:                    has(f.storage16.storageBuffer16BitAccess),
		Push8:                        has(f.storage8.storagePushConstant8),
		Push16:                       has(f.storage16.storagePushConstant16),
		IntegerDotProduct:            has(f.dot_product.shaderIntegerDotProduct),
		IntegerDotProductAccelerated: has(p.properties.dot_product.integerDotProduct4x8BitPackedSignedAccelerated),
		SubgroupExtendedTypes:        has(f.subgroup_types.shaderSubgroupExtendedTypes),
		VulkanMemoryModel:            has(f.memory_model.vulkanMemoryModel),
		ScalarBlockLayout:            has(f.scalar_layout.scalarBlockLayout),
		LocalSizeID:                  has(f.maintenance4.maintenance4),
		RobustBufferAccess:           has(core.robustBufferAccess),
		PipelineRobustness:           has(f.pipeline_robustness.pipelineRobustness),
		PipelineExecutableProperties: has(f.executables.pipelineExecutableInfo),
		HostQueryReset:               has(f.query_reset.hostQueryReset),
	}
}

func readCoopmat(p *C.vkrt_physical) Coopmat {
	name := []byte("VK_KHR_cooperative_matrix\x00")
	c := Coopmat{
		Extension: C.vkrt_physical_has(p, (*C.char)(unsafe.Pointer(&name[0]))) != 0,
		Feature:   p.features.coopmat.cooperativeMatrix != 0,
	}
	for _, s := range unsafe.Slice(p.shapes, p.shape_count) {
		c.Shapes = append(c.Shapes, Shape{
			M: int(s.MSize), N: int(s.NSize), K: int(s.KSize),
			A: componentType(uint32(s.AType)), B: componentType(uint32(s.BType)),
			C: componentType(uint32(s.CType)), Result: componentType(uint32(s.ResultType)),
			Scope:      scopeName(uint32(s.scope)),
			Saturating: s.saturatingAccumulation != 0,
		})
	}
	c.Shape = len(c.Shapes) > 0
	compute := p.properties.coopmat.cooperativeMatrixSupportedStages&C.VK_SHADER_STAGE_COMPUTE_BIT != 0
	c.Usable = c.Extension && c.Feature && c.Shape && compute
	return c
}

// componentType names a VkComponentTypeKHR.
func componentType(t uint32) string {
	names := []string{"f16", "f32", "f64", "s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64"}
	switch {
	case t < uint32(len(names)):
		return names[t]
	case t == 1000141000:
		return "bf16"
	case t == 1000491002:
		return "f8e4m3"
	case t == 1000491003:
		return "f8e5m2"
	}
	return fmt.Sprintf("component %d", t)
}

// scopeName names a VkScopeKHR.
func scopeName(s uint32) string {
	switch s {
	case 1:
		return "device"
	case 2:
		return "workgroup"
	case 3:
		return "subgroup"
	case 5:
		return "queue family"
	}
	return fmt.Sprintf("scope %d", s)
}

func deviceType(t uint32) string {
	switch vk.PhysicalDeviceType(t) {
	case vk.PhysicalDeviceTypeDiscreteGpu:
		return "discrete"
	case vk.PhysicalDeviceTypeIntegratedGpu:
		return "integrated"
	case vk.PhysicalDeviceTypeVirtualGpu:
		return "virtual"
	case vk.PhysicalDeviceTypeCpu:
		return "cpu"
	}
	return "other"
}

// clampSize keeps sizes that drivers give as "no limit" inside an int64.
func clampSize(n uint64) int64 { return int64(min(n, math.MaxInt64)) }

func goHex(b []C.uint8_t) string {
	return hex.EncodeToString(unsafe.Slice((*byte)(&b[0]), len(b)))
}
