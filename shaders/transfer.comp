#version 460
// Converts pixels from the renderer's own format, premultiplied RGBA8, to that of the application's buffer, or back.
// Where the target is an image, both buffers are the same one. A lane takes a word of the application's buffer: one
// pixel, or four of A8. The results are those of src/image/convert.c.
#extension GL_EXT_scalar_block_layout : require
#extension GL_GOOGLE_include_directive : require

#include "gpu/layout.h"
#include "kernel/composite.h"

#include "groups.glsl"

layout(local_size_x = G_TRANSFER_GROUP) in;
layout(push_constant, scalar) uniform Transfer { g_transfer T; };
layout(set = 0, binding = 0, scalar) buffer Own { uint own[]; };
layout(set = 0, binding = 1, scalar) buffer Other { uint other[]; };
layout(set = 0, binding = 2, scalar) readonly buffer Lists { g_needs needed; };

uint swap_red_blue(uint p) { return (p & 0xff00ff00u) | (p >> 16 & 255u) | (p & 255u) << 16; }

uint premultiply(uint p) { return (p & 0xff000000u) | (k_scale(p, k_alpha(p)) & 0x00ffffffu); }

uint unpremultiply(uint p) {
  uint a = k_alpha(p), result = p & 0xff000000u;
  if (a == 0u) return 0u;
  for (uint i = 0u; i < 3u; i++) result |= min((k_channel(p, i) * 255u + (a >> 1)) / a, 255u) << (8u * i);
  return result;
}

uint clamp_to_alpha(uint p) {
  uint a = k_alpha(p);
  return min(k_channel(p, 0u), a) | min(k_channel(p, 1u), a) << 8 | min(k_channel(p, 2u), a) << 16 | a << 24;
}

void main() {
  if (!g_fits(needed, T.capacity)) return;  // buffers were too small, so nothing was painted
  uint i = group_number() * G_TRANSFER_GROUP + gl_LocalInvocationID.x;
  bool alpha_only = (T.format & G_TRANSFER_ALPHA) != 0u;
  uint words = alpha_only ? (T.width + 3u) / 4u : T.width;
  uint y = i / words, x = i % words;
  if (y >= T.height) return;
  uint there = T.first + y * T.stride + x;
  if (alpha_only) {
    uint here = y * T.own_stride + 4u * x, count = min(T.width - 4u * x, 4u), bytes = other[there];
    for (uint k = 0u; k < count; k++)
      if (T.load != 0u) own[here + k] = bytes >> (8u * k) << 24;
      else bytes = (bytes & ~(255u << (8u * k))) | k_alpha(own[here + k]) << (8u * k);
    if (T.load == 0u) other[there] = bytes;
    return;
  }
  uint here = y * T.own_stride + x;
  uint p = T.load != 0u ? other[there] : own[here];
  if (T.load == 0u && (T.format & G_TRANSFER_STRAIGHT) != 0u) p = unpremultiply(p);
  if (T.load != 0u && (T.format & G_TRANSFER_STRAIGHT) != 0u) p = premultiply(p);
  if ((T.format & G_TRANSFER_CLAMP) != 0u) p = clamp_to_alpha(p);
  if ((T.format & G_TRANSFER_BLUE_FIRST) != 0u) p = swap_red_blue(p);
  if (T.load != 0u) own[here] = p;
  else other[there] = p;
}
