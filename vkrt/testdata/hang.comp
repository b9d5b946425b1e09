// Runs until another thread writes stop[1], which nobody does.
#version 450

layout(local_size_x = 1) in;
layout(set = 0, binding = 0) volatile coherent buffer Stop { uint stop[]; };

void main() {
    while (stop[1] == 0) stop[0] += 1;
}
