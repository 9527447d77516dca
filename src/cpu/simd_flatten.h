// Flattens curves and strokes, LANES chords at a time. Included once by each instruction set's file.
#include "cpu/simd_stroke.h"

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
  for (int start = 0, count; start < n; start += count) {
    count = cull_run(cull, c, start, n, inverse);
    if (count) continue;
    count = k_min(n - start, run);
    append_samples(lines, c, start, count, n, inverse);
  }
}

#define FEW (2 * LANES)

// Curves whose chords are made together where they have few, as most curves do: a curve in each lane.
typedef struct {
  int count;
  float x[4][LANES], y[4][LANES];  // control points; the last is repeated where there are three
  int32_t quad[LANES];             // all ones where there are three
} curve_batch;

// What the chords of a batch are made of: k_curve and its chords in each lane.
typedef struct {
  vf ax, ay, bx, by, cx, cy, dx, dy;
  vi start_x, start_y, end_x, end_y;  // in 24.8
  vi n;
  vf inverse;
} curve_vector;

VEC vf pick_float(vf table, vi lane) { return (vf)v_pick((vi)table, lane); }

VEC curve_vector curves_of(const curve_batch *b) {
  // Lanes without a curve are zero. What memory happens to hold would mostly be subnormal floats, for each of which
  // Intel's processors stop some 150 cycles: 100,000 circles take 0.74 of the time so, 10,000 small shapes 0.72.
  vi used = v_iota() < b->count;
#define COORDINATES(of) (vf)(v_load(of) & used)
  vf x0 = COORDINATES(b->x[0]), x1 = COORDINATES(b->x[1]), x2 = COORDINATES(b->x[2]), x3 = COORDINATES(b->x[3]);
  vf y0 = COORDINATES(b->y[0]), y1 = COORDINATES(b->y[1]), y2 = COORDINATES(b->y[2]), y3 = COORDINATES(b->y[3]);
#undef COORDINATES
  vi quad = v_load(b->quad);
  // k_curve_cubic and k_curve_quad.
  vf ux = (x0 - x1) + (x2 - x1), uy = (y0 - y1) + (y2 - y1), vx = (x1 - x2) + (x3 - x2), vy = (y1 - y2) + (y3 - y2);
  vf three = v_selectf(quad, v_set1f(1.0f), v_set1f(3.0f)), degree = v_selectf(quad, v_set1f(2.0f), v_set1f(3.0f));
  vf zero = {0}, uu = ux * ux + uy * uy, vv = vx * vx + vy * vy;
  curve_vector c = {
      .bx = three * ux, .by = three * uy, .cx = degree * (x1 - x0), .cy = degree * (y1 - y0), .dx = x0, .dy = y0};
  c.ax = v_selectf(quad, zero, vx - ux);
  c.ay = v_selectf(quad, zero, vy - uy);
  vf bend = v_selectf(quad, 4.0f * uu, 36.0f * v_maxf(uu, vv));
  // k_chords.
  vf n = v_sqrt(v_minf(v_sqrt(bend) * (0.125f / K_TOLERANCE), v_set1f(2.0e8f)));
  c.n = v_min(v_trunc(n) + 1, v_set1(K_MAX_CHORDS));
  c.inverse = v_recip(v_float(c.n));
  c.start_x = v_fixed(x0);
  c.start_y = v_fixed(y0);
  c.end_x = v_fixed(x3);
  c.end_y = v_fixed(y3);
  return c;
}

