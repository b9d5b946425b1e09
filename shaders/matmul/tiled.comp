// Tiled matrix product, C = A·Bᵀ (layout nt) or C = A·B (layout nn).
//
//   nt: A is m×k row-major, B is n×k row-major, C is stored as n rows of m
//       (element (i,j) of A·Bᵀ at j*m + i): a decoder's weights, its
//       activations one token a row, and its result one token a row, so that
//       C is the next product's B.
//   nn: A is m×k, B is k×n, C is m×n, all row-major.
//
// One workgroup makes a BM×BN tile of C from BM×BK and BK×BN slices held in
// shared memory k-major, so that both operands are read as vec4 along m and n.
// One invocation makes TM×TN outputs in 4×4 blocks; the blocks of neighbouring
// invocations of a WM×WN sub-tile interleave, which keeps the vec4 reads free
// of bank conflicts (as CUTLASS's SIMT kernels do). WM and WN only order
// invocations: no subgroup operation is used and any subgroup size is right.
//
// Defines: STORAGE_F32 | STORAGE_F16 | STORAGE_BF16, ACC_F16 (else f32
// accumulators), ROLLED (keep the BK loop rolled: small code for small
// instruction caches).
#version 450
#extension GL_EXT_control_flow_attributes : require
#if defined(STORAGE_F16) || defined(STORAGE_BF16)
#extension GL_EXT_shader_16bit_storage : require
#endif
#if defined(ACC_F16)
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#endif

layout(constant_id = 0) const uint BLOCK_SIZE = 128; // (BM / TM) * (BN / TN)
layout(constant_id = 1) const uint BM = 64;
layout(constant_id = 2) const uint BN = 64;
layout(constant_id = 3) const uint BK = 16;
layout(constant_id = 4) const uint WM = 32;
layout(constant_id = 5) const uint WN = 32;
layout(constant_id = 6) const uint TM = 8;
layout(constant_id = 7) const uint TN = 4;
layout(constant_id = 8) const uint PAD = 4;      // elements after each shared row, a multiple of 4
layout(constant_id = 9) const uint PREFETCH = 1; // 0 none, 1 next slice in registers, 2 and a second shared buffer

// Set by the host from the problem.
layout(constant_id = 10) const uint LAYOUT_NN = 0;
layout(constant_id = 11) const uint CHECKED = 1; // m, n or k is no multiple of its tile
layout(constant_id = 12) const uint VEC_A = 1;   // elements per global load of A: 1, 4, or 8 in 16-bit storage
layout(constant_id = 13) const uint VEC_B = 1;
layout(constant_id = 14) const uint VEC_C = 1;   // elements per global store: 1 or 4

layout(local_size_x_id = 0, local_size_x = 128) in;

layout(push_constant) uniform Push {
    uint m;
    uint n;
    uint k;
} p;

#if defined(STORAGE_F32)
#define ELEM_BYTES 4
#define RAW uint
#define OUT float
#define OUT4 vec4
#define PACK1(x) (x)
#define PACK4(x) (x)
#elif defined(STORAGE_F16)
#define ELEM_BYTES 2
#define RAW uint16_t
#define OUT float16_t
#define OUT4 f16vec4
#define PACK1(x) float16_t(x)
#define PACK4(x) f16vec4(x)
#else
#define ELEM_BYTES 2
#define RAW uint16_t
#define OUT uint16_t
#define OUT4 uvec2
#define PACK1(x) uint16_t(bf16(x))
#define PACK4(v) uvec2(bf16((v).x) | (bf16((v).y) << 16), bf16((v).z) | (bf16((v).w) << 16))
#endif

#if defined(ACC_F16)
#define ACC float16_t
#define ACC4 f16vec4
#else
#define ACC float
#define ACC4 vec4
#endif

