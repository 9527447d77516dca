// Composites and blends LANES pixels at a time, as kernel/composite.h and kernel/filter.h do one. Included once by each
// instruction set's file.
//
// Most modes are computed with 16 bits a channel, where sums may wrap on the way, since for premultiplied pixels every
// result is at most 255 * 255. Alpha is computed as a colour that equals it would be. Modes that divide, or see a
// pixel's colours together, are computed in floats, whose whole numbers are exact below 2^24; the quotient of two such
// numbers is never rounded up to a whole one, so that it is cut as integer division cuts it.
#ifndef SJ_CPU_SIMD_BLEND_H
#define SJ_CPU_SIMD_BLEND_H

#include "base/blends.h"
#include "kernel/composite.h"
#include "kernel/filter.h"

// Stands before the last formula of the functions that choose among them.
#define ALL_MODES \
  _Static_assert(K_BLEND_MODES == 17, "a new mode needs a formula here, or is none of these: then count it");

VEC vw v_div255(vw x) { return v_div255_biased(x + 128); }
// Computes k_div255 in 32 bits.
VEC vi v_div255_wide(vi x) {
  x += 128;
  return (x + (x >> 8)) >> 8;
}
VEC vw v_selectw(vw mask, vw a, vw b) { return (mask & a) | (~mask & b); }
VEC vi alpha_of(vi p) { return (vi)((vu)p >> 24); }
// Computes k_filter_byte.
VEC vi byte_of(vf v) {
  vf b = v_minf(v_maxf(v, (vf){0}), v_set1f(1.0f)) * 255.0f;
  return v_trunc(b + 0.5f);
}
VEC vf channel_float(vi p, int c) { return v_float((vi)((vu)p >> (8 * c)) & 255); }

// --- Sums of products: s * m + d * n, divided by 255 -----------------------------------------------------------------

VEC vi mix(vw2 s, vw m, vw2 d, vw n) {
  return v_pack((vw2){v_div255(s.rb * m + d.rb * n), v_div255(s.ga * m + d.ga * n)});
}

// Computes k_scale.
VEC vi scale(vi p, vi m) {
  vw2 s = v_unpack(p);
  vw by = v_spread(m);
  return v_pack((vw2){v_div255(s.rb * by), v_div255(s.ga * by)});
}

// Computes k_over at full coverage, where it is s + d (255 - sa) / 255; `keep` is 255 - sa, spread.
VEC vi over_whole(vi below, vi pixels, vw keep) {
  vw2 d = v_unpack(below);
  vw2 r = {v_div255(d.rb * keep), v_div255(d.ga * keep)};
  return v_pack(r) + pixels;
}

// Computes k_filter_composite.
VEC vi composite(uint32_t op, vi s, vi d) {
  if (op == K_FILTER_IN) return scale(s, alpha_of(d));
  if (op == K_FILTER_OUT) return scale(s, 255 - alpha_of(d));
  vw sa = v_spread(alpha_of(s)), da = v_spread(alpha_of(d));
  if (op == K_FILTER_ATOP) return mix(v_unpack(s), da, v_unpack(d), 255 - sa);
  if (op == K_FILTER_XOR) return mix(v_unpack(s), 255 - da, v_unpack(d), 255 - sa);
  if (op == K_FILTER_LIGHTER) {
    vw2 a = v_unpack(s), b = v_unpack(d);
    vw most = v_set1w(255);
    return v_pack((vw2){v_minw(a.rb + b.rb, most), v_minw(a.ga + b.ga, most)});
  }
  return over_whole(d, s, 255 - sa);
}

// --- Blend modes in 16 bits ------------------------------------------------------------------------------------------

// Returns s (255 - da) + d (255 - sa) + sa da B of a channel. `colors` is all ones, except for alphas.
VEC vw blend_words(uint32_t mode, vw s, vw d, vw sa, vw da, vw colors) {
  vw both = 255 * (s + d);
  if (mode == K_BLEND_MULTIPLY) return s * (255 - da + d) + d * (255 - sa);
  if (mode == K_BLEND_SCREEN) return both - s * d;
  if (mode == K_BLEND_DARKEN) return both - v_maxw(s * da, d * sa);
  if (mode == K_BLEND_LIGHTEN) return both - v_minw(s * da, d * sa);
  if (mode == K_BLEND_DIFFERENCE || mode == K_BLEND_EXCLUSION) {
    vw common = mode == K_BLEND_EXCLUSION ? s * d : v_minw(s * da, d * sa);
    return both - common - (common & colors);
  }
  ALL_MODES
  // Overlay and hard light.
  vw twice = mode == K_BLEND_OVERLAY ? 2 * d : 2 * s, dark = (vw)((vh)twice <= (vh)(mode == K_BLEND_OVERLAY ? da : sa));
  vw mixed = v_selectw(dark, 2 * s * d, sa * da - 2 * (da - d) * (sa - s));
  return s * (255 - da) + d * (255 - sa) + mixed;
}

