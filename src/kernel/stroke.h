// Strokes: curves, joins and caps become lines whose non-zero fill is the stroke.
//
// The outline is sampled at the chords of flatten.h: at each point of the curve the pen's offset along the normal gives
// a point on the left and one on the right, and lines join each to the next. Lines on the left run forwards, those on
// the right backwards. Lines across, from one side to the other where two pieces meet, would cancel each other, so they
// are never made. All parts are wound the same way: where a curve bends tighter than the pen is wide, the inner side
// goes through the curve's own point (the pivot). Otherwise it would be wound the other way there, and take away from
// what other parts cover. Where two straight segments meet, both of them would cover what is inside of their turn; so
// the inner sides run back to where they cross instead, unless that is too far (k_inside_scale).
#ifndef K_STROKE_H
#define K_STROKE_H

#include "flatten.h"
#include "pen.h"
#include "scene.h"

K_FN k_vec k_pen_to_device(k_pen pen, k_vec p) {
  kfloat x = pen.a * p.x + pen.c * p.y;
  kfloat y = pen.b * p.x + pen.d * p.y;
  return k_vec_make(x, y);
}

K_FN k_vec k_pen_from_device(k_pen pen, k_vec p) {
  kfloat x = pen.ia * p.x + pen.ic * p.y;
  kfloat y = pen.ib * p.x + pen.id * p.y;
  return k_vec_make(x, y);
}

K_FN k_vec k_unit(k_vec v) {
  kfloat r = k_rsqrt(k_dot(v, v));
  kfloat x = v.x * r, y = v.y * r;
  return k_vec_make(x, y);
}

// Does what k_unit does, for vectors of any length that floats hold, where squares might overflow.
K_FN k_vec k_unit_scaled(k_vec v) {
  kfloat r = k_recip(k_max(k_max(k_abs(v.x), k_abs(v.y)), 1e-30f));
  kfloat x = v.x * r, y = v.y * r;
  return k_unit(k_vec_make(x, y));
}

K_FN bool k_is_tiny(k_vec v) { return !(k_dot(v, v) > 1e-30f); }

// Returns the unit tangent at an end of a curve whose control points (in pen space, repeated up to four for lines and
// quadratics) are not all equal: towards the first point that differs.
K_FN k_vec k_start_tangent(k_vec p0, k_vec p1, k_vec p2, k_vec p3) {
  kfloat x = p1.x - p0.x, y = p1.y - p0.y;
  if (k_is_tiny(k_vec_make(x, y))) {
    x = p2.x - p0.x;
    y = p2.y - p0.y;
  }
  if (k_is_tiny(k_vec_make(x, y))) {
    x = p3.x - p0.x;
    y = p3.y - p0.y;
  }
  if (k_is_tiny(k_vec_make(x, y))) return k_vec_make(1.0f, 0.0f);
  return k_unit(k_vec_make(x, y));
}

K_FN k_vec k_end_tangent(k_vec p0, k_vec p1, k_vec p2, k_vec p3) {
  k_vec t = k_start_tangent(p3, p2, p1, p0);
  return k_is_tiny(k_vec_make(p3.x - p2.x, p3.y - p2.y)) && k_is_tiny(k_vec_make(p3.x - p1.x, p3.y - p1.y)) &&
                 k_is_tiny(k_vec_make(p3.x - p0.x, p3.y - p0.y))
             ? t
             : k_vec_make(-t.x, -t.y);
}

// Returns half the pen's width along a unit vector in pen space, in device pixels.
K_FN k_vec k_normal_offset(k_pen pen, k_vec normal) {
  kfloat x = pen.half_width * normal.x, y = pen.half_width * normal.y;
  return k_pen_to_device(pen, k_vec_make(x, y));
}

// Returns half the pen's width to the left of a unit tangent in pen space, in device pixels.
K_FN k_vec k_pen_offset(k_pen pen, k_vec tangent) { return k_normal_offset(pen, k_vec_make(-tangent.y, tangent.x)); }

// Returns the angle between two vectors, or 0 where they are so short that products of theirs might be subnormal.
K_FN float k_turn(k_vec a, k_vec b) {
  float cross = k_cross(a, b), dot = k_dot(a, b);
  return k_keep(k_max(k_abs(cross), k_abs(dot)) >= 1e-30f, k_abs(k_atan2(cross, dot)));
}

