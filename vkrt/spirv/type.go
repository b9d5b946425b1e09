package spirv

import "fmt"

type kind int

const (
	kindOther kind = iota // void, function, opaque: never inside of what is read here
	kindBool
	kindInt
	kindFloat
	kindVector
	kindMatrix
	kindArray
	kindRuntimeArray
	kindStruct
	kindPointer
	kindImage
	kindSampler
	kindSampledImage
	kindAccelStructure
	kindCoopmat
)

// A typ is an OpType with the decorations that bear on layout.
type typ struct {
	id       uint32
	kind     kind
	width    uint32 // bits of a number
	signed   bool
	bfloat   bool
	elem     *typ   // of vector, matrix (a column), arrays
	count    uint32 // of vector and matrix
	length   uint32 // the constant that is an array's length
	stride   uint32 // ArrayStride; 0: none
	members  []member
	name     string
	block    bool
	buffer   bool // BufferBlock: a storage buffer before SPIR-V 1.3
	storage  uint32
	pointee  uint32
	dim      uint32 // of an image
	sampled  uint32 // of an image: 1 sampled, 2 storage
	depth    int    // of nesting
	text     string // of a struct: its name may be long, and is used often
	declared bool   // by OpTypeForwardPointer only
}

// A member is a member of a struct, with its decorations.
type member struct {
	typ  *typ
	name string
	decorations
}

// maxNesting is the specification's limit for structs (2.17, universal limits).
const maxNesting = 255

func isTypeOp(op uint32) bool {
	return opTypeVoid <= op && op <= opTypeForwardPointer || op == opTypeCoopmatKHR || op == opTypeAccelStructure
}

func (p *parser) typeInstruction(in instruction) error {
	if err := in.need(1); err != nil {
		return err
	}
	t := &typ{id: in.args[0], name: p.names[in.args[0]]}
	if in.op == opTypeStruct {
		t.text = "struct " + t.name
	}
	if in.op == opTypeForwardPointer {
		p.types[t.id] = &typ{id: t.id, kind: kindPointer, storage: storagePhysicalBuffer, declared: true}
		return nil
	}
	if before := p.types[t.id]; before != nil && !before.declared {
		return in.fail("type %%%d is defined twice", t.id)
	}
	if err := p.fill(t, in); err != nil {
		return err
	}
	if t.depth > maxNesting {
		return in.fail("types are nested deeper than %d", maxNesting)
	}
	p.types[t.id] = t
	return nil
}

func (p *parser) fill(t *typ, in instruction) error {
	d := p.decorations[t.id]
	t.stride, t.block, t.buffer = d.arrayStride, d.block, d.bufferBlock
	need := map[uint32]int{opTypeInt: 3, opTypeFloat: 2, opTypeVector: 3, opTypeMatrix: 3, opTypeArray: 3,
		opTypeRuntimeArray: 2, opTypePointer: 3, opTypeImage: 8}[in.op]
	if err := in.need(need); err != nil {
		return err
	}
	switch in.op {
	case opTypeBool:
		t.kind = kindBool
	case opTypeInt, opTypeFloat:
		t.kind, t.width = kindInt, in.args[1]
		if t.width != 8 && t.width != 16 && t.width != 32 && t.width != 64 {
			return in.fail("number type of %d bits", t.width)
		}
		if in.op == opTypeFloat {
			t.kind = kindFloat
			t.bfloat = t.width == 16 && len(in.args) > 2 && in.args[2] == encodingBFloat16
		} else {
			t.signed = in.args[2] != 0
		}
	case opTypeVector, opTypeMatrix:
		t.kind, t.count = kindVector, in.args[2]
		if in.op == opTypeMatrix {
			t.kind = kindMatrix
		}
		if t.count < 2 || t.count > 16 {
			return in.fail("vector or matrix of %d components, want 2 to 16", t.count)
		}
	case opTypeArray:
		t.kind, t.length = kindArray, in.args[2]
	case opTypeRuntimeArray:
		t.kind = kindRuntimeArray
	case opTypePointer:
		t.kind, t.storage, t.pointee = kindPointer, in.args[1], in.args[2]
	case opTypeImage:
		t.kind, t.dim, t.sampled = kindImage, in.args[2], in.args[6]
	case opTypeSampler:
		t.kind = kindSampler
	case opTypeSampledImage:
		t.kind = kindSampledImage
	case opTypeAccelStructure:
		t.kind = kindAccelStructure
	case opTypeCoopmatKHR:
		t.kind = kindCoopmat
	case opTypeStruct:
		t.kind = kindStruct
		return p.fillStruct(t, in)
	}
	switch t.kind {
	case kindVector, kindMatrix, kindArray, kindRuntimeArray:
		t.elem = p.types[in.args[1]]
		if t.elem == nil {
			return in.fail("type %%%d is made of type %%%d, which is not defined before", t.id, in.args[1])
		}
		scalar := t.elem.kind == kindBool || t.elem.kind == kindInt || t.elem.kind == kindFloat
		if t.kind == kindVector && !scalar || t.kind == kindMatrix && t.elem.kind != kindVector {
			return in.fail("vector or matrix %%%d of type %s", t.id, t.elem)
		}
		t.depth = t.elem.depth + 1
	}
	return nil
}

func (p *parser) fillStruct(t *typ, in instruction) error {
	for i, id := range in.args[1:] {
		elem := p.types[id]
		if elem == nil {
			return in.fail("struct %%%d has a member of type %%%d, which is not defined before", t.id, id)
		}
		key := memberKey{t.id, uint32(i)}
		t.members = append(t.members, member{typ: elem, name: p.memberNames[key], decorations: p.memberDecs[key]})
		t.depth = max(t.depth, elem.depth+1)
	}
	return nil
}

// String names a type as "f32", "vec4<f16>", "mat3x2<f32>", "u8" or "struct NAME";
// arrays as their element's name and "[]".
func (t *typ) String() string {
	switch t.kind {
	case kindBool:
		return "bool"
	case kindInt:
		if t.signed {
			return fmt.Sprintf("i%d", t.width)
		}
		return fmt.Sprintf("u%d", t.width)
	case kindFloat:
		if t.bfloat {
			return "bf16"
		}
		return fmt.Sprintf("f%d", t.width)
	case kindVector:
		return fmt.Sprintf("vec%d<%s>", t.count, t.elem)
	case kindMatrix:
		return fmt.Sprintf("mat%dx%d<%s>", t.count, t.elem.count, t.elem.elem)
	case kindArray, kindRuntimeArray:
		for t.kind == kindArray || t.kind == kindRuntimeArray {
			t = t.elem
		}
		return t.String() + "[]"
	case kindStruct:
		return t.text
	case kindPointer:
		return "pointer"
	case kindCoopmat:
		return "coopmat"
	}
	return "opaque"
}
