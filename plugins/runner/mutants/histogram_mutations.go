package mutants

var histogramMutations = []Mutation{
	edit(BarrierDropped, "bins[b] = 0;\n    }\n    barrier();", "bins[b] = 0;\n    }"),
	edit(BarrierDropped, "        }\n    }\n    barrier();", "        }\n    }"),
	edit(BarrierMoved, "    barrier();\n    for (uint i = l;", "    for (uint i = l;").and("void main() {", "void main() {\n    barrier();"),
	edit(LoopBound, "i = l; i < k; i += BLOCK", "i = l; i + 1 < k; i += BLOCK"),
	edit(LoopBound, "i = l; i < k; i += BLOCK", "i = l; i <= k; i += BLOCK"),
	edit(LoopBound, "b = l; b < BINS; b += BLOCK) {\n        counts", "b = l; b < BINS - 1; b += BLOCK) {\n        counts"),
	edit(LoopBound, "i = l; i < k; i += BLOCK", "i = l + 1; i < k; i += BLOCK"),
	edit(WrongStride, "keys[row * k + i]", "keys[row * BLOCK + i]"),
	edit(WrongStride, "counts[row * BINS + b]", "counts[row * (BINS - 1) + b]"),
	edit(SwappedIndex, "counts[row * BINS + b]", "counts[b * (gl_NumWorkGroups.x) + row]"),
	edit(SwappedIndex, "counts[row * BINS + b] = bins[b]", "counts[row * BINS + b] = bins[b ^ 1]"),
	edit(EdgeRemoved, "if (key < BINS) {", "{").
		unseen("", "counts in shared memory beyond the array, which belongs to nobody in this kernel, and which no API shows"),
	edit(SmallBound, "if (key < BINS) {", "if (key < BINS - 1) {"),
	edit(SmallBound, "if (key < BINS) {", "if (key <= BINS) {").
		unseen("", "counts in shared memory beyond the array, which belongs to nobody in this kernel, and which no API shows"),
	edit(NeighbourRow, "keys[row * k + i]", "keys[(row > 0 && i == 0 ? row - 1 : row) * k + i]"),
	edit(LostUpdate, "atomicAdd(bins[key], 1)", "atomicMax(bins[key], 1)"),
	edit(LostUpdate, "counts[row * BINS + b] = bins[b]", "counts[row * BINS + b] += bins[b]"),
	edit(NotReset, "bins[b] = 0;", "if (b != 3) bins[b] = 0;"),
	edit(Uninitialized, "        bins[b] = 0;", ""),
	edit(Uninitialized, "b = l; b < BINS; b += BLOCK) {\n        bins", "b = l; b < BINS - 1; b += BLOCK) {\n        bins"),
	edit(WrittenTwice, "counts[row * BINS + b] = bins[b];", "counts[row * BINS + b] = bins[b];\n        counts[row * BINS + b] += bins[b];"),
	edit(OutOfBoundStore, "counts[row * BINS + b] = bins[b];", "counts[row * BINS + b] = bins[b];\n        if (l == 0) counts[gl_NumWorkGroups.x * BINS] = 7;"),
	edit(SharedRace, "atomicAdd(bins[key], 1);", "bins[key]++;"),
	edit(SharedRace, "atomicAdd(bins[key], 1);", "{ const uint before = bins[key]; bins[key] = before + 1; }"),
}
