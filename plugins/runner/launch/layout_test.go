package launch

import (
	"encoding/binary"
	"testing"

	"github.com/krisptune/krisptune/plugins"
)

func TestLayoutKeepsDataExact(t *testing.T) {
	l := layoutOf(plugins.Buffer{Type: plugins.F16, Elements: 37})
	all := make([]byte, l.total())
	for i := range all {
		all[i] = byte(i)
	}
	c := l.split(all)
	if len(c.Front) != Band || len(c.Data) != 74 || len(c.Pad) != 2 || len(c.Back) != Band {
		t.Fatalf("%d, %d, %d, %d bytes", len(c.Front), len(c.Data), len(c.Pad), len(c.Back))
	}
	at := Band
	for _, part := range [][]byte{c.Data, c.Pad, c.Back} {
		if part[0] != byte(at) {
			t.Errorf("a part begins at byte %d, expected %d", part[0], byte(at))
		}
		at += len(part)
	}
}

// Every pattern must be NaN, or finite, whatever float type reads it.
func TestFillsInEveryType(t *testing.T) {
	nan := func(w uint32) bool {
		f16 := func(h uint32) bool { return h&0x7c00 == 0x7c00 && h&0x3ff != 0 }
		bf16 := func(h uint32) bool { return h&0x7f80 == 0x7f80 && h&0x7f != 0 }
		f32 := w&0x7f800000 == 0x7f800000 && w&0x7fffff != 0
		return f32 && f16(w&0xffff) && f16(w>>16) && bf16(w&0xffff) && bf16(w>>16)
	}
	for _, f := range Fills {
		if !nan(f.Poison) || !nan(f.Scratch) {
			t.Errorf("%#x is not NaN in every type", f)
		}
		for i := range 16 {
			if !nan(f.CanaryOf(i)) {
				t.Errorf("canary %d of %#x is not NaN in every type", i, f)
			}
		}
	}
	for i := range int64(4) {
		if Byte(Fills[0].Canary, i) == Byte(Fills[1].Canary, i) {
			t.Errorf("the canaries share byte %d", i)
		}
	}
	for _, f := range []Fill{Finite, Ordinary} {
		if w := f.Poison; w&0x7c007c00 == 0x7c007c00 || w == f.Scratch {
			t.Errorf("%#x is not finite, or also the scratch pattern", w)
		}
	}
	if Fills[0].CanaryOf(1) == Fills[0].CanaryOf(2) {
		t.Error("neighbouring buffers have one canary")
	}
}

func TestAsksLength(t *testing.T) {
	module := func(words ...uint32) plugins.Module {
		out := make([]byte, 20)
		for _, w := range words {
			out = binary.LittleEndian.AppendUint32(out, w)
		}
		return plugins.Module{SPIRV: out}
	}
	if AsksLength(module(2<<16|17, 68)) { // OpCapability with the operand 68
		t.Error("an operand was taken for OpArrayLength")
	}
	if !AsksLength(module(2<<16|17, 1, 5<<16|68, 1, 2, 3, 0)) {
		t.Error("OpArrayLength was missed")
	}
	if !AsksLength(module(0)) {
		t.Error("a module that cannot be read was trusted")
	}
}
