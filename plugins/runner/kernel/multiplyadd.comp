#version 450
// Multiplies and adds in registers: what the device can compute in f32, at best. One invocation
// makes 8 chains of 4 independent multiply-adds each, 64 floating-point operations an iteration.
layout(local_size_x = 256) in;
layout(push_constant) uniform Push { uint iterations; float factor; };
layout(set = 0, binding = 0) writeonly buffer Sink { float sink[]; };

void main() {
    vec4 x0 = vec4(gl_GlobalInvocationID.x), x1 = x0 + 1.0, x2 = x0 + 2.0, x3 = x0 + 3.0;
    vec4 x4 = x0 + 4.0, x5 = x0 + 5.0, x6 = x0 + 6.0, x7 = x0 + 7.0;
    for (uint i = 0u; i < iterations; i++) {
        x0 = x0 * factor + x0;
        x1 = x1 * factor + x1;
        x2 = x2 * factor + x2;
        x3 = x3 * factor + x3;
        x4 = x4 * factor + x4;
        x5 = x5 * factor + x5;
        x6 = x6 * factor + x6;
        x7 = x7 * factor + x7;
    }
    vec4 sum = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
    float total = sum.x + sum.y + sum.z + sum.w;
    // Never true, and no compiler knows it.
    if (total == -1.0) sink[0] = total;
}
