// Strokes in vectors: chords of curves, chords of round corners, and straight segments with their joins.
#ifndef SJ_CPU_SIMD_STROKE_H
#define SJ_CPU_SIMD_STROKE_H

#include "cpu/simd_lines.h"

// Appends the chords of a round corner.
static void append_round(sj_lines *lines, const k_pen *pen, k_vec p, const k_corner *c) {
  if (!sj_lines_reserve(lines, (size_t)c->chords)) return;
  int x = k_fixed(p.x + c->from.x), y = k_fixed(p.y + c->from.y);
  int end_x = k_fixed(p.x + c->to.x), end_y = k_fixed(p.y + c->to.y);
  for (int i = 0; i < c->chords; i += LANES) {
    // k_corner_point of each chord's end.
    vi number = v_iota() + (i + 1);
    v_pair at = v_cos_sin(v_float(number) * c->turn);
    vf nx = c->normal.x * at.x - c->normal.y * at.y, ny = c->normal.x * at.y + c->normal.y * at.x;
    nx = pen->half_width * nx;
    ny = pen->half_width * ny;
    vf ox = pen->a * nx + pen->c * ny, oy = pen->b * nx + pen->d * ny;
    vi inner = number < c->chords;
    vi x1 = v_select(inner, v_fixed(p.x + ox), v_set1(end_x)), y1 = v_select(inner, v_fixed(p.y + oy), v_set1(end_y));
    append_lines(lines, (line_vector){v_shift_in(x1, x), v_shift_in(y1, y), x1, y1}, c->chords - i);
    x = x1[LANES - 1];
    y = y1[LANES - 1];
  }
}

static void emit_corner(const sj_emitter *sink, const k_pen *pen, k_vec p, k_corner c) {
  if (sink->far || c.chords <= 3)
    emit_chords(sink, pen, p, c);  // all but round ones
  else
    append_round(sink->lines, pen, p, &c);
}

// Computes k_pen_offset in each lane.
VEC void pen_offsets(const k_pen *pen, vf ux, vf uy, vf *ox, vf *oy) {
  vf nx = pen->half_width * -uy, ny = pen->half_width * ux;
  *ox = pen->a * nx + pen->c * ny;
  *oy = pen->b * nx + pen->d * ny;
}

// Samples of a stroked curve: points and the pen's offsets there.
typedef struct {
  float x[SAMPLES + 2 * LANES], y[SAMPLES + 2 * LANES], ox[SAMPLES + 2 * LANES], oy[SAMPLES + 2 * LANES];
} stroke_samples;

VEC void sample_stroke(const stroke_span *s, const k_pen *pen, int start, int count, float inverse,
                       stroke_samples *out) {
  const k_curve *q = &s->pen_curve;
  for (int i = 0; i <= count; i += LANES) {
    vf t = v_float(v_iota() + (start + i)) * inverse, x, y;
    sample_points(&s->curve, t, &x, &y);
    // k_sample_tangent.
    vf tx = (3.0f * q->a.x) * t + 2.0f * q->b.x, ty = (3.0f * q->a.y) * t + 2.0f * q->b.y;
    tx = tx * t + q->c.x;
    ty = ty * t + q->c.y;
    vf dot = tx * tx + ty * ty;
    vi moving = dot > v_set1f(1e-30f);
    vf r = v_rsqrt(dot);
    vf ux = v_selectf(moving, tx * r, v_set1f(s->first.x)), uy = v_selectf(moving, ty * r, v_set1f(s->first.y));
    vf ox, oy;
    pen_offsets(pen, ux, uy, &ox, &oy);
    v_storef(out->x + i, x);
    v_storef(out->y + i, y);
    v_storef(out->ox + i, ox);
    v_storef(out->oy + i, oy);
  }
  if (start == 0) {
    k_vec o = k_pen_offset(*pen, s->first);
    out->ox[0] = o.x;
    out->oy[0] = o.y;
  }
  if (start + count == s->n) {
    k_vec o = k_pen_offset(*pen, s->end);
    out->x[count] = s->curve.end.x;
    out->y[count] = s->curve.end.y;
    out->ox[count] = o.x;
    out->oy[count] = o.y;
  }
}

