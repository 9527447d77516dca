// Flattens curves and strokes, LANES chords at a time. Included once by each instruction set's file.
#include "cpu/simd_stroke.h"

// Appends the chords from `start` on, SAMPLES at most, of a curve that has n.
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

// Segments of fills whose lines are made together: one in each lane, of as many draws as it takes to fill all lanes.
typedef struct {
  int count;
  k_matrix matrix;                      // of all of these draws
  _Alignas(64) k_vec points[4][LANES];  // control points; where there are fewer, the others are any numbers
  int32_t kind[LANES];
} segment_batch;

// What the chords of a batch are made of: in each lane a k_curve, and its chords.
typedef struct {
  vf ax, ay, bx, by, cx, cy, dx, dy, bend;
  vi start_x, start_y, end_x, end_y;  // in 24.8
  vi n;
  vf inverse;
} curve_vector;

VEC vf pick_float(vf table, vi lane) { return (vf)v_pick((vi)table, lane); }

VEC curve_vector curves_of(const segment_batch *b) {
  // Lanes without a segment are zero. What memory happens to hold would mostly be subnormal floats, for each of which
  // Intel's processors stop some 150 cycles: 100,000 circles take 0.74 of the time so, 10,000 small shapes 0.72.
  vi used = v_iota() < b->count, kind = v_load(b->kind), line = kind == K_SEGMENT_LINE, quad = kind == K_SEGMENT_QUAD;
  vf x[4], y[4];
  for (int i = 0; i < 4; i++) {
    vi low = v_load(b->points[i]), high = v_load(b->points[i] + LANES / 2);
    vf px = (vf)(v_firsts(low, high) & used), py = (vf)(v_seconds(low, high) & used);
    x[i] = b->matrix.a * px + b->matrix.c * py;
    y[i] = b->matrix.b * px + b->matrix.d * py;
    x[i] = x[i] + b->matrix.e;
    y[i] = y[i] + b->matrix.f;
  }
  vf end_x = v_selectf(line, x[1], v_selectf(quad, x[2], x[3])),
     end_y = v_selectf(line, y[1], v_selectf(quad, y[2], y[3]));
  // k_curve_cubic and k_curve_quad.
  vf ux = (x[0] - x[1]) + (x[2] - x[1]), uy = (y[0] - y[1]) + (y[2] - y[1]);
  vf vx = (x[1] - x[2]) + (end_x - x[2]), vy = (y[1] - y[2]) + (end_y - y[2]);
  vf three = v_selectf(quad, v_set1f(1.0f), v_set1f(3.0f)), degree = v_selectf(quad, v_set1f(2.0f), v_set1f(3.0f));
  vf zero = {0}, uu = ux * ux + uy * uy, vv = vx * vx + vy * vy;
  curve_vector c = {.bx = three * ux,
                    .by = three * uy,
                    .cx = degree * (x[1] - x[0]),
                    .cy = degree * (y[1] - y[0]),
                    .dx = x[0],
                    .dy = y[0]};
  c.ax = v_selectf(quad, zero, vx - ux);
  c.ay = v_selectf(quad, zero, vy - uy);
  c.bend = v_selectf(line, zero, v_selectf(quad, 4.0f * uu, 36.0f * v_maxf(uu, vv)));
  c.start_x = v_fixed(x[0]);
  c.start_y = v_fixed(y[0]);
  c.end_x = v_fixed(end_x);
  c.end_y = v_fixed(end_y);
  return c;
}

// Computes k_chords.
VEC void count_chords(curve_vector *c) {
  vf n = v_sqrt(v_minf(v_sqrt(c->bend) * (0.125f / K_TOLERANCE), v_set1f(2.0e8f)));
  c->n = v_min(v_trunc(n) + 1, v_set1(K_MAX_CHORDS));
  c->inverse = v_recip(v_float(c->n));
}

// Curves that bend less surely have one chord. A line does not bend.
#define ONE_CHORD (0.9f * (K_TOLERANCE / 0.125f) * (K_TOLERANCE / 0.125f))

// Appends chords, each given as its number * LANES + its curve's lane.
VEC void append_numbered(sj_lines *lines, const curve_vector *c, const int32_t *chords, int total) {
  if (!sj_lines_reserve(lines, (size_t)total)) return;
  int last_x = 0, last_y = 0;  // where the chord before ended
  for (int i = 0; i < total; i += LANES) {
    vi k = v_load(chords + i), number = k >> __builtin_ctz(LANES);
    vf t = v_float(number + 1) * pick_float(c->inverse, k);
    vf x = pick_float(c->ax, k) * t + pick_float(c->bx, k), y = pick_float(c->ay, k) * t + pick_float(c->by, k);
    x = x * t + pick_float(c->cx, k);
    y = y * t + pick_float(c->cy, k);
    x = x * t + pick_float(c->dx, k);
    y = y * t + pick_float(c->dy, k);
    vi last = number + 1 == v_pick(c->n, k), first = number == 0;
    vi x1 = v_select(last, v_pick(c->end_x, k), v_fixed(x)), y1 = v_select(last, v_pick(c->end_y, k), v_fixed(y));
    vi x0 = v_select(first, v_pick(c->start_x, k), v_shift_in(x1, last_x));
    vi y0 = v_select(first, v_pick(c->start_y, k), v_shift_in(y1, last_y));
    append_lines(lines, (line_vector){x0, y0, x1, y1}, total - i);
    last_x = x1[LANES - 1];
    last_y = y1[LANES - 1];
  }
}

