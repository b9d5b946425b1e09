package spirv

import (
	"encoding/binary"
	"runtime"
	"slices"
	"testing"
	"time"
)

func bytesOf(words []uint32) []byte {
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

// A builder assembles modules that no compiler makes.
type builder struct {
	words []uint32
	next  uint32
}

func newBuilder() *builder {
	return &builder{words: []uint32{magic, 0x10300, 0, 1 << 22, 0}, next: 1}
}

func (b *builder) add(op uint32, args ...uint32) {
	b.words = append(append(b.words, uint32(len(args)+1)<<16|op), args...)
}

func (b *builder) id() uint32 { b.next++; return b.next - 1 }

// exercise reflects a module and asks everything of it, within limits.
func exercise(t testing.TB, module []byte) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin := time.Now()
	if m, err := Reflect(module); err == nil {
		values := map[uint32]uint64{0: 1, 1: 0xffffffffffffffff, 2: 0}
		_, _ = m.SharedMemory(values)
		_, _ = m.SharedMemory(nil)
		for _, e := range m.EntryPoints[:min(len(m.EntryPoints), 4)] {
			_, _ = m.LocalSize(e.Name, values)
		}
	}
	runtime.ReadMemStats(&after)
	if d := time.Since(begin); d > 10*time.Second {
		t.Errorf("%d bytes took %v", len(module), d)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<28+2000*uint64(len(module)) {
		t.Errorf("%d bytes took %d bytes of memory", len(module), n)
	}
}

func TestHostileModules(t *testing.T) {
	t.Run("structs that double", func(t *testing.T) {
		b := newBuilder()
		inner := b.id()
		pointer, variable := uint32(5000), uint32(5001)
		const last = 120
		for i := inner + 1; i <= inner+last; i++ {
			b.add(opMemberDecorate, i, 0, decorationOffset, 0)
			b.add(opMemberDecorate, i, 1, decorationOffset, 8)
		}
		b.add(opDecorate, variable, decorationBinding, 0)
		b.add(opTypeInt, inner, 32, 0)
		for i := inner + 1; i <= inner+last; i++ {
			b.add(opTypeStruct, i, i-1, i-1)
		}
		b.add(opTypePointer, pointer, storageStorageBuffer, inner+last)
		b.add(opVariable, pointer, variable, storageStorageBuffer)
		exercise(t, bytesOf(b.words))
		if _, err := Reflect(bytesOf(b.words)); err == nil {
			t.Error("2^120 members are no error")
		}
	})
	t.Run("one struct for many bindings", func(t *testing.T) {
		b := newBuilder()
		u32, wide, pointer := b.id(), b.id(), b.id()
		members := slices.Repeat([]uint32{u32}, 4000)
		for i := range members {
			b.add(opMemberDecorate, wide, uint32(i), decorationOffset, uint32(4*i))
		}
		for i := range uint32(20000) {
			b.add(opDecorate, 100+i, decorationBinding, i)
		}
		b.add(opTypeInt, u32, 32, 0)
		b.add(opTypeStruct, append([]uint32{wide}, members...)...)
		b.add(opTypePointer, pointer, storageStorageBuffer, wide)
		for i := range uint32(20000) {
			b.add(opVariable, pointer, 100+i, storageStorageBuffer)
		}
		exercise(t, bytesOf(b.words))
	})
	t.Run("inserts into a large composite", func(t *testing.T) {
		b := newBuilder()
		u32, one, big, wide := b.id(), b.id(), b.id(), b.id()
		b.add(opDecorate, one, decorationSpecID, 0)
		b.add(opTypeInt, u32, 32, 0)
		b.add(opSpecConstant, u32, one, 1)
		b.add(opTypeStruct, append([]uint32{wide}, slices.Repeat([]uint32{u32}, 60000)...)...)
		b.add(opSpecConstantComp, append([]uint32{wide, big}, slices.Repeat([]uint32{one}, 60000)...)...)
		for range 50000 {
			b.add(opSpecConstantOp, wide, b.id()+1000, opCompositeInsert, one, big, 3)
		}
		exercise(t, bytesOf(b.words))
	})
	t.Run("arrays whose size overflows", func(t *testing.T) {
		b := newBuilder()
		u32, n, t0 := b.id(), b.id(), b.id()
		const function, pointer, variable = 900, 901, 902
		b.add(opEntryPoint, modelGLCompute, function, 0x6e69616d, 0)
		b.add(opTypeInt, u32, 32, 0)
		b.add(opConstant, u32, n, 1<<31)
		b.add(opTypeArray, t0, u32, n)
		for range 4 {
			t1 := b.id()
			b.add(opTypeArray, t1, t0, n)
			t0 = t1
		}
		b.add(opTypePointer, pointer, storageWorkgroup, t0)
		b.add(opVariable, pointer, variable, storageWorkgroup)
		b.add(opFunction, u32, function, 0, u32)
		b.add(opLoad, u32, 903, variable)
		b.add(opFunctionEnd)
		m, err := Reflect(bytesOf(b.words))
		if err != nil {
			t.Fatal(err)
		}
		if n, err := m.SharedMemory(nil); err == nil {
			t.Errorf("2^157 bytes are %d and no error", n)
		}
	})
	t.Run("an extract that claims another width", func(t *testing.T) {
		b := newBuilder()
		u8, u64, x, y, z := b.id(), b.id(), b.id(), b.id(), b.id()
		b.add(opDecorate, x, decorationSpecID, 0)
		b.add(opTypeInt, u8, 8, 1)
		b.add(opTypeInt, u64, 64, 0)
		b.add(opSpecConstant, u64, x, 0x100, 0)
		b.add(opSpecConstantOp, u8, y, opCompositeExtract, x)
		b.add(opSpecConstantOp, u8, z, opSDiv, y, y)
		exercise(t, bytesOf(b.words))
	})
	t.Run("deep nesting", func(t *testing.T) {
		b := newBuilder()
		b.add(opTypeInt, 1, 32, 0)
		for i := range uint32(100000) {
			b.add(opTypeStruct, i+2, i+1)
		}
		if _, err := Reflect(bytesOf(b.words)); err == nil {
			t.Error("100,000 levels are no error")
		}
	})
}

// FuzzReflect looks for panics and for memory or time beyond a module's size.
func FuzzReflect(f *testing.F) {
	for _, name := range []string{"matmul.spv", "ops.spv", "local_size_id.spv", "explicit_shared.spv"} {
		f.Add(read(f, name))
	}
	f.Fuzz(func(t *testing.T, module []byte) {
		if len(module) > 1<<16 {
			return
		}
		exercise(t, module)
	})
}

// Every word of real modules is replaced in turn: most faults are one word away.
func TestMutations(t *testing.T) {
	for _, name := range []string{"matmul.spv", "ops.spv", "local_size_id.spv", "explicit_shared.spv"} {
		original := read(t, name)
		for at := 20; at < len(original); at += 4 {
			for _, w := range []uint32{0, 1, 2, 5, 0xffffffff, 0x0001_0036, 0x0003_003b, 64} {
				b := slices.Clone(original)
				binary.LittleEndian.PutUint32(b[at:], w)
				if m, err := Reflect(b); err == nil {
					_, _ = m.SharedMemory(map[uint32]uint64{0: 3})
					_, _ = m.LocalSize("main", nil)
				}
			}
		}
	}
}
