// What a device's arithmetic has to give before it draws: the kernel's functions, on numbers that follow from an index,
// and what they give combined into one word. Where a device contracts, reorders or rounds otherwise, some word is
// another.
#ifndef SJ_GPU_CHECK_H
#define SJ_GPU_CHECK_H

#include "kernel/clip.h"
#include "kernel/composite_float.h"
#include "kernel/coverage.h"
#include "kernel/paint.h"
#include "kernel/scene.h"
#include "kernel/stroke.h"

#define G_CHECKS 16384u
#define G_CHECK_GROUP 64
// The words of all checks in their order, each by h = (h ^ word) * 16777619 (tests/kernel/check.c).
#define G_CHECK_SUM 0x65635ca1u

// Returns a word by PCG's output permutation (O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
// Algorithms", 2014).
K_WRAPS K_FN uint g_check_word(uint number) {
  uint state = number * 747796405u + 2891336453u;
  uint word = ((state >> ((state >> 28) + 4u)) ^ state) * 277803737u;
  return (word >> 22) ^ word;
}

// Returns number `k` of check `i`, between -half_range and half_range.
K_WRAPS K_FN float g_check_float(uint i, uint k, float half_range) {
  kfloat x = k_float(k_int(g_check_word(i * 64u + k) >> 8)) * (1.0f / 8388608.0f);
  x = x - 1.0f;
  x = x * half_range;
  return x;
}

K_FN k_vec g_check_vec(uint i, uint k, float half_range) {
  return k_vec_make(g_check_float(i, k, half_range), g_check_float(i, k + 1u, half_range));
}

K_WRAPS K_FN uint g_check_add(uint hash, uint word) {
  hash = (hash ^ word) * 16777619u;
  return hash ^ (hash >> 15);
}
K_FN uint g_check_add_vec(uint hash, k_vec v) { return g_check_add(g_check_add(hash, K_BITS(v.x)), K_BITS(v.y)); }

K_FN k_matrix g_check_matrix(uint i, uint k, float scale, float shift) {
  k_matrix m;
  m.a = g_check_float(i, k, scale);
  m.b = g_check_float(i, k + 1u, scale);
  m.c = g_check_float(i, k + 2u, scale);
  m.d = g_check_float(i, k + 3u, scale);
  m.e = g_check_float(i, k + 4u, shift);
  m.f = g_check_float(i, k + 5u, shift);
  return m;
}

// Makes a curve into an edge, and returns what the edge adds to a pixel.
K_FN uint g_check_edges(uint i, uint hash) {
  k_matrix m = g_check_matrix(i, 0u, 3.0f, 300.0f);
  k_vec p0 = k_transform(m, g_check_vec(i, 6u, 200.0f)), p1 = k_transform(m, g_check_vec(i, 8u, 200.0f));
  k_vec p2 = k_transform(m, g_check_vec(i, 10u, 200.0f)), p3 = k_transform(m, g_check_vec(i, 12u, 200.0f));
  k_curve curve = k_curve_cubic(p0, p1, p2, p3);
  int chords = k_chords(curve.bend, g_check_float(i, 14u, 4.0f));
  float t = k_chord_t(chords / 2, k_recip(k_float(chords)));
  k_vec p = k_curve_point(curve, t), far = k_vec_make(p0.x * 512.0f, p3.y * 512.0f);
  hash = g_check_add_vec(g_check_add(hash, k_uint(chords)), p);
  k_cut cut = k_cut_rows(k_pull_in(p), k_pull_in(far));
  hash = g_check_add_vec(hash, k_cut_column(cut.a, cut.b, 1));
  int x0 = k_fixed(p0.x), y0 = k_fixed(p0.y), x1 = k_fixed(p.x), y1 = k_fixed(p.y);
  if (y0 == y1) return hash;
  k_edge e = k_edge_make(x0, y0, x1, y1);
  int row = (e.y0 + e.y1) >> 9;
  k_piece piece = k_edge_piece(e, row);
  int column = k_piece_first(piece);
  k_cell cell = k_piece_cell(e, piece, column, k_piece_y_left(e, piece, column), k_piece_y_right(e, piece, column));
  hash = g_check_add(g_check_add(hash, k_uint(cell.cover)), k_uint(cell.area));
  return g_check_add(hash, k_uint(k_edge_x(e, (e.y0 + e.y1) >> 1)));
}

