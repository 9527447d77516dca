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
  for (int start = 0; start < n; start += run) {
    int count = k_min(n - start, run);
    if (!cull_chords(cull, c, start, start + count, n, inverse)) append_samples(lines, c, start, count, n, inverse);
  }
}

VEC void flatten_fill(const sj_encoded *scene, const k_draw *draw, sj_lines *lines, sj_cull *cull) {
  point_window w;
  int32_t fx[POINTS], fy[POINTS];  // its points in 24.8
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
      for (uint32_t i = 0; i <= kind; i++) p[i] = k_vec_make(w.x[k + i], w.y[k + i]);
      if (cull_fill(cull, p, kind)) continue;
      k_curve c = kind == K_SEGMENT_CUBIC ? k_curve_cubic(p[0], p[1], p[2], p[3]) : k_curve_quad(p[0], p[1], p[2]);
      append_curve(lines, &c, cull);
    }
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
