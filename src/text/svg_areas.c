#include "text/svg_areas.h"

#include <math.h>
#include <stdlib.h>

#include "base/budget.h"
#include "geometry/curve.h"

// A line is looked at at this many heights. At so many of them a place has to be free: as in Inkscape, a tenth of the
// line, where there are hardly ever letters, may reach beyond the outline.
#define HEIGHTS 40
#define ENOUGH 36
#define MOST_PIECES 256  // of a curve
#define WORK_OF_AN_EDGE 40

// --- outlines ---

static bool add_edge(sj_areas *a, sj_outline *o, stijl_point p, stijl_point q) {
  if (p.y == q.y && (o->area->distance <= 0.0f || p.x == q.x)) return true;  // no line crosses it
  sj_area_edge edge = p.y <= q.y ? (sj_area_edge){p, q, 1} : (sj_area_edge){q, p, -1};
  return sj_array_push(a->context, &o->edges, edge) && sj_context_check(a->context, WORK_OF_AN_EDGE);
}

// Returns how many pieces are no farther from a curve than the tolerance: the chords of n equal steps are no farther
// from it than an eighth of its second derivative over n^2.
static int pieces_of(const stijl_point *p, int degree, float tolerance) {
  float bend = 0.0f;
  for (int i = 0; i + 2 <= degree; i++) {
    float x = p[i].x - 2.0f * p[i + 1].x + p[i + 2].x, y = p[i].y - 2.0f * p[i + 1].y + p[i + 2].y;
    bend = fmaxf(bend, fabsf(x) + fabsf(y));
  }
  float count = ceilf(sqrtf((float)(degree * (degree - 1)) * 0.125f * bend / tolerance));
  return count < (float)MOST_PIECES ? count > 1.0f ? (int)count : 1 : MOST_PIECES;
}

static bool add_curve(sj_areas *a, sj_outline *o, const stijl_point *p, int degree) {
  stijl_point last = p[0];
  int count = degree > 1 ? pieces_of(p, degree, a->tolerance) : 1;
  for (int i = 1; i <= count; i++) {
    stijl_point end = i < count ? sj_curve_at(p, degree, (float)i / (float)count) : p[degree];
    if (!add_edge(a, o, last, end)) return false;
    last = end;
  }
  return true;
}

