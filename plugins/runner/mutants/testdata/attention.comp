// Attention of one head, O = softmax(scale·Q·Kᵀ)·V: Q and O are queries×D, K and V keys×D, f32,
// row-major. One workgroup of BLOCK invocations makes one row of O and steps through the keys
// by BLOCK, keeping a running maximum and sum (Milakov and Gimelshein, Online normalizer
// calculation for softmax, 2018; Dao et al., FlashAttention, 2022).
#version 450

layout(constant_id = 0) const uint BLOCK = 64; // a power of two, at least D
layout(constant_id = 1) const uint D = 32;
layout(local_size_x_id = 0, local_size_x = 64) in;
layout(push_constant) uniform Push {
    uint queries;
    uint keys;
    float scale;
};
layout(std430, set = 0, binding = 0) readonly buffer Q { float q[]; };
layout(std430, set = 0, binding = 1) readonly buffer K { float kk[]; };
layout(std430, set = 0, binding = 2) readonly buffer V { float v[]; };
layout(std430, set = 0, binding = 3) writeonly buffer O { float o[]; };

const uint STRIDE = D + 1;
const float LOWEST = -3.0e38;

shared float query[D];
shared float tile[BLOCK * STRIDE];
shared float weights[BLOCK];
shared float reduced[BLOCK];

void load(uint which, uint first, uint l) {
    for (uint e = l; e < BLOCK * D; e += BLOCK) {
        const uint row = e / D;
        const uint column = e % D;
        float value = 0.0;
        if (first + row < keys) {
            value = which == 0 ? kk[(first + row) * D + column] : v[(first + row) * D + column];
        }
        tile[row * STRIDE + column] = value;
    }
}

void main() {
    const uint l = gl_LocalInvocationIndex;
    const uint row = gl_WorkGroupID.x;
    if (l < D) {
        query[l] = q[row * D + l] * scale;
    }
    float highest = LOWEST;
    float total = 0.0;
    float acc = 0.0;
    for (uint first = 0; first < keys; first += BLOCK) {
        load(0, first, l);
        barrier();
        float score = LOWEST;
        if (first + l < keys) {
            score = 0.0;
            for (uint d = 0; d < D; d++) {
                score += query[d] * tile[l * STRIDE + d];
            }
        }
        reduced[l] = score;
        barrier();
        for (uint width = BLOCK / 2; width > 0; width /= 2) {
            if (l < width) {
                reduced[l] = max(reduced[l], reduced[l + width]);
            }
            barrier();
        }
        const float next = max(highest, reduced[0]);
        const float correction = exp(highest - next);
        weights[l] = first + l < keys ? exp(score - next) : 0.0;
        load(1, first, l);
        barrier();
        total *= correction;
        acc *= correction;
        for (uint j = 0; j < BLOCK; j++) {
            total += weights[j];
            if (l < D) {
                acc += weights[j] * tile[j * STRIDE + l];
            }
        }
        highest = next;
        barrier();
    }
    if (l < D) {
        o[row * D + l] = acc / total;
    }
}
