package guard

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"github.com/krisptune/krisptune/plugins"
	"github.com/x448/float16"
)

func isFloat(t plugins.ElementType) bool {
	return t == plugins.F32 || t == plugins.F16 || t == plugins.BF16
}

func text(t plugins.ElementType, data []byte, e int) string { return number(value(t, data, e)) }

func number(v float64) string { return strconv.FormatFloat(v, 'g', 9, 64) }

// place names an element for people: by row and column where the buffer has rows.
func place(b plugins.Buffer, index int64) string {
	if b.Rows <= 0 {
		return fmt.Sprintf("element %d", index)
	}
	return fmt.Sprintf("row %d, column %d", index/b.Rows, index%b.Rows)
}

func mismatch(b plugins.Buffer, index int64, got, want, bound string) *plugins.Mismatch {
	m := &plugins.Mismatch{Index: index, Column: index, Got: got, Expected: want, Bound: bound}
	if b.Rows > 0 {
		m.Row, m.Column = index/b.Rows, index%b.Rows
	}
	return m
}

// value decodes element e of data.
func value(t plugins.ElementType, data []byte, e int) float64 {
	switch t {
	case plugins.F32:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*e:])))
	case plugins.F16:
		return float64(float16.Frombits(binary.LittleEndian.Uint16(data[2*e:])).Float32())
	case plugins.BF16:
		return float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(data[2*e:])) << 16))
	case plugins.I32:
		return float64(int32(binary.LittleEndian.Uint32(data[4*e:])))
	case plugins.U32:
		return float64(binary.LittleEndian.Uint32(data[4*e:]))
	case plugins.I8:
		return float64(int8(data[e]))
	case plugins.U8:
		return float64(data[e])
	}
	return math.NaN()
}

// put encodes v, rounded to nearest even, as element e of data.
func put(t plugins.ElementType, data []byte, e int, v float64) {
	switch t {
	case plugins.F32:
		binary.LittleEndian.PutUint32(data[4*e:], math.Float32bits(float32(v)))
	case plugins.F16:
		binary.LittleEndian.PutUint16(data[2*e:], float16.Fromfloat32(float32(v)).Bits())
	case plugins.BF16:
		bits := math.Float32bits(float32(v))
		bits += 0x7fff + bits>>16&1
		binary.LittleEndian.PutUint16(data[2*e:], uint16(bits>>16))
	case plugins.I32:
		binary.LittleEndian.PutUint32(data[4*e:], uint32(int32(v)))
	case plugins.U32:
		binary.LittleEndian.PutUint32(data[4*e:], uint32(v))
	case plugins.I8:
		data[e] = byte(int8(v))
	case plugins.U8:
		data[e] = byte(v)
	}
}
