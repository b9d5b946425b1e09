package mutants

// slicesMutations are those of shaders/matmul/slices.glsl.
var slicesMutations = []Mutation{
	edit(LoopBound, "const uint LOADS_A = (CHUNKS_A + BLOCK_SIZE - 1) / BLOCK_SIZE;", "const uint LOADS_A = CHUNKS_A / BLOCK_SIZE + (CHUNKS_A < BLOCK_SIZE ? 1 : 0);"),
	edit(LoopBound, "[[dont_unroll]] for (uint first = gl_LocalInvocationIndex; first < CHUNKS_A;", "[[dont_unroll]] for (uint first = gl_LocalInvocationIndex; first + 1 < CHUNKS_A;"),
	edit(LoopBound, "[[dont_unroll]] for (uint first = gl_LocalInvocationIndex; first < CHUNKS_B;", "[[dont_unroll]] for (uint first = gl_LocalInvocationIndex + 1; first < CHUNKS_B;"),
	edit(LoopBound, "for (uint e = 0; e < VEC_A; e++) {\n            sharedA", "for (uint e = 0; e < VEC_A - 1; e++) {\n            sharedA"),
	edit(LoopBound, "for (uint e = 0; e < VEC_B; e++) {\n                sharedB", "for (uint e = 1; e < VEC_B; e++) {\n                sharedB"),

	edit(WrongStride, "const uint at = mix(0u, i * p.k + kk, inside);", "const uint at = mix(0u, i * (p.k + VEC_A) + kk, inside);"),
	edit(WrongStride, "uint(a1[mix(0u, i * p.k + kk, inside)])", "uint(a1[mix(0u, i * p.m + kk, inside)])"),
	edit(WrongStride, "const uint at = mix(0u, LAYOUT_NN != 0 ? kk * p.n + j : j * p.k + kk, inside);", "const uint at = mix(0u, LAYOUT_NN != 0 ? kk * p.m / 4 * 4 + j : j * p.n / 4 * 4 + kk, inside);"),
	edit(WrongStride, "const uint at = LAYOUT_NN != 0 ? kk * p.n + j : j * p.k + kk;", "const uint at = LAYOUT_NN != 0 ? kk * p.n + j : j * (p.k + 1) + kk;"),
	edit(WrongStride, "const uint at = LAYOUT_NN != 0 ? kk * p.n + j : j * p.k + kk;", "const uint at = LAYOUT_NN != 0 ? kk * p.k + j : j * p.k + kk;"),
	edit(WrongStride, "sharedA[base + chunk % BK * LDA4 + i / 4][i % 4] = v[e];", "sharedA[base + chunk % BK * LDB4 + i / 4][i % 4] = v[e];"),
	edit(WrongStride, "const uint ROW_B = LAYOUT_NN != 0 ? BN / VEC_B : BK / VEC_B;", "const uint ROW_B = BK / VEC_B;"),

	edit(SwappedIndex, "uint(a1[mix(0u, i * p.k + kk, inside)])", "uint(a1[mix(0u, kk * p.m + i, inside)])"),
	edit(SwappedIndex, "const uint j = n0 + (LAYOUT_NN != 0 ? chunk % BN : chunk / BK);", "const uint j = n0 + (LAYOUT_NN != 0 ? chunk / BN : chunk / BK);"),
	edit(SwappedIndex, "sharedA[base + (kk + e) * LDA4 + i / 4][i % 4]", "sharedA[base + (kk + e) * LDA4 + i / 4][(i + 1) % 4]"),
	edit(SwappedIndex, "sharedB[base + (col + e) * LDB4 + row / 4][row % 4]", "sharedB[base + (col + e) * LDB4 + row / 4][3 - row % 4]"),
	edit(SwappedIndex, "rawA[l * WORDS_A + 1] = v.y;\n            rawA[l * WORDS_A + 2] = v.z;", "rawA[l * WORDS_A + 1] = v.z;\n            rawA[l * WORDS_A + 2] = v.y;"),
	edit(SwappedIndex, "rawA[l * WORDS_A + e * ELEM_BYTES / 4], e)", "rawA[l * WORDS_A], e)"),
	edit(SwappedIndex, "element(rawB[w + 2 * ELEM_BYTES / 4], 2)", "element(rawB[w + ELEM_BYTES / 4], 2)"),
	edit(SwappedIndex, "return unpackHalf2x16(w)[e & 1];", "return unpackHalf2x16(w)[0];").only("f16_f32", "f16_f32_rolled"),
	edit(SwappedIndex, "return unpackFloat2x16(w)[e & 1];", "return unpackFloat2x16(w)[1 - (e & 1)];").only("f16_f16", "f16_f16_rolled"),
	edit(SwappedIndex, "(e & 1) == 0 ? w << 16", "(e & 1) != 0 ? w << 16").only("bf16_f32", "bf16_f32_rolled"),
	edit(SwappedIndex, ": w & 0xffff0000u", ": w").only("bf16_f32", "bf16_f32_rolled"),

	edit(EdgeRemoved, "CHECKED == 0 || (i < p.m && kk < p.k)", "CHECKED == 0 || i < p.m"),
	edit(EdgeRemoved, "CHECKED == 0 || (i < p.m && kk < p.k)", "CHECKED == 0 || kk < p.k").
		unseen("", "reads A beyond its rows, and past its end, for outputs that are not stored: none depends on it"),
	edit(EdgeRemoved, "CHECKED == 0 || (j < p.n && kk < p.k)", "CHECKED == 0 || kk < p.k").
		unseen("", "reads B beyond its columns, and past its end, for outputs that are not stored: none depends on it"),
	edit(EdgeRemoved, "CHECKED == 0 || (j < p.n && kk < p.k)", "CHECKED == 0 || j < p.n"),
	edit(EdgeRemoved, "const bool inside = chunk < CHUNKS_A && i < p.m && kk < p.k;", "const bool inside = chunk < CHUNKS_A && i < p.m;"),
	edit(EdgeRemoved, "const bool inside = chunk < CHUNKS_A && i < p.m && kk < p.k;", "const bool inside = chunk < CHUNKS_A && kk < p.k;").
		unseen("", "reads A beyond its rows, and past its end, for outputs that are not stored: none depends on it"),
	edit(EdgeRemoved, "const bool inside = chunk < CHUNKS_B && j < p.n && kk < p.k;", "const bool inside = chunk < CHUNKS_B && j < p.n;"),
	edit(EdgeRemoved, "const bool inside = chunk < CHUNKS_A && i < p.m && kk < p.k;", "const bool inside = i < p.m && kk < p.k;").
		equivalent("", "what is loaded for chunks beyond the slice lies inside A and is dropped"),
	edit(EdgeRemoved, "mix(uvec4(0), a16[at / VEC_A], bvec4(inside))", "a16[at / VEC_A]"),
	edit(EdgeRemoved, "mix(uvec4(0), a16[at / VEC_A], bvec4(inside))", "a16[at / VEC_A]").
		and("mix(uvec4(0), b16[at / VEC_B], bvec4(inside))", "b16[at / VEC_B]"),
	edit(EdgeRemoved, "mix(0u, uint(a1[mix(0u, i * p.k + kk, inside)]), inside)", "uint(a1[mix(0u, i * p.k + kk, inside)])").
		and("mix(0u, uint(b1[mix(0u, at, inside)]), inside)", "uint(b1[mix(0u, at, inside)])"),
	edit(EdgeRemoved, "if (chunk < CHUNKS_A) {", "{"),
	edit(EdgeRemoved, "if ((l + 1) * BLOCK_SIZE > CHUNKS_A && chunk >= CHUNKS_A) {\n            break;\n        }\n        const uint i = chunk / ROW_A;",
		"const uint i = chunk / ROW_A;"),

	edit(SmallBound, "const bool inside = chunk < CHUNKS_A && i < p.m && kk < p.k;", "const bool inside = chunk < CHUNKS_A && i < p.m && kk + 1 < p.k;"),
	edit(SmallBound, "const bool inside = chunk < CHUNKS_B && j < p.n && kk < p.k;", "const bool inside = chunk < CHUNKS_B && j + 1 < p.n && kk < p.k;"),
	edit(SmallBound, "const bool inside = chunk < CHUNKS_B && j < p.n && kk < p.k;", "const bool inside = chunk < CHUNKS_B && j < p.n && kk <= p.k;"),
	edit(SmallBound, "CHECKED == 0 || (i < p.m && kk < p.k)", "CHECKED == 0 || (i + 1 < p.m && kk < p.k)"),
	edit(SmallBound, "CHECKED == 0 || (i < p.m && kk < p.k)", "CHECKED == 0 || (i < p.m && kk + VEC_A < p.k)"),
	edit(SmallBound, "if (chunk < CHUNKS_B) {", "if (chunk + 1 < CHUNKS_B) {"),

	edit(NeighbourRow, "const uint at = mix(0u, i * p.k + kk, inside);", "const uint at = mix(0u, (gl_LocalInvocationIndex == 5 && i > 0 ? i - 1 : i) * p.k + kk, inside);"),
	edit(NeighbourRow, "uint(a1[mix(0u, i * p.k + kk, inside)])", "uint(a1[mix(0u, (gl_LocalInvocationIndex == 11 && i > 0 ? i - 1 : i) * p.k + kk, inside)])"),
	edit(NeighbourRow, "const uint at = mix(0u, LAYOUT_NN != 0 ? kk * p.n + j : j * p.k + kk, inside);",
		"const uint at = mix(0u, LAYOUT_NN != 0 ? (kk == 7 ? 6 : kk) * p.n + j : (j == 9 ? 8 : j) * p.k + kk, inside);"),
	edit(NeighbourRow, "const uint at = LAYOUT_NN != 0 ? kk * p.n + j : j * p.k + kk;",
		"const uint at = LAYOUT_NN != 0 ? (kk == 3 ? 2 : kk) * p.n + j : (j == 30 ? 29 : j) * p.k + kk;"),
	edit(NeighbourRow, "ACC4 b[TN4];", "ACC4 b[TN4];\n        if (kk == 6 && gl_LocalInvocationIndex == 3) ra += 1;"),

	edit(Uninitialized, "if (chunk < CHUNKS_A) {", "if (chunk < CHUNKS_A && m0 + i < p.m && k0 + chunk % BK < p.k) {"),
	edit(Uninitialized, "const uint kk = LAYOUT_NN != 0 ? chunk / BN : chunk % BK;\n            if (chunk < CHUNKS_B) {",
		"const uint kk = LAYOUT_NN != 0 ? chunk / BN : chunk % BK;\n            if (chunk < CHUNKS_B && n0 + j < p.n && k0 + kk < p.k) {"),
	edit(Uninitialized, "const uint kk = chunk % ROW_A * VEC_A;\n        [[unroll]] for (uint e = 0; e < VEC_A; e++) {",
		"const uint kk = chunk % ROW_A * VEC_A;\n        [[unroll]] for (uint e = 0; e < VEC_A; e++) if (rawA[l * WORDS_A + e * ELEM_BYTES / 4] != 0) {"),
	edit(Uninitialized, "sharedA[base + chunk % BK * LDA4 + i / 4][i % 4] = v[e];", "if (v[e] != ACC(0)) sharedA[base + chunk % BK * LDA4 + i / 4][i % 4] = v[e];"),

	edit(SharedRace, "stageA(target * BK * LDA4);", "stageA(0);"),
	edit(SharedRace, "copyB(target * BK * LDB4, n0, k0);", "copyB(0, n0, k0);"),
	edit(SharedRace, "sharedB[base + kk * LDB4 + j / 4][j % 4] = v[e];", "sharedB[base + kk * LDB4 + j / 4][j % 4] = v[e];\n                if (e == 0 && j % 4 == 0) sharedA[kk % BK * LDA4][0] += ACC(1);"),
}
