#version 450
// Reads a buffer once, all of it: its time shows which cache the buffer fits, and what was in
// the caches before is gone afterwards if it is large.
layout(local_size_x = 256) in;
layout(push_constant) uniform Push { uint count; uint stride; };
layout(set = 0, binding = 0) readonly buffer Data { uvec4 data[]; };
layout(set = 0, binding = 1) writeonly buffer Sink { uint sink[]; };

void main() {
    uint state = 0u;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += stride) {
        uvec4 v = data[i];
        state ^= v.x ^ v.y ^ v.z ^ v.w;
    }
    // The buffer holds zeros: nothing is stored, and no compiler knows it.
    if (state != 0u) sink[0] = state;
}
