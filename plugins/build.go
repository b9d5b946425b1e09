package plugins

import (
	"crypto/sha256"
	"encoding/hex"
)

// A Build is everything that a runner needs to launch one configuration on one problem.
type Build struct {
	Modules []Module
	Buffers []Buffer
	Passes  []Pass
	// Reference says what the outputs should be.
	Reference Reference
	// Flops counts floating-point operations, a multiply-add as two.
	Flops float64
	// Bytes counts compulsory traffic: each input read once, each output written once.
	Bytes float64
}

// A Module is one SPIR-V module.
type Module struct {
	Name  string // for people: "matmul_f32"
	SPIRV []byte
}

// SHA256 is the hexadecimal hash of the module's bytes.
func (m Module) SHA256() string {
	h := sha256.Sum256(m.SPIRV)
	return hex.EncodeToString(h[:])
}

// An ElementType is the storage type of a buffer's elements.
type ElementType string

const (
	F32  ElementType = "f32"
	F16  ElementType = "f16"
	BF16 ElementType = "bf16"
	I32  ElementType = "i32"
	U32  ElementType = "u32"
	I8   ElementType = "i8"
	U8   ElementType = "u8"
)

// Size is the bytes of one element, 0 for an unknown type.
func (t ElementType) Size() int64 {
	switch t {
	case F32, I32, U32:
		return 4
	case F16, BF16:
		return 2
	case I8, U8:
		return 1
	}
	return 0
}

// A Role says who writes a buffer.
type Role string

const (
	Input   Role = "input"   // must be unchanged afterwards
	Output  Role = "output"  // every element must be written
	InOut   Role = "inout"   // read, then written
	Scratch Role = "scratch" // contents are nobody's business between passes of one launch
)

// A Buffer is exactly as large as the problem says: Elements times the size of Type.
type Buffer struct {
	Name     string
	Type     ElementType
	Elements int64
	Role     Role
	// Rows, if positive, is the length of the fastest-varying dimension: evidence then names
	// row and column of an element rather than its index alone.
	Rows int64
}

// Size is the buffer's bytes.
func (b Buffer) Size() int64 { return b.Elements * b.Type.Size() }

// A Pass is one dispatch. Passes run in order with a full barrier between them.
type Pass struct {
	Module   int // index into Build.Modules
	Entry    string
	Spec     []SpecConstant
	Bindings []Binding
	Push     []byte
	Grid     [3]uint32 // workgroups
	// SubgroupSize, if positive, is required of the pipeline.
	SubgroupSize uint32
}

// A SpecConstant sets every constant of the module that ID decorates. Data is the value's
// bytes, little-endian: 1, 2, 4 or 8 of them; a bool is a 4-byte VkBool32.
type SpecConstant struct {
	ID   uint32
	Data []byte
}

// A Binding puts buffer number Buffer at a descriptor.
type Binding struct {
	Set, Binding uint32
	Buffer       int // index into Build.Buffers
}

// A Reference names the operation that the outputs must equal.
type Reference struct {
	// Op is an operation of plugins/reference ("matmul"); empty means that the family
	// computes it (FamilyWithReference).
	Op string
	// Args are the operation's arguments: sizes, layouts.
	Args map[string]Value
	// Operands maps the operation's names for its tensors to buffer names.
	Operands map[string]string
}
