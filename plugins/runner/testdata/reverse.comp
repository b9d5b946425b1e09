#version 450
// c[i] = a[mirror of i in its tile of 64] + b[i], with 0 for an a beyond n. Correct as it stands;
// each define adds the one defect that it is named after.
layout(local_size_x = 64) in;
#ifdef TOO_MUCH_SHARED
const uint EXTRA = 1024u * 1024u;
#else
const uint EXTRA = 64u;
#endif
layout(push_constant) uniform Push { uint n; };
layout(set = 0, binding = 0) buffer A { float a[]; };
layout(set = 0, binding = 1) buffer B { float b[]; };
layout(set = 0, binding = 2) buffer C { float c[]; };
layout(set = 0, binding = 3) buffer S { uint scratch[]; };

shared float tile[EXTRA];

void main() {
    uint l = gl_LocalInvocationID.x, i = gl_GlobalInvocationID.x;
#ifdef UNINITIALIZED_SHARED
    if (l != 5u)
#endif
#if defined(READS_BEYOND) || defined(UNGUARDED)
    tile[l] = a[i];
#else
    tile[l] = i < n ? a[i] : 0.0;
#endif
#ifdef INPUT_MODIFIED
    if (i == 70u) a[i] += 1.0;
#endif
#ifdef CRASHES
    // Megabytes beyond the array: what lies there on a CPU belongs to nobody.
    tile[l + n * 65536u] = 1.0;
#endif
    barrier();
#ifdef WRONG
    float v = tile[63u - l] + (l == 9u ? b[i ^ 1u] : b[i]);
#elif defined(UNGUARDED)
    float v = tile[63u - l] + b[i];
#elif defined(OFF_BY_ONE_PERCENT)
    float v = tile[63u - l] * 1.01 + b[i];
#else
    float v = tile[63u - l] + (i < n ? b[i] : 0.0);
#endif
#ifdef NAN
    if (i == 3u) v = log(-1.0 - abs(v));
#endif
#ifdef READS_SCRATCH
    v += float((scratch[0] >> 1) & 1u);
#endif
#ifdef ENDLESS
    // A driver may stop a long loop, but not this many of them.
    for (uint k = 0u; k < 0x7fffffffu; k++) v = fract(v * 1.000001 + 0.5);
#endif
#ifdef UNWRITTEN_HALF
    if (gl_WorkGroupID.x % 2u == 1u) return;
#endif
#ifdef UNWRITTEN_TAIL
    if (i < n - n % 64u)
#elif defined(OUT_OF_BOUNDS)
    if (i <= n)
#elif !defined(UNGUARDED)
    if (i < n)
#endif
#ifdef ACCUMULATES
    c[i] += v;
#else
    c[i] = v;
#endif
}
