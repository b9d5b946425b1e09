package mutants

var gemvMutations = []Mutation{
	edit(BarrierDropped, "sums[r * BLOCK + l] = sum;\n    }\n    barrier();", "sums[r * BLOCK + l] = sum;\n    }"),
	edit(BarrierDropped, "            }\n        }\n        barrier();\n    }\n    if", "            }\n        }\n    }\n    if"),
	edit(BarrierMoved, "        barrier();\n    }\n    if (l < ROWS", "    }\n    barrier();\n    if (l < ROWS"),
	edit(BarrierMoved, "        barrier();\n    }\n    if (l < ROWS", "        if (width > 16) barrier();\n    }\n    if (l < ROWS").
		unseen("", "lavapipe runs both sides of a branch under a mask, and so this barrier always; the next mutant shows what its absence does"),
	edit(BarrierDropped, "width > 0; width /= 2) {", "width > 16; width /= 2) {").
		and("    if (l < ROWS", "    for (uint width = 16; width > 0; width /= 2) if (l < width) for (uint r = 0; r < ROWS; r++) sums[r * BLOCK + l] += sums[r * BLOCK + l + width];\n    if (l < ROWS"),

	edit(LoopBound, "kk < k; kk += BLOCK", "kk + BLOCK < k; kk += BLOCK"),
	edit(LoopBound, "kk < k; kk += BLOCK", "kk + 1 < k; kk += BLOCK"),
	edit(LoopBound, "kk < k; kk += BLOCK", "kk <= k; kk += BLOCK"),
	edit(LoopBound, "uint kk = l; kk < k", "uint kk = l + 1; kk < k"),
	edit(LoopBound, "r < ROWS; r++) {\n                sums", "r < ROWS - 1; r++) {\n                sums"),
	edit(LoopBound, "width = BLOCK / 2; width > 0", "width = BLOCK / 2; width > 1"),
	edit(LoopBound, "width = BLOCK / 2; width > 0", "width = BLOCK / 4; width > 0"),
	edit(LoopBound, "if (l < width) {", "if (l <= width) {").
		unseen("", "invocation width adds to what invocation 0 reads in the same step: a race, which lavapipe always decides for the reader, because it runs subgroups in order and a subgroup in lockstep"),

	edit(WrongStride, "half1(row * k + kk)", "half1(row * (k + 1) + kk)").only("f16"),
	edit(WrongStride, "kk / 32) * 17", "kk / 32) * 16").only("q8_0"),
	edit(WrongStride, "kk / 32) * 9", "kk / 32) * 10").only("q4_0"),
	edit(WrongStride, "y[row0 + l] = sums[l * BLOCK];", "y[row0 + l] = sums[l * (BLOCK - 1)];"),
	edit(WrongStride, "gl_WorkGroupID.x * ROWS", "gl_WorkGroupID.x * (ROWS - 1)"),
	edit(SwappedIndex, "sum = fma(weight(row0 + r, kk), x[kk], sum);", "sum = fma(weight(row0 + r, kk), x[kk ^ 1], sum);"),
	edit(SwappedIndex, "half1(row * k + kk)", "half1(kk * rows + row)").only("f16"),
	edit(SwappedIndex, "int(kk % 2) * 8", "8 - int(kk % 2) * 8").only("q8_0"),
	edit(SwappedIndex, ">> (i % 2 * 8)", ">> (8 - i % 2 * 8)").only("q4_0"),

	edit(EdgeRemoved, "if (row0 + r < rows) {", "{").
		unseen("", "reads W beyond its end for rows that are not stored: no output depends on it, and lavapipe reads 0 there"),
	edit(EdgeRemoved, "if (l < ROWS && row0 + l < rows)", "if (l < ROWS)"),
	edit(EdgeRemoved, "if (l < ROWS && row0 + l < rows)", "if (row0 + l < rows)").
		unseen("", "a workgroup also writes rows of those after it, which then write them again: wrong only where a later workgroup is done before an earlier one, and lavapipe starts them in order; killed in some runs"),
	edit(SmallBound, "if (row0 + r < rows) {", "if (row0 + r + 1 < rows) {"),
	edit(SmallBound, "row0 + l < rows)", "row0 + l + 1 < rows)"),
	edit(SmallBound, "row0 + l < rows)", "row0 + l <= rows)"),
	edit(SmallBound, "if (l < ROWS &&", "if (l < ROWS - 1 &&"),

	edit(NotReset, "        float sum = 0.0;\n        if", "        if").and("gl_WorkGroupID.x * ROWS;", "gl_WorkGroupID.x * ROWS;\n    float sum = 0.0;"),
	edit(NotReset, "float sum = 0.0;", "float sum;"),
	edit(LostUpdate, "sum = fma(weight(row0 + r, kk), x[kk], sum);", "sum = weight(row0 + r, kk) * x[kk];"),
	edit(LostUpdate, "sums[r * BLOCK + l] += sums[r * BLOCK + l + width];", "sums[r * BLOCK + l] = sums[r * BLOCK + l + width];"),
	edit(LostUpdate, "sum = fma(weight(row0 + r, kk), x[kk], sum);", "if (kk != 700) sum = fma(weight(row0 + r, kk), x[kk], sum);"),
	edit(LostUpdate, "sum = fma(weight(row0 + r, kk), x[kk], sum);", "sum = fma(weight(row0 + r, kk), x[kk], kk == 40 ? 1.01 * sum : sum);"),
	edit(NeighbourRow, "sum = fma(weight(row0 + r, kk)", "sum = fma(weight(row0 + r - (kk == 17 && row0 + r > 0 ? 1 : 0), kk)"),
	edit(NeighbourRow, "half1(block) * float(bit", "half1(row > 0 ? block - k / 32 * 17 : block) * float(bit").only("q8_0"),
	edit(NeighbourRow, "half1(block) * (float", "half1(kk / 32 > 0 ? block - 9 : block) * (float").only("q4_0"),

	edit(Dequantization, "half1(block) * float(bit", "abs(half1(block)) * float(bit").only("q8_0"),
	edit(Dequantization, "half1(block) * float(bit", "float(bit").only("q8_0"),
	edit(Dequantization, "bitfieldExtract(pair, int(kk % 2) * 8, 8)", "bitfieldExtract(uint(pair), int(kk % 2) * 8, 8)").only("q8_0"),
	edit(Dequantization, "bitfieldExtract(pair, int(kk % 2) * 8, 8)", "bitfieldExtract(pair, int(kk % 2) * 8, 7)").only("q8_0"),
	edit(Dequantization, "w[block + 1 + kk % 32 / 2]", "w[block + kk % 32 / 2]").only("q8_0"),
	edit(Dequantization, "half1(block) * float(bitfieldExtract(pair, int(kk % 2) * 8, 8))", "half1(block) * float(max(bitfieldExtract(pair, int(kk % 2) * 8, 8), -126))").only("q8_0"),
	edit(Dequantization, "kk % 32 < 16 ? q & 15 : q >> 4 & 15", "kk % 32 < 16 ? q >> 4 & 15 : q & 15").only("q4_0"),
	edit(Dequantization, "kk % 32 < 16 ? q & 15 : q >> 4 & 15", "kk % 32 < 16 ? q & 7 : q >> 4 & 15").only("q4_0"),
	edit(Dequantization, "kk % 32 < 16 ? q & 15 : q >> 4 & 15", "kk % 32 < 16 ? q & 15 : q >> 4 & 7").only("q4_0"),
	edit(Dequantization, "kk % 32 < 16 ? q & 15 : q >> 4 & 15", "kk % 32 <= 16 ? q & 15 : q >> 4 & 15").only("q4_0"),
	edit(Dequantization, "q >> 4 & 15", "q >> 4").only("q4_0"),
	edit(Dequantization, "kk % 32 < 16 ? q & 15 : q >> 4 & 15", "kk % 2 == 0 ? q & 15 : q >> 4 & 15").only("q4_0"),
	edit(Dequantization, "(float(nibble) - 8.0)", "(float(nibble) - 7.0)").only("q4_0"),
	edit(Dequantization, "(float(nibble) - 8.0)", "(float(nibble) - 7.5)").only("q4_0"),
	edit(Dequantization, "half1(block) * (float(nibble) - 8.0)", "half1(block) * float(nibble) - 8.0").only("q4_0"),
	edit(Dequantization, "w[block + 1 + i / 2]", "w[block + 1 + i % 8]").only("q4_0"),
	edit(Dequantization, "const uint i = kk % 16;", "const uint i = kk % 32;").only("q4_0"),

	edit(Uninitialized, "        sums[r * BLOCK + l] = sum;", "        if (l < k) sums[r * BLOCK + l] = sum;"),
	edit(Uninitialized, "        sums[r * BLOCK + l] = sum;", "        if (row0 + r < rows && sum != 0.0) sums[r * BLOCK + l] = sum;"),
	edit(Uninitialized, "        sums[r * BLOCK + l] = sum;", "        sums[r * BLOCK + l] += sum;"),
	edit(WrittenTwice, "y[row0 + l] = sums[l * BLOCK];", "y[row0 + l] = sums[l * BLOCK];\n        y[row0] = sums[l * BLOCK];"),
	edit(WrittenTwice, "    for (uint width", "    if (l < ROWS && row0 + l < rows) y[row0 + l] = sums[l * BLOCK];\n    for (uint width").
		equivalent("", "the same invocation writes the right value afterwards"),
	edit(OutOfBoundStore, "y[row0 + l] = sums[l * BLOCK];", "y[row0 + l] = sums[l * BLOCK];\n        if (row0 + l + 1 == rows) y[rows] = 0.0;"),
	edit(OutOfBoundStore, "y[row0 + l] = sums[l * BLOCK];", "y[row0 + l] = sums[l * BLOCK];\n        if (row0 + l == 0) y[row0 + l - 1] = 0.0;").
		unseen("", "an index of -1 is 4 GiB beyond the start in 32 bits; lavapipe drops such a store whatever the descriptor's range, so the band before the buffer stays as it is"),
	edit(SharedRace, "sums[r * BLOCK + l] += sums[r * BLOCK + l + width];", "sums[r * BLOCK + l / 2 * 2] += sums[r * BLOCK + l + width];"),
	edit(SharedRace, "        sums[r * BLOCK + l] = sum;\n    }\n    barrier();", "        sums[l] = sum;\n        barrier();\n        sums[r * BLOCK + l] = sums[l];\n    }\n    barrier();"),
	edit(NarrowSum, "sum = fma(weight(row0 + r, kk), x[kk], sum);", "sum = unpackHalf2x16(packHalf2x16(vec2(fma(weight(row0 + r, kk), x[kk], sum)))).x;"),
	edit(NarrowSum, "sum = fma(weight(row0 + r, kk), x[kk], sum);", "sum = uintBitsToFloat(floatBitsToUint(fma(weight(row0 + r, kk), x[kk], sum)) & 0xffffff00u);"),
}
