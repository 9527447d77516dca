// Where a draw is in device space: the product of transforms, the box of what is drawn, and the pixels of that. The
// processor encodes draws with it, and so does the device where the scene lives there (shaders/encode.comp).
#ifndef K_PLACE_H
#define K_PLACE_H

#include "clip.h"

K_STRUCT(k_box) { float x0, y0, x1, y1; };

// Half open; empty where x0 >= x1 or y0 >= y1.
K_STRUCT(k_pixels) { int x0, y0, x1, y1; };

// Returns the matrix that applies `inner`, then `outer`.
K_FN k_matrix k_multiply(k_matrix outer, k_matrix inner) {
  kfloat a = outer.a * inner.a + outer.c * inner.b, b = outer.b * inner.a + outer.d * inner.b;
  kfloat c = outer.a * inner.c + outer.c * inner.d, d = outer.b * inner.c + outer.d * inner.d;
  kfloat e = outer.a * inner.e + outer.c * inner.f, f = outer.b * inner.e + outer.d * inner.f;
  e = e + outer.e;
  f = f + outer.f;
  k_matrix m;
  m.a = a;
  m.b = b;
  m.c = c;
  m.d = d;
  m.e = e;
  m.f = f;
  return m;
}

// Returns the box of what k_transform makes of the four corners. It needs no corners, because rounding keeps order: the
// least of their sums is the sum of the least terms.
K_FN k_box k_box_of(k_matrix m, k_box r) {
  kfloat ax0 = m.a * r.x0, ax1 = m.a * r.x1, cy0 = m.c * r.y0, cy1 = m.c * r.y1;
  kfloat bx0 = m.b * r.x0, bx1 = m.b * r.x1, dy0 = m.d * r.y0, dy1 = m.d * r.y1;
  kfloat x0 = k_min(ax0, ax1) + k_min(cy0, cy1), y0 = k_min(bx0, bx1) + k_min(dy0, dy1);
  kfloat x1 = k_max(ax0, ax1) + k_max(cy0, cy1), y1 = k_max(bx0, bx1) + k_max(dy0, dy1);
  x0 = x0 + m.e;
  y0 = y0 + m.f;
  x1 = x1 + m.e;
  y1 = y1 + m.f;
  k_box out_box;
  out_box.x0 = x0;
  out_box.y0 = y0;
  out_box.x1 = x1;
  out_box.y1 = y1;
  return out_box;
}

// Returns the box of what a pen that reaches so far makes of a path in the box.
K_FN k_box k_box_stroked(k_box r, float reach) {
  kfloat x0 = r.x0 - reach, y0 = r.y0 - reach, x1 = r.x1 + reach, y1 = r.y1 + reach;
  r.x0 = x0;
  r.y0 = y0;
  r.x1 = x1;
  r.y1 = y1;
  return r;
}

// Returns whether lines whose control points are in a box may leave the guard band.
K_FN bool k_is_far(k_box r) {
  const float edge = K_GUARD - 64.0f;
  return !(r.x0 > -edge && r.y0 > -edge && r.x1 < edge && r.y1 < edge);
}

// Clamps a coordinate: far outside of all canvases, and small enough to convert to int. What is no number becomes the
// upper bound.
K_FN float k_tame(float x) {
  x = x < 1e8f ? x : 1e8f;
  return x > -1e8f ? x : -1e8f;
}

K_FN int k_round_down(float x) { return k_int(x) - (k_float(k_int(x)) > x ? 1 : 0); }
K_FN int k_round_up(float x) { return k_int(x) + (k_float(k_int(x)) < x ? 1 : 0); }

// Returns the pixels that lines may touch whose control points are in a box. Transformed points are within the
// transformed box, since rounding keeps order.
K_FN k_pixels k_pixels_of(k_box r) {
  if (k_is_far(r)) {
    r.x0 = k_tame(r.x0);
    r.y0 = k_tame(r.y0);
    r.x1 = k_tame(r.x1);
    r.y1 = k_tame(r.y1);
  }
  float margin = k_hull_margin(k_max(k_max(-r.x0, r.x1), k_max(-r.y0, r.y1)));
  kfloat x0 = r.x0 - margin, y0 = r.y0 - margin, x1 = r.x1 + margin, y1 = r.y1 + margin;
  k_pixels p;
  p.x0 = k_round_down(x0);
  p.y0 = k_round_down(y0);
  p.x1 = k_round_up(x1);
  p.y1 = k_round_up(y1);
  return p;
}

#endif
