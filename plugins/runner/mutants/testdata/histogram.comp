// Histograms of rows: counts[r*BINS + b] is how many of row r's k keys equal b; keys beyond BINS
// are dropped. One workgroup a row counts in shared memory.
#version 450

layout(constant_id = 0) const uint BLOCK = 64;
layout(constant_id = 1) const uint BINS = 48;
layout(local_size_x_id = 0, local_size_x = 64) in;
layout(push_constant) uniform Push {
    uint rows;
    uint k;
};
layout(std430, set = 0, binding = 0) readonly buffer K { uint keys[]; };
layout(std430, set = 0, binding = 1) buffer C { uint counts[]; };

shared uint bins[BINS];

void main() {
    const uint l = gl_LocalInvocationIndex;
    const uint row = gl_WorkGroupID.x;
    for (uint b = l; b < BINS; b += BLOCK) {
        bins[b] = 0;
    }
    barrier();
    for (uint i = l; i < k; i += BLOCK) {
        const uint key = keys[row * k + i];
        if (key < BINS) {
            atomicAdd(bins[key], 1);
        }
    }
    barrier();
    for (uint b = l; b < BINS; b += BLOCK) {
        counts[row * BINS + b] = bins[b];
    }
}
