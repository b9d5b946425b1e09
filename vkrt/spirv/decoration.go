package spirv

// Decorations are those of one id or member that are read here, with their literals.
type decorations struct {
	specID, builtIn           *uint32
	set, binding              *uint32
	offset                    *uint32
	arrayStride, matrixStride uint32
	block, bufferBlock        bool
	rowMajor                  bool
	restrict, aliased         bool
	volatile, coherent        bool
	nonWritable, nonReadable  bool
}

func (p *parser) decorate(in instruction) error {
	at := 1
	switch in.op {
	case opGroupDecorate, opGroupMemberDecorate:
		return in.fail("decoration groups are not supported (deprecated since SPIR-V 1.0)")
	case opMemberDecorate:
		at = 2
	}
	if err := in.need(at + 1); err != nil {
		return err
	}
	key := memberKey{id: in.args[0]}
	d := p.decorations[key.id]
	if in.op == opMemberDecorate {
		key.member = in.args[1]
		d = p.memberDecs[key]
	}
	var target **uint32
	switch in.args[at] {
	case decorationSpecID:
		target = &d.specID
	case decorationBuiltIn:
		target = &d.builtIn
	case decorationSet:
		target = &d.set
	case decorationBinding:
		target = &d.binding
	case decorationOffset:
		target = &d.offset
	case decorationArrayStride, decorationMatrixStride:
		if err := in.need(at + 2); err != nil {
			return err
		}
		if in.args[at] == decorationArrayStride {
			d.arrayStride = in.args[at+1]
		} else {
			d.matrixStride = in.args[at+1]
		}
	case decorationBlock:
		d.block = true
	case decorationBufferBlock:
		d.bufferBlock = true
	case decorationRowMajor:
		d.rowMajor = true
	case decorationRestrict:
		d.restrict = true
	case decorationAliased:
		d.aliased = true
	case decorationVolatile:
		d.volatile = true
	case decorationCoherent:
		d.coherent = true
	case decorationNonWritable:
		d.nonWritable = true
	case decorationNonReadable:
		d.nonReadable = true
	default:
		return nil
	}
	if target != nil {
		if err := in.need(at + 2); err != nil {
			return err
		}
		*target = &in.args[at+1]
	}
	if in.op == opMemberDecorate {
		p.memberDecs[key] = d
	} else {
		p.decorations[key.id] = d
	}
	return nil
}
