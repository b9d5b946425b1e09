// Matrix-vector product, y = W·x: W is rows×k row-major, in f16 or in GGUF's q8_0 or q4_0
// blocks of 32 along k; x and y are f32. One workgroup of BLOCK invocations makes ROWS outputs.
//
// Defines: WEIGHT_F16 | WEIGHT_Q8_0 | WEIGHT_Q4_0.
#version 450
#extension GL_EXT_shader_16bit_storage : require

layout(constant_id = 0) const uint BLOCK = 64; // a power of two
layout(constant_id = 1) const uint ROWS = 2;
layout(local_size_x_id = 0, local_size_x = 64) in;
layout(push_constant) uniform Push {
    uint rows;
    uint k;
};
layout(std430, set = 0, binding = 0) readonly buffer W { uint16_t w[]; };
layout(std430, set = 0, binding = 1) readonly buffer X { float x[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Y { float y[]; };

shared float sums[ROWS * BLOCK];

float half1(uint at) { return unpackHalf2x16(uint(w[at])).x; }

float weight(uint row, uint kk) {
#if defined(WEIGHT_F16)
    return half1(row * k + kk);
#elif defined(WEIGHT_Q8_0)
    const uint block = (row * (k / 32) + kk / 32) * 17; // 34 bytes
    const int pair = int(w[block + 1 + kk % 32 / 2]);
    return half1(block) * float(bitfieldExtract(pair, int(kk % 2) * 8, 8));
#else
    const uint block = (row * (k / 32) + kk / 32) * 9; // 18 bytes
    const uint i = kk % 16;
    const uint q = uint(w[block + 1 + i / 2]) >> (i % 2 * 8);
    const uint nibble = kk % 32 < 16 ? q & 15 : q >> 4 & 15;
    return half1(block) * (float(nibble) - 8.0);
#endif
}

void main() {
    const uint l = gl_LocalInvocationIndex;
    const uint row0 = gl_WorkGroupID.x * ROWS;
    for (uint r = 0; r < ROWS; r++) {
        float sum = 0.0;
        if (row0 + r < rows) {
            for (uint kk = l; kk < k; kk += BLOCK) {
                sum = fma(weight(row0 + r, kk), x[kk], sum);
            }
        }
        sums[r * BLOCK + l] = sum;
    }
    barrier();
    for (uint width = BLOCK / 2; width > 0; width /= 2) {
        if (l < width) {
            for (uint r = 0; r < ROWS; r++) {
                sums[r * BLOCK + l] += sums[r * BLOCK + l + width];
            }
        }
        barrier();
    }
    if (l < ROWS && row0 + l < rows) {
        y[row0 + l] = sums[l * BLOCK];
    }
}