// Appends the lines of a stroke's chords: a left and a right one where k_step_is_plain says so. The other steps, which
// are rare, are emitted one by one.
VEC void append_stroke(const stroke_span *s, const k_pen *pen, int start, int count, float inverse,
                       const stroke_samples *in, const sj_emitter *sink) {
  sj_lines *lines = sink->lines;
  int32_t lx[SAMPLES + 2 * LANES], ly[SAMPLES + 2 * LANES], rx[SAMPLES + 2 * LANES], ry[SAMPLES + 2 * LANES];
  for (int i = 0; i <= count; i += LANES) {
    vf x = v_loadf(in->x + i), y = v_loadf(in->y + i), ox = v_loadf(in->ox + i), oy = v_loadf(in->oy + i);
    v_store(lx + i, v_fixed(x + ox));
    v_store(ly + i, v_fixed(y + oy));
    v_store(rx + i, v_fixed(x - ox));
    v_store(ry + i, v_fixed(y - oy));
  }
  size_t first = lines->count;
  append_chords(lines, lx, ly, count, false);
  append_chords(lines, rx, ry, count, true);
  float most = (16.0f * K_TOLERANCE) * pen->radius;
  for (int i = 0; i < count; i += LANES) {
    vf cx = v_loadf(in->x + i + 1) - v_loadf(in->x + i), cy = v_loadf(in->y + i + 1) - v_loadf(in->y + i);
    vf ox = v_loadf(in->ox + i + 1) - v_loadf(in->ox + i), oy = v_loadf(in->oy + i + 1) - v_loadf(in->oy + i);
    vf along = cx * ox + cy * oy, length = cx * cx + cy * cy, turn = ox * ox + oy * oy;
    vi plain = (turn == v_set1f(0.0f)) | ((v_absf(along) < length) & (turn <= v_set1f(most)));
    uint32_t bent = v_mask(~plain & (v_iota() < count - i));
    for (; bent; bent &= bent - 1) {
      int k = i + __builtin_ctz(bent);
      lines->y1[first + (size_t)k] = lines->y0[first + (size_t)k];  // a horizontal line counts for nothing
      lines->y1[first + (size_t)(count + k)] = lines->y0[first + (size_t)(count + k)];
      emit_span_step(s, pen, start + k, inverse, sink);
    }
  }
}

// A run of straight segments, of which each but the last is joined to the next, and what follows it.
typedef struct {
  point_window points;  // device pixels
  // The unit tangents of the segments in pen space, the pen's offsets along them, the squares of their lengths, and
  // those of what the last segment is joined to.
  float ux[POINTS + LANES], uy[POINTS + LANES], ox[POINTS + LANES], oy[POINTS + LANES], square[POINTS + LANES];
} straight_run;

// Returns how many segments from the given one on make such a run.
static uint32_t run_length(const sj_encoded *scene, uint32_t segment, uint32_t most) {
  const k_segment *first = scene->segments + segment;
  if ((first->flags & K_SEGMENT_KIND) != K_SEGMENT_LINE) return 0;
  uint32_t n = 1;
  for (; n < most; n++) {
    const k_segment *s = first + n;
    bool joined = (s[-1].flags & K_SEGMENT_JOIN) && s[-1].next == segment + n;
    if (!joined || (s->flags & K_SEGMENT_KIND) != K_SEGMENT_LINE || s->point != s[-1].point + 1) break;
  }
  return n;
}

