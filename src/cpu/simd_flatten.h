// Flattens curves and strokes, LANES chords at a time. Included once by each instruction set's file.
#include "cpu/segment.h"

#define POINTS 256  // transformed at a time
#define SAMPLES 256 // of a curve at a time

// A window of the path's points, in device space.
typedef struct {
  float x[POINTS], y[POINTS];
  int32_t fx[POINTS], fy[POINTS];  // in 24.8
} point_window;

VEC void transform_points(point_window *w, const k_vec *points, int count, k_matrix m) {
  for (int i = 0; i < count; i++) {
    float x = m.a * points[i].x + m.c * points[i].y, y = m.b * points[i].x + m.d * points[i].y;
    w->x[i] = x + m.e;
    w->y[i] = y + m.f;
  }
  for (int i = 0; i < count; i += LANES) {  // reads and writes within POINTS, a multiple of LANES
    v_store(w->fx + i, v_fixed(v_loadf(w->x + i)));
    v_store(w->fy + i, v_fixed(v_loadf(w->y + i)));
  }
}

// Appends the chords of a polyline: lines from point i to i + 1, or backwards.
VEC void append_chords(sj_lines *lines, const int32_t *x, const int32_t *y, int count, bool backwards) {
  for (int i = 0; i < count; i += LANES) {
    size_t at = lines->count + (size_t)i;
    vi ax = v_load(x + i), ay = v_load(y + i), bx = v_load(x + i + 1), by = v_load(y + i + 1);
    v_store(lines->x0 + at, backwards ? bx : ax);
    v_store(lines->y0 + at, backwards ? by : ay);
    v_store(lines->x1 + at, backwards ? ax : bx);
    v_store(lines->y1 + at, backwards ? ay : by);
  }
  lines->count += (size_t)count;
}

VEC void sample_points(const k_curve *c, vf t, vf *x, vf *y) {
  vf px = c->a.x * t + c->b.x, py = c->a.y * t + c->b.y;
  px = px * t + c->c.x;
  py = py * t + c->c.y;
  *x = px * t + c->d.x;
  *y = py * t + c->d.y;
}

// The chords from `start` on, SAMPLES at most, of a curve that has n.
VEC void append_samples(sj_lines *lines, const k_curve *c, int start, int count, int n, float inverse) {
  int32_t fx[SAMPLES + 2 * LANES], fy[SAMPLES + 2 * LANES];
  for (int i = 0; i <= count; i += LANES) {
    vf t = v_float(v_iota() + (start + i)) * inverse, x, y;
    sample_points(c, t, &x, &y);
    v_store(fx + i, v_fixed(x));
    v_store(fy + i, v_fixed(y));
  }
  if (start + count == n) {
    fx[count] = k_fixed(c->end.x);
    fy[count] = k_fixed(c->end.y);
  }
  append_chords(lines, fx, fy, count, false);
}

VEC void append_curve(sj_lines *lines, const k_curve *c, sj_cull *cull) {
  int n = k_chords(c->bend, 0.0f), run = cull->active ? SJ_CULL_RUN : SAMPLES;
  if (!sj_lines_reserve(lines, (size_t)n)) return;
  float inverse = k_recip((float)n);
  for (int start = 0; start < n; start += run) {
    int count = k_min(n - start, run);
    if (!cull_chords(cull, c, start, start + count, n, inverse)) append_samples(lines, c, start, count, n, inverse);
  }
}

VEC void flatten_fill(const sj_encoded *scene, const k_draw *draw, sj_lines *lines, sj_cull *cull) {
  point_window w;
  const k_segment *segment = scene->segments + draw->segment, *end = segment + draw->segment_count;
  uint32_t last_point = end[-1].point + (end[-1].flags & K_SEGMENT_KIND);
  while (segment < end) {
    uint32_t base = segment->point, count = k_min(last_point - base + 1, POINTS);
    transform_points(&w, scene->points + base, (int)count, draw->matrix);
    for (; segment < end; segment++) {
      uint32_t kind = segment->flags & K_SEGMENT_KIND, k = segment->point - base;
      if (k + kind >= count) break;
      k_vec p[4];
      if (kind == K_SEGMENT_LINE) {
        p[0] = k_vec_make(w.x[k], w.y[k]);
        p[1] = k_vec_make(w.x[k + 1], w.y[k + 1]);
        if (!cull_fill(cull, p, kind)) sj_lines_push(lines, w.fx[k], w.fy[k], w.fx[k + 1], w.fy[k + 1]);
        continue;
      }
      for (uint32_t i = 0; i <= kind; i++) p[i] = k_vec_make(w.x[k + i], w.y[k + i]);
      if (cull_fill(cull, p, kind)) continue;
      k_curve c = kind == K_SEGMENT_CUBIC ? k_curve_cubic(p[0], p[1], p[2], p[3]) : k_curve_quad(p[0], p[1], p[2]);
      append_curve(lines, &c, cull);
    }
  }
}

