package vkrt

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A SpecConstant is a value for a specialization constant. Data is in the host's
// byte order and as wide as the constant's type: 1, 2, 4 or 8 bytes; a bool is a
// VkBool32 of 4 bytes. Values for ids that the module lacks are ignored.
type SpecConstant struct {
	ID   uint32
	Data []byte
}

// SpecBool is a value for a bool constant.
func SpecBool(id uint32, v bool) SpecConstant {
	var n uint32
	if v {
		n = 1
	}
	return SpecUint32(id, n)
}

// SpecInt8 is a value for an 8-bit signed constant.
func SpecInt8(id uint32, v int8) SpecConstant { return SpecUint8(id, uint8(v)) }

// SpecUint8 is a value for an 8-bit unsigned constant.
func SpecUint8(id uint32, v uint8) SpecConstant { return SpecConstant{id, []byte{v}} }

// SpecInt16 is a value for a 16-bit signed constant.
func SpecInt16(id uint32, v int16) SpecConstant { return SpecUint16(id, uint16(v)) }

// SpecUint16 is a value for a 16-bit unsigned constant, or the bits of a 16-bit float.
func SpecUint16(id uint32, v uint16) SpecConstant {
	return SpecConstant{id, binary.NativeEndian.AppendUint16(nil, v)}
}

// SpecInt32 is a value for a 32-bit signed constant.
func SpecInt32(id uint32, v int32) SpecConstant { return SpecUint32(id, uint32(v)) }

// SpecUint32 is a value for a 32-bit unsigned constant.
func SpecUint32(id uint32, v uint32) SpecConstant {
	return SpecConstant{id, binary.NativeEndian.AppendUint32(nil, v)}
}

// SpecInt64 is a value for a 64-bit signed constant.
func SpecInt64(id uint32, v int64) SpecConstant { return SpecUint64(id, uint64(v)) }

// SpecUint64 is a value for a 64-bit unsigned constant.
func SpecUint64(id uint32, v uint64) SpecConstant {
	return SpecConstant{id, binary.NativeEndian.AppendUint64(nil, v)}
}

// SpecFloat32 is a value for a 32-bit float constant.
func SpecFloat32(id uint32, v float32) SpecConstant { return SpecUint32(id, math.Float32bits(v)) }

// SpecFloat64 is a value for a 64-bit float constant.
func SpecFloat64(id uint32, v float64) SpecConstant { return SpecUint64(id, math.Float64bits(v)) }

// packSpec lays constants out as three flat arrays for C.
func packSpec(spec []SpecConstant) (ids, sizes []uint32, data []byte, err error) {
	seen := map[uint32]bool{}
	for _, s := range spec {
		switch len(s.Data) {
		case 1, 2, 4, 8:
		default:
			return nil, nil, nil, fmt.Errorf("specialization constant %d has %d bytes, want 1, 2, 4 or 8", s.ID, len(s.Data))
		}
		if seen[s.ID] {
			return nil, nil, nil, fmt.Errorf("specialization constant %d is given twice", s.ID)
		}
		seen[s.ID] = true
		ids = append(ids, s.ID)
		sizes = append(sizes, uint32(len(s.Data)))
		data = append(data, s.Data...)
	}
	return ids, sizes, data, nil
}
