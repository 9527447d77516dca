#version 460
// Loads elements in a pattern, `turns` of them a lane, and writes what they add up to. src/lab/access.c has the same
// patterns, to know the sums. TYPE is the element's type; SOURCE is what it is loaded from, a storage buffer where it
// is not defined.
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
#if defined(BITS8)
#extension GL_EXT_shader_8bit_storage : require
#elif defined(BITS16)
#extension GL_EXT_shader_16bit_storage : require
#endif
layout(constant_id = 0) const uint GROUP = 256;
layout(constant_id = 1) const uint PATTERN = 0;
const uint LINEAR = 0u, STRIDED = 1u, RANDOM = 2u, SAME = 3u, STRUCTS = 4u, ONE_FIELD = 5u, FIELDS = 6u, PADDED = 7u,
           COLUMNS = 8u;
// LINEAR: where it begins; STRIDED: log2 of the elements from lane to lane.
layout(constant_id = 2) const uint STEP = 0;
layout(local_size_x_id = 0) in;
// Turns that are written out, of which `turns` is a multiple: compilers for WebGPU write out none, since they have
// loops count their turns, so that those end; a lane has then one load under way.
#ifndef UNROLLED
#define UNROLLED 1u
#endif
layout(push_constant, scalar) uniform Push {
  uint bits, turns, count;  // a power of two of elements, of which loads are made; loads a lane; lanes
#ifdef PUSHED
  uint data[16];
#endif
};
layout(set = 0, binding = 1, scalar) restrict writeonly buffer Out { uint sums[]; };
#if defined(PUSHED)
uint load(uint i) { return data[i & 15u]; }
#elif defined(UNIFORM)
layout(set = 0, binding = 0, scalar) uniform In { uint data[4096]; };
uint load(uint i) { return data[i]; }
#elif defined(TEXTURE)
layout(set = 0, binding = 0) uniform usampler2D data;
uint load(uint i) { return texelFetch(data, ivec2(i & ((1u << (bits + 1u >> 1)) - 1u), i >> (bits + 1u >> 1)), 0).x; }
#elif defined(IMAGE)
layout(set = 0, binding = 0, r32ui) restrict readonly uniform uimage2D data;
uint load(uint i) { return imageLoad(data, ivec2(i & ((1u << (bits + 1u >> 1)) - 1u), i >> (bits + 1u >> 1))).x; }
#else
layout(set = 0, binding = 0, scalar) restrict readonly buffer In { TYPE data[]; };
#if defined(VECTOR2)
uint load(uint i) { uvec2 v = data[i]; return v.x + v.y; }
#elif defined(VECTOR4)
uint load(uint i) { uvec4 v = data[i]; return v.x + v.y + v.z + v.w; }
#else
uint load(uint i) { return uint(data[i]); }
#endif
#endif

uint scatter(uint i) {
  i *= 2654435761u;
  i ^= i >> 15;
  i *= 0x2c1b3c6du;
  return i ^ i >> 12;
}

// Returns the element of load number i.
uint place(uint i) {
  uint mask = (1u << bits) - 1u;
  switch (PATTERN) {
    case LINEAR: return (i + STEP) & mask;
    // Side by side in the result, 2^STEP apart in memory; all elements in the end.
    case STRIDED: return (i << STEP & mask) | (i & mask) >> (bits - STEP);
    case RANDOM: return scatter(i) & mask;
    case SAME: return i >> 5 & mask;
    // A square's columns.
    case COLUMNS: return (i << (bits >> 1) & mask) | (i & mask) >> (bits + 1u >> 1);
    default: return i & mask;
  }
}

void main() {
  uint lane = gl_GlobalInvocationID.x, sum = 0u;
  for (uint t = 0u; t < turns; t += UNROLLED) [[unroll]] for (uint u = 0u; u < UNROLLED; u++) {
    uint i = place(lane + (t + u) * count);
    // Structures of three words: one behind the other, only their first word, each word in an array of its own, and
    // padded to four.
    if (PATTERN == STRUCTS) sum += load(3u * i) + load(3u * i + 1u) + load(3u * i + 2u);
    else if (PATTERN == ONE_FIELD) sum += load(3u * i);
    else if (PATTERN == FIELDS) sum += load(i) + load(i + (1u << bits)) + load(i + (2u << bits));
    else if (PATTERN == PADDED) sum += load(4u * i) + load(4u * i + 1u) + load(4u * i + 2u);
    else sum += load(i);
  }
  sums[lane] = sum;
}
