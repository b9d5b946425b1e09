package spirv

import "fmt"

// A SpecConstant is a constant that a pipeline may give a value.
type SpecConstant struct {
	// ID is the SpecId. Several constants may share one, with types and defaults of
	// their own; each is listed.
	ID      uint32
	Name    string
	Type    string // "bool", "i32", "u16", "f32", ...
	Width   int    // bits of the value that Vulkan takes: 32 for a bool
	Signed  bool
	Float   bool
	Bool    bool
	Default uint64 // its bits, zero-extended; 0 or 1 for a bool
}

// A constant is one constant instruction as it stands.
type constant struct {
	instruction
	id   uint32
	typ  *typ
	spec *uint32 // SpecId
}

func isConstantOp(op uint32) bool { return opConstantTrue <= op && op <= opSpecConstantOp }

func (p *parser) constantInstruction(in instruction) error {
	if err := in.need(2); err != nil {
		return err
	}
	c := constant{instruction: in, id: in.args[1], typ: p.types[in.args[0]]}
	if c.typ == nil {
		return in.fail("constant %%%d has type %%%d, which is not defined before", c.id, in.args[0])
	}
	if _, twice := p.varies[c.id]; twice {
		return in.fail("constant %%%d is defined twice", c.id)
	}
	switch in.op {
	case opConstant, opSpecConstant:
		if c.typ.kind != kindInt && c.typ.kind != kindFloat {
			return in.fail("constant %%%d of type %s has a number for its value", c.id, c.typ)
		}
		if err := in.need(2 + int(c.typ.width+31)/32); err != nil {
			return err
		}
	case opSpecConstantTrue, opSpecConstantFalse:
		if c.typ.kind != kindBool {
			return in.fail("constant %%%d of type %s is true or false", c.id, c.typ)
		}
	case opSpecConstantOp:
		if err := in.need(4); err != nil {
			return err
		}
	}
	switch in.op {
	case opSpecConstantTrue, opSpecConstantFalse, opSpecConstant:
		c.spec = p.decorations[c.id].specID
	}
	varies := c.spec != nil
	if in.op == opSpecConstantComp || in.op == opSpecConstantOp {
		for _, id := range in.args[2:] { // literals among them only cost time
			varies = varies || p.varies[id]
		}
	}
	p.varies[c.id] = varies
	if varies {
		p.varying = append(p.varying, c)
	} else {
		p.constants = append(p.constants, c)
	}
	return nil
}

func (p *parser) specConstants(m *Module) {
	for id := range p.varies {
		if b := p.decorations[id].builtIn; b != nil && *b == builtInWorkgroupSize {
			m.workgroupSize = id
		}
	}
	for _, c := range p.varying {
		if c.spec == nil {
			continue
		}
		s := SpecConstant{
			ID:      *c.spec,
			Name:    p.names[c.id],
			Type:    c.typ.String(),
			Width:   int(c.typ.width),
			Signed:  c.typ.signed,
			Float:   c.typ.kind == kindFloat,
			Bool:    c.typ.kind == kindBool,
			Default: c.literalBits(),
		}
		if s.Bool {
			s.Width = 32
		}
		m.SpecConstants = append(m.SpecConstants, s)
	}
}

// literalBits is the value of a scalar constant that stands in the module.
func (c constant) literalBits() uint64 {
	switch c.op {
	case opConstantTrue, opSpecConstantTrue:
		return 1
	case opConstant, opSpecConstant:
		bits := uint64(c.args[2])
		if c.typ.width == 64 {
			bits |= uint64(c.args[3]) << 32
		}
		return truncate(bits, c.typ.width)
	}
	return 0
}

// A value is a constant's value: the bits of a scalar, zero-extended, or parts. A
// null composite keeps no parts, as its type may be huge.
type value struct {
	typ   *typ
	bits  uint64
	parts []value
	null  bool
	err   error // why it has none; using it passes this on
}

// Values are all constants of a module for one specialization.
type values struct{ fixed, varying map[uint32]value }

func (v values) get(id uint32) (value, error) {
	x, ok := v.varying[id]
	if !ok {
		x, ok = v.fixed[id]
	}
	if !ok {
		return x, fmt.Errorf("%%%d is no constant", id)
	}
	return x, x.err
}

// natural is the value of an integer that must not be negative.
func (v value) natural() (uint64, error) {
	if v.typ.kind != kindInt {
		return 0, fmt.Errorf("constant of type %s, want an integer", v.typ)
	}
	if v.typ.signed && signExtend(v.bits, v.typ.width) < 0 {
		return 0, fmt.Errorf("constant is %d, want no negative number", signExtend(v.bits, v.typ.width))
	}
	return v.bits, nil
}

func truncate(bits uint64, width uint32) uint64 {
	if width >= 64 {
		return bits
	}
	return bits & (1<<width - 1)
}

func signExtend(bits uint64, width uint32) int64 {
	if width >= 64 {
		return int64(bits)
	}
	return int64(bits<<(64-width)) >> (64 - width)
}
