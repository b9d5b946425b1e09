// y = SCALE * x + y, or y = x where ASSIGN: one specialization constant of each
// plain type, push constants and two buffers.
#version 450

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const int SCALE = 2;
layout(constant_id = 2) const bool ASSIGN = false;

layout(set = 0, binding = 0) readonly buffer X { int x[]; };
layout(set = 0, binding = 1) buffer Y { int y[]; };
layout(push_constant) uniform Push { uint n; int bias; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= n) return;
    y[i] = (ASSIGN ? x[i] : SCALE * x[i] + y[i]) + bias;
}
