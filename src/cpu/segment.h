// Turns one segment at a time into lines: the definition of how fills and strokes are flattened. Vector code uses it
// for rare cases.
#ifndef SJ_CPU_SEGMENT_H
#define SJ_CPU_SEGMENT_H

#include "cpu/cull.h"
#include "cpu/emit.h"
#include "kernel/stroke.h"
#include "scene/encode.h"

// Transforms the control points of a segment. The last one is repeated where it has fewer than four.
static inline void control_points(const sj_encoded *scene, k_segment segment, k_matrix m, bool far, k_vec p[4]) {
  uint32_t kind = segment.flags & K_SEGMENT_KIND;
  for (uint32_t i = 0; i < 4; i++) {
    p[i] = k_transform(m, scene->points[segment.point + (i < kind ? i : kind)]);
    if (far) p[i] = k_pull_in(p[i]);
  }
}

static inline k_curve curve_of(k_segment segment, const k_vec p[4]) {
  uint32_t kind = segment.flags & K_SEGMENT_KIND;
  return kind == K_SEGMENT_CUBIC  ? k_curve_cubic(p[0], p[1], p[2], p[3])
         : kind == K_SEGMENT_QUAD ? k_curve_quad(p[0], p[1], p[2])
                                  : k_curve_line(p[0], p[1]);
}

// Returns whether a fill's segment lies outside of the draw's box and need not be flattened. If it lies left of the
// box, its heights are added.
static inline bool cull_fill(sj_cull *cull, const k_vec *p, uint32_t kind) {
  if (!cull->active) return false;
  sj_sight sight = sj_cull_look(cull, p, kind);
  if (sight == SJ_LEFT) sj_cull_left(cull, SJ_FORWARDS, p[0].y, p[kind].y);
  return sight != SJ_SEEN;
}

static inline k_vec chord_point(const k_curve *curve, int i, int n, float inverse) {
  return i == 0 ? curve->d : i == n ? curve->end : k_curve_point(*curve, k_chord_t(i, inverse));
}

// Does what cull_fill does, for the chords from..end - 1 of a curve that has n.
static inline bool cull_chords(sj_cull *cull, const k_curve *curve, int from, int end, int n, float inverse) {
  if (!cull->active || n <= SJ_CULL_RUN) return false;
  k_vec p0 = chord_point(curve, from, n, inverse), p1 = chord_point(curve, end, n, inverse);
  sj_sight sight = sj_cull_look_run(cull, curve, p0, p1, (float)(end - from) * inverse);
  if (sight == SJ_LEFT) sj_cull_left(cull, SJ_FORWARDS, p0.y, p1.y);
  return sight != SJ_SEEN;
}

// Returns how many chords from `start` on, where a run begins, lie outside of the draw's box. Their heights are added.
static inline int cull_run(sj_cull *cull, const k_curve *curve, int start, int n, float inverse) {
  int end = k_min(start + SJ_CULL_LONG_RUN, n);
  if (start % SJ_CULL_LONG_RUN == 0 && end - start > SJ_CULL_RUN && cull_chords(cull, curve, start, end, n, inverse))
    return end - start;
  end = k_min(start + SJ_CULL_RUN, n);
  return cull_chords(cull, curve, start, end, n, inverse) ? end - start : 0;
}

static inline void fill_segment(const sj_encoded *scene, const k_draw *draw, k_segment segment, sj_cull *cull,
                                const sj_emitter *sink) {
  k_vec p[4];
  control_points(scene, segment, draw->matrix, sink->far, p);
  if (cull_fill(cull, p, segment.flags & K_SEGMENT_KIND)) return;
  k_curve curve = curve_of(segment, p);
  int n = k_chords(curve.bend, 0.0f);
  float inverse = k_recip((float)n);
  for (int start = 0, end; start < n; start = end) {
    end = start + cull_run(cull, &curve, start, n, inverse);
    if (end > start) continue;
    end = k_min(start + SJ_CULL_RUN, n);
    k_vec last = chord_point(&curve, start, n, inverse);
    for (int i = start + 1; i <= end; i++) {
      k_vec next = chord_point(&curve, i, n, inverse);
      sj_emit(sink, last, next);
      last = next;
    }
  }
}

