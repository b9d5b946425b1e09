// The way of A's and B's slices from global memory to shared memory, part of tiled.comp.

// Words of 32 bits that hold one global load.
const uint WORDS_A = (VEC_A * ELEM_BYTES + 3) / 4;
const uint WORDS_B = (VEC_B * ELEM_BYTES + 3) / 4;
const uint CHUNKS_A = BM * BK / VEC_A;
const uint CHUNKS_B = BN * BK / VEC_B;
const uint LOADS_A = (CHUNKS_A + BLOCK_SIZE - 1) / BLOCK_SIZE;
const uint LOADS_B = (CHUNKS_B + BLOCK_SIZE - 1) / BLOCK_SIZE;

// Chunks along the contiguous dimension of one slice.
const uint ROW_A = BK / VEC_A;
const uint ROW_B = LAYOUT_NN != 0 ? BN / VEC_B : BK / VEC_B;

uint rawA[LOADS_A * WORDS_A];
uint rawB[LOADS_B * WORDS_B];

// Element e of a load whose 32-bit words begin with w.
ACC element(uint w, uint e) {
#if defined(STORAGE_F32)
    return uintBitsToFloat(w);
#elif defined(STORAGE_BF16)
    return uintBitsToFloat((e & 1) == 0 ? w << 16 : w & 0xffff0000u);
#elif defined(ACC_F16)
    return unpackFloat2x16(w)[e & 1];
#else
    return unpackHalf2x16(w)[e & 1];
#endif
}

// Fetches one slice into registers, 16 or 8 bytes a load. Loads never branch: what lies
// outside reads element 0 and is dropped. Single elements are not fetched but copied.
void fetchA(uint m0, uint k0) {
    [[unroll]] for (uint l = 0; l < LOADS_A; l++) {
        const uint chunk = l * BLOCK_SIZE + gl_LocalInvocationIndex;
        if ((l + 1) * BLOCK_SIZE > CHUNKS_A && chunk >= CHUNKS_A) {
            break;
        }
        const uint i = m0 + chunk / ROW_A;
        const uint kk = k0 + chunk % ROW_A * VEC_A;
        const bool inside = CHECKED == 0 || (i < p.m && kk < p.k);
        const uint at = mix(0u, i * p.k + kk, inside);
        if (WORDS_A == 4) {
            const uvec4 v = mix(uvec4(0), a16[at / VEC_A], bvec4(inside));
            rawA[l * WORDS_A] = v.x;
            rawA[l * WORDS_A + 1] = v.y;
            rawA[l * WORDS_A + 2] = v.z;
            rawA[l * WORDS_A + 3] = v.w;
        } else {
            const uvec2 v = mix(uvec2(0), a8[at / VEC_A], bvec2(inside));
            rawA[l * WORDS_A] = v.x;
            rawA[l * WORDS_A + 1] = v.y;
        }
    }
}

void fetchB(uint n0, uint k0) {
    [[unroll]] for (uint l = 0; l < LOADS_B; l++) {
        const uint chunk = l * BLOCK_SIZE + gl_LocalInvocationIndex;
        if ((l + 1) * BLOCK_SIZE > CHUNKS_B && chunk >= CHUNKS_B) {
            break;
        }
        const uint row = chunk / ROW_B;
        const uint col = chunk % ROW_B * VEC_B;
        const uint j = n0 + (LAYOUT_NN != 0 ? col : row);
        const uint kk = k0 + (LAYOUT_NN != 0 ? row : col);
        const bool inside = CHECKED == 0 || (j < p.n && kk < p.k);
        const uint at = mix(0u, LAYOUT_NN != 0 ? kk * p.n + j : j * p.k + kk, inside);
        if (WORDS_B == 4) {
            const uvec4 v = mix(uvec4(0), b16[at / VEC_B], bvec4(inside));
            rawB[l * WORDS_B] = v.x;
            rawB[l * WORDS_B + 1] = v.y;
            rawB[l * WORDS_B + 2] = v.z;
            rawB[l * WORDS_B + 3] = v.w;
        } else {
            const uvec2 v = mix(uvec2(0), b8[at / VEC_B], bvec2(inside));
            rawB[l * WORDS_B] = v.x;
            rawB[l * WORDS_B + 1] = v.y;
        }
    }
}

// Writes the fetched slice to shared memory.
void stageA(uint base) {
    [[unroll]] for (uint l = 0; l < LOADS_A; l++) {
        const uint chunk = l * BLOCK_SIZE + gl_LocalInvocationIndex;
        if ((l + 1) * BLOCK_SIZE > CHUNKS_A && chunk >= CHUNKS_A) {
            break;
        }
        const uint i = chunk / ROW_A;
        const uint kk = chunk % ROW_A * VEC_A;
        [[unroll]] for (uint e = 0; e < VEC_A; e++) {
            sharedA[base + (kk + e) * LDA4 + i / 4][i % 4] = element(rawA[l * WORDS_A + e * ELEM_BYTES / 4], e);
        }
    }
}

