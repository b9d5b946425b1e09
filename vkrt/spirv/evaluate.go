package spirv

import (
	"fmt"
	"slices"
)

// maxParts bounds the components that one evaluation copies: a small module could
// otherwise insert into a large composite very often.
const maxParts = 1 << 18

type evaluator struct {
	known values
	parts int
}

// evaluate computes every constant for the given specialization values. A constant
// that cannot be computed carries its error, which matters only to those who use it.
func (m *Module) evaluate(given map[uint32]uint64) values {
	return evaluate(m.varying, m.fixed, given)
}

func evaluate(constants []constant, fixed map[uint32]value, given map[uint32]uint64) values {
	e := evaluator{known: values{fixed, make(map[uint32]value, len(constants))}}
	for _, c := range constants {
		v := e.constant(c, given)
		v.typ = c.typ
		if c.typ.kind == kindInt || c.typ.kind == kindFloat {
			v.bits = truncate(v.bits, c.typ.width) // an extract may claim another type
		}
		if v.err != nil {
			v.err = fmt.Errorf("constant %%%d: %w", c.id, v.err)
		}
		e.known.varying[c.id] = v
	}
	return e.known
}

func (e *evaluator) constant(c constant, given map[uint32]uint64) value {
	switch c.op {
	case opConstantTrue, opConstantFalse, opConstant, opSpecConstantTrue, opSpecConstantFalse, opSpecConstant:
		bits := c.literalBits()
		if c.spec != nil {
			if v, ok := given[*c.spec]; ok {
				bits = truncate(v, c.typ.width)
				if c.typ.kind == kindBool {
					bits = boolBits(v != 0)
				}
			}
		}
		return value{bits: bits}
	case opConstantNull:
		return nullOf(c.typ)
	case opConstantComposite, opSpecConstantComp:
		return e.composite(c.args[2:])
	case opSpecConstantOp:
		v, err := e.operation(c)
		v.err = err
		return v
	}
	return value{err: fmt.Errorf("instruction %d has no value", c.op)}
}

func boolBits(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// nullOf is zero of a type.
func nullOf(t *typ) value {
	v := value{typ: t}
	switch t.kind {
	case kindBool, kindInt, kindFloat:
	case kindVector:
		v.parts = slices.Repeat([]value{nullOf(t.elem)}, int(t.count))
	default:
		v.null = true
	}
	return v
}

func (e *evaluator) take(n int) error {
	e.parts += n
	if e.parts > maxParts {
		return fmt.Errorf("the module's constants have more than %d components", maxParts)
	}
	return nil
}

func (e *evaluator) composite(ids []uint32) value {
	if err := e.take(len(ids)); err != nil {
		return value{err: err}
	}
	v := value{parts: make([]value, 0, len(ids))}
	for _, id := range ids {
		part, err := e.known.get(id)
		if err != nil {
			return value{err: err}
		}
		v.parts = append(v.parts, part)
	}
	return v
}

// part is component i of a composite.
func (v value) part(i uint32) (value, error) {
	switch {
	case v.null && (v.typ.kind == kindArray || v.typ.kind == kindMatrix):
		return nullOf(v.typ.elem), nil
	case v.null && v.typ.kind == kindStruct && int64(i) < int64(len(v.typ.members)):
		return nullOf(v.typ.members[i].typ), nil
	case int64(i) < int64(len(v.parts)):
		return v.parts[i], v.parts[i].err
	}
	return value{}, fmt.Errorf("component %d of a constant that has %d", i, len(v.parts))
}

// operation computes an OpSpecConstantOp: those that Vulkan shaders may use.
func (e *evaluator) operation(c constant) (value, error) {
	op, args := c.args[2], c.args[3:]
	operand := func(i int) (value, error) {
		if i >= len(args) {
			return value{}, fmt.Errorf("operation %d has %d operands", op, len(args))
		}
		return e.known.get(args[i])
	}
	switch op {
	case opCompositeExtract:
		v, err := operand(0)
		for _, i := range args[min(1, len(args)):] {
			if err == nil {
				v, err = v.part(i)
			}
		}
		return v, err
	case opCompositeInsert:
		object, err := operand(0)
		if err != nil {
			return value{}, err
		}
		into, err := operand(1)
		if err != nil {
			return value{}, err
		}
		return e.insert(object, into, args[2:])
	case opVectorShuffle:
		return e.shuffle(operand, args)
	}
	var operands []value
	for i := range args {
		v, err := operand(i)
		if err != nil {
			return value{}, err
		}
		operands = append(operands, v)
	}
	if want := arity(op); want == 0 {
		return value{}, fmt.Errorf("operation %d is not one that Vulkan shaders may use in constants", op)
	} else if len(operands) != want {
		return value{}, fmt.Errorf("operation %d has %d operands, want %d", op, len(operands), want)
	}
	if c.typ.kind != kindVector {
		bits, err := scalar(op, c.typ, operands)
		return value{bits: bits}, err
	}
	if err := e.take(int(c.typ.count)); err != nil {
		return value{}, err
	}
	v := value{}
	for i := range c.typ.count {
		each := slices.Clone(operands)
		for k := range each {
			if each[k].typ.kind != kindVector {
				continue // the condition of a select may be one for all
			}
			var err error
			if each[k], err = each[k].part(i); err != nil {
				return v, err
			}
		}
		bits, err := scalar(op, c.typ.elem, each)
		if err != nil {
			return v, err
		}
		v.parts = append(v.parts, value{typ: c.typ.elem, bits: bits})
	}
	return v, nil
}

func (e *evaluator) insert(object, into value, path []uint32) (value, error) {
	if len(path) == 0 {
		return object, nil
	}
	if into.null {
		return value{}, fmt.Errorf("insertion into a null array or struct is not supported")
	}
	part, err := into.part(path[0])
	if err != nil {
		return value{}, err
	}
	if err := e.take(len(into.parts)); err != nil {
		return value{}, err
	}
	part, err = e.insert(object, part, path[1:])
	into.parts = slices.Clone(into.parts)
	into.parts[path[0]] = part
	return into, err
}

func (e *evaluator) shuffle(operand func(int) (value, error), args []uint32) (value, error) {
	a, err := operand(0)
	if err != nil {
		return value{}, err
	}
	b, err := operand(1)
	if err != nil {
		return value{}, err
	}
	if err := e.take(len(args)); err != nil {
		return value{}, err
	}
	v := value{}
	for _, i := range args[2:] {
		from := a
		if n := uint32(len(a.parts)); i >= n {
			from, i = b, i-n
		}
		part, err := from.part(i)
		if err != nil {
			return value{}, err
		}
		v.parts = append(v.parts, part)
	}
	return v, nil
}
