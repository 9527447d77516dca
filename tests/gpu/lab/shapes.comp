#version 460
// Each lane a word of a picture of 256 x 256: the one below and the one to the right of it added up.
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(set = 0, binding = 0) readonly buffer From { uint from[]; };
layout(set = 0, binding = 1) writeonly buffer To { uint to[]; };

void main() {
  uint x = gl_GlobalInvocationID.x, y = gl_GlobalInvocationID.y;
  to[y * 256u + x] = from[y * 256u + (x + 1u) % 256u] + from[(y + 1u) % 256u * 256u + x];
}
