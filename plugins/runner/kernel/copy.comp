#version 450
// Copies a buffer: what the device can move, at best.
layout(local_size_x = 256) in;
layout(push_constant) uniform Push { uint count; uint stride; };
layout(set = 0, binding = 0) readonly buffer From { uvec4 from[]; };
layout(set = 0, binding = 1) writeonly buffer To { uvec4 to[]; };

void main() {
    for (uint i = gl_GlobalInvocationID.x; i < count; i += stride) to[i] = from[i];
}
