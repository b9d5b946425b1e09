package spirv

import (
	"fmt"
	"math"
)

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
