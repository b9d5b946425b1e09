package plugins

// A Device is what one Vulkan physical device says of itself. Its JSON is the document that
// `krisptune devices --json` prints, and the form in which it crosses the wire.
type Device struct {
	Index         int      `json:"index"`
	Name          string   `json:"name"`
	VendorID      uint32   `json:"vendor_id"`
	Vendor        string   `json:"vendor"`
	DeviceID      uint32   `json:"device_id"`
	DriverID      uint32   `json:"driver_id"`
	DriverName    string   `json:"driver_name"`
	DriverInfo    string   `json:"driver_info"`
	DriverVersion string   `json:"driver_version"`
	APIVersion    string   `json:"api_version"`
	Type          string   `json:"type"` // discrete, integrated, virtual, cpu, other
	UUID          string   `json:"uuid"`
	Limits        Limits   `json:"limits"`
	Memory        Memory   `json:"memory"`
	Features      Features `json:"features"`
	Coopmat       Coopmat  `json:"coopmat"`
}

// Limits bound what a kernel may ask for. Sizes are bytes; the period is nanoseconds a tick.
type Limits struct {
	SharedMemory        int64     `json:"shared_memory"`
	MaxInvocations      int64     `json:"max_invocations"`
	MaxWorkgroupSize    [3]uint32 `json:"max_workgroup_size"`
	MaxWorkgroupCount   [3]uint32 `json:"max_workgroup_count"`
	PushConstantBytes   int64     `json:"push_constant_bytes"`
	BufferAlignment     int64     `json:"buffer_alignment"`
	MaxBufferRange      int64     `json:"max_buffer_range"`
	MaxAllocation       int64     `json:"max_allocation"`
	SubgroupSize        uint32    `json:"subgroup_size"`
	SubgroupMin         uint32    `json:"subgroup_min"`
	SubgroupMax         uint32    `json:"subgroup_max"`
	SubgroupSizeControl bool      `json:"subgroup_size_control"`
	TimestampBits       uint32    `json:"timestamp_bits"`
	TimestampPeriod     float64   `json:"timestamp_period"`
}

// Memory describes the heaps. Unified means that every device-local type is host-visible.
type Memory struct {
	Unified bool   `json:"unified"`
	Heaps   []Heap `json:"heaps"`
}

// A Heap is one memory heap; Size is bytes.
type Heap struct {
	Size        int64 `json:"size"`
	DeviceLocal bool  `json:"device_local"`
}

// Features is the capability map: each is set only where extension and feature bit agree.
type Features struct {
	Float16            bool `json:"float16"`
	Float64            bool `json:"float64"`
	Int8               bool `json:"int8"`
	Int16              bool `json:"int16"`
	Int64              bool `json:"int64"`
	Storage16          bool `json:"storage16"`
	Storage8           bool `json:"storage8"`
	IntegerDotProduct  bool `json:"integer_dot_product"`
	BFloat16           bool `json:"bfloat16"`
	PipelineStatistics bool `json:"pipeline_statistics"`
	PipelineRobustness bool `json:"pipeline_robustness"`
	HostQueryReset     bool `json:"host_query_reset"`
}

// Coopmat shows the three parts of cooperative-matrix support. Usable needs all of them: the
// extension, its feature bit, and a listed shape.
type Coopmat struct {
	Extension bool     `json:"extension"`
	Feature   bool     `json:"feature"`
	Shapes    []string `json:"shape"` // "16x16x16 f16*f16+f32"
	Usable    bool     `json:"usable"`
}

// LimitNames are the names under which a constraint may use the device's limits.
var LimitNames = []string{"max_shared_memory", "max_invocations", "max_workgroup_size_x",
	"max_push_constant_bytes", "subgroup_size"}

// LimitValues gives the device's value for each of LimitNames.
func (d Device) LimitValues() map[string]Value {
	return map[string]Value{
		"max_shared_memory":       d.Limits.SharedMemory,
		"max_invocations":         d.Limits.MaxInvocations,
		"max_workgroup_size_x":    int64(d.Limits.MaxWorkgroupSize[0]),
		"max_push_constant_bytes": d.Limits.PushConstantBytes,
		"subgroup_size":           int64(d.Limits.SubgroupSize),
	}
}