// Appends the chords of a batch and empties it. Those of curves of few chords are numbered, chord * LANES + the curve's
// lane, and made in full vectors.
static void append_curves(sj_lines *lines, curve_batch *batch, sj_cull *cull) {
  if (!batch->count) return;
  curve_vector c = curves_of(batch);
  int32_t n[LANES], chords[FEW * LANES + LANES], total = 0;
  v_store(n, c.n);
  for (int k = 0; k < batch->count; k++) {
    if (n[k] > FEW) {
      k_vec p[4];
      for (int i = 0; i < 4; i++) p[i] = k_vec_make(batch->x[i][k], batch->y[i][k]);
      k_curve curve = batch->quad[k] ? k_curve_quad(p[0], p[1], p[2]) : k_curve_cubic(p[0], p[1], p[2], p[3]);
      append_curve(lines, &curve, cull);
      continue;
    }
    for (int i = 0; i < n[k]; i += LANES) v_store(chords + total + i, (v_iota() + i) * LANES + k);
    total += n[k];
  }
  batch->count = 0;
  if (!sj_lines_reserve(lines, (size_t)total)) return;
  int last_x = 0, last_y = 0;  // where the chord before ended
  for (int i = 0; i < total; i += LANES) {
    vi k = v_load(chords + i), number = k >> __builtin_ctz(LANES);
    vf t = v_float(number + 1) * pick_float(c.inverse, k);
    vf x = pick_float(c.ax, k) * t + pick_float(c.bx, k), y = pick_float(c.ay, k) * t + pick_float(c.by, k);
    x = x * t + pick_float(c.cx, k);
    y = y * t + pick_float(c.cy, k);
    x = x * t + pick_float(c.dx, k);
    y = y * t + pick_float(c.dy, k);
    vi last = number + 1 == v_pick(c.n, k), first = number == 0;
    vi x1 = v_select(last, v_pick(c.end_x, k), v_fixed(x)), y1 = v_select(last, v_pick(c.end_y, k), v_fixed(y));
    vi x0 = v_select(first, v_pick(c.start_x, k), v_shift_in(x1, last_x));
    vi y0 = v_select(first, v_pick(c.start_y, k), v_shift_in(y1, last_y));
    append_lines(lines, (line_vector){x0, y0, x1, y1}, total - i);
    last_x = x1[LANES - 1];
    last_y = y1[LANES - 1];
  }
}

VEC void flatten_fill(const sj_encoded *scene, const k_draw *draw, sj_lines *lines, sj_cull *cull) {
  point_window w;
  int32_t fx[POINTS], fy[POINTS];  // its points in 24.8
  curve_batch batch;
  batch.count = 0;
  const k_segment *segment = scene->segments + draw->segment, *end = segment + draw->segment_count;
  uint32_t last_point = end[-1].point + (end[-1].flags & K_SEGMENT_KIND);
  while (segment < end) {
    uint32_t base = segment->point, count = k_min(last_point - base + 1, POINTS);
    transform_points(&w, scene->points + base, (int)count, draw->matrix);
    for (uint32_t i = 0; i < count; i += LANES) {
      v_store(fx + i, v_fixed(v_loadf(w.x + i)));
      v_store(fy + i, v_fixed(v_loadf(w.y + i)));
    }
    for (; segment < end; segment++) {
      uint32_t kind = segment->flags & K_SEGMENT_KIND, k = segment->point - base;
      if (k + kind >= count) break;
      k_vec p[4];
      if (kind == K_SEGMENT_LINE) {
        p[0] = k_vec_make(w.x[k], w.y[k]);
        p[1] = k_vec_make(w.x[k + 1], w.y[k + 1]);
        if (!cull_fill(cull, p, kind)) sj_lines_push(lines, fx[k], fy[k], fx[k + 1], fy[k + 1]);
        continue;
      }
      for (uint32_t i = 0; i <= 3; i++) p[i] = k_vec_make(w.x[k + k_min(i, kind)], w.y[k + k_min(i, kind)]);
      if (cull_fill(cull, p, kind)) continue;
      if (cull->active) {  // what is left of the box goes among the lines in the order of the path
        k_curve c = curve_of(*segment, p);
        append_curve(lines, &c, cull);
        continue;
      }
      for (int i = 0; i <= 3; i++) {
        batch.x[i][batch.count] = p[i].x;
        batch.y[i][batch.count] = p[i].y;
      }
      batch.quad[batch.count] = kind == K_SEGMENT_QUAD ? -1 : 0;
      if (++batch.count == LANES) append_curves(lines, &batch, cull);
    }
  }
  append_curves(lines, &batch, cull);
}

static bool flatten(const sj_encoded *scene, const k_draw *draw, sj_lines *lines) {
  if (draw->segment_count == 0) return false;
  if (draw->flags & K_DRAW_FAR) return flatten_segments(scene, draw, lines);
  sj_cull cull = sj_cull_begin(scene, draw, lines);
  if (draw->op == K_DRAW_STROKE)
    flatten_stroke(scene, draw, &(sj_emitter){lines, false}, &cull);
  else
    flatten_fill(scene, draw, lines, &cull);
  sj_cull_end(&cull);
  return cull.past_right;
}
