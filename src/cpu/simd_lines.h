// What flattening fills and strokes in vectors have in common.
#ifndef SJ_CPU_SIMD_LINES_H
#define SJ_CPU_SIMD_LINES_H

#include "cpu/segment.h"

#define POINTS 256   // transformed at a time
#define SAMPLES 256  // of a curve at a time

// A window of a path's points, transformed. There is room to load a vector at each of them.
typedef struct {
  float x[POINTS + LANES], y[POINTS + LANES];
} point_window;

VEC void transform_points(point_window *w, const k_vec *points, int count, k_matrix m) {
  for (int i = 0; i < count; i++) {
    float x = m.a * points[i].x + m.c * points[i].y, y = m.b * points[i].x + m.d * points[i].y;
    w->x[i] = x + m.e;
    w->y[i] = y + m.f;
  }
}

// Lines in a vector.
typedef struct {
  vi x0, y0, x1, y1;
} line_vector;

// Appends the first `count` lines of a vector, all of them where there are more. There must be room.
VEC void append_lines(sj_lines *lines, line_vector v, int count) {
  size_t at = lines->count;
  v_store(lines->x0 + at, v.x0);
  v_store(lines->y0 + at, v.y0);
  v_store(lines->x1 + at, v.x1);
  v_store(lines->y1 + at, v.y1);
  lines->count += (size_t)k_min(count, LANES);
}

// Appends the chords of a polyline: lines from point i to i + 1, or backwards. There must be room.
VEC void append_chords(sj_lines *lines, const int32_t *x, const int32_t *y, int count, bool backwards) {
  for (int i = 0; i < count; i += LANES) {
    vi ax = v_load(x + i), ay = v_load(y + i), bx = v_load(x + i + 1), by = v_load(y + i + 1);
    append_lines(lines, backwards ? (line_vector){bx, by, ax, ay} : (line_vector){ax, ay, bx, by}, count - i);
  }
}

VEC void sample_points(const k_curve *c, vf t, vf *x, vf *y) {
  vf px = c->a.x * t + c->b.x, py = c->a.y * t + c->b.y;
  px = px * t + c->c.x;
  py = py * t + c->c.y;
  *x = px * t + c->d.x;
  *y = py * t + c->d.y;
}

#endif
