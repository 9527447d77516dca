// Compositing of premultiplied RGBA8 pixels, red in the lowest byte, in integers.
// Blend formulas: W3C Compositing and Blending Level 1 and, of plus-lighter, Level 2, brought to premultiplied form.
#ifndef K_COMPOSITE_H
#define K_COMPOSITE_H

#include "float.h"
#include "srgb.h"

#define K_BLEND_NORMAL 0
#define K_BLEND_MULTIPLY 1
#define K_BLEND_SCREEN 2
#define K_BLEND_OVERLAY 3
#define K_BLEND_DARKEN 4
#define K_BLEND_LIGHTEN 5
#define K_BLEND_COLOR_DODGE 6
#define K_BLEND_COLOR_BURN 7
#define K_BLEND_HARD_LIGHT 8
#define K_BLEND_SOFT_LIGHT 9
#define K_BLEND_DIFFERENCE 10
#define K_BLEND_EXCLUSION 11
#define K_BLEND_HUE 12
#define K_BLEND_SATURATION 13
#define K_BLEND_COLOR 14
#define K_BLEND_LUMINOSITY 15
#define K_BLEND_PLUS_LIGHTER 16
#define K_BLEND_MODES 17

// Masks multiply the backdrop by a number that the source's pixel gives. They lie apart, so that more modes find room.
#define K_BLEND_MASK_ALPHA 24
#define K_BLEND_MASK_LUMINANCE 25
#define K_BLEND_MASK_LUMINANCE_LINEAR 26
#define K_BLEND_LAST 26

// Returns x / 255 to the nearest, for 0 <= x <= 65152.
K_FN uint k_div255(uint x) {
  uint y = x + 128u;
  return (y + (y >> 8)) >> 8;
}

K_FN uint k_channel(uint p, uint i) { return (p >> (8u * i)) & 255u; }
K_FN uint k_alpha(uint p) { return p >> 24; }

// Returns k_div255 of two numbers at a time, in the halves of a word; neither may exceed 65152.
K_FN uint k_div255_pair(uint x) {
  uint y = x + 0x00800080u;
  return ((y + ((y >> 8) & 0x00ff00ffu)) >> 8) & 0x00ff00ffu;
}

// Returns p times m / 255, each channel rounded.
K_FN uint k_scale(uint p, uint m) {
  uint even = k_div255_pair((p & 0x00ff00ffu) * m), odd = k_div255_pair(((p >> 8) & 0x00ff00ffu) * m);
  return even | odd << 8;
}

// Returns the source over the destination, where the source covers m / 255 of the pixel: (s m + d (255 - sa m)) / 255
// with one rounding of the colour. The sum is at most 65152 as long as no colour exceeds its alpha, which this keeps
// true.
K_FN uint k_over(uint d, uint s, uint m) {
  uint keep = 255u - k_div255(k_alpha(s) * m);
  uint even = k_div255_pair((s & 0x00ff00ffu) * m + (d & 0x00ff00ffu) * keep);
  uint odd = k_div255_pair(((s >> 8) & 0x00ff00ffu) * m + ((d >> 8) & 0x00ff00ffu) * keep);
  return even | odd << 8;
}

// Returns the luminance, 0..255, by weights whose sum is 65536. The pixel is premultiplied, so alpha is already in it.
K_FN uint k_luminance(uint p) {
  return (13926u * k_channel(p, 0u) + 46885u * k_channel(p, 1u) + 4725u * k_channel(p, 2u) + 32768u) >> 16;
}

// Returns the luminance of the pixel's linear colour times alpha, 0..255 (CSS Masking 1, 7.10.1, with
// color-interpolation: linearRGB). Colours are taken back to straight bytes first, as light is no linear function of
// them.
K_FN uint k_luminance_linear(uint p) {
  uint alpha = k_alpha(p), sum = 32768u;
  if (alpha == 0u) return 0u;
  for (uint i = 0u; i < 3u; i++) {
    uint straight = k_min((k_channel(p, i) * 255u + alpha / 2u) / alpha, 255u);
    sum += (i == 0u ? 13926u : i == 1u ? 46885u : 4725u) * k_srgb_light(straight);
  }
  return ((sum >> 16) * alpha + 32767u) / 65535u;
}

// Returns the sum of two pixels, each channel of which is at most 255: plus-lighter.
K_FN uint k_plus(uint d, uint s) {
  uint even = (d & 0x00ff00ffu) + (s & 0x00ff00ffu), odd = ((d >> 8) & 0x00ff00ffu) + ((s >> 8) & 0x00ff00ffu);
  even = (even | ((even >> 8) & 0x00010001u) * 255u) & 0x00ff00ffu;
  odd = (odd | ((odd >> 8) & 0x00010001u) * 255u) & 0x00ff00ffu;
  return even | odd << 8;
}

