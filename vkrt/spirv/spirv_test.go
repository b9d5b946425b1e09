package spirv

import (
	"embed"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

//go:generate sh -c "$(sh ../../shaders/toolchain.sh) --target-env=vulkan1.2 testdata/matmul.comp -o testdata/matmul.spv"
//go:generate sh -c "$(sh ../../shaders/toolchain.sh) --target-env=vulkan1.0 testdata/kinds.comp -o testdata/kinds.spv"
//go:generate spirv-as --target-env vulkan1.1 testdata/ops.spvasm -o testdata/ops.spv
//go:generate spirv-as --target-env vulkan1.3 testdata/local_size_id.spvasm -o testdata/local_size_id.spv
//go:generate spirv-as --target-env vulkan1.2 testdata/explicit_shared.spvasm -o testdata/explicit_shared.spv

//go:embed testdata/*.spv
var testdata embed.FS

func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := testdata.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func reflectFile(t testing.TB, name string) *Module {
	t.Helper()
	m, err := Reflect(read(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMatmulSpecConstants(t *testing.T) {
	m := reflectFile(t, "matmul.spv")
	want := []SpecConstant{
		// glslang makes a constant of its own for local_size_x_id, with its own default.
		{ID: 0, Type: "u32", Width: 32, Default: 1},
		{ID: 0, Name: "BLOCK_SIZE", Type: "u32", Width: 32, Default: 64},
		{ID: 1, Name: "BM", Type: "u32", Width: 32, Default: 64},
		{ID: 2, Name: "BK", Type: "u32", Width: 32, Default: 16},
		{ID: 3, Name: "PAD", Type: "bool", Width: 32, Bool: true, Default: 1},
		{ID: 4, Name: "SCALE", Type: "f32", Width: 32, Float: true, Default: uint64(math.Float32bits(0.5))},
		{ID: 5, Name: "BIAS", Type: "i32", Width: 32, Signed: true, Default: 0xfffffffd},
	}
	got := slices.Clone(m.SpecConstants)
	slices.SortStableFunc(got, func(a, b SpecConstant) int { return int(a.ID) - int(b.ID) })
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if m.Version != "1.5" || !slices.Contains(m.Capabilities, 4433) || m.Capabilities[0].String() != "Shader" {
		t.Errorf("version %s, capabilities %v", m.Version, m.Capabilities)
	}
}

func TestMatmulBindings(t *testing.T) {
	m := reflectFile(t, "matmul.spv")
	if len(m.Bindings) != 3 {
		t.Fatalf("%d bindings, want 3: %+v", len(m.Bindings), m.Bindings)
	}
	a, d, u := m.Bindings[0], m.Bindings[1], m.Bindings[2]
	if a.Set != 0 || a.Binding != 0 || a.Kind != KindStorageBuffer || len(a.Variables) != 2 {
		t.Errorf("A is %+v", a)
	}
	for i, want := range []struct {
		block, element string
		stride         int64
	}{{"A", "f16", 2}, {"A4", "vec4<f16>", 8}} {
		v := a.Variables[i]
		if v.Block.Name != want.block || v.Element != want.element || v.ElementStride != want.stride || !v.ReadOnly || v.WriteOnly {
			t.Errorf("variable %d of A is %+v", i, v)
		}
	}
	if v := d.Variables[0]; d.Binding != 2 || v.Element != "f32" || v.ReadOnly || !v.WriteOnly || !v.Restrict ||
		!slices.Equal(v.Block.Members[0].Array, []int64{0}) {
		t.Errorf("D is %+v", d)
	}
	if v := u.Variables[0]; u.Set != 1 || u.Binding != 1 || u.Kind != KindUniformBuffer || v.Block.Size != 16+2*16+8 {
		t.Errorf("U is %+v", u)
	}
}

func TestMatmulPushConstants(t *testing.T) {
	want := []Member{
		{Name: "M", Type: "u32", Offset: 0, Size: 4},
		{Name: "strides", Type: "u32", Array: []int64{2, 3}, Offset: 4, Size: 24, Stride: 12},
		{Name: "tiles", Type: "struct Tile", Array: []int64{2}, Offset: 28, Size: 24, Stride: 12, Members: []Member{
			{Name: "offset", Type: "u32", Array: []int64{2}, Offset: 0, Size: 8, Stride: 4},
			{Name: "alpha", Type: "f32", Offset: 8, Size: 4},
		}},
		{Name: "v", Type: "vec2<f32>", Offset: 56, Size: 8},
		{Name: "h", Type: "f16", Offset: 64, Size: 2},
	}
	push := reflectFile(t, "matmul.spv").Push
	if push == nil || push.Name != "Parameter" || push.Size != 66 || !reflect.DeepEqual(push.Members, want) {
		t.Errorf("push constants are %+v", push)
	}
}

func TestMatmulSizes(t *testing.T) {
	m := reflectFile(t, "matmul.spv")
	for _, test := range []struct {
		values map[uint32]uint64
		size   [3]uint32
		shared int64
	}{
		// (BK + 1) * 2 bytes aligned to 8, BM * (BK/2 + PAD) * 8, and 3 bools of 4.
		{nil, [3]uint32{1, 2, 1}, 40 + 64*9*8 + 12},
		{map[uint32]uint64{0: 128, 1: 32, 2: 32}, [3]uint32{128, 2, 1}, 72 + 32*17*8 + 12},
		{map[uint32]uint64{3: 0, 77: 5}, [3]uint32{1, 2, 1}, 40 + 64*8*8 + 12},
	} {
		t.Run(fmt.Sprint(test.values), func(t *testing.T) {
			size, err := m.LocalSize("main", test.values)
			if err != nil || size != test.size {
				t.Errorf("local size %v, %v, want %v", size, err, test.size)
			}
			shared, err := m.SharedMemory(test.values)
			if err != nil || shared != test.shared {
				t.Errorf("shared memory %d, %v, want %d", shared, err, test.shared)
			}
		})
	}
	if _, err := m.LocalSize("main", map[uint32]uint64{0: 0}); err == nil {
		t.Error("a workgroup of size 0 is no error")
	}
	if _, err := m.LocalSize("other", nil); err == nil || !strings.Contains(err.Error(), `["main"]`) {
		t.Errorf("unknown entry point: %v", err)
	}
	// The length is computed as the shader does: 2^31 * 9 wraps at 32 bits.
	if n, err := m.SharedMemory(map[uint32]uint64{1: 1 << 31}); err != nil || n != 40+(1<<31)*8+12 {
		t.Errorf("large tile: %d, %v", n, err)
	}
}

func TestOperations(t *testing.T) {
	m := reflectFile(t, "ops.spv")
	i32 := func(v int32) uint64 { return uint64(uint32(v)) }
	want := []uint64{10, i32(-7), 1, 4294967297, 0xfffb, uint64(math.Float32bits(1.5)),
		13, 12, 24, 3, 3, 3, i32(-1), i32(-1), 7, 40, 5, i32(-4), 2, 11, 9, i32(-11), 1, 1, 0, 7, i32(-5)}
	known := m.evaluate(nil)
	for i, w := range want {
		v, err := known.get(m.varying[i].id)
		if err != nil || v.bits != w {
			t.Errorf("constant %d (%%%d) is %#x, %v, want %#x", i, m.varying[i].id, v.bits, err, w)
		}
	}
	for i, w := range [][]uint64{{13, 7, 2}, {169, 49, 4}, {4, 13, 7}, {4, 7, 7}} {
		v, err := known.get(m.varying[len(want)+i].id)
		var got []uint64
		for _, part := range v.parts {
			got = append(got, part.bits)
		}
		if err != nil || !slices.Equal(got, w) {
			t.Errorf("vector %d is %v, %v, want %v", i, got, err, w)
		}
	}
}

func TestSharedIdsAndEntryPoints(t *testing.T) {
	m := reflectFile(t, "ops.spv")
	if a, b := m.SpecConstants[0], m.SpecConstants[1]; a.ID != 0 || b.ID != 0 || a.Name != "first" || b.Name != "again" ||
		a.Type != "u32" || b.Type != "i32" || a.Default != 10 || b.Default != 0xfffffff9 {
		t.Errorf("constants of one SpecId are %+v and %+v", a, b)
	}
	// main: u32[4], i16[3] in a callee, then 3 structs of 32 bytes aligned to 16.
	if n, err := m.SharedMemory(nil); err != nil || n != 128 {
		t.Errorf("shared memory %d, %v, want 128", n, err)
	}
	for entry, want := range map[string][3]uint32{"main": {4, 5, 6}, "other": {7, 1, 1}} {
		if size, err := m.LocalSize(entry, nil); err != nil || size != want {
			t.Errorf("%s: local size %v, %v, want %v", entry, size, err, want)
		}
	}
	_, err := m.SharedMemory(map[uint32]uint64{0: 4}) // 7 / (4 & 3)
	if err == nil || !strings.Contains(err.Error(), "division by zero") {
		t.Errorf("error is %v, want a division by zero", err)
	}
}

func TestLocalSizeID(t *testing.T) {
	m := reflectFile(t, "local_size_id.spv")
	for x, want := range map[uint64][3]uint32{32: {32, 8, 1}, 256: {256, 64, 1}} {
		size, err := m.LocalSize("kernel", map[uint32]uint64{7: x})
		if err != nil || size != want {
			t.Errorf("%d: local size %v, %v, want %v", x, size, err, want)
		}
	}
	if n, err := m.SharedMemory(nil); n != 0 || err != nil {
		t.Errorf("shared memory %d, %v", n, err)
	}
}

func TestExplicitSharedLayout(t *testing.T) {
	m := reflectFile(t, "explicit_shared.spv")
	for n, want := range map[uint64]int64{1: 68, 5: 8 + 4*20 + 4} {
		if got, err := m.SharedMemory(map[uint32]uint64{3: n}); err != nil || got != want {
			t.Errorf("n = %d: %d, %v, want %d", n, got, err, want)
		}
	}
}

func TestDescriptorKinds(t *testing.T) {
	m := reflectFile(t, "kinds.spv") // SPIR-V 1.0: storage buffers are BufferBlocks
	want := []DescriptorKind{KindCombinedImageSampler, KindStorageImage, KindSampledImage, KindSampler,
		KindUniformTexelBuffer, KindStorageTexelBuffer, KindUniformBuffer, KindStorageBuffer, KindStorageBuffer}
	if len(m.Bindings) != len(want) {
		t.Fatalf("%d bindings, want %d", len(m.Bindings), len(want))
	}
	for i, b := range m.Bindings {
		if b.Binding != uint32(i) || b.Kind != want[i] || len(b.Variables) != 1 {
			t.Errorf("binding %d is %+v, want a %s", i, b, want[i])
		}
	}
	if v := m.Bindings[6].Variables[0]; v.Element != "f32" || v.ElementStride != 16 || v.Block.Size != 36 {
		t.Errorf("uniform buffer is %+v", v)
	}
	if v := m.Bindings[7].Variables[0]; v.Name != "many" || v.Count != 5 || v.Block.Size != 20 {
		t.Errorf("array of buffers is %+v", v)
	}
	if v := m.Bindings[8].Variables[0]; !v.Coherent || !v.Volatile || v.Element != "u32" || v.ElementStride != 4 {
		t.Errorf("flags are %+v", v)
	}
	if m.Push != nil || len(m.SpecConstants) != 0 {
		t.Errorf("push constants %+v, specialization constants %+v", m.Push, m.SpecConstants)
	}
	if size, err := m.LocalSize("main", nil); err != nil || size != [3]uint32{8, 4, 1} {
		t.Errorf("local size %v, %v", size, err)
	}
}

// A tuner asks for every point of a space.
func BenchmarkSharedMemory(b *testing.B) {
	m := reflectFile(b, "matmul.spv")
	values := map[uint32]uint64{0: 128, 1: 64, 2: 32}
	for b.Loop() {
		if _, err := m.SharedMemory(values); err != nil {
			b.Fatal(err)
		}
	}
}

func TestByteOrder(t *testing.T) {
	b := read(t, "matmul.spv")
	for i := 0; i < len(b); i += 4 {
		slices.Reverse(b[i : i+4])
	}
	swapped, err := Reflect(b)
	if err != nil {
		t.Fatal(err)
	}
	if want := reflectFile(t, "matmul.spv"); !reflect.DeepEqual(swapped.Bindings, want.Bindings) ||
		!reflect.DeepEqual(swapped.Push, want.Push) {
		t.Error("the other byte order reads differently")
	}
}

func TestReflectRefuses(t *testing.T) {
	header := []uint32{magic, 0x10300, 0, 100, 0}
	instruction := func(op uint32, args ...uint32) []uint32 {
		return append([]uint32{uint32(len(args)+1)<<16 | op}, args...)
	}
	u32 := instruction(opTypeInt, 1, 32, 0)
	for _, test := range []struct {
		name  string
		words []uint32
		word  int
		want  string
	}{
		{"instruction of no words", []uint32{0x0000_0011}, 5, "length of 0"},
		{"past the end", []uint32{0x00ff_0011}, 5, "the module ends"},
		{"capability without a number", instruction(opCapability), 5, "at least 1"},
		{"name without an end", instruction(opName, 4, 0x41414141), 5, "string without an end"},
		{"array of nothing", instruction(opTypeArray, 2, 1, 3), 5, "not defined before"},
		{"struct of itself", instruction(opTypeStruct, 2, 2), 5, "not defined before"},
		{"type twice", slices.Concat(u32, u32), 9, "defined twice"},
		{"int of 7 bits", instruction(opTypeInt, 1, 7, 0), 5, "7 bits"},
		{"vector of 2^32-1", slices.Concat(u32, instruction(opTypeVector, 2, 1, math.MaxUint32)), 9, "components"},
		{"constant without a type", instruction(opConstant, 1, 2, 3), 5, "not defined before"},
		{"constant without a value", slices.Concat(u32, instruction(opConstant, 1, 2)), 9, "at least 3"},
		{"variable of no pointer", slices.Concat(u32, instruction(opVariable, 1, 2, 4)), 9, "no pointer"},
		{"entry without a function", instruction(opEntryPoint, modelGLCompute, 9, 0x6e69616d, 0), 5, "lacks"},
		{"groups", instruction(opGroupDecorate, 1, 2), 5, "not supported"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Reflect(bytesOf(slices.Concat(header, test.words)))
			var e *Error
			if !errors.As(err, &e) || e.Word != test.word || !strings.Contains(e.What, test.want) {
				t.Errorf("error is %v, want one at word %d with %q", err, test.word, test.want)
			}
		})
	}
	for _, b := range [][]byte{nil, make([]byte, 20), []byte("#version 450\n    "), read(t, "ops.spv")[:19]} {
		if _, err := Reflect(b); err == nil {
			t.Errorf("%q is no error", b)
		}
	}
}