void stageB(uint base) {
    [[unroll]] for (uint l = 0; l < LOADS_B; l++) {
        const uint chunk = l * BLOCK_SIZE + gl_LocalInvocationIndex;
        if ((l + 1) * BLOCK_SIZE > CHUNKS_B && chunk >= CHUNKS_B) {
            break;
        }
        const uint row = chunk / ROW_B;
        const uint col = chunk % ROW_B * VEC_B;
        if (LAYOUT_NN != 0) {
            [[unroll]] for (uint e = 0; e < VEC_B; e += 4) {
                const uint w = l * WORDS_B + e * ELEM_BYTES / 4;
                sharedB[base + row * LDB4 + (col + e) / 4] =
                    ACC4(element(rawB[w], 0), element(rawB[w + ELEM_BYTES / 4], 1),
                         element(rawB[w + 2 * ELEM_BYTES / 4], 2), element(rawB[w + 3 * ELEM_BYTES / 4], 3));
            }
        } else {
            [[unroll]] for (uint e = 0; e < VEC_B; e++) {
                sharedB[base + (col + e) * LDB4 + row / 4][row % 4] = element(rawB[l * WORDS_B + e * ELEM_BYTES / 4], e);
            }
        }
    }
}

// Copies one slice by single elements, for rows whose length allows no vectors. The loop
// stays rolled, four loads in flight: unrolled it would cost drivers seconds to compile.
void copyA(uint base, uint m0, uint k0) {
    [[dont_unroll]] for (uint first = gl_LocalInvocationIndex; first < CHUNKS_A; first += 4 * BLOCK_SIZE) {
        ACC4 v;
        [[unroll]] for (uint e = 0; e < 4; e++) {
            const uint chunk = first + e * BLOCK_SIZE;
            const uint i = m0 + chunk / BK;
            const uint kk = k0 + chunk % BK;
            const bool inside = chunk < CHUNKS_A && i < p.m && kk < p.k;
            v[e] = element(mix(0u, uint(a1[mix(0u, i * p.k + kk, inside)]), inside), 0);
        }
        [[unroll]] for (uint e = 0; e < 4; e++) {
            const uint chunk = first + e * BLOCK_SIZE;
            const uint i = chunk / BK;
            if (chunk < CHUNKS_A) {
                sharedA[base + chunk % BK * LDA4 + i / 4][i % 4] = v[e];
            }
        }
    }
}

void copyB(uint base, uint n0, uint k0) {
    [[dont_unroll]] for (uint first = gl_LocalInvocationIndex; first < CHUNKS_B; first += 4 * BLOCK_SIZE) {
        ACC4 v;
        [[unroll]] for (uint e = 0; e < 4; e++) {
            const uint chunk = first + e * BLOCK_SIZE;
            const uint j = n0 + (LAYOUT_NN != 0 ? chunk % BN : chunk / BK);
            const uint kk = k0 + (LAYOUT_NN != 0 ? chunk / BN : chunk % BK);
            const bool inside = chunk < CHUNKS_B && j < p.n && kk < p.k;
            const uint at = LAYOUT_NN != 0 ? kk * p.n + j : j * p.k + kk;
            v[e] = element(mix(0u, uint(b1[mix(0u, at, inside)]), inside), 0);
        }
        [[unroll]] for (uint e = 0; e < 4; e++) {
            const uint chunk = first + e * BLOCK_SIZE;
            const uint j = LAYOUT_NN != 0 ? chunk % BN : chunk / BK;
            const uint kk = LAYOUT_NN != 0 ? chunk / BN : chunk % BK;
            if (chunk < CHUNKS_B) {
                sharedB[base + kk * LDB4 + j / 4][j % 4] = v[e];
            }
        }
    }
}

// Starts on the slice at k0; nothing waits for it before finish.
void start(uint m0, uint n0, uint k0) {
    if (VEC_A > 1) {
        fetchA(m0, k0);
    }
    if (VEC_B > 1) {
        fetchB(n0, k0);
    }
}

// Brings the slice at k0, which was started, into shared buffer number target.
void finish(uint target, uint m0, uint n0, uint k0) {
    if (VEC_A > 1) {
        stageA(target * BK * LDA4);
    } else {
        copyA(target * BK * LDA4, m0, k0);
    }
    if (VEC_B > 1) {
        stageB(target * BK * LDB4);
    } else {
        copyB(target * BK * LDB4, n0, k0);
    }
}