// Samples of a stroked curve: points and the pen's offsets there.
typedef struct {
  float x[SAMPLES + 2 * LANES], y[SAMPLES + 2 * LANES], ox[SAMPLES + 2 * LANES], oy[SAMPLES + 2 * LANES];
} stroke_samples;

VEC void sample_stroke(const stroke_span *s, const k_pen *pen, int start, int count, float inverse, stroke_samples *out) {
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
    // k_pen_offset.
    vf nx = pen->half_width * -uy, ny = pen->half_width * ux;
    vf ox = pen->a * nx + pen->c * ny, oy = pen->b * nx + pen->d * ny;
    memcpy(out->x + i, &x, sizeof x);
    memcpy(out->y + i, &y, sizeof y);
    memcpy(out->ox + i, &ox, sizeof ox);
    memcpy(out->oy + i, &oy, sizeof oy);
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
    vi plain = (v_absf(along) < length) & (turn <= v_set1f(most));
    uint32_t bent = v_mask(~plain & (v_iota() < count - i));
    for (; bent; bent &= bent - 1) {
      int k = i + __builtin_ctz(bent);
      lines->y1[first + (size_t)k] = lines->y0[first + (size_t)k];  // a horizontal line counts for nothing
      lines->y1[first + (size_t)(count + k)] = lines->y0[first + (size_t)(count + k)];
      emit_span_step(s, pen, start + k, inverse, sink);
    }
  }
}

VEC void flatten_stroke(const sj_encoded *scene, const k_draw *draw, const sj_emitter *sink, sj_cull *cull) {
  const k_pen *pen = &scene->pens.data[draw->pen];
  for (uint32_t i = 0; i < draw->segment_count && !sink->lines->failed; i++) {
    k_segment segment = scene->segments[draw->segment + i];
    k_vec p[4];
    control_points(scene, segment, draw->matrix, false, p);
    if (cull_stroke(scene, segment, pen, p, cull)) continue;
    if ((segment.flags & K_SEGMENT_KIND) == K_SEGMENT_DOT) {
      emit_dot(p[0], pen, sink);
      continue;
    }
    stroke_span s = span_of(scene, segment, pen, p);
    float inverse = k_recip((float)s.n);
    if (s.n == 1) {
      emit_span_step(&s, pen, 0, inverse, sink);
    } else {
      int run = cull->active ? SJ_CULL_RUN : SAMPLES;
      for (int start = 0; start < s.n; start += run) {
        int count = k_min(s.n - start, run);
        if (cull_span(&s, pen, start, start + count, inverse, cull)) continue;
        if (!sj_lines_reserve(sink->lines, 2 * (size_t)count)) return;
        stroke_samples samples;
        sample_stroke(&s, pen, start, count, inverse, &samples);
        append_stroke(&s, pen, start, count, inverse, &samples, sink);
      }
    }
    emit_span_ends(scene, segment, &s, pen, sink);
  }
}

static bool flatten(const sj_encoded *scene, const k_draw *draw, sj_lines *lines) {
  if (draw->segment_count == 0) return false;
  if (draw->flags & K_DRAW_FAR) return flatten_segments(scene, draw, lines);
  sj_cull cull = sj_cull_begin(scene, draw, lines);
  if (draw->op == K_DRAW_STROKE) flatten_stroke(scene, draw, &(sj_emitter){lines, false}, &cull);
  else flatten_fill(scene, draw, lines, &cull);
  sj_cull_end(&cull);
  return cull.past_right;
}
