// Filter primitives on premultiplied RGBA8 pixels: what each does to a pixel. Formulas: W3C Filter Effects Module
// Level 1.
#ifndef K_FILTER_H
#define K_FILTER_H

#include "composite.h"

// Operators of feComposite and feMerge.
#define K_FILTER_OVER 0u
#define K_FILTER_IN 1u
#define K_FILTER_OUT 2u
#define K_FILTER_ATOP 3u
#define K_FILTER_XOR 4u
#define K_FILTER_LIGHTER 5u

// What lies outside of an image.
#define K_FILTER_EDGE_NONE 0u  // transparent black
#define K_FILTER_EDGE_DUPLICATE 1u
#define K_FILTER_EDGE_WRAP 2u

// An axis of what is repeated: the pixels from..to - 1, of which `period` units fit beside each other, the first of
// them `first` units into the pixel `from`. A unit is 1 / 2^bits of a pixel; a repetition need not begin with a pixel.
K_STRUCT(k_filter_tile) {
  int from, to, period, first;
  uint bits;
};

// Returns how far into its repetition the centre of a pixel is, in units.
K_FN int k_filter_in_tile(k_filter_tile t, int at) {
  int half_pixel = (1 << t.bits) >> 1, u = (at - t.from) * (1 << t.bits) + half_pixel - t.first;
  // The remainder of a negative number is not the same everywhere.
  return u >= 0 ? u % t.period : t.period - 1 - (-1 - u) % t.period;
}

// Returns the pixel that is repeated there.
K_FN int k_filter_tile_place(k_filter_tile t, int inside) {
  return k_min(t.from + ((inside + t.first) >> t.bits), t.to - 1);
}

// Returns a premultiplied channel as a straight one, 0..255, rounded. Colours of transparent pixels are 0.
K_FN uint k_filter_straight(uint c, uint alpha) { return alpha == 0u ? 0u : (c * 255u + (alpha >> 1)) / alpha; }

// Returns two terms s * m + d * n of 255 * 255 each, in both of a word's halves.
K_FN uint k_filter_mix(uint s, uint m, uint d, uint n) {
  uint even = k_div255_pair((s & 0x00ff00ffu) * m + (d & 0x00ff00ffu) * n);
  uint odd = k_div255_pair(((s >> 8) & 0x00ff00ffu) * m + ((d >> 8) & 0x00ff00ffu) * n);
  return even | odd << 8;
}

K_FN uint k_filter_add(uint s, uint d) {
  uint r = 0u;
  for (uint i = 0u; i < 32u; i += 8u) r |= k_min(((s >> i) & 255u) + ((d >> i) & 255u), 255u) << i;
  return r;
}

// Returns s on d by a Porter-Duff operator. Where both are premultiplied, no sum exceeds what k_div255 takes.
K_FN uint k_filter_composite(uint op, uint s, uint d) {
  uint sa = k_alpha(s), da = k_alpha(d);
  if (op == K_FILTER_IN) return k_scale(s, da);
  if (op == K_FILTER_OUT) return k_scale(s, 255u - da);
  if (op == K_FILTER_ATOP) return k_filter_mix(s, da, d, 255u - sa);
  if (op == K_FILTER_XOR) return k_filter_mix(s, 255u - da, d, 255u - sa);
  if (op == K_FILTER_LIGHTER) return k_filter_add(s, d);
  return k_over(d, s, 255u);
}

// Returns a value of 0..1 as one of 0..255.
K_FN uint k_filter_byte(float v) {
  kfloat b = k_max(v, 0.0f);
  b = k_min(b, 1.0f) * 255.0f;
  b = b + 0.5f;
  return k_uint(b);
}

K_STRUCT(k_filter_arithmetic) {
  float k1, k2, k3, k4;  // of products: k1 / 255^2, k2 / 255, k3 / 255, k4
};

K_FN uint k_filter_arithmetic_channel(k_filter_arithmetic k, uint s, uint d) {
  kfloat a = k_float(k_int(s)), b = k_float(k_int(d));
  kfloat r = k.k1 * a;
  r = r * b;
  kfloat t = k.k2 * a;
  r = r + t;
  t = k.k3 * b;
  r = r + t;
  r = r + k.k4;
  return k_filter_byte(r);
}

// Returns k1 s d + k2 s + k3 d + k4. A colour that the formula makes larger than its alpha is cut to it.
K_FN uint k_filter_arithmetic_pixel(k_filter_arithmetic k, uint s, uint d) {
  uint a = k_filter_arithmetic_channel(k, s >> 24, d >> 24);
  uint r = k_min(k_filter_arithmetic_channel(k, s & 255u, d & 255u), a);
  uint g = k_min(k_filter_arithmetic_channel(k, (s >> 8) & 255u, (d >> 8) & 255u), a);
  uint b = k_min(k_filter_arithmetic_channel(k, (s >> 16) & 255u, (d >> 16) & 255u), a);
  return r | g << 8 | b << 16 | a << 24;
}

// Rows of a colour matrix for straight colours 0..1: red, green, blue, alpha, one.
K_STRUCT(k_filter_row) { float r, g, b, a, one; };
K_STRUCT(k_filter_matrix) { k_filter_row r, g, b, a; };

K_FN float k_filter_matrix_row(k_filter_row m, float r, float g, float b, float a) {
  kfloat v = m.r * r, t = m.g * g;
  v = v + t;
  t = m.b * b;
  v = v + t;
  t = m.a * a;
  v = v + t;
  v = v + m.one;
  v = k_max(v, 0.0f);
  return k_min(v, 1.0f);
}

// Returns a premultiplied colour from a straight one, all 0..1.
K_FN uint k_filter_premultiply(float r, float g, float b, float a) {
  kfloat x = r * a, y = g * a, z = b * a;
  return k_filter_byte(x) | k_filter_byte(y) << 8 | k_filter_byte(z) << 16 | k_filter_byte(a) << 24;
}

K_FN uint k_filter_matrix_pixel(k_filter_matrix m, uint p) {
  int alpha = k_int(p >> 24);
  kfloat scale = alpha == 0 ? 0.0f : k_recip(k_float(alpha));
  kfloat r = k_float(k_int(p & 255u)) * scale, g = k_float(k_int((p >> 8) & 255u)) * scale;
  kfloat b = k_float(k_int((p >> 16) & 255u)) * scale, a = k_float(alpha) * (1.0f / 255.0f);
  return k_filter_premultiply(k_filter_matrix_row(m.r, r, g, b, a), k_filter_matrix_row(m.g, r, g, b, a),
                              k_filter_matrix_row(m.b, r, g, b, a), k_filter_matrix_row(m.a, r, g, b, a));
}

// Returns the smaller or the larger of each channel.
K_FN uint k_filter_extreme(bool larger, uint a, uint b) {
  uint r = 0u;
  for (uint i = 0u; i < 32u; i += 8u) {
    uint x = (a >> i) & 255u, y = (b >> i) & 255u;
    r |= (larger ? k_max(x, y) : k_min(x, y)) << i;
  }
  return r;
}

// Returns how far a displacement map moves, in pixels, for a channel's straight value: scale (c / 255 - 1/2), to the
// nearest whole pixel. No surface is as large as what it is clamped to.
K_FN int k_filter_displacement(float scale, uint c) {
  kfloat v = k_float(k_int(c)) * (1.0f / 255.0f);
  v = (v - 0.5f) * scale;
  v = k_max(-1048576.0f, k_min(1048576.0f, v)) + 0.5f;
  return k_floor(v);
}

#endif
