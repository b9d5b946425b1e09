// Sums of rows, y[r] = Σ x[r*k + i], in two passes: SPLITS workgroups a row leave partial sums
// in scratch memory (PARTIAL), and one invocation a row adds them (the other module).
#version 450

layout(constant_id = 0) const uint BLOCK = 64; // a power of two
layout(constant_id = 1) const uint SPLITS = 3;
layout(local_size_x_id = 0, local_size_x = 64) in;
layout(push_constant) uniform Push {
    uint rows;
    uint k;
};
#if defined(PARTIAL)
layout(std430, set = 0, binding = 0) readonly buffer X { float x[]; };
layout(std430, set = 0, binding = 1) writeonly buffer S { float partial[]; };

shared vec4 sums[BLOCK];

void main() {
    const uint l = gl_LocalInvocationIndex;
    const uint row = gl_WorkGroupID.x;
    const uint part = gl_WorkGroupID.y;
    const uint span = (k + SPLITS - 1) / SPLITS;
    const uint first = part * span;
    const uint last = min(first + span, k);
    vec4 sum = vec4(0);
    uint i = first + l * 4;
    for (; i + 4 <= last; i += BLOCK * 4) {
        const uint at = row * k + i;
        sum += vec4(x[at], x[at + 1], x[at + 2], x[at + 3]);
    }
    for (uint e = i; e < min(i + 4, last); e++) {
        sum[e % 4] += x[row * k + e];
    }
    sums[l] = sum;
    barrier();
    for (uint width = BLOCK / 2; width > 0; width >>= 1) {
        vec4 other = vec4(0);
        if (l < width) {
            other = sums[l + width];
        }
        barrier();
        if (l < width) {
            sums[l] += other;
        }
        barrier();
    }
    if (l == 0) {
        partial[row * SPLITS + part] = dot(sums[0], vec4(1));
    }
}
#else
layout(std430, set = 0, binding = 0) readonly buffer S { float partial[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Y { float y[]; };

void main() {
    const uint row = gl_GlobalInvocationID.x;
    if (row < rows) {
        float sum = 0.0;
        for (uint s = 0; s < SPLITS; s++) {
            sum += partial[row * SPLITS + s];
        }
        y[row] = sum;
    }
}
#endif
