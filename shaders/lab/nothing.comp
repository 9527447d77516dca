#version 460
// Does nothing: what a dispatch costs by itself.
layout(local_size_x = 32) in;
void main() {}
