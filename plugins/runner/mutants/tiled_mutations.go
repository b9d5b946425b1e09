package mutants

// tiledMutations are those of shaders/matmul/tiled.comp.
var tiledMutations = []Mutation{
	edit(BarrierDropped, "finish(0, m0, n0, 0);\n        barrier();", "finish(0, m0, n0, 0);"),
	edit(BarrierDropped, "finish(0, m0, n0, k0);\n            barrier();", "finish(0, m0, n0, k0);"),
	edit(BarrierDropped, "finish(current, m0, n0, next);\n        }\n        barrier();", "finish(current, m0, n0, next);\n        }"),
	edit(BarrierMoved, "finish(0, m0, n0, k0);\n            barrier();", "barrier();\n            finish(0, m0, n0, k0);"),
	edit(BarrierMoved, "        multiply(current * BK", "        barrier();\n        multiply(current * BK").
		and("finish(current, m0, n0, next);\n        }\n        barrier();", "finish(current, m0, n0, next);\n        }"),
	edit(BarrierMoved, "finish(0, m0, n0, 0);\n        barrier();", "barrier();\n        finish(0, m0, n0, 0);"),

	edit(LoopBound, "k0 < p.k; k0 += BK", "k0 + BK < p.k; k0 += BK"),
	edit(LoopBound, "k0 < p.k; k0 += BK", "k0 < p.k - 1; k0 += BK"),
	edit(LoopBound, "k0 < p.k; k0 += BK", "k0 <= p.k; k0 += BK"),
	edit(LoopBound, "k0 < p.k; k0 += BK", "k0 < p.k; k0 += BK + 1"),
	edit(LoopBound, "kk < BK; kk++) {\n        ACC4 a", "kk < BK - 1; kk++) {\n        ACC4 a"),
	edit(LoopBound, "kk < BK; kk++) {\n        ACC4 a", "kk <= BK; kk++) {\n        ACC4 a"),
	edit(LoopBound, "uint kk = 0; kk < BK; kk++) {\n        ACC4 a", "uint kk = 1; kk < BK; kk++) {\n        ACC4 a"),
	edit(LoopBound, "i < TM; i++) {\n            [[unroll]] for", "i < TM - 1; i++) {\n            [[unroll]] for"),
	edit(LoopBound, "for (uint e = 0; e < 4; e++) {\n                if (LAYOUT_NN", "for (uint e = 0; e < 3; e++) {\n                if (LAYOUT_NN"),
	edit(LoopBound, "if (PREFETCH != 0 && next < p.k)", "if (PREFETCH != 0 && next + BK < p.k)"),
	edit(LoopBound, "if (PREFETCH == 2 && next < p.k)", "if (PREFETCH == 2 && next + BK < p.k)"),

	edit(WrongStride, "kk * LDA4 + i * LANES_M", "kk * LDB4 + i * LANES_M"),
	edit(WrongStride, "kk * LDB4 + j * LANES_N", "kk * LDA4 + j * LANES_N"),
	edit(WrongStride, "kk * LDA4 + i * LANES_M", "kk * LDA4 + i * LANES_N"),
	edit(WrongStride, "store((i + e) * p.n + j,", "store((i + e) * p.m + j,"),
	edit(WrongStride, "store((j + e) * p.m + i,", "store((j + e) * p.n + i,"),
	edit(WrongStride, "current * BK * LDB4 + subN", "current * BK * LDA4 + subN"),
	edit(WrongStride, "const uint LDA4 = (BM + PAD) / 4;", "const uint LDA4 = BM / 4;").
		equivalent("", "the pad only keeps invocations in different banks; every use has the same stride"),
	edit(WrongStride, "m0 + (subM + i4 * LANES_M) * 4", "m0 + (subM * TM4 + i4) * 4"),

	edit(SwappedIndex, "gl_WorkGroupID.x * BM", "gl_WorkGroupID.y * BM"),
	edit(SwappedIndex, "gl_WorkGroupID.y * BN", "gl_WorkGroupID.x * BN"),
	edit(SwappedIndex, "/ 2) * 2 + (lane / 2) % 2", "/ 2) * 2 + lane % 2"),
	edit(SwappedIndex, "warp / (BN / WN) * WM", "warp / (BM / WM) * WM"),
	edit(SwappedIndex, "warp % (BN / WN) * WN", "warp % (BM / WM) * WN"),
	edit(SwappedIndex, "acc[(i4 * 4 + e) * TN4 + j4]", "acc[(i4 * 4 + e) * TN4]"),
	edit(SwappedIndex, "acc[(i4 * 4 + 1) * TN4 + j4][e]", "acc[(i4 * 4 + 2) * TN4 + j4][e]"),
	edit(SwappedIndex, "a[i / 4][i % 4]", "a[i / 4][3 - i % 4]"),
	edit(SwappedIndex, "uint laneN = lane % LANES_N;", "uint laneN = lane / LANES_N;"),
	edit(SwappedIndex, "c4[at / 4] = PACK4(v);", "c4[at / 4] = PACK4(v.xzyw);"),

	edit(EdgeRemoved, "(i >= p.m || j >= p.n)", "(j >= p.n)"),
	edit(EdgeRemoved, "(i >= p.m || j >= p.n)", "(i >= p.m)"),
	edit(EdgeRemoved, "if (CHECKED == 0 || i + e < p.m) {", "{"),
	edit(EdgeRemoved, "else if (CHECKED == 0 || j + e < p.n) {", "else {"),
	edit(EdgeRemoved, "if (e < count) {", "{"),

	edit(SmallBound, "(i >= p.m || j >= p.n)", "(i > p.m || j >= p.n)"),
	edit(SmallBound, "(i >= p.m || j >= p.n)", "(i >= p.m || j > p.n)"),
	edit(SmallBound, "(i >= p.m || j >= p.n)", "(i + 4 > p.m || j >= p.n)"),
	edit(SmallBound, "(i >= p.m || j >= p.n)", "(i >= p.m || j + 4 > p.n)"),
	edit(SmallBound, "i + e < p.m)", "i + e + 1 < p.m)"),
	edit(SmallBound, "j + e < p.n)", "j + e + 1 < p.n)"),
	edit(SmallBound, "if (e < count)", "if (e + 1 < count)"),
	edit(SmallBound, "store((i + e) * p.n + j, p.n - j,", "store((i + e) * p.n + j, p.m - j,"),
	edit(SmallBound, "store((j + e) * p.m + i, p.m - i,", "store((j + e) * p.m + i, p.n - i,"),

	edit(NotReset, "acc[i] = ACC4(0);", "if (i > 0) acc[i] = ACC4(0);").
		unseen("", "a private variable that nobody wrote is 0 on lavapipe; Vulkan leaves it undefined, and there is no way to poison it"),
	edit(NotReset, "i < TM * TN4; i++) {\n        acc[i] = ACC4(0);", "i < TM * TN4 - 1; i++) {\n        acc[i] = ACC4(0);").
		unseen("", "a private variable that nobody wrote is 0 on lavapipe; Vulkan leaves it undefined, and there is no way to poison it"),
	edit(NotReset, "acc[i] = ACC4(0);", "acc[i] = ACC4(gl_WorkGroupID.x);"),
	edit(LostUpdate, "fma(ACC4(a[i / 4][i % 4]), b[j], acc[i * TN4 + j])", "ACC4(a[i / 4][i % 4]) * b[j]"),
	edit(LostUpdate, "        multiply(current * BK * LDA4 + subM, current * BK * LDB4 + subN);",
		"        multiply(current * BK * LDA4 + subM, current * BK * LDB4 + subN);\n        if (k0 == 16 * BK) multiply(current * BK * LDA4 + subM, current * BK * LDB4 + subN);"),
	edit(LostUpdate, "        multiply(current * BK * LDA4 + subM, current * BK * LDB4 + subN);",
		"        if (k0 != 20 * BK) multiply(current * BK * LDA4 + subM, current * BK * LDB4 + subN);"),
	edit(LostUpdate, "        multiply(current * BK * LDA4 + subM, current * BK * LDB4 + subN);",
		"        if (k0 != 0 || gl_LocalInvocationIndex != 13) multiply(current * BK * LDA4 + subM, current * BK * LDB4 + subN);"),

	edit(WrittenTwice, "c4[at / 4] = PACK4(v);", "c4[at / 4] = PACK4(v);\n        c4[at / 4] = PACK4(v);").
		equivalent("", "the same invocation writes the same values to the same place twice"),
	edit(WrittenTwice, "c4[at / 4] = PACK4(v);", "c4[at / 4] = PACK4(v);\n        c4[at / 8] = PACK4(v);"),
	edit(WrittenTwice, "c1[at + e] = PACK1(v[e]);", "c1[at + e] = PACK1(v[e]);\n                c1[(at + e) ^ 1] = PACK1(v[e]);"),
	edit(WrittenTwice, "gl_WorkGroupID.x * BM", "gl_WorkGroupID.x * BM - (gl_WorkGroupID.x + 1 == gl_NumWorkGroups.x ? (gl_NumWorkGroups.x * BM - p.m) / 4 * 4 : 0) * min(gl_WorkGroupID.x, 1)").
		equivalent("", "the last tile is moved back so that it ends within C: it writes some outputs a second time, with the same values"),

	edit(OutOfBoundStore, "void main() {", "void main() {\n    if (gl_GlobalInvocationID == uvec3(0)) c1[p.m * p.n] = PACK1(ACC(1));"),
	edit(OutOfBoundStore, "c1[at + e] = PACK1(v[e]);", "c1[at + e] = PACK1(v[e]);\n                if (at + e + 1 == p.m * p.n) c1[at + e + 1] = PACK1(v[e]);"),
	edit(OutOfBoundStore, "c4[at / 4] = PACK4(v);", "c4[at / 4] = PACK4(v);\n        if (at + 4 == p.m * p.n) c4[at / 4 + 1] = PACK4(v);"),

	edit(SharedRace, "current ^= 1;", "current ^= 0;"),
	edit(SharedRace, "finish(current, m0, n0, next);", "finish(current ^ 1, m0, n0, next);"),
	edit(SharedRace, "void multiply(uint ra, uint rb) {", "void multiply(uint ra, uint rb) {\n    sharedA[0] += ACC4(0.5);"),
	edit(SharedRace, "void multiply(uint ra, uint rb) {", "void multiply(uint ra, uint rb) {\n    if (gl_LocalInvocationIndex > 7) sharedB[rb] = sharedB[rb] * ACC(2);"),

	edit(NarrowSum, "acc[i * TN4 + j] = fma(ACC4(a[i / 4][i % 4]), b[j], acc[i * TN4 + j]);",
		"const ACC4 v = fma(ACC4(a[i / 4][i % 4]), b[j], acc[i * TN4 + j]);\n                acc[i * TN4 + j] = ACC4(unpackHalf2x16(packHalf2x16(v.xy)), unpackHalf2x16(packHalf2x16(v.zw)));").
		only("f32_f32", "f32_f32_rolled", "f16_f32", "f16_f32_rolled", "bf16_f32", "bf16_f32_rolled"),
	edit(NarrowSum, "acc[i * TN4 + j] = fma(ACC4(a[i / 4][i % 4]), b[j], acc[i * TN4 + j]);",
		"const ACC4 v = ACC4(a[i / 4][i % 4]) * b[j];\n                acc[i * TN4 + j] += ACC4(unpackHalf2x16(packHalf2x16(v.xy)), unpackHalf2x16(packHalf2x16(v.zw)));").
		only("f32_f32", "f32_f32_rolled", "f16_f32", "f16_f32_rolled", "bf16_f32", "bf16_f32_rolled"),
	edit(NarrowSum, "#version 450", "#version 450\n#define ACC_F16").only("f16_f32", "f16_f32_rolled"),
	edit(NarrowSum, "acc[i * TN4 + j] = fma(ACC4(a[i / 4][i % 4]), b[j], acc[i * TN4 + j]);",
		"acc[i * TN4 + j] = fma(ACC4(a[i / 4][i % 4]), b[j], acc[i * TN4 + j]);\n                acc[i * TN4 + j] = ACC4(uintBitsToFloat(floatBitsToUint(acc[i * TN4 + j]) & 0xffff0000u));").
		only("f32_f32", "f32_f32_rolled", "f16_f32", "f16_f32_rolled", "bf16_f32", "bf16_f32_rolled"),
}