K_FN uint g_check_strokes(uint i, uint hash) {
  k_pen pen;
  pen.a = g_check_float(i, 15u, 4.0f);
  pen.b = g_check_float(i, 16u, 4.0f);
  pen.c = g_check_float(i, 17u, 4.0f);
  pen.d = g_check_float(i, 18u, 4.0f);
  pen.ia = pen.d;
  pen.ib = -pen.b;
  pen.ic = -pen.c;
  pen.id = pen.a;
  pen.from_path = g_check_matrix(i, 0u, 3.0f, 300.0f);
  pen.half_width = 1.0f + k_abs(g_check_float(i, 19u, 30.0f));
  pen.miter_limit = 16.0f;
  pen.radius = 4.0f * pen.half_width;
  pen.arc_density = k_sqrt(pen.radius);
  pen.cap = K_CAP_ROUND;
  pen.join = i & 3u;
  k_vec p0 = g_check_vec(i, 6u, 200.0f), p1 = g_check_vec(i, 8u, 200.0f), p2 = g_check_vec(i, 10u, 200.0f);
  k_vec p3 = g_check_vec(i, 12u, 200.0f), u0 = k_start_tangent(p0, p1, p2, p3), u1 = k_end_tangent(p0, p1, p2, p3);
  float square = k_min(k_straight_square(K_SEGMENT_LINE, p0, p1), k_straight_square(K_SEGMENT_LINE, p2, p3));
  k_corner corner = k_join_corner(pen, pen.join, u0, k_pen_offset(pen, u0), u1, k_pen_offset(pen, u1), square);
  hash = g_check_add_vec(hash, k_corner_point(pen, corner, corner.chords / 2));
  hash = g_check_add_vec(hash, k_corner_inside(corner));
  return g_check_add(hash, K_BITS(k_stroke_bend(pen, K_SEGMENT_CUBIC, p0, p1, p2, p3)));
}

K_FN uint g_check_paints(uint i, uint hash) {
  k_paint paint;
  paint.kind = K_PAINT_LINEAR + i % (K_PAINT_IMAGE - K_PAINT_LINEAR);  // a gradient
  paint.spread_x = paint.spread_y = (i >> 2) & 3u;
  bool radial = paint.kind == K_PAINT_RADIAL, sweep = paint.kind == K_PAINT_SWEEP;
  float entries = radial ? 1.0f : K_RAMP_LAST;  // that paint space has in one unit
  paint.m = g_check_matrix(i, 20u, 0.02f * entries, 2.0f * entries);
  paint.fx = g_check_float(i, 26u, sweep ? 2.0f * K_RAMP_LAST : 1.0f);
  paint.fy = sweep ? k_abs(g_check_float(i, 27u, 1.0f)) : g_check_float(i, 27u, 1.0f);
  paint.fr = k_abs(g_check_float(i, 28u, 1.0f));
  paint.dx = g_check_float(i, 29u, 0.001f);
  paint.dy = g_check_float(i, 30u, 0.001f);
  paint.dr = g_check_float(i, 31u, 0.001f);
  paint.a = 1e-6f + k_abs(g_check_float(i, 32u, 1e-6f));
  paint.inverse_a = k_recip(paint.a);
  k_parameter g = k_gradient(paint, g_check_float(i, 33u, 500.0f), g_check_float(i, 34u, 500.0f));
  if (!g.drawn) return g_check_add(hash, 1u);
  return g_check_add(hash, k_uint(k_ramp_index(g.t, paint.spread_x)));
}

// Returns a premultiplied colour.
K_FN uint g_check_color(uint i, uint k) {
  return k_scale(g_check_word(i * 64u + k) | 0xff000000u, g_check_word(i * 64u + k + 1u) & 255u);
}

K_FN uint g_check_compositing(uint i, uint hash) {
  uint below = g_check_color(i, 35u), above = g_check_color(i, 37u), cover = g_check_word(i * 64u + 39u);
  k_pixel d = k_pixel_unpack(below), s = k_pixel_unpack(above);
  d = k_over_float(d, s, k_byte(cover, 0u));
  hash = g_check_add(hash, k_pixel_pack(d));
  d = k_over_float_full(d, k_pixel_unpack(g_check_color(i, 40u)));
  hash = g_check_add(hash, k_pixel_pack(d));
  d = k_over_float_opaque(d, k_pixel_unpack(above | 0xff000000u), k_part(k_byte(cover, 1u)));
  hash = g_check_add(hash, k_pixel_pack(d));
  return g_check_add(hash, k_blend(i % K_BLEND_MODES, below, above));
}

K_FN uint g_check(uint i) {
  uint hash = g_check_edges(i, 2166136261u);
  hash = g_check_strokes(i, hash);
  hash = g_check_paints(i, hash);
  return g_check_compositing(i, hash);
}

#endif