// A stroked segment without caps and joins, as the scalar and the vector code use it.
typedef struct {
  k_curve curve;      // device pixels
  k_curve pen_curve;  // pen space
  k_vec first, end;   // unit tangents at the ends, in pen space
  float square;       // k_straight_square
  int n;              // chords
} stroke_span;

static inline stroke_span span_of(const sj_encoded *scene, k_segment segment, const k_pen *pen, const k_vec p[4]) {
  k_vec q[4];
  stroke_span s;
  control_points(scene, segment, pen->from_path, false, q);
  s.curve = curve_of(segment, p);
  s.pen_curve = curve_of(segment, q);
  s.first = k_start_tangent(q[0], q[1], q[2], q[3]);
  s.end = k_end_tangent(q[0], q[1], q[2], q[3]);
  s.square = k_straight_square(segment.flags & K_SEGMENT_KIND, q[0], q[1]);
  s.n = k_chords(s.curve.bend, k_stroke_bend(*pen, segment.flags & K_SEGMENT_KIND, q[0], q[1], q[2], q[3]));
  return s;
}

static inline k_vec span_point(const stroke_span *s, int i, float inverse) {
  return chord_point(&s->curve, i, s->n, inverse);
}

static inline k_vec span_tangent(const stroke_span *s, int i, float inverse) {
  return i == 0 ? s->first : i == s->n ? s->end : k_sample_tangent(s->pen_curve, k_chord_t(i, inverse), s->first);
}

static inline void emit_offset(const sj_emitter *sink, k_vec p, k_vec from, k_vec to) {
  sj_emit(sink, k_add(p, from), k_add(p, to));
}

static inline void emit_chords(const sj_emitter *sink, const k_pen *pen, k_vec p, k_corner c) {
  k_vec last = c.from;
  for (int i = 1; i <= c.chords; i++) {
    k_vec next = k_corner_point(*pen, c, i);
    emit_offset(sink, p, last, next);
    last = next;
  }
}

// Emits a corner's chords: one by one (emit_chords), or LANES at a time (simd_stroke.h).
static void emit_corner(const sj_emitter *sink, const k_pen *pen, k_vec p, k_corner c);

static inline void emit_join(const sj_emitter *sink, const k_pen *pen, uint32_t join, k_vec p, k_vec u0, k_vec o0,
                             k_vec u1, k_vec o1, float square) {
  k_corner c = k_join_corner(*pen, join, u0, o0, u1, o1, square);
  emit_corner(sink, pen, p, c);
  // The lines on the inside of the turn.
  k_vec from = k_negate(c.to), to = k_negate(c.from), pivot = k_corner_inside(c);
  if (c.shape == K_CORNER_STRAIGHT) {
    emit_offset(sink, p, from, to);
    return;
  }
  emit_offset(sink, p, from, pivot);
  emit_offset(sink, p, pivot, to);
}

static inline void emit_cap(const sj_emitter *sink, const k_pen *pen, k_vec p, k_vec u, k_vec o) {
  emit_corner(sink, pen, p, k_cap_corner(*pen, u, o));
}

static inline void emit_sides(const sj_emitter *sink, k_vec p0, k_vec o0, k_vec p1, k_vec o1) {
  sj_emit(sink, k_add(p0, o0), k_add(p1, o1));
  sj_emit(sink, k_add(p1, k_negate(o1)), k_add(p0, k_negate(o0)));
}

// Emits the lines of one chord of a stroked curve.
static inline void emit_step(const sj_emitter *sink, const k_pen *pen, k_vec p0, k_vec u0, k_vec o0, k_vec p1, k_vec u1,
                             k_vec o1) {
  if (k_step_is_plain(*pen, p0, o0, p1, o1)) {
    emit_sides(sink, p0, o0, p1, o1);
    return;
  }
  k_vec u = k_chord_tangent(*pen, p0, u0, p1), o = k_pen_offset(*pen, u);
  emit_join(sink, pen, K_JOIN_ROUND, p0, u0, o0, u, o, 0.0f);
  emit_sides(sink, p0, o, p1, o);
  emit_join(sink, pen, K_JOIN_ROUND, p1, u, o, u1, o1, 0.0f);
}

