package vkrt

// Caps is what a device says about itself, and what bounds kernels on it.
type Caps struct {
	Name          string `json:"name"`
	VendorID      uint32 `json:"vendor_id"`
	VendorName    string `json:"vendor_name"`
	DeviceID      uint32 `json:"device_id"`
	DriverID      int    `json:"driver_id"` // VkDriverId; 0 when the driver gives none
	DriverName    string `json:"driver_name"`
	DriverInfo    string `json:"driver_info"`
	DriverVersion string `json:"driver_version"` // in the vendor's own scheme
	APIVersion    string `json:"api_version"`
	// Type is "discrete", "integrated", "virtual", "cpu" or "other".
	Type string `json:"type"`
	// UUIDs are 32 hexadecimal digits.
	DeviceUUID        string `json:"device_uuid"`
	DriverUUID        string `json:"driver_uuid"`
	PipelineCacheUUID string `json:"pipeline_cache_uuid"`

	Limits   Limits   `json:"limits"`
	Memory   Memory   `json:"memory"`
	Features Features `json:"features"`
	Coopmat  Coopmat  `json:"coopmat"`
}

// Limits bound every kernel on a device. Sizes are bytes.
type Limits struct {
	SharedMemory      int       `json:"shared_memory"`
	MaxInvocations    int       `json:"max_invocations"` // per workgroup
	MaxWorkgroupSize  [3]uint32 `json:"max_workgroup_size"`
	MaxWorkgroupCount [3]uint32 `json:"max_workgroup_count"`
	PushConstantBytes int       `json:"push_constant_bytes"`
	MaxDescriptorSets int       `json:"max_descriptor_sets"` // of one pipeline; set numbers are below it

	StorageBufferAlignment int   `json:"storage_buffer_alignment"` // of a bound offset
	MaxStorageBufferRange  int64 `json:"max_storage_buffer_range"`
	MaxBufferSize          int64 `json:"max_buffer_size"`       // 0: the driver does not say
	MaxMemoryAllocation    int64 `json:"max_memory_allocation"` // one allocation
	MaxAllocations         int   `json:"max_allocations"`       // vkrt makes one per buffer

	SubgroupSize int `json:"subgroup_size"`
	// SubgroupMin and SubgroupMax equal SubgroupSize where the driver gives no range.
	SubgroupMin         int  `json:"subgroup_min"`
	SubgroupMax         int  `json:"subgroup_max"`
	SubgroupSizeControl bool `json:"subgroup_size_control"`
	// RequiredSubgroupSizeCompute says that a compute pipeline may require a size
	// between SubgroupMin and SubgroupMax.
	RequiredSubgroupSizeCompute bool     `json:"required_subgroup_size_compute"`
	MaxSubgroupsPerWorkgroup    int      `json:"max_subgroups_per_workgroup"` // with a required size; 0 unknown
	SubgroupOperations          []string `json:"subgroup_operations"`         // those that compute shaders may use

	TimestampValidBits uint32  `json:"timestamp_valid_bits"` // 0: no timestamps
	TimestampPeriod    float64 `json:"timestamp_period"`     // nanoseconds per tick
}

// Memory says where buffers live.
type Memory struct {
	// Unified says that host and device share one memory, so staging gains nothing.
	Unified bool   `json:"unified"`
	Heaps   []Heap `json:"heaps"`
}

// A Heap is one pool of memory; Size is in bytes.
type Heap struct {
	Size        int64 `json:"size"`
	DeviceLocal bool  `json:"device_local"`
}

// Features are what kernels may use: each is on in every Device that has it.
type Features struct {
	Float16   bool `json:"float16"` // arithmetic, not only storage
	Float64   bool `json:"float64"`
	BFloat16  bool `json:"bfloat16"`
	Int8      bool `json:"int8"`
	Int16     bool `json:"int16"`
	Int64     bool `json:"int64"`
	Storage8  bool `json:"storage8"`  // in storage buffers
	Storage16 bool `json:"storage16"` // in storage buffers
	Push8     bool `json:"push8"`     // in push constants
	Push16    bool `json:"push16"`    // in push constants

	IntegerDotProduct bool `json:"integer_dot_product"`
	// IntegerDotProductAccelerated is about four 8-bit products packed in 32 bits, signed.
	IntegerDotProductAccelerated bool `json:"integer_dot_product_accelerated"`
	SubgroupExtendedTypes        bool `json:"subgroup_extended_types"`
	VulkanMemoryModel            bool `json:"vulkan_memory_model"`
	ScalarBlockLayout            bool `json:"scalar_block_layout"`
	// LocalSizeID says that a module may set its workgroup size by LocalSizeId
	// (maintenance4), as compilers for Vulkan 1.3 emit it.
	LocalSizeID bool `json:"local_size_id"`

	RobustBufferAccess           bool `json:"robust_buffer_access"`
	PipelineRobustness           bool `json:"pipeline_robustness"`
	PipelineExecutableProperties bool `json:"pipeline_executable_properties"`
	HostQueryReset               bool `json:"host_query_reset"`
}

// Coopmat is the state of VK_KHR_cooperative_matrix. The extension alone proves
// nothing: drivers list it with the feature bit off, or without shapes.
type Coopmat struct {
	Extension bool    `json:"extension"`
	Feature   bool    `json:"feature"`
	Shape     bool    `json:"shape"` // at least one is listed
	Shapes    []Shape `json:"shapes"`
	Usable    bool    `json:"usable"` // all three, and compute shaders may use it
}

// A Shape is one product D = A·B + C that the device does: A is M by K, B is K by N.
// Types are written as "f16", "f32", "bf16", "s8", "u32"; the scope is "subgroup",
// "workgroup" or "device".
type Shape struct {
	M          int    `json:"m"`
	N          int    `json:"n"`
	K          int    `json:"k"`
	A          string `json:"a"`
	B          string `json:"b"`
	C          string `json:"c"`
	Result     string `json:"result"`
	Scope      string `json:"scope"`
	Saturating bool   `json:"saturating"`
}
