#version 450
// y = y + alpha * x, UNROLL elements for each invocation, a workgroup apart.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint UNROLL = 1;

layout(std430, set = 0, binding = 0) readonly buffer X { float x[]; };
layout(std430, set = 0, binding = 1) buffer Y { float y[]; };
layout(push_constant) uniform Push { uint n; float alpha; };

void main() {
    uint base = gl_WorkGroupID.x * gl_WorkGroupSize.x * UNROLL + gl_LocalInvocationID.x;
    for (uint i = 0; i < UNROLL; i++) {
        uint at = base + i * gl_WorkGroupSize.x;
        if (at < n) {
            y[at] = y[at] + alpha * x[at];
        }
    }
}