VEC vi blend_separable(uint32_t mode, vi d, vi s) {
  vw2 a = v_unpack(s), b = v_unpack(d);
  vw sa = v_spread(alpha_of(s)), da = v_spread(alpha_of(d));
  vw rb = blend_words(mode, a.rb, b.rb, sa, da, (vw)v_set1(-1));
  vw ga = blend_words(mode, a.ga, b.ga, sa, da, (vw)v_set1(0xffff));
  return v_pack((vw2){v_div255(rb), v_div255(ga)});
}

// --- Blend modes in floats -------------------------------------------------------------------------------------------

// Returns the whole part of a / b, for whole numbers below 2^24.
VEC vf quotient(vf a, vf b) { return v_float(v_trunc(a / b)); }

// Returns min(v full + 1/2, full), cut to a whole number of at least 0.
VEC vf blend_share(vf v, vf full) {
  v = v * full;
  v = v + 0.5f;
  return v_minf(v_float(v_trunc(v_maxf(v, (vf){0}))), full);
}

// Computes k_blend_channel for colour dodge, colour burn and soft light.
VEC vf blend_channel(uint32_t mode, vf s, vf d, vf sa, vf da, vf full) {
  vf one = v_set1f(1.0f), zero = {0};
  if (mode == K_BLEND_COLOR_DODGE) {
    vf r = v_minf(full, quotient(d * sa * sa, v_maxf(sa - s, one)));
    return v_selectf(d == zero, zero, v_selectf(s >= sa, full, r));
  }
  if (mode == K_BLEND_COLOR_BURN) {
    vf r = full - v_minf(full, quotient((da - d) * sa * sa, v_maxf(s, one)));
    return v_selectf(d >= da, full, v_selectf(s == zero, zero, r));
  }
  ALL_MODES
  // Soft light.
  vf cs = s * v_recip(v_maxf(sa, one)), cb = d * v_recip(v_maxf(da, one));
  return blend_share(v_soft_light(cb, cs), full);
}

// Blends straight colours by hue, saturation, colour or luminosity.
VEC v_rgb blend_colors(uint32_t mode, v_rgb s, v_rgb b) {
  if (mode == K_BLEND_HUE) return v_set_lum(v_set_sat(s, v_rgb_sat(b)), v_rgb_lum(b));
  if (mode == K_BLEND_SATURATION) return v_set_lum(v_set_sat(b, v_rgb_sat(s)), v_rgb_lum(b));
  if (mode == K_BLEND_COLOR) return v_set_lum(s, v_rgb_lum(b));
  ALL_MODES
  // Luminosity.
  return v_set_lum(b, v_rgb_lum(s));
}

// Computes k_blend for these modes.
VEC vi blend_floats(uint32_t mode, vi d, vi s) {
  vf sa = channel_float(s, 3), da = channel_float(d, 3), full = sa * da;
  vf cs[3], cd[3], mixed[3];
  for (int c = 0; c < 3; c++) {
    cs[c] = channel_float(s, c);
    cd[c] = channel_float(d, c);
    mixed[c] = (vf){0};
  }
  if (mode < K_BLEND_HUE) {
    for (int c = 0; c < 3; c++) mixed[c] = blend_channel(mode, cs[c], cd[c], sa, da, full);
  } else {
    vf one = v_set1f(1.0f), is = v_recip(v_maxf(sa, one)), ib = v_recip(v_maxf(da, one));
    v_rgb r =
        blend_colors(mode, (v_rgb){cs[0] * is, cs[1] * is, cs[2] * is}, (v_rgb){cd[0] * ib, cd[1] * ib, cd[2] * ib});
    mixed[0] = blend_share(r.r, full);
    mixed[1] = blend_share(r.g, full);
    mixed[2] = blend_share(r.b, full);
  }
  vi result = (v_trunc(sa + da) - v_div255_wide(v_trunc(full))) << 24;
  for (int c = 0; c < 3; c++) {
    vf sum = cs[c] * (255.0f - da) + cd[c] * (255.0f - sa) + mixed[c];
    result |= v_div255_wide(v_trunc(sum)) << (8 * c);
  }
  return result;
}

