#version 450
// Busy for a number of iterations per invocation, and says how many it really did: the clocks'
// self-test and the probe for drivers that stop long loops.
layout(local_size_x = 64) in;
layout(push_constant) uniform Push { uint iterations; };
layout(set = 0, binding = 0) writeonly buffer Sink { uint sink[]; };

void main() {
    uint x = gl_GlobalInvocationID.x, done = 0;
    for (uint i = 0; i < iterations; i++) {
        x = x * 1664525u + 1013904223u;
        done += 1u + (x == 0xdeadbeefu && i == 0xffffffffu ? 1u : 0u);
    }
    // The state takes part in what is stored, so that the loop cannot be reduced to its count.
    sink[2u * gl_WorkGroupID.x] = done;
    sink[2u * gl_WorkGroupID.x + 1u] = x;
}
