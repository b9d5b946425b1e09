// Sizes that depend on specialization constants, as tiled kernels have them.
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require

layout(local_size_x_id = 0, local_size_y = 2, local_size_z = 1) in;
layout(constant_id = 0) const uint BLOCK_SIZE = 64;
layout(constant_id = 1) const uint BM = 64;
layout(constant_id = 2) const uint BK = 16;
layout(constant_id = 3) const bool PAD = true;
layout(constant_id = 4) const float SCALE = 0.5;
layout(constant_id = 5) const int BIAS = -3;

layout(set = 0, binding = 0) readonly buffer A { float16_t data_a[]; };
layout(set = 0, binding = 0) readonly buffer A4 { f16vec4 data_a4[]; };
layout(set = 0, binding = 2) writeonly restrict buffer D { float data_d[]; };
layout(set = 1, binding = 1) uniform U { vec4 u; mat3x2 m; };

struct Tile { uint offset[2]; float alpha; };
layout(push_constant) uniform Parameter {
    uint M;
    uint strides[2][3];
    Tile tiles[2];
    vec2 v;
    float16_t h;
} p;

const uint STRIDE = BK / 2 + (PAD ? 1 : 0);
shared vec2 buf_a[BM * STRIDE];
shared float16_t buf_b[BK + 1];
shared bool flags[3];

float read(uint i) { return float(buf_b[i]); }

void main() {
    uint i = gl_LocalInvocationIndex;
    buf_a[i] = vec2(data_a[i]) + vec2(data_a4[i].xy);
    buf_b[i] = p.h;
    flags[i % 3] = p.M > i + p.strides[1][2];
    barrier();
    data_d[i] = SCALE * buf_a[i + gl_WorkGroupSize.x].x + read(i) + (flags[0] ? p.tiles[1].alpha : p.v.y) + u.x + m[1].y + float(BIAS);
}