// Returns what a stroke adds to the square of a curve's number of chords, from its control points in pen space. The
// offset turns with the curve, by no more than the control polygon turns (Milnor 1950), and a chord of a circle over
// the angle h is off by radius h^2 / 8.
K_FN float k_stroke_bend(k_pen pen, uint kind, k_vec p0, k_vec p1, k_vec p2, k_vec p3) {
  if (kind < 2u) return 0.0f;
  kfloat ax = p1.x - p0.x, ay = p1.y - p0.y, bx = p2.x - p1.x, by = p2.y - p1.y, cx = p3.x - p2.x, cy = p3.y - p2.y;
  k_vec a = k_vec_make(ax, ay), b = k_vec_make(bx, by), c = k_vec_make(cx, cy);
  kfloat turn = k_turn(a, b);
  if (kind == 3u) turn = turn + k_turn(b, c);
  turn = turn * pen.arc_density;
  turn = turn * turn;
  return turn;
}

K_FN k_vec k_negate(k_vec v) { return k_vec_make(-v.x, -v.y); }

// Joins and caps are corners: chords on the outside of the turn, from one offset to another. Each point is a pure
// function of its index, so that lanes can share a corner. Its shape is one of K_JOIN_*, where K_JOIN_BEVEL also stands
// for the butt cap, or one of these:
#define K_CORNER_SQUARE 4u
#define K_CORNER_STRAIGHT 5u  // a join of so small a turn that one line on each side does

K_STRUCT(k_corner) {
  k_vec normal;  // the unit vector in pen space that `from` comes from
  k_vec from, to;
  float turn;  // round: the angle of a chord; miters: 1 + the cosine of the whole turn
  float
      inside;  // where the inner sides cross, as a multiple of from + to; 0 where they go through the path's own point
  uint shape;
  int chords;
};

// Makes a corner round; `angle` is the turn from `from` to `to`.
K_FN k_corner k_round_corner(k_pen pen, k_corner c, float angle) {
  kfloat count = k_abs(angle) * pen.arc_density;
  c.shape = K_JOIN_ROUND;
  c.chords = k_min(k_int(count), K_MAX_CHORDS) + 1;
  kfloat turn = angle * k_recip(k_float(c.chords));
  c.turn = turn;
  return c;
}

// Returns the square of a straight segment's length in pen space, or 0 for curves and dots, whose sides are not
// straight.
K_FN float k_straight_square(uint kind, k_vec p0, k_vec p1) {
  kfloat x = p1.x - p0.x, y = p1.y - p0.y;
  return kind == K_SEGMENT_LINE ? k_dot(k_vec_make(x, y), k_vec_make(x, y)) : 0.0f;
}

// The inner sides of two straight segments cross opposite to a miter's tip. That takes the width times half of the
// tangent of half the turn off each of them, and may be no more than half of the shorter one, whose length is the root
// of `square`. So no part of a segment is taken off at both of its ends, and all that is taken off is covered by the
// other segment. Of very sharp turns and very wide pens rounding would show, as the sides run along themselves.
#define K_INSIDE_SHARPEST (1.0f / 128.0f)
#define K_INSIDE_RADIUS 128.0f
K_FN float k_inside_scale(k_pen pen, float one_plus, float square) {
  kfloat width = 2.0f * pen.half_width;
  kfloat taken = width * width;
  taken = taken * (2.0f - one_plus);
  kfloat room = k_min(square, 1e30f) * one_plus;
  kfloat scale = k_recip(k_max(one_plus, K_INSIDE_SHARPEST));
  return one_plus >= K_INSIDE_SHARPEST && pen.radius <= K_INSIDE_RADIUS && taken <= room ? -scale : 0.0f;
}

// Returns the point that the inner side of a join goes through, as an offset from the path's point.
K_FN k_vec k_corner_inside(k_corner c) {
  kfloat x = (c.from.x + c.to.x) * c.inside, y = (c.from.y + c.to.y) * c.inside;
  return k_vec_make(x, y);
}

// Returns the join of a piece that ends with unit tangent u0 and offset o0, and one that starts there with u1 and o1.
// `square` is the smaller k_straight_square of both.
K_FN k_corner k_join_corner(k_pen pen, uint join, k_vec u0, k_vec o0, k_vec u1, k_vec o1, float square) {
  float cosine = k_dot(u0, u1), sine = k_cross(u0, u1);
  bool left_outside = sine < 0.0f;
  k_corner c;
  c.from = left_outside ? o0 : k_negate(o1);
  c.to = left_outside ? o1 : k_negate(o0);
  c.normal = left_outside ? k_vec_make(-u0.y, u0.x) : k_vec_make(u1.y, -u1.x);
  kfloat one_plus = 1.0f + cosine;
  kfloat limit = pen.miter_limit * one_plus;
  c.turn = one_plus;
  c.inside = k_inside_scale(pen, one_plus, square);
  c.shape = K_JOIN_BEVEL;
  c.chords = 1;
  if (cosine > 0.9998f) {  // about a degree
    c.shape = K_CORNER_STRAIGHT;
  } else if (join == K_JOIN_ROUND) {
    float angle = k_atan2(sine, cosine);
    c = k_round_corner(pen, c, left_outside ? angle : -angle);
  } else if (join == K_JOIN_MITER && limit >= 2.0f && one_plus > 1e-6f) {
    // Miter length / width = 1 / sin(half the angle between the lines); its square is 2 / (1 + cosine).
    c.shape = K_JOIN_MITER;
    c.chords = 2;
  } else if (join == K_JOIN_MITER_CLIP && one_plus > 1e-6f) {
    c.shape = K_JOIN_MITER_CLIP;
    c.chords = 3;
  }
  return c;
}