static int compare_edges(const void *one, const void *other) {
  const sj_area_edge *a = one, *b = other;
  const float x[] = {a->from.y, a->from.x, a->to.y, a->to.x}, y[] = {b->from.y, b->from.x, b->to.y, b->to.x};
  for (int i = 0; i < 4; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return a->turn - b->turn;
}

static bool open_outline(sj_areas *a, sj_outline *o, const sj_svg_area *area) {
  const unsigned char *verbs;
  const stijl_point *points;
  size_t count = stijl_path_verbs(area->path, &verbs);
  stijl_path_points(area->path, &points);
  stijl_point start = {0.0f, 0.0f}, p[4] = {{0.0f, 0.0f}};
  *o = (sj_outline){.area = area};
  // Each subpath is closed, as filling does it.
  for (size_t i = 0; i <= count; i++) {
    bool ends = i == count || verbs[i] == STIJL_PATH_MOVE || verbs[i] == STIJL_PATH_CLOSE;
    if (ends && !add_edge(a, o, p[0], start)) return false;
    if (i == count) break;
    int degree = verbs[i] == STIJL_PATH_CUBIC ? 3 : verbs[i] == STIJL_PATH_QUAD ? 2 : verbs[i] == STIJL_PATH_LINE;
    if (verbs[i] == STIJL_PATH_MOVE) start = *points++;
    for (int k = 1; k <= degree; k++) p[k] = *points++;
    if (degree && !add_curve(a, o, p, degree)) return false;
    p[0] = degree ? p[degree] : start;
  }
  if (o->edges.count > UINT32_MAX) return false;
  if (o->edges.count) qsort(o->edges.data, o->edges.count, sizeof *o->edges.data, compare_edges);
  // Sorting takes about as many comparisons.
  return sj_context_check(a->context, WORK_OF_AN_EDGE * (uint64_t)o->edges.count) &&
         sj_array_reserve(a->context, &o->active, o->edges.count);
}

bool sj_areas_open(sj_areas *a, stijl_context *context, const sj_svg_area *outside, size_t count, float tolerance) {
  *a = (sj_areas){.context = context, .tolerance = tolerance};
  a->outside = count ? sj_alloc_zero(context, count * sizeof *a->outside) : NULL;
  if (count && !a->outside) return false;
  a->outside_count = count;
  for (size_t i = 0; i < count; i++)
    if (!open_outline(a, &a->outside[i], &outside[i])) return false;
  return true;
}

static void finish_outline(const sj_areas *a, sj_outline *o) { sj_arrays_finish(a->context, &o->edges, &o->active); }

bool sj_areas_begin(sj_areas *a, const sj_svg_area *inside, float *top, float *bottom) {
  stijl_rect bounds;
  *top = *bottom = 0.0f;
  if (stijl_path_bounds(inside->path, &bounds)) {
    *top = bounds.y0 + inside->distance;
    *bottom = bounds.y1 - inside->distance;
  }
  finish_outline(a, &a->inside);
  if (!open_outline(a, &a->inside, inside)) return false;
  for (size_t i = 0; i < a->outside_count; i++) a->outside[i].next = a->outside[i].active.count = 0;
  return sj_context_check(a->context, WORK_OF_AN_EDGE * ((uint64_t)a->outside_count + 1));
}

void sj_areas_finish(sj_areas *a) {
  finish_outline(a, &a->inside);
  for (size_t i = 0; i < a->outside_count; i++) finish_outline(a, &a->outside[i]);
  sj_free(a->context, a->outside);
  sj_arrays_finish(a->context, &a->crossings, &a->filled, &a->taken, &a->ends, &a->free);
  *a = (sj_areas){0};
}

// --- lines ---

// Takes the edges that begin above the line's bottom, and drops those that end above its top.
static bool enter_line(sj_areas *a, sj_outline *o, float top, float bottom) {
  size_t kept = 0, before = o->active.count + o->next;
  float away = fmaxf(0.0f, o->area->distance);
  while (o->next < o->edges.count && o->edges.data[o->next].from.y - away < bottom)
    o->active.data[o->active.count++] = (uint32_t)o->next++;
  for (size_t i = 0; i < o->active.count; i++)
    if (o->edges.data[o->active.data[i]].to.y + away > top) o->active.data[kept++] = o->active.data[i];
  uint64_t looked = o->next + o->active.count - before + o->active.count + 1;
  o->active.count = kept;
  return sj_context_check(a->context, WORK_OF_AN_EDGE * looked);
}

static int compare_crossings(const void *one, const void *other) {
  const sj_crossing *a = one, *b = other;
  if (a->x != b->x) return a->x < b->x ? -1 : 1;
  return a->edge < b->edge ? -1 : a->edge > b->edge;
}

static int compare_parts(const void *one, const void *other) {
  const sj_line_part *a = one, *b = other;
  if (a->x0 != b->x0) return a->x0 < b->x0 ? -1 : 1;
  return a->x1 < b->x1 ? -1 : a->x1 > b->x1;
}

// Adds where the outline is filled, at a height.
static bool find_inside(sj_areas *a, const sj_outline *o, float y, sj_line_parts *out) {
  a->crossings.count = 0;
  for (size_t i = 0; i < o->active.count; i++) {
    const sj_area_edge *e = &o->edges.data[o->active.data[i]];
    if (!(e->from.y <= y) || !(y < e->to.y)) continue;
    float x = e->from.x + (e->to.x - e->from.x) * ((y - e->from.y) / (e->to.y - e->from.y));
    if (!sj_array_push(a->context, &a->crossings, ((sj_crossing){x, e->turn, o->active.data[i]}))) return false;
  }
  size_t count = a->crossings.count;
  if (count > 1) qsort(a->crossings.data, count, sizeof *a->crossings.data, compare_crossings);
  int winding = 0, mask = o->area->rule == STIJL_FILL_EVENODD ? 1 : -1;
  sj_line_part part = {0.0f, 0.0f};
  for (size_t i = 0; i < count; i++) {
    const sj_crossing *c = &a->crossings.data[i];
    bool was = (winding & mask) != 0, is = ((winding += c->turn) & mask) != 0;
    if (!was && is) part.x0 = c->x;
    part.x1 = c->x;
    if (was && !is && part.x1 > part.x0 && !sj_array_push(a->context, out, part)) return false;
  }
  return sj_context_check(a->context, WORK_OF_AN_EDGE * ((uint64_t)o->active.count + 1));
}

// Returns how far to the right what is within a distance of an edge reaches, at a height; -infinity if it does not
// reach that height. How far it reaches to the left is that of the mirrored edge.
static float reach(stijl_point from, stijl_point to, float distance, float y) {
  const stijl_point ends[2] = {from, to};
  float most = -INFINITY, dx = to.x - from.x, dy = to.y - from.y, length = sqrtf(dx * dx + dy * dy);
  for (int i = 0; i < 2; i++) {
    float h = (y - ends[i].y) / distance;
    if (h >= -1.0f && h <= 1.0f) most = fmaxf(most, ends[i].x + distance * sqrtf(1.0f - h * h));
  }
  if (!(dy > 0.0f)) return most;
  // Along the edge, moved to the right by the distance.
  float t = (y + dx / length * distance - from.y) / dy;
  return t >= 0.0f && t <= 1.0f ? fmaxf(most, from.x + t * dx + dy / length * distance) : most;
}

// Adds what is too close to the outline. Of one that crosses itself, lines within it count, too.
static bool find_close(sj_areas *a, const sj_outline *o, float y, sj_line_parts *out) {
  float distance = o->area->distance;
  if (!(distance > 0.0f)) return true;
  for (size_t i = 0; i < o->active.count; i++) {
    const sj_area_edge *e = &o->edges.data[o->active.data[i]];
    stijl_point from = {-e->from.x, e->from.y}, to = {-e->to.x, e->to.y};
    sj_line_part part = {-reach(from, to, distance, y), reach(e->from, e->to, distance, y)};
    if (part.x1 >= part.x0 && !sj_array_push(a->context, out, part)) return false;
  }
  return sj_context_check(a->context, WORK_OF_AN_EDGE * ((uint64_t)o->active.count + 1));
}

// Sorts parts, and joins those that overlap.
static void merge(sj_line_parts *parts) {
  size_t count = 0;
  if (parts->count > 1) qsort(parts->data, parts->count, sizeof *parts->data, compare_parts);
  for (size_t i = 0; i < parts->count; i++) {
    sj_line_part *last = count ? &parts->data[count - 1] : NULL;
    if (last && parts->data[i].x0 <= last->x1)
      last->x1 = fmaxf(last->x1, parts->data[i].x1);
    else
      parts->data[count++] = parts->data[i];
  }
  parts->count = count;
}

// Adds the ends of what is left of `filled` without `taken`. Both are sorted, and none overlap.
static bool add_ends(sj_areas *a, float x0, float x1) {
  return !(x1 > x0) || (sj_array_push(a->context, &a->ends, ((sj_part_end){x0, 1})) &&
                        sj_array_push(a->context, &a->ends, ((sj_part_end){x1, -1})));
}

static bool subtract(sj_areas *a) {
  size_t at = 0;
  for (size_t i = 0; i < a->filled.count; i++) {
    float from = a->filled.data[i].x0, end = a->filled.data[i].x1;
    for (; at < a->taken.count && a->taken.data[at].x0 < end; at++) {
      const sj_line_part *t = &a->taken.data[at];
      if (!add_ends(a, from, fminf(t->x0, end))) return false;
      from = fmaxf(from, t->x1);
      if (t->x1 > end) break;
    }
    if (!add_ends(a, from, end)) return false;
  }
  return true;
}

// Finds what is free at a height.
static bool look(sj_areas *a, float y) {
  a->taken.count = a->filled.count = 0;
  bool good = find_inside(a, &a->inside, y, &a->filled) && find_close(a, &a->inside, y, &a->taken);
  for (size_t i = 0; i < a->outside_count && good; i++)
    good = find_inside(a, &a->outside[i], y, &a->taken) && find_close(a, &a->outside[i], y, &a->taken);
  merge(&a->taken);
  return good && subtract(a);
}

static int compare_ends(const void *one, const void *other) {
  const sj_part_end *a = one, *b = other;
  return a->x != b->x ? (a->x < b->x ? -1 : 1) : b->step - a->step;
}

bool sj_areas_line(sj_areas *a, float top, float bottom) {
  a->free.count = a->ends.count = 0;
  if (!enter_line(a, &a->inside, top, bottom)) return false;
  for (size_t i = 0; i < a->outside_count; i++)
    if (!enter_line(a, &a->outside[i], top, bottom)) return false;
  for (int i = 0; i < HEIGHTS; i++)
    if (!look(a, top + (bottom - top) * (((float)i + 0.5f) / HEIGHTS))) return false;
  if (a->ends.count) qsort(a->ends.data, a->ends.count, sizeof *a->ends.data, compare_ends);
  int count = 0;
  sj_line_part part = {0.0f, 0.0f};
  for (size_t i = 0; i < a->ends.count; i++) {
    const sj_part_end *e = &a->ends.data[i];
    bool was = count >= ENOUGH, is = (count += e->step) >= ENOUGH;
    if (!was && is) part.x0 = e->x;
    part.x1 = e->x;
    if (was && !is && part.x1 > part.x0 && !sj_array_push(a->context, &a->free, part)) return false;
  }
  return sj_context_check(a->context, WORK_OF_AN_EDGE * ((uint64_t)a->ends.count + 1));
}
