// One variable of each kind of descriptor.
#version 450

layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0) uniform sampler2D combined;
layout(set = 0, binding = 1, rgba8) uniform image2D stored;
layout(set = 0, binding = 2) uniform texture2D sampled;
layout(set = 0, binding = 3) uniform sampler plain;
layout(set = 0, binding = 4) uniform textureBuffer texels;
layout(set = 0, binding = 5, r32f) uniform imageBuffer stored_texels;
layout(set = 0, binding = 6) uniform Uniform { float u[3]; };
layout(set = 0, binding = 7) buffer Storage { uint count; float values[4]; } many[5];
layout(set = 0, binding = 8) coherent volatile buffer Flags { uint flag; };

void main() {
    vec4 v = texelFetch(combined, ivec2(0), 0) + texture(sampler2D(sampled, plain), vec2(0)) +
             texelFetch(texels, 1) + u[2];
    imageStore(stored, ivec2(1), v);
    imageStore(stored_texels, 2, v);
    many[3].values[1] = v.x;
    flag = 1;
}