static inline void emit_span_step(const stroke_span *s, const k_pen *pen, int i, float inverse,
                                  const sj_emitter *sink) {
  k_vec u0 = span_tangent(s, i, inverse), u1 = span_tangent(s, i + 1, inverse);
  emit_step(sink, pen, span_point(s, i, inverse), u0, k_pen_offset(*pen, u0), span_point(s, i + 1, inverse), u1,
            k_pen_offset(*pen, u1));
}

static inline void emit_dot(k_vec p, const k_pen *pen, const sj_emitter *sink) {
  if (pen->cap == K_CAP_BUTT) return;
  k_vec u = k_vec_make(1.0f, 0.0f), o = k_pen_offset(*pen, u);
  emit_cap(sink, pen, p, u, o);
  emit_cap(sink, pen, p, k_negate(u), k_negate(o));
}

// Returns the unit tangent, in pen space, with which the segment begins that this one is joined to. Sets its
// k_straight_square.
static inline k_vec next_tangent(const sj_encoded *scene, k_segment segment, const k_pen *pen, float *square) {
  k_vec r[4];
  k_segment next = scene->segments[segment.next];
  control_points(scene, next, pen->from_path, false, r);
  *square = k_straight_square(next.flags & K_SEGMENT_KIND, r[0], r[1]);
  return k_start_tangent(r[0], r[1], r[2], r[3]);
}

// Adds the caps at the ends of an open subpath, and elsewhere the join to the next segment.
static inline void emit_span_ends(const sj_encoded *scene, k_segment segment, const stroke_span *s, const k_pen *pen,
                                  const sj_emitter *sink) {
  k_vec o0 = k_pen_offset(*pen, s->first), o1 = k_pen_offset(*pen, s->end);
  if (segment.flags & K_SEGMENT_CAP_START) emit_cap(sink, pen, s->curve.d, k_negate(s->first), k_negate(o0));
  if (segment.flags & K_SEGMENT_CAP_END) emit_cap(sink, pen, s->curve.end, s->end, o1);
  if (segment.flags & K_SEGMENT_JOIN) {
    float square;
    k_vec u = next_tangent(scene, segment, pen, &square);
    emit_join(sink, pen, pen->join, s->curve.end, s->end, o1, u, k_pen_offset(*pen, u), k_min(s->square, square));
  }
}

// Adds the heights of a stroke's segment left of the box. Its sides, joins and caps are chains of lines, whose heights
// add up to those between the ends of each chain.
static inline void stroke_left(const sj_encoded *scene, k_segment segment, const k_pen *pen, const k_vec p[4],
                               sj_cull *cull) {
  if ((segment.flags & K_SEGMENT_KIND) == K_SEGMENT_DOT) return;  // its outline closes: the heights add up to zero
  k_vec q[4];
  control_points(scene, segment, pen->from_path, false, q);
  float o0 = k_pen_offset(*pen, k_start_tangent(q[0], q[1], q[2], q[3])).y;
  float o1 = k_pen_offset(*pen, k_end_tangent(q[0], q[1], q[2], q[3])).y, y0 = p[0].y, y1 = p[3].y;
  if (segment.flags & K_SEGMENT_CAP_START) sj_cull_left(cull, SJ_FORWARDS, y0 - o0, y0 + o0);
  sj_cull_left(cull, SJ_FORWARDS, y0 + o0, y1 + o1);
  sj_cull_left(cull, SJ_BACKWARDS, y0 - o0, y1 - o1);
  if (segment.flags & K_SEGMENT_CAP_END) sj_cull_left(cull, SJ_FORWARDS, y1 + o1, y1 - o1);
  if (segment.flags & K_SEGMENT_JOIN) {
    float square, o = k_pen_offset(*pen, next_tangent(scene, segment, pen, &square)).y;
    sj_cull_left(cull, SJ_FORWARDS, y1 + o1, y1 + o);
    sj_cull_left(cull, SJ_BACKWARDS, y1 - o1, y1 - o);
  }
}

