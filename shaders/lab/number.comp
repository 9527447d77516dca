#version 460
// Numbers the words of a buffer: word i becomes i times a factor. Instruments begin with it, and know then what is
// right.
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 256) in;
layout(push_constant, scalar) uniform Push { uint words, factor; };
layout(set = 0, binding = 0, scalar) writeonly buffer Out { uint data[]; };

void main() {
  uint lanes = gl_NumWorkGroups.x * 256u;
  for (uint i = gl_GlobalInvocationID.x; i < words; i += lanes) data[i] = i * factor;
}
