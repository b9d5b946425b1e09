package spirv

import "fmt"

// A Capability is a SPIR-V capability that the module declares.
type Capability uint32

// String is the specification's name, or the number for those that compute kernels
// do not have.
func (c Capability) String() string {
	if name, ok := capabilityNames[c]; ok {
		return name
	}
	return fmt.Sprintf("Capability(%d)", uint32(c))
}

var capabilityNames = map[Capability]string{
	0: "Matrix", 1: "Shader", 9: "Float16", 10: "Float64", 11: "Int64", 12: "Int64Atomics", 22: "Int16", 39: "Int8",
	25: "ImageGatherExtended", 43: "Sampled1D", 44: "Image1D", 46: "SampledBuffer", 47: "ImageBuffer",
	50: "ImageQuery", 55: "StorageImageReadWithoutFormat", 56: "StorageImageWriteWithoutFormat",
	61: "GroupNonUniform", 62: "GroupNonUniformVote", 63: "GroupNonUniformArithmetic", 64: "GroupNonUniformBallot",
	65: "GroupNonUniformShuffle", 66: "GroupNonUniformShuffleRelative", 67: "GroupNonUniformClustered",
	68:   "GroupNonUniformQuad",
	4428: "WorkgroupMemoryExplicitLayoutKHR", 4429: "WorkgroupMemoryExplicitLayout8BitAccessKHR",
	4430: "WorkgroupMemoryExplicitLayout16BitAccessKHR",
	4433: "StorageBuffer16BitAccess", 4434: "UniformAndStorageBuffer16BitAccess", 4435: "StoragePushConstant16",
	4436: "StorageInputOutput16", 4441: "VariablePointersStorageBuffer", 4442: "VariablePointers",
	4448: "StorageBuffer8BitAccess", 4449: "UniformAndStorageBuffer8BitAccess", 4450: "StoragePushConstant8",
	4464: "DenormPreserve", 4465: "DenormFlushToZero", 4466: "SignedZeroInfNanPreserve", 4467: "RoundingModeRTE",
	4468: "RoundingModeRTZ", 5055: "ShaderClockKHR",
	5116: "BFloat16TypeKHR", 5117: "BFloat16DotProductKHR", 5118: "BFloat16CooperativeMatrixKHR",
	5301: "ShaderNonUniform", 5302: "RuntimeDescriptorArray",
	5345: "VulkanMemoryModel", 5346: "VulkanMemoryModelDeviceScope", 5347: "PhysicalStorageBufferAddresses",
	5357: "CooperativeMatrixNV", 5612: "AtomicFloat32MinMaxEXT", 5613: "AtomicFloat64MinMaxEXT",
	5616: "AtomicFloat16MinMaxEXT",
	6016: "DotProductInputAll", 6017: "DotProductInput4x8Bit", 6018: "DotProductInput4x8BitPacked", 6019: "DotProduct",
	6022: "CooperativeMatrixKHR", 6026: "GroupNonUniformRotateKHR",
	6033: "AtomicFloat32AddEXT", 6034: "AtomicFloat64AddEXT", 6095: "AtomicFloat16AddEXT",
}
