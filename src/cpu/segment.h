// One segment at a time: the definition of how fills and strokes become lines. Vector code uses it for what it does not
// do itself.
#ifndef SJ_CPU_SEGMENT_H
#define SJ_CPU_SEGMENT_H

#include "cpu/emit.h"
#include "kernel/flatten.h"
#include "scene/encode.h"

#define K_SINK const sj_emitter *
static inline void k_emit_line(K_SINK sink, k_vec a, k_vec b) { sj_emit(sink, a, b); }
#include "kernel/stroke.h"

// The control points of a segment, the last one repeated up to four.
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

static inline void fill_segment(const sj_encoded *scene, const k_draw *draw, k_segment segment, const sj_emitter *sink) {
  k_vec p[4];
  control_points(scene, segment, draw->matrix, sink->far, p);
  k_curve curve = curve_of(segment, p);
  int n = k_chords(curve.bend, 0.0f);
  float inverse = k_recip((float)n);
  k_vec last = p[0];
  for (int i = 1; i <= n; i++) {
    k_vec next = i == n ? curve.end : k_curve_point(curve, k_chord_t(i, inverse));
    k_emit_line(sink, last, next);
    last = next;
  }
}

// A stroked segment between its ends: what both the plain and the vector form need.
typedef struct {
  k_curve curve;      // device pixels
  k_curve pen_curve;  // pen space
  k_vec first, end;   // unit tangents at the ends, in pen space
  int n;              // chords
} stroke_span;

static inline stroke_span span_of(const sj_encoded *scene, const k_draw *draw, k_segment segment, const k_pen *pen,
                                  bool far) {
  k_vec p[4], q[4];
  stroke_span s;
  control_points(scene, segment, draw->matrix, far, p);
  control_points(scene, segment, pen->from_path, false, q);
  s.curve = curve_of(segment, p);
  s.pen_curve = curve_of(segment, q);
  s.first = k_start_tangent(q[0], q[1], q[2], q[3]);
  s.end = k_end_tangent(q[0], q[1], q[2], q[3]);
  s.n = k_chords(s.curve.bend, k_stroke_bend(*pen, segment.flags & K_SEGMENT_KIND, q[0], q[1], q[2], q[3]));
  return s;
}

static inline k_vec span_point(const stroke_span *s, int i, float inverse) {
  return i == 0 ? s->curve.d : i == s->n ? s->curve.end : k_curve_point(s->curve, k_chord_t(i, inverse));
}

static inline k_vec span_tangent(const stroke_span *s, int i, float inverse) {
  return i == 0 ? s->first : i == s->n ? s->end : k_sample_tangent(s->pen_curve, k_chord_t(i, inverse), s->first);
}

static inline void emit_span_step(const stroke_span *s, const k_pen *pen, int i, float inverse, const sj_emitter *sink) {
  k_vec u0 = span_tangent(s, i, inverse), u1 = span_tangent(s, i + 1, inverse);
  k_emit_step(sink, *pen, span_point(s, i, inverse), u0, k_pen_offset(*pen, u0), span_point(s, i + 1, inverse), u1,
              k_pen_offset(*pen, u1));
}

static inline void emit_dot(const sj_encoded *scene, const k_draw *draw, k_segment segment, const k_pen *pen,
                            const sj_emitter *sink) {
  if (pen->cap == K_CAP_BUTT) return;
  k_vec p[4];
  control_points(scene, segment, draw->matrix, sink->far, p);
  k_vec u = k_vec_make(1.0f, 0.0f), o = k_pen_offset(*pen, u);
  k_emit_cap(sink, *pen, p[0], u, o);
  k_emit_cap(sink, *pen, p[0], k_negate(u), k_negate(o));
}

// Caps at the ends of open subpaths, the join to the next segment elsewhere.
static inline void emit_span_ends(const sj_encoded *scene, k_segment segment, const stroke_span *s, const k_pen *pen,
                                  const sj_emitter *sink) {
  k_vec o0 = k_pen_offset(*pen, s->first), o1 = k_pen_offset(*pen, s->end);
  if (segment.flags & K_SEGMENT_CAP_START) k_emit_cap(sink, *pen, s->curve.d, k_negate(s->first), k_negate(o0));
  if (segment.flags & K_SEGMENT_CAP_END) k_emit_cap(sink, *pen, s->curve.end, s->end, o1);
  if (segment.flags & K_SEGMENT_JOIN) {
    k_vec r[4];
    control_points(scene, scene->segments[segment.next], pen->from_path, false, r);
    k_vec u = k_start_tangent(r[0], r[1], r[2], r[3]);
    k_emit_join(sink, *pen, pen->join, s->curve.end, s->end, o1, u, k_pen_offset(*pen, u));
  }
}

static inline void stroke_segment(const sj_encoded *scene, const k_draw *draw, k_segment segment, const sj_emitter *sink) {
  const k_pen *pen = &scene->pens.data[draw->pen];
  if ((segment.flags & K_SEGMENT_KIND) == K_SEGMENT_DOT) {
    emit_dot(scene, draw, segment, pen, sink);
    return;
  }
  stroke_span s = span_of(scene, draw, segment, pen, sink->far);
  float inverse = k_recip((float)s.n);
  for (int i = 0; i < s.n; i++) emit_span_step(&s, pen, i, inverse, sink);
  emit_span_ends(scene, segment, &s, pen, sink);
}

static inline void flatten_segment(const sj_encoded *scene, const k_draw *draw, k_segment segment,
                                   const sj_emitter *sink) {
  if (draw->op == K_DRAW_STROKE) stroke_segment(scene, draw, segment, sink);
  else fill_segment(scene, draw, segment, sink);
}

#endif