// Computes a run's points, tangents and offsets.
VEC void prepare_run(straight_run *run, const sj_encoded *scene, const k_draw *draw, const k_pen *pen, uint32_t segment,
                     int count) {
  const k_vec *points = scene->points + scene->segments[segment].point;
  point_window q;
  transform_points(&run->points, points, count + 1, draw->matrix);
  transform_points(&q, points, count + 1, pen->from_path);
  for (int i = 0; i < count; i += LANES) {
    // k_start_tangent of lines.
    vf x = v_loadf(q.x + i + 1) - v_loadf(q.x + i), y = v_loadf(q.y + i + 1) - v_loadf(q.y + i);
    vf dot = x * x + y * y, r = v_rsqrt(dot);
    vi moved = dot > v_set1f(1e-30f);
    vf ux = v_selectf(moved, x * r, v_set1f(1.0f)), uy = v_selectf(moved, y * r, v_set1f(0.0f)), ox, oy;
    pen_offsets(pen, ux, uy, &ox, &oy);
    v_storef(run->ux + i, ux);
    v_storef(run->uy + i, uy);
    v_storef(run->ox + i, ox);
    v_storef(run->oy + i, oy);
    v_storef(run->square + i, dot);
  }
  k_segment last = scene->segments[segment + (uint32_t)count - 1];
  if (!(last.flags & K_SEGMENT_JOIN)) return;
  k_vec u = next_tangent(scene, last, pen, &run->square[count]), o = k_pen_offset(*pen, u);
  run->ux[count] = u.x;
  run->uy[count] = u.y;
  run->ox[count] = o.x;
  run->oy[count] = o.y;
}

VEC line_vector select_lines(vi mask, line_vector a, line_vector b) {
  return (line_vector){v_select(mask, a.x0, b.x0), v_select(mask, a.y0, b.y0), v_select(mask, a.x1, b.x1),
                       v_select(mask, a.y1, b.y1)};
}

// Appends lines that bend at a point, as two vectors of lines; where `bent` is not set they are straight.
VEC void append_bent(sj_lines *lines, line_vector v, vi bent, vi x, vi y, int count) {
  if (v_mask(bent)) {
    x = v_select(bent, x, v.x1);
    y = v_select(bent, y, v.y1);
    append_lines(lines, (line_vector){x, y, v.x1, v.y1}, count);
    v.x1 = x;
    v.y1 = y;
  }
  append_lines(lines, v, count);
}

// Appends the joins behind segments i..i + count - 1 of a run, LANES at most. `left` are lines from the ends of the
// segments' left sides to the beginnings of the next ones', `right` from the beginnings of the next ones' right sides
// back to their ends. Returns those whose outside is left to emit_corner.
VEC uint32_t append_joins(sj_lines *lines, const straight_run *run, const k_pen *pen, int i, int count,
                          line_vector left, line_vector right) {
  vf ux0 = v_loadf(run->ux + i), uy0 = v_loadf(run->uy + i), ux1 = v_loadf(run->ux + i + 1),
     uy1 = v_loadf(run->uy + i + 1);
  vf px = v_loadf(run->points.x + i + 1), py = v_loadf(run->points.y + i + 1);
  // k_join_corner.
  vf cosine = ux0 * ux1 + uy0 * uy1, sine = ux0 * uy1 - uy0 * ux1, one_plus = 1.0f + cosine;
  vi valid = v_iota() < count, left_outside = sine < v_set1f(0.0f), turned = ~(cosine > v_set1f(0.9998f));
  vi tipped = {0}, many = {0};
  if (pen->join == K_JOIN_ROUND) {
    vf angle = v_absf(v_atan2(sine, cosine)) * pen->arc_density;
    many = turned & ~(angle < v_set1f(1.0f)) & valid;
  } else if (pen->join == K_JOIN_MITER) {
    tipped = turned & (pen->miter_limit * one_plus >= v_set1f(2.0f)) & (one_plus > v_set1f(1e-6f));
  } else if (pen->join == K_JOIN_MITER_CLIP) {
    many = turned & (one_plus > v_set1f(1e-6f)) & valid;
  }
  // The outside, from where one side ends to where the other begins, around the miter's tip.
  line_vector outside = select_lines(left_outside, left, right), inside = select_lines(left_outside, right, left);
  outside.y1 = v_select(many, outside.y0, outside.y1);  // a horizontal line counts for nothing
  // k_inside_scale.
  vf square = v_minf(v_loadf(run->square + i), v_loadf(run->square + i + 1));
  float width = 2.0f * pen->half_width;
  width = width * width;
  vf taken = width * (2.0f - one_plus), room = v_minf(square, v_set1f(1e30f)) * one_plus;
  vi cut = turned & (one_plus >= v_set1f(K_INSIDE_SHARPEST)) & (taken <= room);
  if (pen->radius > K_INSIDE_RADIUS) cut = (vi){0};
  vi x = {0}, y = {0};
  vf ix = {0}, iy = {0};
  if (v_mask((tipped | cut) & valid)) {
    vf ox = v_loadf(run->ox + i) + v_loadf(run->ox + i + 1), oy = v_loadf(run->oy + i) + v_loadf(run->oy + i + 1);
    vf scale = v_recip(one_plus);
    ox = v_selectf(left_outside, ox, -ox) * scale;
    oy = v_selectf(left_outside, oy, -oy) * scale;
    x = v_fixed(px + ox);
    y = v_fixed(py + oy);
    ix = v_selectf(cut, ox, ix);
    iy = v_selectf(cut, oy, iy);
  }
  append_bent(lines, outside, tipped & valid, x, y, count);
  append_bent(lines, inside, turned & valid, v_fixed(px - ix), v_fixed(py - iy), count);
  return v_mask(many);
}

