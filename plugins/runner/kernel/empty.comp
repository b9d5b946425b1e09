#version 450
// Does nothing: what is left is the cost of a dispatch.
layout(local_size_x = 1) in;
void main() {}