static inline bool cull_stroke(const sj_encoded *scene, k_segment segment, const k_pen *pen, const k_vec p[4],
                               sj_cull *cull) {
  if (!cull->active) return false;
  sj_sight sight = sj_cull_look(cull, p, 3);
  if (sight == SJ_LEFT) stroke_left(scene, segment, pen, p, cull);
  return sight != SJ_SEEN;
}

// Does what cull_stroke does, for the chords from..end - 1 of a span. Their lines are a chain on each side.
static inline bool cull_span(const stroke_span *s, const k_pen *pen, int from, int end, float inverse, sj_cull *cull) {
  if (!cull->active || s->n <= SJ_CULL_RUN) return false;
  k_vec p0 = span_point(s, from, inverse), p1 = span_point(s, end, inverse);
  sj_sight sight = sj_cull_look_run(cull, &s->curve, p0, p1, (float)(end - from) * inverse);
  if (sight == SJ_LEFT) {
    float o0 = k_pen_offset(*pen, span_tangent(s, from, inverse)).y;
    float o1 = k_pen_offset(*pen, span_tangent(s, end, inverse)).y;
    sj_cull_left(cull, SJ_FORWARDS, p0.y + o0, p1.y + o1);
    sj_cull_left(cull, SJ_BACKWARDS, p0.y - o0, p1.y - o1);
  }
  return sight != SJ_SEEN;
}

// Does what cull_run does, for a span.
static inline int cull_span_run(const stroke_span *s, const k_pen *pen, int start, float inverse, sj_cull *cull) {
  int end = k_min(start + SJ_CULL_LONG_RUN, s->n);
  if (start % SJ_CULL_LONG_RUN == 0 && end - start > SJ_CULL_RUN && cull_span(s, pen, start, end, inverse, cull))
    return end - start;
  end = k_min(start + SJ_CULL_RUN, s->n);
  return cull_span(s, pen, start, end, inverse, cull) ? end - start : 0;
}

static inline void stroke_segment(const sj_encoded *scene, const k_draw *draw, k_segment segment, sj_cull *cull,
                                  const sj_emitter *sink) {
  const k_pen *pen = &scene->pens.data[draw->pen];
  k_vec p[4];
  control_points(scene, segment, draw->matrix, sink->far, p);
  if (cull_stroke(scene, segment, pen, p, cull)) return;
  if ((segment.flags & K_SEGMENT_KIND) == K_SEGMENT_DOT) {
    emit_dot(p[0], pen, sink);
    return;
  }
  stroke_span s = span_of(scene, segment, pen, p);
  float inverse = k_recip((float)s.n);
  for (int start = 0, end; start < s.n; start = end) {
    end = start + cull_span_run(&s, pen, start, inverse, cull);
    if (end > start) continue;
    end = k_min(start + SJ_CULL_RUN, s.n);
    for (int i = start; i < end; i++) emit_span_step(&s, pen, i, inverse, sink);
  }
  emit_span_ends(scene, segment, &s, pen, sink);
}

// Flattens all segments of a draw. Returns whether lines right of the box were left out.
static inline bool flatten_segments(const sj_encoded *scene, const k_draw *draw, sj_lines *lines) {
  sj_emitter sink = {lines, (draw->flags & K_DRAW_FAR) != 0};
  sj_cull cull = sj_cull_begin(scene, draw, lines);
  for (uint32_t i = 0; i < draw->segment_count && !lines->failed; i++) {
    k_segment segment = scene->segments[draw->segment + i];
    if (draw->op == K_DRAW_STROKE)
      stroke_segment(scene, draw, segment, &cull, &sink);
    else
      fill_segment(scene, draw, segment, &cull, &sink);
  }
  sj_cull_end(&cull);
  return cull.past_right;
}

#endif
