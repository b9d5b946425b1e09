// Takes about n steps per invocation: time to measure.
#version 450

layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint value[]; };
layout(push_constant) uniform Push { uint n; };

void main() {
    uint v = gl_GlobalInvocationID.x;
    for (uint i = 0; i < n; i++) v = v * 1664525u + 1013904223u;
    value[gl_GlobalInvocationID.x] = v;
}
