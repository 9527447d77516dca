// The area of each pixel that a fill rule calls inside, from lines in 24.8, by other means than the renderer's: not as
// sums of areas, but from where lines cross. Between two heights at which lines begin, end, cross one another or cross
// a side of the pixel, how much of a row is inside changes linearly, so that it is known from the height in the middle.
// In doubles this is off by less than 10^-9 pixels, since what is wrongly sorted has no width.
#ifndef SJ_TEST_EXACT_H
#define SJ_TEST_EXACT_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/lines.h"

typedef struct exact_pixel {
  double area;    // inside, 0..1
  int low, high;  // the windings that have some area
  size_t lines;   // that touch it
} exact_pixel;

// The part of a line within a row, turned downwards.
typedef struct exact_piece {
  double x0, y0, x1, y1;
  int winding;
} exact_piece;

// From `y` on the winding is another, by `change`.
typedef struct exact_step {
  double y;
  int change;
} exact_step;

typedef struct exact_crossing {
  double x;
  int change;
} exact_crossing;

typedef struct exact_row {
  exact_piece *pieces, *near;  // those of the row; those within the pixel
  size_t count, near_count;
  exact_step *steps;  // of what lies left of the pixel
  size_t step_count;
  double *heights;
  size_t height_count, height_room;
  exact_crossing *crossings;
} exact_row;

static inline int exact_by_number(const void *a, const void *b) {
  const double *x = a, *y = b;  // of either structure the first member
  return (*x > *y) - (*x < *y);
}

static inline double exact_x(const exact_piece *p, double y) {
  if (y <= p->y0) return p->x0;
  if (y >= p->y1) return p->x1;
  return p->x0 + (p->x1 - p->x0) * (y - p->y0) / (p->y1 - p->y0);
}

static inline double exact_y(const exact_piece *p, double x) {
  return p->y0 + (p->y1 - p->y0) * (x - p->x0) / (p->x1 - p->x0);
}

static inline void exact_add_height(exact_row *r, double y) {
  if (r->height_count == r->height_room) {
    r->height_room = 2 * r->height_room + 64;
    r->heights = realloc(r->heights, r->height_room * sizeof *r->heights);
    if (!r->heights) abort();
  }
  r->heights[r->height_count++] = y;
}

// Notes where two pieces cross, if they do.
static inline void exact_cross(exact_row *r, const exact_piece *a, const exact_piece *b) {
  double top = fmax(a->y0, b->y0), bottom = fmin(a->y1, b->y1);
  if (top >= bottom) return;
  double before = exact_x(a, top) - exact_x(b, top), after = exact_x(a, bottom) - exact_x(b, bottom);
  if ((before < 0) != (after < 0) && before != after)
    exact_add_height(r, top + (bottom - top) * before / (before - after));
}

static inline void exact_find_pieces(exact_row *r, const sj_lines *lines, double top) {
  r->count = 0;
  for (size_t i = 0; i < lines->count; i++) {
    bool down = lines->y0[i] < lines->y1[i];
    exact_piece p = {lines->x0[i] / 256.0, lines->y0[i] / 256.0, lines->x1[i] / 256.0, lines->y1[i] / 256.0, 1};
    if (!down) p = (exact_piece){p.x1, p.y1, p.x0, p.y0, -1};
    if (p.y0 >= top + 1 || p.y1 <= top || p.y0 == p.y1) continue;
    exact_piece cut = p;
    cut.y0 = fmax(p.y0, top);
    cut.y1 = fmin(p.y1, top + 1);
    cut.x0 = exact_x(&p, cut.y0);
    cut.x1 = exact_x(&p, cut.y1);
    r->pieces[r->count++] = cut;
  }
}

// Places a piece. What it is left of the pixel makes steps, and what it is within the pixel is a piece again.
static inline void exact_place(exact_row *r, exact_piece p, double left) {
  for (int side = 0; side < 2; side++) {
    double border = left + side, from = fmin(p.x0, p.x1), to = fmax(p.x0, p.x1);
    bool before = to <= border, cut = from < border && border < to;
    if (!before && !cut) continue;
    exact_piece part = p;
    if (cut) {
      double y = exact_y(&p, border);
      bool upper = p.x0 < border;  // which part of it lies before the border
      *(upper ? &part.x1 : &part.x0) = *(upper ? &p.x0 : &p.x1) = border;
      *(upper ? &part.y1 : &part.y0) = *(upper ? &p.y0 : &p.y1) = y;
    }
    if (side) {
      r->near[r->near_count++] = part;
    } else {
      r->steps[r->step_count++] = (exact_step){part.y0, part.winding};
      r->steps[r->step_count++] = (exact_step){part.y1, -part.winding};
    }
    if (before) return;
  }
}

