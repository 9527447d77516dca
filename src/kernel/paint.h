// Paints: the colour that a gradient or an image gives a pixel. A gradient computes an index into a ramp of K_RAMP_SIZE
// premultiplied colours; images are sampled in integers.
#ifndef K_PAINT_H
#define K_PAINT_H

#include "float.h"

#define K_PAINT_LINEAR 1
#define K_PAINT_CIRCLE 2  // radial around one point: t is the distance from the origin
#define K_PAINT_RADIAL 3  // between any two circles
#define K_PAINT_SWEEP 4
#define K_PAINT_IMAGE 5
#define K_PAINT_KINDS 6  // with 0, which is none of them

#define K_SPREAD_PAD 0
#define K_SPREAD_REPEAT 1
#define K_SPREAD_REFLECT 2
#define K_SPREAD_NONE 3

#define K_SAMPLING_NEAREST 0
#define K_SAMPLING_BILINEAR 1
#define K_SAMPLING_BICUBIC 2

#define K_RAMP_SIZE 1024
#define K_RAMP_LAST 1023.0f  // the index of its last
#define K_CORNER_MOST 4194303

// How a draw is coloured. A gradient's parameter t counts entries of its ramp: 0 at its beginning, K_RAMP_LAST at its
// end. The matrix takes pixel centres to the paint's space: a line's t is x there, a circle's the distance from the
// origin, a sweep turns around the origin, an image has one unit a pixel.
K_STRUCT(k_paint) {
  uint kind;
  uint spread_x, spread_y;
  uint sampling;
  uint color;   // solid: premultiplied; image: its opacity, 0..255; gradient: 1 + the alpha that all of the ramp's
                // colours share, 0 when they differ
  uint source;  // index of the ramp or the image
  int width, height;  // of the image
  k_matrix m;
  // Radial: the circle (fx + t dx, fy + t dy, fr + t dr) at each t, a = dx^2 + dy^2 - dr^2 and 1 / a (0 when a is 0).
  // Sweep: t = fx * (turns from fy on) + fr. Image: (fx, fy) is the place of its corner,
  // in whole pixels up to K_CORNER_MOST; nearest sampling has none. It is subtracted from places that are rounded
  // to 24.8 already, so that a part of an image gives the same bits as all of it.
  float fx, fy, fr, dx, dy, dr, a, inverse_a;
  uint stride;   // of the image: pixels from a row to the next (GPU)
  float unused;  // 96 bytes: devices read 16 at a time
};

// Returns a coordinate of a pixel's centre in paint space. What depends on y comes first, since all pixels of a row
// share it.
K_FN float k_paint_u(k_matrix m, float x, float y) {
  kfloat row = m.c * y + m.e;
  kfloat u = m.a * x + row;
  return u;
}

K_FN float k_paint_v(k_matrix m, float x, float y) {
  kfloat row = m.d * y + m.f;
  kfloat v = m.b * x + row;
  return v;
}

#define K_RAMP_FAR 1073741824.0f       // how far from its first entry a ramp is repeated: floats are 64 apart there
#define K_RAMP_PERIODS 9.77517107e-4f  // 1 / K_RAMP_LAST
K_FN int k_ramp_index(float t, uint spread) {
  kfloat f = t;
  if (spread == K_SPREAD_REPEAT || spread == K_SPREAD_REFLECT) {
    bool reflect = spread == K_SPREAD_REFLECT;
    float period = reflect ? 2.0f * K_RAMP_LAST : K_RAMP_LAST;
    f = k_max(-K_RAMP_FAR, k_min(K_RAMP_FAR, t));
    kfloat periods = f * (reflect ? 0.5f * K_RAMP_PERIODS : K_RAMP_PERIODS);
    periods = k_float(k_floor(periods)) * period;
    f = f - periods;
    kfloat back = period - f;
    if (reflect) f = k_min(f, back);
  }
  f = f + 0.5f;
  return k_int(k_max(0.0f, k_min(K_RAMP_LAST, f)));
}

// A gradient's parameter at a pixel; `drawn` is false where the gradient has none, and paints nothing.
K_STRUCT(k_parameter) {
  float t;
  bool drawn;
};

// Returns the larger t whose circle passes through (x, y) and whose radius is not negative (HTML canvas,
// createRadialGradient).
K_FN k_parameter k_radial(k_paint p, float x, float y) {
  k_parameter r;
  kfloat px = x - p.fx, py = y - p.fy;
  kfloat b = px * p.dx + py * p.dy;
  b = b + p.fr * p.dr;
  kfloat c = px * px + py * py;
  c = c - p.fr * p.fr;
  if (p.inverse_a == 0.0f) {
    kfloat twice = 2.0f * b;
    r.drawn = k_abs(twice) > 1e-20f;
    kfloat t = c * k_recip(r.drawn ? twice : 1.0f);
    r.t = t;
    kfloat radius = p.fr + t * p.dr;
    r.drawn = r.drawn && radius >= 0.0f;
    return r;
  }
  kfloat bb = b * b;
  kfloat ac = p.a * c;
  kfloat disc = bb - ac;
  kfloat root = k_root(k_max(disc, 0.0f));
  root = p.a < 0.0f ? -root : root;
  kfloat t0 = (b + root) * p.inverse_a, t1 = (b - root) * p.inverse_a;
  kfloat r0 = p.fr + t0 * p.dr, r1 = p.fr + t1 * p.dr;
  r.t = r0 >= 0.0f ? t0 : t1;
  r.drawn = disc >= 0.0f && (r0 >= 0.0f || r1 >= 0.0f);
  return r;
}

