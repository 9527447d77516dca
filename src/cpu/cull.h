// Finds segments outside of a draw's box before they are flattened. Those above, below and right of the box change
// nothing in it. Of those left of it only the heights count, since they wind around what is right of them: a vertical
// line on the box's left side, between the same heights, adds the same to the sums. Segments that follow each other
// there need only one such line together.
#ifndef SJ_CPU_CULL_H
#define SJ_CPU_CULL_H

#include "cpu/lines.h"
#include "kernel/clip.h"
#include "kernel/flatten.h"
#include "scene/encode.h"

// The two sides of a stroke; lines on the second run backwards. A fill has only the first.
enum { SJ_FORWARDS, SJ_BACKWARDS, SJ_SIDES };

typedef enum sj_sight { SJ_SEEN, SJ_LEFT, SJ_UNSEEN } sj_sight;

// Where a vertical line begins and ends, within the box's rows; nowhere if both are the same.
typedef struct sj_heights {
  int from, to;
} sj_heights;

typedef struct sj_cull {
  sj_lines *lines;
  bool active;
  bool exact;       // lines lie exactly between their points, with no margin for rounding: fills within the guard band
  bool past_right;  // lines right of the box were left out; what they wind around reaches its right side
  float x0, y0, x1, y1;  // the draw's box
  float reach;           // how far a stroke's lines may be from its path, in pixels
  sj_heights now[SJ_SIDES],
      last[SJ_SIDES];  // of each side's vertical line, and the one before: not yet among the lines
} sj_cull;

// Returns whether the pen's numbers are so small that nothing computed from them overflows. Only then every point of a
// stroke is surely within its reach.
static inline bool sj_pen_is_ordinary(const k_pen *pen) {
  const float device[] = {pen->a, pen->b, pen->c, pen->d, pen->ia, pen->ib, pen->ic, pen->id};
  const float path[] = {pen->from_path.a, pen->from_path.b, pen->from_path.c, pen->from_path.d};
  bool ordinary = true;
  for (int i = 0; i < 8; i++) ordinary = ordinary && k_abs(device[i]) < 1e15f;
  for (int i = 0; i < 4; i++) ordinary = ordinary && k_abs(path[i]) < 1e5f;
  return ordinary;
}

static inline sj_cull sj_cull_begin(const sj_encoded *scene, const k_draw *draw, sj_lines *lines) {
  sj_cull c = {.lines = lines, .active = (draw->flags & K_DRAW_CUT) != 0};
  if (!c.active) return c;
  c.x0 = (float)draw->x0;
  c.y0 = (float)draw->y0;
  c.x1 = (float)draw->x1;
  c.y1 = (float)draw->y1;
  c.exact = draw->op != K_DRAW_STROKE && !(draw->flags & K_DRAW_FAR);
  if (draw->op == K_DRAW_STROKE) {
    const k_pen *pen = &scene->pens.data[draw->pen];
    bool mitered = pen->join == K_JOIN_MITER || pen->join == K_JOIN_MITER_CLIP;
    float limit = mitered ? k_max(pen->miter_limit, 2.0f) : 2.0f;  // squared; 2 for square caps
    c.reach = pen->radius * sj_miter_reach(k_sqrt(limit), pen->join == K_JOIN_MITER_CLIP);
    c.active = sj_pen_is_ordinary(pen);
  }
  return c;
}

// Returns where the lines are that lie within `reach` of the hull of p[0..last]. With `exact` they lie between the
// points themselves, with no margin for rounding. The comparisons are written so that points that are not numbers count
// as seen.
static inline sj_sight sj_cull_hull(sj_cull *c, const k_vec *p, uint32_t last, float reach, bool exact) {
  float x0 = p[0].x, y0 = p[0].y, x1 = x0, y1 = y0;
  for (uint32_t i = 1; i <= last; i++) {
    x0 = k_min(x0, p[i].x);
    y0 = k_min(y0, p[i].y);
    x1 = k_max(x1, p[i].x);
    y1 = k_max(y1, p[i].y);
  }
  if (!exact) {
    float margin = reach + k_hull_margin(k_max(k_max(-x0, x1), k_max(-y0, y1)) + reach);
    x0 -= margin;
    y0 -= margin;
    x1 += margin;
    y1 += margin;
  }
  if (y1 <= c->y0 || y0 >= c->y1) return SJ_UNSEEN;
  if (x0 >= c->x1) {
    c->past_right = true;
    return SJ_UNSEEN;
  }
  return x1 <= c->x0 ? SJ_LEFT : SJ_SEEN;
}