// --- Masks -----------------------------------------------------------------------------------------------------------

// Computes k_luminance.
VEC vi luminance(vi p) {
  vi sum = 13926 * (p & 255) + 46885 * (p >> 8 & 255) + 4725 * (p >> 16 & 255) + 32768;
  return sum >> 16;
}

// Computes k_srgb_light.
VEC vi srgb_light(vf value) {
  vf low = value * 19.8916416f + 0.5f;
  return v_trunc(v_selectf(value < v_set1f(11.0f), low, v_srgb_curve(value)));
}

// Computes k_luminance_linear.
VEC vi luminance_linear(vi p) {
  vi alpha = alpha_of(p);
  vf divisor = v_maxf(v_float(alpha), v_set1f(1.0f)), half = v_float(alpha >> 1);
  vu sum = (vu)v_set1(32768);
  for (int c = 0; c < 3; c++) {
    vf straight = v_minf(quotient(channel_float(p, c) * 255.0f + half, divisor), v_set1f(255.0f));
    sum += (c == 0 ? 13926u : c == 1 ? 46885u : 4725u) * (vu)srgb_light(straight);
  }
  vf share = v_float((vi)(sum >> 16)) * v_float(alpha) + 32767.0f;
  return v_trunc(share / 65535.0f) & (alpha != 0);
}

// --- Rows ------------------------------------------------------------------------------------------------------------

// Computes a row of n pixels, which may be written over one of those that it is made from.
typedef void pixel_row(const uint32_t *s, const uint32_t *d, uint32_t *out, size_t n);

// Defines a pixel_row of an expression of `a` and `b`, vectors of s and d.
#define PIXEL_ROW(name, expression)                                                                           \
  static __attribute__((noinline)) void name(const uint32_t *s, const uint32_t *d, uint32_t *out, size_t n) { \
    size_t i = 0;                                                                                             \
    for (; i + LANES <= n; i += LANES) {                                                                      \
      vi a = v_load(s + i), b = v_load(d + i);                                                                \
      v_store(out + i, expression);                                                                           \
    }                                                                                                         \
    if (i == n) return;                                                                                       \
    vi a = {0}, b = {0};                                                                                      \
    memcpy(&a, s + i, (n - i) * sizeof *s);                                                                   \
    memcpy(&b, d + i, (n - i) * sizeof *d);                                                                   \
    vi last = expression;                                                                                     \
    memcpy(out + i, &last, (n - i) * sizeof *out);                                                            \
  }

#define BLEND_AS_OVER(mode, d, s) composite(K_FILTER_OVER, s, d)
#define BLEND_AS_PLUS(mode, d, s) composite(K_FILTER_LIGHTER, s, d)
#define BLEND_AS_WORDS(mode, d, s) blend_separable(mode, d, s)
#define BLEND_AS_FLOATS(mode, d, s) blend_floats(mode, d, s)
#define BLEND_ROW(NAME, name, css, how) PIXEL_ROW(blend_##name, BLEND_AS_##how(K_BLEND_##NAME, b, a))
SJ_BLENDS(BLEND_ROW)
PIXEL_ROW(blend_mask_alpha, scale(b, alpha_of(a)))
PIXEL_ROW(blend_mask_luminance, scale(b, luminance(a)))
PIXEL_ROW(blend_mask_luminance_linear, scale(b, luminance_linear(a)))

// k_blend, by mode.
static pixel_row *const blend_rows[K_BLEND_LAST + 1] = {
#define BLEND_ENTRY(NAME, name, css, how) [K_BLEND_##NAME] = blend_##name,
    SJ_BLENDS(BLEND_ENTRY)[K_BLEND_MASK_ALPHA] = blend_mask_alpha,
    [K_BLEND_MASK_LUMINANCE] = blend_mask_luminance,
    [K_BLEND_MASK_LUMINANCE_LINEAR] = blend_mask_luminance_linear,
};

#endif