K_FN k_parameter k_gradient(k_paint p, float x, float y) {
  k_parameter r;
  r.drawn = true;
  float u = k_paint_u(p.m, x, y);
  if (p.kind == K_PAINT_LINEAR) {
    r.t = u;
    return r;
  }
  float v = k_paint_v(p.m, x, y);
  if (p.kind == K_PAINT_RADIAL) return k_radial(p, u, v);
  if (p.kind == K_PAINT_CIRCLE) {
    kfloat uu = u * u, vv = v * v;
    kfloat d = uu + vv;
    r.t = k_root(d);
    return r;
  }
#if K_PAINT_KINDS != 6
#error "a new gradient needs its parameter here"
#endif
  kfloat turn = k_turns(v, u) - p.fy;
  if (turn < 0.0f) turn = turn + 1.0f;
  turn = turn * p.fx;
  turn = turn + p.fr;
  r.t = turn;
  return r;
}

// Returns the pixel 0..n-1 that pixel i of an image is taken from, by the rule for its edges, or -1 if it is
// transparent.
K_FN int k_wrap(int i, int n, uint spread) {
  if (i >= 0 && i < n) return i;
  if (spread == K_SPREAD_PAD) return i < 0 ? 0 : n - 1;
  if (spread == K_SPREAD_NONE) return -1;
  int period = spread == K_SPREAD_REPEAT ? n : 2 * n;
  int m = i - i / period * period;
  m = m < 0 ? m + period : m;
  return m < n ? m : 2 * n - 1 - m;
}

// Clamps image coordinates so that 24.8 fixed point holds them.
K_FN float k_image_clamp(float u) { return k_max(-4194304.0f, k_min(4194304.0f, u)); }

// Returns a coordinate in 24.8, between the centres of the image's pixels.
K_FN int k_image_fixed(float u, float corner) { return k_fixed(k_image_clamp(u)) - 128 - 256 * k_int(corner); }

// Mixes four pixels by 8 bits of fraction across and down.
K_FN uint k_bilinear(uint p00, uint p10, uint p01, uint p11, uint fx, uint fy) {
  uint r = 0u;
  for (uint s = 0u; s < 32u; s += 8u) {
    uint top = ((p00 >> s) & 255u) * (256u - fx) + ((p10 >> s) & 255u) * fx;
    uint bottom = ((p01 >> s) & 255u) * (256u - fx) + ((p11 >> s) & 255u) * fx;
    r |= ((top * (256u - fy) + bottom * fy + 32768u) >> 16) << s;
  }
  return r;
}

// Returns the Catmull-Rom weight of tap i (0..3) at fraction f / 256, in 1/16384; the four sum to 16384.
K_FN int k_cubic_weight(int i, int f) {
  int f2 = f * f, f3 = f2 * f;  // f^3 < 2^24
  int w0 = (-f3 + 512 * f2 - 65536 * f) >> 11;
  int w2 = (-3 * f3 + 1024 * f2 + 65536 * f) >> 11;
  int w3 = (f3 - 256 * f2) >> 11;
  return i == 0 ? w0 : i == 2 ? w2 : i == 3 ? w3 : 16384 - w0 - w2 - w3;
}

// Returns the weighted sum of one channel of four pixels in a row. 7 bits are dropped, so that k_cubic_column fits 32.
K_FN int k_cubic_row(uint a, uint b, uint c, uint d, uint shift, int fx) {
  int sum = k_cubic_weight(0, fx) * k_int((a >> shift) & 255u) + k_cubic_weight(1, fx) * k_int((b >> shift) & 255u) +
            k_cubic_weight(2, fx) * k_int((c >> shift) & 255u) + k_cubic_weight(3, fx) * k_int((d >> shift) & 255u);
  return (sum + 64) >> 7;
}

// Returns the channel, 0..255, from the sums of four rows.
K_FN int k_cubic_column(int r0, int r1, int r2, int r3, int fy) {
  int sum =
      k_cubic_weight(0, fy) * r0 + k_cubic_weight(1, fy) * r1 + k_cubic_weight(2, fy) * r2 + k_cubic_weight(3, fy) * r3;
  return k_max(0, k_min(255, (sum + (1 << 20)) >> 21));
}

#endif
