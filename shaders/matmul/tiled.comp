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
#extension GL_GOOGLE_include_directive : require
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

const uint LANES_M = WM / TM;
const uint LANES_N = WN / TN;
const uint LANES = LANES_M * LANES_N;
const uint TM4 = TM / 4;
const uint TN4 = TN / 4;

ACC4 acc[TM * TN4];

uint bf16(float x) {
    uint u = floatBitsToUint(x);
    if ((u & 0x7fffffffu) > 0x7f800000u) {
        return (u >> 16) | 0x40u; // a NaN stays one
    }
    return (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
}

#include "slices.glsl"

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
        start(m0, n0, 0);
    }
    if (PREFETCH == 2) {
        finish(0, m0, n0, 0);
        barrier();
    }
    for (uint k0 = 0; k0 < p.k; k0 += BK) {
        const uint next = k0 + BK;
        if (PREFETCH == 0) {
            start(m0, n0, k0);
        }
        if (PREFETCH != 2) {
            finish(0, m0, n0, k0);
            barrier();
        }
        if (PREFETCH != 0 && next < p.k) {
            start(m0, n0, next);
        }
        multiply(current * BK * LDA4 + subM, current * BK * LDB4 + subN);
        if (PREFETCH == 2 && next < p.k) {
            current ^= 1;
            finish(current, m0, n0, next);
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
