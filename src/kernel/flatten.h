// Flattening: a curve becomes n chords over equal steps of its parameter. So each chord is a pure function of the
// curve, n and the chord's index, and lanes or threads can share a curve.
#ifndef K_FLATTEN_H
#define K_FLATTEN_H

#include "float.h"

#define K_TOLERANCE 0.1f    // pixels: the largest distance of a chord from its curve
#define K_MAX_CHORDS 16384  // of a curve; the tolerance holds for curves of up to about 30 million pixels

// A cubic in power form: p(t) = ((a t + b) t + c) t + d. Lines and quadratics have zero leading terms.
K_STRUCT(k_curve) {
  k_vec a, b, c, d;
  k_vec end;   // p(1), exactly the last control point
  float bend;  // the largest length of the second derivative on 0..1, squared
};

K_FN k_curve k_curve_line(k_vec p0, k_vec p1) {
  k_curve q;
  q.a = k_vec_make(0.0f, 0.0f);
  q.b = q.a;
  kfloat cx = p1.x - p0.x, cy = p1.y - p0.y;
  q.c = k_vec_make(cx, cy);
  q.d = p0;
  q.end = p1;
  q.bend = 0.0f;
  return q;
}

K_FN k_curve k_curve_quad(k_vec p0, k_vec p1, k_vec p2) {
  k_curve q;
  q.a = k_vec_make(0.0f, 0.0f);
  kfloat bx = (p0.x - p1.x) + (p2.x - p1.x), by = (p0.y - p1.y) + (p2.y - p1.y);
  kfloat cx = 2.0f * (p1.x - p0.x), cy = 2.0f * (p1.y - p0.y);
  q.b = k_vec_make(bx, by);
  q.c = k_vec_make(cx, cy);
  q.d = p0;
  q.end = p2;
  kfloat bend = 4.0f * k_dot(q.b, q.b);
  q.bend = bend;
  return q;
}

K_FN k_curve k_curve_cubic(k_vec p0, k_vec p1, k_vec p2, k_vec p3) {
  k_curve q;
  kfloat ux = (p0.x - p1.x) + (p2.x - p1.x), uy = (p0.y - p1.y) + (p2.y - p1.y);  // second differences
  kfloat vx = (p1.x - p2.x) + (p3.x - p2.x), vy = (p1.y - p2.y) + (p3.y - p2.y);
  kfloat ax = vx - ux, ay = vy - uy;
  kfloat bx = 3.0f * ux, by = 3.0f * uy;
  kfloat cx = 3.0f * (p1.x - p0.x), cy = 3.0f * (p1.y - p0.y);
  q.a = k_vec_make(ax, ay);
  q.b = k_vec_make(bx, by);
  q.c = k_vec_make(cx, cy);
  q.d = p0;
  q.end = p3;
  kfloat uu = ux * ux + uy * uy, vv = vx * vx + vy * vy;
  kfloat bend = 36.0f * k_max(uu, vv);
  q.bend = bend;
  return q;
}

K_FN k_vec k_curve_point(k_curve q, float t) {
  kfloat x = q.a.x * t + q.b.x, y = q.a.y * t + q.b.y;
  x = x * t + q.c.x;
  y = y * t + q.c.y;
  x = x * t + q.d.x;
  y = y * t + q.d.y;
  return k_vec_make(x, y);
}

// Returns the derivative p'(t).
K_FN k_vec k_curve_tangent(k_curve q, float t) {
  kfloat x = (3.0f * q.a.x) * t + 2.0f * q.b.x, y = (3.0f * q.a.y) * t + 2.0f * q.b.y;
  x = x * t + q.c.x;
  y = y * t + q.c.y;
  return k_vec_make(x, y);
}

// Returns how many chords keep the tolerance. A chord over a parameter step h is off by at most h^2 / 8 times the
// largest second derivative (Wang, Shen, Chen, Wang 1984). `extra` is added to n^2 for strokes, whose offsets turn as
// well (k_stroke_bend).
K_FN int k_chords(float bend, float extra) {
  kfloat nn = k_sqrt(bend) * (0.125f / K_TOLERANCE);
  nn = nn + extra;
  kfloat n = k_sqrt(k_min(nn, 2.0e8f));
  return k_min(k_int(n) + 1, K_MAX_CHORDS);
}

// Returns the parameter at the start of chord i of n.
K_FN float k_chord_t(int i, float inverse_n) {
  kfloat t = k_float(i) * inverse_n;
  return t;
}

#endif