// Emits the outside of the join behind segment k of a run, chord by chord.
static void emit_outside(const straight_run *run, const k_pen *pen, int k, const sj_emitter *sink) {
  k_vec u0 = {run->ux[k], run->uy[k]}, o0 = {run->ox[k], run->oy[k]};
  k_vec u1 = {run->ux[k + 1], run->uy[k + 1]}, o1 = {run->ox[k + 1], run->oy[k + 1]};
  k_vec p = {run->points.x[k + 1], run->points.y[k + 1]};
  emit_corner(sink, pen, p, k_join_corner(*pen, pen->join, u0, o0, u1, o1, 0.0f));
}

// Appends the segments first..end - 1 of a run, whose first is the scene's segment `segment`.
VEC void append_run(const straight_run *run, const sj_encoded *scene, const k_draw *draw, const k_pen *pen,
                    uint32_t segment, int first, int end, const sj_emitter *sink) {
  sj_lines *lines = sink->lines;
  const k_segment *segments = scene->segments + segment;
  int joins = end - ((segments[end - 1].flags & K_SEGMENT_JOIN) ? 0 : 1);
  for (int i = first; i < end; i += LANES) {
    int count = k_min(end - i, LANES);
    if (!sj_lines_reserve(lines, 6 * LANES)) return;
    vf x0 = v_loadf(run->points.x + i), y0 = v_loadf(run->points.y + i);
    vf x1 = v_loadf(run->points.x + i + 1), y1 = v_loadf(run->points.y + i + 1);
    vf ox0 = v_loadf(run->ox + i), oy0 = v_loadf(run->oy + i), ox1 = v_loadf(run->ox + i + 1),
       oy1 = v_loadf(run->oy + i + 1);
    line_vector left = {v_fixed(x0 + ox0), v_fixed(y0 + oy0), v_fixed(x1 + ox0), v_fixed(y1 + oy0)};
    line_vector right = {v_fixed(x1 - ox0), v_fixed(y1 - oy0), v_fixed(x0 - ox0), v_fixed(y0 - oy0)};
    line_vector left_join = {left.x1, left.y1, v_fixed(x1 + ox1), v_fixed(y1 + oy1)};
    line_vector right_join = {v_fixed(x1 - ox1), v_fixed(y1 - oy1), right.x0, right.y0};
    append_lines(lines, left, count);
    append_lines(lines, right, count);
    uint32_t many = i < joins ? append_joins(lines, run, pen, i, k_min(joins - i, LANES), left_join, right_join) : 0;
    for (; many; many &= many - 1) emit_outside(run, pen, i + __builtin_ctz(many), sink);
  }
}

