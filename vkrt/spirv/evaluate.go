package spirv

import (
	"fmt"
	"math"
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

// arity is how many operands a scalar operation has; 0 when it is none of ours.
func arity(op uint32) int {
	switch {
	case op == opUConvert, op == opSConvert, op == opFConvert, op == opSNegate, op == opNot, op == opLogicalNot:
		return 1
	case op == opSelect:
		return 3
	case op == opIAdd, op == opISub, op == opIMul, op == opUDiv, op == opSDiv, op == opUMod, op == opSRem, op == opSMod,
		opLogicalEqual <= op && op <= opLogicalAnd, opIEqual <= op && op <= opSLessThanEqual,
		opShiftRightLogical <= op && op <= opBitwiseAnd:
		return 2
	}
	return 0
}

// operandKind is the kind that operand i of a scalar operation must have; kindOther
// stands for that of the result.
func operandKind(op uint32, i int) kind {
	switch {
	case op == opFConvert:
		return kindFloat
	case opLogicalEqual <= op && op <= opLogicalNot, op == opSelect && i == 0:
		return kindBool
	case op == opSelect:
		return kindOther
	}
	return kindInt
}

// scalar computes an operation of arity(op) operands for a scalar result of type t.
func scalar(op uint32, t *typ, operands []value) (uint64, error) {
	for i, v := range operands {
		if want := operandKind(op, i); v.typ.kind != want && (want != kindOther || v.typ.kind != t.kind) {
			return 0, fmt.Errorf("operation %d on type %s", op, v.typ)
		}
	}
	a := operands[0]
	signed := signExtend(a.bits, a.typ.width)
	switch op {
	case opUConvert:
		return truncate(a.bits, t.width), nil
	case opSConvert:
		return truncate(uint64(signed), t.width), nil
	case opFConvert:
		return convertFloat(a, t)
	case opSNegate:
		return truncate(uint64(-signed), t.width), nil
	case opNot:
		return truncate(^a.bits, t.width), nil
	case opLogicalNot:
		return 1 - a.bits, nil
	case opSelect:
		if a.bits != 0 {
			return operands[1].bits, nil
		}
		return operands[2].bits, nil
	}
	b := operands[1]
	other := signExtend(b.bits, b.typ.width)
	switch op {
	case opUDiv, opSDiv, opUMod, opSRem, opSMod:
		if other == 0 {
			return 0, fmt.Errorf("division by zero")
		}
		if op != opUDiv && op != opUMod && other == -1 && signed == math.MinInt64>>(64-max(a.typ.width, 1)) {
			return 0, fmt.Errorf("division of %d by -1 overflows", signed)
		}
	case opShiftRightLogical, opShiftRightArith, opShiftLeftLogical:
		if b.bits >= uint64(a.typ.width) {
			return 0, fmt.Errorf("shift of a %d-bit number by %d", a.typ.width, b.bits)
		}
	}
	switch op {
	case opIAdd:
		return truncate(a.bits+b.bits, t.width), nil
	case opISub:
		return truncate(a.bits-b.bits, t.width), nil
	case opIMul:
		return truncate(a.bits*b.bits, t.width), nil
	case opUDiv:
		return a.bits / b.bits, nil
	case opSDiv:
		return truncate(uint64(signed/other), t.width), nil
	case opUMod:
		return a.bits % b.bits, nil
	case opSRem: // the sign of the dividend, as Go's
		return truncate(uint64(signed%other), t.width), nil
	case opSMod: // the sign of the divisor
		r := signed % other
		if r != 0 && (r < 0) != (other < 0) {
			r += other
		}
		return truncate(uint64(r), t.width), nil
	case opShiftRightLogical:
		return a.bits >> b.bits, nil
	case opShiftRightArith:
		return truncate(uint64(signed>>b.bits), t.width), nil
	case opShiftLeftLogical:
		return truncate(a.bits<<b.bits, t.width), nil
	case opBitwiseOr, opLogicalOr:
		return a.bits | b.bits, nil
	case opBitwiseXor:
		return a.bits ^ b.bits, nil
	case opBitwiseAnd, opLogicalAnd:
		return a.bits & b.bits, nil
	case opIEqual, opLogicalEqual:
		return boolBits(a.bits == b.bits), nil
	case opINotEqual, opLogicalNotEqual:
		return boolBits(a.bits != b.bits), nil
	case opUGreaterThan:
		return boolBits(a.bits > b.bits), nil
	case opUGreaterThanEqual:
		return boolBits(a.bits >= b.bits), nil
	case opULessThan:
		return boolBits(a.bits < b.bits), nil
	case opULessThanEqual:
		return boolBits(a.bits <= b.bits), nil
	case opSGreaterThan:
		return boolBits(signed > other), nil
	case opSGreaterThanEqual:
		return boolBits(signed >= other), nil
	case opSLessThan:
		return boolBits(signed < other), nil
	case opSLessThanEqual:
		return boolBits(signed <= other), nil
	}
	return 0, fmt.Errorf("operation %d is not supported", op)
}

// convertFloat converts between 32 and 64 bits; 16-bit floats never size anything.
func convertFloat(v value, t *typ) (uint64, error) {
	switch {
	case v.typ.width == t.width && v.typ.bfloat == t.bfloat:
		return v.bits, nil
	case v.typ.width == 32 && t.width == 64:
		return math.Float64bits(float64(math.Float32frombits(uint32(v.bits)))), nil
	case v.typ.width == 64 && t.width == 32:
		return uint64(math.Float32bits(float32(math.Float64frombits(v.bits)))), nil
	}
	return 0, fmt.Errorf("conversion of %s to %s is not supported", v.typ, t)
}