// Returns the share c of `full`, to the nearest.
K_FN uint k_blend_share(float c, uint full) {
  kfloat v = c * k_float(full);
  v = v + 0.5f;
  return k_min(k_uint(k_max(v, 0.0f)), full);
}

// Returns one channel of a separable mode: sa da B(cb, cs) in units of 1/65025, for premultiplied s and d.
K_FN uint k_blend_channel(uint mode, uint s, uint d, uint sa, uint da) {
  uint full = sa * da;
  if (mode == K_BLEND_OVERLAY || mode == K_BLEND_HARD_LIGHT) {
    bool dark = mode == K_BLEND_OVERLAY ? 2u * d <= da : 2u * s <= sa;
    return dark ? 2u * s * d : full - 2u * (da - d) * (sa - s);
  }
  if (mode == K_BLEND_MULTIPLY) return s * d;
  if (mode == K_BLEND_SCREEN) return s * da + d * sa - s * d;
  if (mode == K_BLEND_DARKEN) return k_min(s * da, d * sa);
  if (mode == K_BLEND_LIGHTEN) return k_max(s * da, d * sa);
  if (mode == K_BLEND_DIFFERENCE) return k_max(s * da, d * sa) - k_min(s * da, d * sa);
  if (mode == K_BLEND_EXCLUSION) return s * da + d * sa - 2u * s * d;
  if (mode == K_BLEND_COLOR_DODGE) {
    if (d == 0u) return 0u;
    return s >= sa ? full : k_min(full, d * sa * sa / (sa - s));
  }
  if (mode == K_BLEND_COLOR_BURN) {
    if (d >= da) return full;
    return s == 0u ? 0u : full - k_min(full, (da - d) * sa * sa / s);
  }
  // Soft light.
#if K_BLEND_MODES != 17
#error "a new blend mode needs its formula above, or in k_blend: then count it here"
#endif
  if (full == 0u) return 0u;
  kfloat cs = k_float(s) * k_recip(k_float(sa)), cb = k_float(d) * k_recip(k_float(da));
  return k_blend_share(k_soft_light(cb, cs), full);
}

// Returns the source s, already scaled by its coverage, blended with the backdrop d: s (1 - da) + d (1 - sa) + sa da B.
K_FN uint k_blend(uint mode, uint d, uint s) {
  if (mode == K_BLEND_NORMAL) return k_over(d, s, 255u);
  if (mode == K_BLEND_PLUS_LIGHTER) return k_plus(d, s);
  if (mode == K_BLEND_MASK_ALPHA) return k_scale(d, k_alpha(s));
  if (mode == K_BLEND_MASK_LUMINANCE) return k_scale(d, k_luminance(s));
  if (mode == K_BLEND_MASK_LUMINANCE_LINEAR) return k_scale(d, k_luminance_linear(s));
  uint sa = k_alpha(s), da = k_alpha(d), full = sa * da;
  uint alpha = sa + da - k_div255(full);
  uint mix_r = 0u, mix_g = 0u, mix_b = 0u;
  if (mode >= K_BLEND_HUE && full != 0u) {
    kfloat is = k_recip(k_float(sa)), ib = k_recip(k_float(da));
    kfloat sr = k_float(k_channel(s, 0u)) * is, sg = k_float(k_channel(s, 1u)) * is,
           sb = k_float(k_channel(s, 2u)) * is;
    kfloat br = k_float(k_channel(d, 0u)) * ib, bg = k_float(k_channel(d, 1u)) * ib,
           bb = k_float(k_channel(d, 2u)) * ib;
    k_rgb cs = k_rgb_make(sr, sg, sb), cb = k_rgb_make(br, bg, bb), c;
    if (mode == K_BLEND_HUE)
      c = k_set_lum(k_set_sat(cs, k_rgb_sat(cb)), k_rgb_lum(cb));
    else if (mode == K_BLEND_SATURATION)
      c = k_set_lum(k_set_sat(cb, k_rgb_sat(cs)), k_rgb_lum(cb));
    else if (mode == K_BLEND_COLOR)
      c = k_set_lum(cs, k_rgb_lum(cb));
    else
      c = k_set_lum(cb, k_rgb_lum(cs));
    mix_r = k_blend_share(c.r, full);
    mix_g = k_blend_share(c.g, full);
    mix_b = k_blend_share(c.b, full);
  }
  uint r = alpha << 24;
  for (uint i = 0u; i < 3u; i++) {
    uint cs = k_channel(s, i), cd = k_channel(d, i);
    uint mixed = mode < K_BLEND_HUE ? k_blend_channel(mode, cs, cd, sa, da) : i == 0u ? mix_r : i == 1u ? mix_g : mix_b;
    uint sum = cs * (255u - da) + cd * (255u - sa) + mixed;
    r |= k_min(k_div255(k_min(sum, 65025u)), alpha) << (8u * i);
  }
  return r;
}

#endif