// Appends the caps of a run's segments first..end - 1.
VEC void append_run_caps(const straight_run *run, const k_segment *segments, const k_pen *pen, int first, int end,
                         const sj_emitter *sink) {
  if (segments[first].flags & K_SEGMENT_CAP_START) {
    k_vec p = {run->points.x[first], run->points.y[first]}, u = {run->ux[first], run->uy[first]};
    k_vec o = {run->ox[first], run->oy[first]};
    emit_cap(sink, pen, p, k_negate(u), k_negate(o));
  }
  if (segments[end - 1].flags & K_SEGMENT_CAP_END) {
    k_vec p = {run->points.x[end], run->points.y[end]}, u = {run->ux[end - 1], run->uy[end - 1]};
    emit_cap(sink, pen, p, u, (k_vec){run->ox[end - 1], run->oy[end - 1]});
  }
}

static void flatten_run(const sj_encoded *scene, const k_draw *draw, const k_pen *pen, uint32_t segment, int count,
                        const sj_emitter *sink, sj_cull *cull) {
  straight_run run;
  prepare_run(&run, scene, draw, pen, segment, count);
  const k_segment *segments = scene->segments + segment;
  for (int first = 0, end; first < count; first = end) {
    for (end = first; end < count && cull->active; end++) {  // as far as segments are seen
      k_vec p0 = {run.points.x[end], run.points.y[end]}, p1 = {run.points.x[end + 1], run.points.y[end + 1]};
      if (cull_stroke(scene, segments[end], pen, (k_vec[]){p0, p1, p1, p1}, cull)) break;
    }
    if (!cull->active) end = count;
    if (end > first) {
      append_run(&run, scene, draw, pen, segment, first, end, sink);
      append_run_caps(&run, segments, pen, first, end, sink);
    }
    end += end < count;  // behind the one that is not seen
  }
}

static void flatten_span(const sj_encoded *scene, k_segment segment, const k_pen *pen, const k_vec p[4],
                         const sj_emitter *sink, sj_cull *cull) {
  stroke_span s = span_of(scene, segment, pen, p);
  float inverse = k_recip((float)s.n);
  if (s.n == 1) {
    emit_span_step(&s, pen, 0, inverse, sink);
  } else {
    int run = cull->active ? SJ_CULL_RUN : SAMPLES;
    for (int start = 0, count; start < s.n; start += count) {
      count = cull_span_run(&s, pen, start, inverse, cull);
      if (count) continue;
      count = k_min(s.n - start, run);
      if (!sj_lines_reserve(sink->lines, 2 * (size_t)count)) return;
      stroke_samples samples;
      sample_stroke(&s, pen, start, count, inverse, &samples);
      append_stroke(&s, pen, start, count, inverse, &samples, sink);
    }
  }
  emit_span_ends(scene, segment, &s, pen, sink);
}

VEC void flatten_stroke(const sj_encoded *scene, const k_draw *draw, const sj_emitter *sink, sj_cull *cull) {
  const k_pen *pen = &scene->pens.data[draw->pen];
  uint32_t end = draw->segment + draw->segment_count, taken;
  for (uint32_t i = draw->segment; i < end && !sink->lines->failed; i += taken) {
    taken = run_length(scene, i, k_min(end - i, POINTS - 1));
    if (taken) {
      flatten_run(scene, draw, pen, i, (int)taken, sink, cull);
      continue;
    }
    taken = 1;
    k_segment segment = scene->segments[i];
    k_vec p[4];
    control_points(scene, segment, draw->matrix, false, p);
    if (cull_stroke(scene, segment, pen, p, cull)) continue;
    if ((segment.flags & K_SEGMENT_KIND) == K_SEGMENT_DOT)
      emit_dot(p[0], pen, sink);
    else
      flatten_span(scene, segment, pen, p, sink, cull);
  }
}

#endif
