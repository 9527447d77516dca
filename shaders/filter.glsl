// What the shaders of filters have in common.
#include "begin.glsl"
#include "gpu/filter_layout.h"
#include "kernel/filter.h"
#include "kernel/filter_blur.h"
#include "kernel/filter_noise.h"

layout(local_size_x = G_FILTER_GROUP) in;
#ifdef WEBGPU
#include "gpu/layout.h"
#include "webgpu.glsl"
#define P (g_filter_params(params[0].x, params[0].y, params[0].z))
// WebGPU lets no dispatch have a buffer twice that it writes.
layout(set = 0, binding = G_TEXELS, scalar) buffer Texels { uint texels[]; };
#define from_texels texels
#define to_texels texels
layout(set = 0, binding = G_WEB_ITEMS, scalar) readonly buffer Items { g_item items[]; };
layout(set = 0, binding = G_WEB_ITEM_WORDS, scalar) readonly buffer Words { uint words[]; };
#else
#define uniform_of(value) (value)
layout(push_constant, scalar) uniform Params { g_filter_params P; };
// Twice the same texels. What a dispatch writes it does not read.
layout(set = 0, binding = 0, scalar) readonly restrict buffer From { uint from_texels[]; };
layout(set = 0, binding = 1, scalar) writeonly restrict buffer To { uint to_texels[]; };
layout(set = 0, binding = 2, scalar) readonly restrict buffer Items { g_item items[]; };
layout(set = 0, binding = 3, scalar) readonly restrict buffer Words { uint words[]; };
#endif

// Finds the item that the workgroup works for; `group` becomes its number among the item's. False: none.
bool find_item(out g_item item, out uint group) {
  group = group_number();
  if (group >= P.groups) return false;
  uint at = P.item;
  for (uint n = P.items; n > 1u;) {
    uint lower = n / 2u;
    bool upper = items[at + lower].group <= group;
    at += upper ? lower : 0u;
    n = upper ? n - lower : lower;
  }
  item = items[at];
  group -= item.group;
  return true;
}

bool is_inside(g_picture p, int x, int y) { return x >= p.x0 && x < p.x1 && y >= p.y0 && y < p.y1; }
uint texel_at(g_picture p, int x, int y) { return p.base + uint(y) * p.stride + uint(x); }
uint load_pixel(g_picture p, int x, int y) { return is_inside(p, x, y) ? from_texels[texel_at(p, x, y)] : 0u; }

#include "words.glsl"

uint byte_of(uint table, uint i) { return words[table + (i >> 2)] >> (8u * (i & 3u)) & 255u; }

// Looks a pixel's straight colours up in a table of bytes.
uint look_up(uint table, uint p) {
  uint a = p >> 24;
  if (a == 0u) return 0u;
  uint r = a << 24;
  [[unroll]] for (uint c = 0u; c < 24u; c += 8u)
    r |= k_div255(byte_of(table, k_filter_straight(p >> c & 255u, a)) * a) << c;
  return r;
}

// Returns the place within from..to that a place beyond it shows.
int edge_place(uint edge, int i, int from, int to) {
  if (i >= from && i < to) return i;
  if (edge == K_FILTER_EDGE_DUPLICATE) return clamp(i, from, to - 1);
  int n = to - from, d = i - from;
  return from + (d >= 0 ? d % n : n - 1 - (-1 - d) % n);
}