// Merges steps, so that contours that go on leave none behind.
static inline void exact_merge_steps(exact_row *r) {
  qsort(r->steps, r->step_count, sizeof *r->steps, exact_by_number);
  size_t count = 0;
  for (size_t i = 0; i < r->step_count;) {
    exact_step s = r->steps[i];
    for (i++; i < r->step_count && r->steps[i].y == s.y; i++) s.change += r->steps[i].change;
    if (s.change) r->steps[count++] = s;
  }
  r->step_count = count;
}

static inline void exact_see(exact_pixel *out, double length, double height, int winding, bool evenodd, bool *seen) {
  if (length <= 1e-9 || height <= 1e-9) return;
  if (evenodd ? winding & 1 : winding != 0) out->area += length * height;
  out->low = *seen && out->low < winding ? out->low : winding;
  out->high = *seen && out->high > winding ? out->high : winding;
  *seen = true;
}

static inline exact_pixel exact_pixel_of(exact_row *r, double left, double top, bool evenodd) {
  r->near_count = r->step_count = r->height_count = 0;
  for (size_t i = 0; i < r->count; i++) exact_place(r, r->pieces[i], left);
  exact_merge_steps(r);
  exact_add_height(r, top);
  exact_add_height(r, top + 1);
  for (size_t i = 0; i < r->step_count; i++) exact_add_height(r, r->steps[i].y);
  for (size_t i = 0; i < r->near_count; i++) {
    exact_add_height(r, r->near[i].y0);
    exact_add_height(r, r->near[i].y1);
    for (size_t j = 0; j < i; j++) exact_cross(r, &r->near[i], &r->near[j]);
  }
  qsort(r->heights, r->height_count, sizeof *r->heights, exact_by_number);
  exact_pixel out = {.lines = r->near_count};
  bool seen = false;
  int entering = 0;
  size_t step = 0;
  for (size_t i = 0; i + 1 < r->height_count; i++) {
    double y0 = r->heights[i], y1 = r->heights[i + 1], middle = 0.5 * (y0 + y1), x = left;
    if (y0 == y1) continue;
    for (; step < r->step_count && r->steps[step].y < middle; step++) entering += r->steps[step].change;
    size_t count = 0;
    for (size_t k = 0; k < r->near_count; k++) {
      const exact_piece *p = &r->near[k];
      if (p->y0 < middle && middle < p->y1) r->crossings[count++] = (exact_crossing){exact_x(p, middle), p->winding};
    }
    qsort(r->crossings, count, sizeof *r->crossings, exact_by_number);
    int winding = entering;
    for (size_t k = 0; k < count; k++) {
      exact_see(&out, r->crossings[k].x - x, y1 - y0, winding, evenodd, &seen);
      x = r->crossings[k].x;
      winding += r->crossings[k].change;
    }
    exact_see(&out, left + 1 - x, y1 - y0, winding, evenodd, &seen);
  }
  return out;
}

// Computes the pixels of a picture from (0, 0) on, row by row. Lines left of it count, as they wind around what is
// right of them.
static inline void exact_picture(const sj_lines *lines, int width, int height, bool evenodd, exact_pixel *out) {
  size_t n = lines->count + 1;
  exact_row r = {.pieces = malloc(n * sizeof *r.pieces),
                 .near = malloc(n * sizeof *r.near),
                 .steps = malloc(2 * n * sizeof *r.steps),
                 .crossings = malloc(n * sizeof *r.crossings)};
  if (!r.pieces || !r.near || !r.steps || !r.crossings) abort();
  for (int y = 0; y < height; y++) {
    exact_find_pieces(&r, lines, y);
    for (int x = 0; x < width; x++) out[y * width + x] = exact_pixel_of(&r, x, y, evenodd);
  }
  free(r.pieces);
  free(r.near);
  free(r.steps);
  free(r.heights);
  free(r.crossings);
}

#endif