// Returns where the lines of a segment with the control points p[0..kind] are.
static inline sj_sight sj_cull_look(sj_cull *c, const k_vec *p, uint32_t kind) {
  return sj_cull_hull(c, p, kind, c->reach, c->exact && kind <= K_SEGMENT_LINE);
}

// Curves of many chords are looked at in runs of so many, since of a curve that is far larger than the canvas little is
// seen: first in long runs, and in short ones where a long one may be seen.
#define SJ_CULL_RUN 32
#define SJ_CULL_LONG_RUN (8 * SJ_CULL_RUN)

// Returns where the lines of a part of a curve are, from one of its points to another, whose parameters differ by
// `step`. In between, the part is off their chord by as much as k_chords says. The points are rounded by 113 u of the
// largest coordinate M of the control points (kernel/clip.h), and so are those in between: 226 u M together, which is
// in the margin for M. M is bounded by d, c and b, which the control points are sums of.
static inline sj_sight sj_cull_look_run(sj_cull *c, const k_curve *curve, k_vec from, k_vec to, float step) {
  k_vec ends[2] = {from, to};
  float largest = k_max(k_abs(curve->d.x) + k_abs(curve->c.x) + k_abs(curve->b.x),
                        k_abs(curve->d.y) + k_abs(curve->c.y) + k_abs(curve->b.y));
  float off = k_sqrt(curve->bend) * 0.125f * step * step;
  return sj_cull_hull(c, ends, 1, c->reach + off + k_hull_margin(largest), false);
}

static inline void sj_cull_push(sj_cull *c, int from, int to) {
  int x = (int)c->x0 * K_SUBPIXELS;
  sj_lines_push(c->lines, x, from, x, to);
}

static inline int sj_distance(int a, int b) { return k_max(a, b) - k_min(a, b); }

// Adds a vertical line of each side. Both sides of a stroke mostly lie left of the box together, and run between the
// same heights: then only what they differ by at their ends is added, since the rest would be added and subtracted.
static inline void sj_cull_flush(sj_cull *c) {
  sj_heights a = c->last[SJ_FORWARDS], b = c->last[SJ_BACKWARDS];
  bool cancel =
      sj_distance(a.from, b.from) + sj_distance(a.to, b.to) < sj_distance(a.from, a.to) + sj_distance(b.from, b.to);
  sj_cull_push(c, a.from, cancel ? b.from : a.to);
  sj_cull_push(c, b.to, cancel ? a.to : b.from);
  c->last[SJ_FORWARDS] = c->last[SJ_BACKWARDS] = (sj_heights){0, 0};
}

// Ends the vertical line that is gathered for a side.
static inline void sj_cull_complete(sj_cull *c, int side) {
  if (c->now[side].from == c->now[side].to) return;
  if (c->last[side].from != c->last[side].to) sj_cull_flush(c);
  c->last[side] = c->now[side];
}

// Returns a height moved to the box's rows, as what is above and below changes nothing.
static inline int sj_cull_height(const sj_cull *c, float y) { return k_fixed(k_max(c->y0, k_min(c->y1, y))); }

// Takes a line left of the box that runs from height y0 to y1: it extends the vertical line gathered so far, or begins
// a new one.
static inline void sj_cull_left(sj_cull *c, int side, float y0, float y1) {
  int from = sj_cull_height(c, y0), to = sj_cull_height(c, y1);
  if (from != c->now[side].to) {
    sj_cull_complete(c, side);
    c->now[side].from = from;
  }
  c->now[side].to = to;
}

// Adds the lines that are still gathered.
static inline void sj_cull_end(sj_cull *c) {
  if (!c->active) return;
  sj_cull_complete(c, SJ_FORWARDS);
  sj_cull_complete(c, SJ_BACKWARDS);
  sj_cull_flush(c);
}

#endif