// Raw views of one buffer: the type is decoded on the way to shared memory.
layout(std430, set = 0, binding = 0) readonly restrict buffer A1 { RAW a1[]; };
layout(std430, set = 0, binding = 0) readonly restrict buffer A8 { uvec2 a8[]; };
layout(std430, set = 0, binding = 0) readonly restrict buffer A16 { uvec4 a16[]; };
layout(std430, set = 0, binding = 1) readonly restrict buffer B1 { RAW b1[]; };
layout(std430, set = 0, binding = 1) readonly restrict buffer B8 { uvec2 b8[]; };
layout(std430, set = 0, binding = 1) readonly restrict buffer B16 { uvec4 b16[]; };
layout(std430, set = 0, binding = 2) writeonly restrict buffer C1 { OUT c1[]; };
layout(std430, set = 0, binding = 2) writeonly restrict buffer C4 { OUT4 c4[]; };

const uint LDA4 = (BM + PAD) / 4;
const uint LDB4 = (BN + PAD) / 4;
const uint BUFFERS = 1 + PREFETCH / 2;

shared ACC4 sharedA[BUFFERS * BK * LDA4];
shared ACC4 sharedB[BUFFERS * BK * LDB4];

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

const uint LANES_M = WM / TM;
const uint LANES_N = WN / TN;
const uint LANES = LANES_M * LANES_N;
const uint TM4 = TM / 4;
const uint TN4 = TN / 4;

uint rawA[LOADS_A * WORDS_A];
uint rawB[LOADS_B * WORDS_B];
ACC4 acc[TM * TN4];

uint bf16(float x) {
    uint u = floatBitsToUint(x);
    if ((u & 0x7fffffffu) > 0x7f800000u) {
        return (u >> 16) | 0x40u; // a NaN stays one
    }
    return (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
}

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

// Loads never branch, or unrolled loads of single elements become a maze that takes drivers
// seconds to compile: what lies outside reads element 0 and is dropped.
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
        } else if (WORDS_A == 2) {
            const uvec2 v = mix(uvec2(0), a8[at / VEC_A], bvec2(inside));
            rawA[l * WORDS_A] = v.x;
            rawA[l * WORDS_A + 1] = v.y;
        } else {
            rawA[l * WORDS_A] = mix(0u, uint(a1[at]), inside);
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
        } else if (WORDS_B == 2) {
            const uvec2 v = mix(uvec2(0), b8[at / VEC_B], bvec2(inside));
            rawB[l * WORDS_B] = v.x;
            rawB[l * WORDS_B + 1] = v.y;
        } else {
            rawB[l * WORDS_B] = mix(0u, uint(b1[at]), inside);
        }
    }
}

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
        if (LAYOUT_NN != 0 && VEC_B >= 4) {
            [[unroll]] for (uint e = 0; e < VEC_B; e += 4) {
                const uint w = l * WORDS_B + e * ELEM_BYTES / 4;
                sharedB[base + row * LDB4 + (col + e) / 4] =
                    ACC4(element(rawB[w], 0), element(rawB[w + ELEM_BYTES / 4], 1),
                         element(rawB[w + 2 * ELEM_BYTES / 4], 2), element(rawB[w + 3 * ELEM_BYTES / 4], 3));
            }
        } else {
            [[unroll]] for (uint e = 0; e < VEC_B; e++) {
                const uint j = LAYOUT_NN != 0 ? col + e : row;
                const uint kk = LAYOUT_NN != 0 ? row : col + e;
                sharedB[base + kk * LDB4 + j / 4][j % 4] = element(rawB[l * WORDS_B + e * ELEM_BYTES / 4], e);
            }
        }
    }
}

// Adds the outer products of one slice; ra and rb are the invocation's first
// vec4 columns in it.
void multiply(uint ra, uint rb) {
#if defined(ROLLED)
    [[dont_unroll]]
#else
    [[unroll]]
#endif
    for (uint kk = 0; kk < BK; kk++) {
        ACC4 a[TM4];
        ACC4 b[TN4];
        [[unroll]] for (uint i = 0; i < TM4; i++) {
            a[i] = sharedA[ra + kk * LDA4 + i * LANES_M];
        }
        [[unroll]] for (uint j = 0; j < TN4; j++) {
            b[j] = sharedB[rb + kk * LDB4 + j * LANES_N];
        }
        [[unroll]] for (uint i = 0; i < TM; i++) {
            [[unroll]] for (uint j = 0; j < TN4; j++) {
                acc[i * TN4 + j] = fma(ACC4(a[i / 4][i % 4]), b[j], acc[i * TN4 + j]);
            }
        }
    }
}

