#version 460
// Makes the ramps of a scene's gradients of their pieces, as sj_plan_ramp does: a workgroup a ramp.
#extension GL_EXT_scalar_block_layout : require
#extension GL_GOOGLE_include_directive : require

#include "gpu/layout.h"
#include "kernel/composite_float.h"
#include "kernel/paint.h"
#include "kernel/ramp.h"

layout(local_size_x = G_RAMP_GROUP) in;
layout(push_constant, scalar) uniform Constants { g_ramp_params P; };
layout(set = 0, binding = 0, scalar) readonly restrict buffer Pieces { uint words[]; };
layout(set = 0, binding = 1, scalar) writeonly restrict buffer Ramps { vec4 ramps[]; };

uint piece_at(uint i) { return P.pieces + i * G_RAMP_PIECE_WORDS; }
float number_at(uint i) { return uintBitsToFloat(words[i]); }

void main() {
  uint ramp = gl_WorkGroupID.x + gl_WorkGroupID.y * gl_NumWorkGroups.x;
  if (ramp >= P.ramps) return;
  uint first = words[2u * ramp], count = words[2u * ramp + 1u];
  for (uint entry = gl_LocalInvocationID.x; entry < uint(K_RAMP_SIZE); entry += G_RAMP_GROUP) {
    uint lo = 0u, hi = count - 1u;  // the last piece that begins no later
    while (lo < hi) {
      uint middle = (lo + hi + 1u) >> 1;
      if (words[piece_at(first + middle)] <= entry) lo = middle;
      else hi = middle - 1u;
    }
    uint at = piece_at(first + lo);
    k_ramp_piece piece = k_ramp_piece(words[at], number_at(at + 1u), number_at(at + 2u), number_at(at + 3u),
                                      number_at(at + 4u), number_at(at + 5u), number_at(at + 6u), number_at(at + 7u),
                                      number_at(at + 8u));
    k_pixel color = k_pixel_unpack(k_ramp_color(piece, int(entry - piece.first)));
    ramps[ramp * uint(K_RAMP_SIZE) + entry] = vec4(color.r, color.g, color.b, color.a);
  }
}
