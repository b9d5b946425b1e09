package reference

import (
	"math"
	"testing"

	"github.com/krisptune/krisptune/plugins"
)

func TestEncode(t *testing.T) {
	for _, c := range []struct {
		typ  plugins.ElementType
		in   float32
		bits uint32
	}{
		{plugins.F32, 1, 0x3f800000},
		{plugins.F16, 1, 0x3c00},
		{plugins.F16, -2, 0xc000},
		{plugins.F16, 65504, 0x7bff},
		{plugins.F16, 65520, 0x7c00},           // halfway to 2^16 rounds to infinity
		{plugins.F16, 0x1p-24, 1},              // the smallest subnormal
		{plugins.F16, 1 + 0x1p-11, 0x3c00},     // halfway, to even: down
		{plugins.F16, 1 + 3*0x1p-11, 0x3c02},   // halfway, to even: up
		{plugins.F16, 1 + 0x1.004p-11, 0x3c01}, // just above halfway
		{plugins.BF16, 1, 0x3f80},
		{plugins.BF16, 1 + 0x1p-8, 0x3f80},
		{plugins.BF16, 1 + 3*0x1p-8, 0x3f82},
		{plugins.BF16, 1 + 0x1.02p-8, 0x3f81},
		{plugins.BF16, math.MaxFloat32, 0x7f80},
		{plugins.BF16, float32(math.Inf(-1)), 0xff80},
	} {
		size := c.typ.Size()
		got := make([]byte, size)
		if err := Encode(c.typ, got, []float32{c.in}); err != nil {
			t.Fatal(err)
		}
		var bits uint32
		for i := range got {
			bits |= uint32(got[i]) << (8 * i)
		}
		if bits != c.bits {
			t.Errorf("%s of %v is %#x, expected %#x", c.typ, c.in, bits, c.bits)
		}
	}
}

// Every 16-bit pattern decodes to a float32 that encodes to it again; NaN stays NaN.
func TestEveryHalfRoundTrips(t *testing.T) {
	src := make([]byte, 2<<16)
	for i := range 1 << 16 {
		src[2*i], src[2*i+1] = byte(i), byte(i>>8)
	}
	for _, typ := range []plugins.ElementType{plugins.F16, plugins.BF16} {
		values, again := make([]float32, 1<<16), make([]byte, 2<<16)
		if err := Decode(typ, values, src); err != nil {
			t.Fatal(err)
		}
		if err := Encode(typ, again, values); err != nil {
			t.Fatal(err)
		}
		back := make([]float32, 1<<16)
		if err := Decode(typ, back, again); err != nil {
			t.Fatal(err)
		}
		for i, v := range values {
			if v != v {
				if back[i] == back[i] {
					t.Fatalf("%s %#x is NaN and became %v", typ, i, back[i])
				}
				continue
			}
			if again[2*i] != src[2*i] || again[2*i+1] != src[2*i+1] {
				t.Fatalf("%s %#x is %v, which encodes to %#x", typ, i, v, uint32(again[2*i])|uint32(again[2*i+1])<<8)
			}
		}
	}
}

// Encode takes the nearer neighbour: no representable value lies closer.
func TestEncodeIsNearest(t *testing.T) {
	src := make([]float32, 20000)
	NewStream(3, 0).Normals(0, src)
	for _, typ := range []plugins.ElementType{plugins.F16, plugins.BF16} {
		data, got := make([]byte, 2*len(src)), make([]float32, len(src))
		if err := Encode(typ, data, src); err != nil {
			t.Fatal(err)
		}
		if err := Decode(typ, got, data); err != nil {
			t.Fatal(err)
		}
		u := formats[typ].roundoff()
		for i, v := range src {
			if d := math.Abs(float64(got[i]) - float64(v)); d > u*math.Abs(float64(v))+0x1p-25 {
				t.Fatalf("%s of %v is %v: off by %g, unit roundoff %g", typ, v, got[i], d, u)
			}
		}
	}
}

func TestCodecRefuses(t *testing.T) {
	if err := Encode(plugins.I32, make([]byte, 4), make([]float32, 1)); err == nil {
		t.Error("Encode took i32")
	}
	if err := Decode(plugins.F16, make([]float32, 2), make([]byte, 3)); err == nil {
		t.Error("Decode took 3 bytes for 2 elements of f16")
	}
}