// Writes four outputs that are contiguous in C, from element at; only the
// first count of them are inside.
void store(uint at, uint count, ACC4 v) {
    if (VEC_C == 4) {
        c4[at / 4] = PACK4(v);
    } else {
        [[unroll]] for (uint e = 0; e < 4; e++) {
            if (e < count) {
                c1[at + e] = PACK1(v[e]);
            }
        }
    }
}

void main() {
    const uint m0 = gl_WorkGroupID.x * BM;
    const uint n0 = gl_WorkGroupID.y * BN;

    const uint warp = gl_LocalInvocationIndex / LANES;
    const uint lane = gl_LocalInvocationIndex % LANES;
    uint laneM = lane / LANES_N;
    uint laneN = lane % LANES_N;
    // 2×2 blocks of lanes: neighbours share one operand, and the hardware
    // merges their 16-byte reads.
    if (LANES_M % 2 == 0 && LANES_N % 2 == 0) {
        laneM = lane / 4 / (LANES_N / 2) * 2 + (lane / 2) % 2;
        laneN = lane / 4 % (LANES_N / 2) * 2 + lane % 2;
    }
    const uint subM = warp / (BN / WN) * WM / 4 + laneM;
    const uint subN = warp % (BN / WN) * WN / 4 + laneN;

    [[unroll]] for (uint i = 0; i < TM * TN4; i++) {
        acc[i] = ACC4(0);
    }

    uint current = 0;
    if (PREFETCH != 0) {
        fetchA(m0, 0);
        fetchB(n0, 0);
    }
    if (PREFETCH == 2) {
        stageA(0);
        stageB(0);
        barrier();
    }
    for (uint k0 = 0; k0 < p.k; k0 += BK) {
        if (PREFETCH == 0) {
            fetchA(m0, k0);
            fetchB(n0, k0);
        }
        if (PREFETCH != 2) {
            stageA(0);
            stageB(0);
            barrier();
        }
        if (PREFETCH != 0 && k0 + BK < p.k) {
            fetchA(m0, k0 + BK);
            fetchB(n0, k0 + BK);
        }
        multiply(current * BK * LDA4 + subM, current * BK * LDB4 + subN);
        if (PREFETCH == 2) {
            current ^= 1;
            stageA(current * BK * LDA4);
            stageB(current * BK * LDB4);
        }
        barrier();
    }

    [[unroll]] for (uint i4 = 0; i4 < TM4; i4++) {
        [[unroll]] for (uint j4 = 0; j4 < TN4; j4++) {
            const uint i = m0 + (subM + i4 * LANES_M) * 4;
            const uint j = n0 + (subN + j4 * LANES_N) * 4;
            if (CHECKED != 0 && (i >= p.m || j >= p.n)) {
                continue;
            }
            [[unroll]] for (uint e = 0; e < 4; e++) {
                if (LAYOUT_NN != 0) {
                    if (CHECKED == 0 || i + e < p.m) {
                        store((i + e) * p.n + j, p.n - j, acc[(i4 * 4 + e) * TN4 + j4]);
                    }
                } else if (CHECKED == 0 || j + e < p.n) {
                    store((j + e) * p.m + i, p.m - i,
                          ACC4(acc[(i4 * 4) * TN4 + j4][e], acc[(i4 * 4 + 1) * TN4 + j4][e],
                               acc[(i4 * 4 + 2) * TN4 + j4][e], acc[(i4 * 4 + 3) * TN4 + j4][e]));
                }
            }
        }
    }
}
