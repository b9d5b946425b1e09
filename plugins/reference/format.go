package reference

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/x448/float16"

	"github.com/krisptune/krisptune/plugins"
)

// A format is what the error analysis needs to know of a floating-point type.
type format struct {
	// precision is the significand's bits, the hidden one counted: the unit roundoff of
	// rounding to nearest is 2^-precision.
	precision int
	// minNormal is the smallest normal number: a device may flush what is below.
	minNormal float64
}

var formats = map[plugins.ElementType]format{
	plugins.F32:  {24, 0x1p-126},
	plugins.F16:  {11, 0x1p-14},
	plugins.BF16: {8, 0x1p-126},
}

// formatOf returns t's format, or an error for a type that holds no floating-point numbers.
func formatOf(t plugins.ElementType) (format, error) {
	f, ok := formats[t]
	if !ok {
		return format{}, fmt.Errorf("element type %q, expected f32, f16 or bf16", t)
	}
	return f, nil
}

// roundoff is the unit roundoff of rounding to nearest.
func (f format) roundoff() float64 { return math.Ldexp(1, -f.precision) }

// integers is the largest n such that every integer of magnitude up to n is exact.
func (f format) integers() int64 { return 1 << f.precision }

// Encode writes src, rounded to nearest even in type t, into dst, little-endian.
// len(dst) must be len(src) times the size of t.
func Encode(t plugins.ElementType, dst []byte, src []float32) error {
	if _, err := formatOf(t); err != nil {
		return err
	}
	if int64(len(dst)) != int64(len(src))*t.Size() {
		return fmt.Errorf("%d bytes for %d elements of %s, expected %d", len(dst), len(src), t, int64(len(src))*t.Size())
	}
	parallel(len(src), func(lo, hi int) {
		switch t {
		case plugins.F32:
			for i := lo; i < hi; i++ {
				binary.LittleEndian.PutUint32(dst[4*i:], math.Float32bits(src[i]))
			}
		case plugins.F16:
			for i := lo; i < hi; i++ {
				binary.LittleEndian.PutUint16(dst[2*i:], float16.Fromfloat32(src[i]).Bits())
			}
		case plugins.BF16:
			for i := lo; i < hi; i++ {
				binary.LittleEndian.PutUint16(dst[2*i:], bfloat16(src[i]))
			}
		}
	})
	return nil
}

// Decode reads src, elements of type t, little-endian, into dst. Every value of the three
// types is a float32. len(src) must be len(dst) times the size of t.
func Decode(t plugins.ElementType, dst []float32, src []byte) error {
	if _, err := formatOf(t); err != nil {
		return err
	}
	if int64(len(src)) != int64(len(dst))*t.Size() {
		return fmt.Errorf("%d bytes for %d elements of %s, expected %d", len(src), len(dst), t, int64(len(dst))*t.Size())
	}
	parallel(len(dst), func(lo, hi int) {
		switch t {
		case plugins.F32:
			for i := lo; i < hi; i++ {
				dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:]))
			}
		case plugins.F16:
			for i := lo; i < hi; i++ {
				dst[i] = float16.Frombits(binary.LittleEndian.Uint16(src[2*i:])).Float32()
			}
		case plugins.BF16:
			for i := lo; i < hi; i++ {
				dst[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(src[2*i:])) << 16)
			}
		}
	})
	return nil
}

// bfloat16 rounds to nearest even; a NaN stays one.
func bfloat16(x float32) uint16 {
	u := math.Float32bits(x)
	if u&0x7fffffff > 0x7f800000 {
		return uint16(u>>16) | 0x40
	}
	return uint16((u + 0x7fff + u>>16&1) >> 16)
}
