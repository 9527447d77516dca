#version 460
// A stack of 16 entries of three words, which each lane pushes to and pops from by numbers of its own. WAY: where it
// is.
#extension GL_EXT_scalar_block_layout : require
layout(constant_id = 0) const uint GROUP = 64;
layout(local_size_x_id = 0) in;
layout(push_constant, scalar) uniform Push { uint turns, lanes; };
layout(set = 0, binding = 0, scalar) writeonly buffer Out { uint sums[]; };

struct entry { uint a, b, c; };
#if WAY == 0  // registers, or wherever the compiler puts what does not fit them
entry stack[16];
#define AT(i) stack[i]
#elif WAY == 1  // shared memory, each lane's entries GROUP apart
shared entry stack[16u * GROUP];
#define AT(i) stack[(i) * GROUP + gl_LocalInvocationID.x]
#else  // a buffer, each lane's entries `lanes` apart
layout(set = 0, binding = 1, scalar) buffer Stacks { entry stack[]; };
#define AT(i) stack[(i) * lanes + gl_GlobalInvocationID.x]
#endif

void main() {
  uint lane = gl_GlobalInvocationID.x, random = lane * 2654435761u + 1u, depth = 0u, sum = 0u;
  for (uint t = 0u; t < turns; t++) {
    random = random * 1664525u + 1013904223u;
    bool push = depth == 0u || (depth < 16u && random >> 31 == 0u);
    if (push) {
      AT(depth) = entry(random, random ^ t, sum);
      depth++;
    } else {
      depth--;
      entry e = AT(depth);
      sum = (sum ^ e.a) * 31u + (e.b ^ e.c);
    }
  }
  sums[lane] = sum + depth;
}