static void append_long_curve(sj_lines *lines, const segment_batch *batch, int k) {
  k_vec p[4];
  for (int i = 0; i < 4; i++) p[i] = k_transform(batch->matrix, batch->points[i][k]);
  k_curve curve =
      batch->kind[k] == K_SEGMENT_QUAD ? k_curve_quad(p[0], p[1], p[2]) : k_curve_cubic(p[0], p[1], p[2], p[3]);
  append_curve(lines, &curve, &(sj_cull){.active = false});
}

// Appends the lines of a batch in the order of its segments, and empties it. Sets where those of each begin, and where
// the last end.
static void append_segments(sj_lines *lines, segment_batch *batch, size_t starts[LANES + 1]) {
  curve_vector c = curves_of(batch);
  int count = batch->count;
  batch->count = 0;
  if (!v_mask(~(c.bend < ONE_CHORD))) {
    for (int k = 0; k <= count; k++) starts[k] = lines->count + (size_t)k;
    if (sj_lines_reserve(lines, (size_t)count))
      append_lines(lines, (line_vector){c.start_x, c.start_y, c.end_x, c.end_y}, count);
    return;
  }
  count_chords(&c);
  int32_t n[LANES], chords[FEW * LANES + LANES], total = 0;
  v_store(n, c.n);
  for (int k = 0; k < count; k++) {
    starts[k] = lines->count + (size_t)total;
    if (n[k] > FEW) {
      append_numbered(lines, &c, chords, total);
      append_long_curve(lines, batch, k);
      total = 0;
      continue;
    }
    for (int i = 0; i < n[k]; i += LANES) v_store(chords + total + i, (v_iota() + i) * LANES + k);
    total += n[k];
  }
  append_numbered(lines, &c, chords, total);
  starts[count] = lines->count;
}

VEC void add_segment(segment_batch *batch, const k_vec *points, uint32_t kind) {
  int k = batch->count++;
  batch->kind[k] = (int32_t)kind;
  batch->points[0][k] = points[0];
  batch->points[1][k] = points[1];
  for (uint32_t i = 2; i <= kind; i++) batch->points[i][k] = points[i];
}

static void flatten_fills(const sj_encoded *scene, const k_draw *draws, uint32_t count, sj_lines *lines, size_t *ends) {
  segment_batch batch = {.count = 0};
  size_t starts[LANES + 1];
  uint32_t first = 0;  // the first draw whose end is not known yet; what `ends` has of it is its end in the batch
  for (uint32_t i = 0; i < count; i++) {
    const k_segment *segment = scene->segments + draws[i].segment, *end = segment + draws[i].segment_count;
    for (bool other = memcmp(&batch.matrix, &draws[i].matrix, sizeof batch.matrix) != 0; segment < end; segment++) {
      if (batch.count == LANES || (other && batch.count)) {
        append_segments(lines, &batch, starts);
        for (; first < i; first++) ends[first] = starts[ends[first]];
      }
      if (other) batch.matrix = draws[i].matrix;
      other = false;
      add_segment(&batch, scene->points + segment->point, segment->flags & K_SEGMENT_KIND);
    }
    ends[i] = (size_t)batch.count;
  }
  append_segments(lines, &batch, starts);
  for (; first < count; first++) ends[first] = starts[ends[first]];
}

// Flattens a fill that is cut by its box. What is left of the box goes among the lines in the order of the path.
VEC void flatten_cut(const sj_encoded *scene, const k_draw *draw, sj_lines *lines, sj_cull *cull) {
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
      for (uint32_t i = 0; i <= 3; i++) p[i] = k_vec_make(w.x[k + k_min(i, kind)], w.y[k + k_min(i, kind)]);
      if (cull_fill(cull, p, kind)) continue;
      if (kind == K_SEGMENT_LINE) {
        sj_lines_push(lines, k_fixed(p[0].x), k_fixed(p[0].y), k_fixed(p[1].x), k_fixed(p[1].y));
        continue;
      }
      k_curve c = curve_of(*segment, p);
      append_curve(lines, &c, cull);
    }
  }
}

static bool flatten(const sj_encoded *scene, const k_draw *draw, sj_lines *lines) {
  if (draw->segment_count == 0) return false;
  if (draw->flags & K_DRAW_FAR) return flatten_segments(scene, draw, lines);
  sj_cull cull = sj_cull_begin(scene, draw, lines);
  size_t end;
  if (draw->op == K_DRAW_STROKE)
    flatten_stroke(scene, draw, &(sj_emitter){lines, false}, &cull);
  else if (cull.active)
    flatten_cut(scene, draw, lines, &cull);
  else
    flatten_fills(scene, draw, 1, lines, &end);
  sj_cull_end(&cull);
  return cull.past_right;
}
