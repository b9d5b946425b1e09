#version 450
// Fills all of a workgroup's shared memory with one word, so that a kernel that reads shared
// memory before writing it meets NaN rather than a lucky zero. The word read back proves to
// the host that the device executes at all.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint WORDS = 4096;
layout(push_constant) uniform Push {
    uint word;
    uint nonce;
    uint probe;  // which word is read back, below WORDS
    uint mask;   // always 0: keeps compilers from folding the read into the write
};
layout(set = 0, binding = 0) coherent buffer Sink { uint sink[]; };
// On a CPU device a core is a thread with memory of its own, which wakes late on a busy machine:
// each of the first PEERS workgroups waits, for a while, until all of them have begun.
layout(constant_id = 2) const uint PEERS = 0;

shared uint memory[WORDS];

void main() {
    for (uint i = gl_LocalInvocationID.x; i < WORDS; i += gl_WorkGroupSize.x)
        memory[i] = word ^ (i & mask);
    if (PEERS > 0 && gl_LocalInvocationID.x == 0) {
        atomicAdd(sink[gl_NumWorkGroups.x], 1);
        for (uint i = 0; i < 200; i++) {
            for (uint j = 0; j < 10000; j++) {
                if (atomicOr(sink[gl_NumWorkGroups.x], 0) >= PEERS)
                    break;
            }
            if (atomicOr(sink[gl_NumWorkGroups.x], 0) >= PEERS)
                break;
        }
        atomicMax(sink[gl_NumWorkGroups.x], PEERS); // who waited in vain waited for all
    }
    barrier();
    if (gl_LocalInvocationID.x == 0)
        sink[gl_WorkGroupID.x] = memory[probe] ^ nonce;
}