// Returns the cap at the end of an open subpath, from its left point around to its right one. For the cap at its start,
// u and o are the negated ones there.
K_FN k_corner k_cap_corner(k_pen pen, k_vec u, k_vec o) {
  k_corner c;
  c.from = o;
  c.to = k_negate(o);
  c.normal = k_vec_make(-u.y, u.x);
  c.turn = 0.0f;
  c.inside = 0.0f;
  c.shape = pen.cap == K_CAP_SQUARE ? K_CORNER_SQUARE : K_JOIN_BEVEL;
  c.chords = pen.cap == K_CAP_SQUARE ? 3 : 1;
  if (pen.cap == K_CAP_ROUND) c = k_round_corner(pen, c, -K_PI);
  return c;
}

// Returns point i (0..chords) of a corner, as an offset from the path's point.
K_FN k_vec k_corner_point(k_pen pen, k_corner c, int i) {
  if (i == 0) return c.from;
  if (i == c.chords) return c.to;
  k_vec end = i == 1 ? c.from : c.to;
  if (c.shape == K_JOIN_ROUND) {
    kfloat turn = k_float(i) * c.turn;
    k_vec r = k_cos_sin(turn);
    kfloat x = c.normal.x * r.x - c.normal.y * r.y, y = c.normal.x * r.y + c.normal.y * r.x;
    return k_normal_offset(pen, k_vec_make(x, y));
  }
  if (c.shape == K_CORNER_SQUARE) {
    k_vec ahead = k_normal_offset(pen, k_vec_make(c.normal.y, -c.normal.x));
    return k_add(end, ahead);
  }
  // The miter's tip lies along the sum of the normals.
  kfloat scale = k_recip(c.turn);
  kfloat x = (c.from.x + c.to.x) * scale, y = (c.from.y + c.to.y) * scale;
  if (c.shape == K_JOIN_MITER) return k_vec_make(x, y);
  // It is cut off across the bisector, at the miter limit times half the width from the corner. Along the bisector, in
  // half widths, the outline's ends lie at the cosine of half the turn and the tip at its inverse.
  kfloat cosine = k_sqrt(0.5f * c.turn);
  kfloat inverse = k_recip(cosine);
  kfloat reach = k_sqrt(pen.miter_limit) - cosine;
  kfloat t = reach * k_recip(k_max(inverse - cosine, 1e-6f));
  t = k_max(0.0f, k_min(1.0f, t));
  x = (x - end.x) * t;
  y = (y - end.y) * t;
  x = x + end.x;
  y = y + end.y;
  return k_vec_make(x, y);
}

// Returns whether the chord from p0 to p1 may simply join its left and its right points: neither side runs backwards
// and the normals differ so little that the outer side stays within twice the tolerance. Where the offset stays the
// same, as it does along a straight segment, this is always so.
K_FN bool k_step_is_plain(k_pen pen, k_vec p0, k_vec o0, k_vec p1, k_vec o1) {
  kfloat cx = p1.x - p0.x, cy = p1.y - p0.y;
  kfloat ox = o1.x - o0.x, oy = o1.y - o0.y;
  kfloat along = cx * ox + cy * oy, length = cx * cx + cy * cy, turn = ox * ox + oy * oy;
  return turn == 0.0f || (k_abs(along) < length && turn <= (16.0f * K_TOLERANCE) * pen.radius);
}

// Returns the tangent of a step that is not plain, which is drawn as a straight piece between two round joins. Where p0
// and p1 coincide it is u0, the tangent at p0.
K_FN k_vec k_chord_tangent(k_pen pen, k_vec p0, k_vec u0, k_vec p1) {
  kfloat cx = p1.x - p0.x, cy = p1.y - p0.y;
  k_vec chord = k_pen_from_device(pen, k_vec_make(cx, cy));
  return k_is_tiny(chord) ? u0 : k_unit_scaled(chord);
}

// Returns the unit tangent at an inner sample, from the curve in pen space, or the start's where the curve stands
// still.
K_FN k_vec k_sample_tangent(k_curve q, float t, k_vec start) {
  k_vec v = k_curve_tangent(q, t);
  return k_is_tiny(v) ? start : k_unit(v);
}

#endif
