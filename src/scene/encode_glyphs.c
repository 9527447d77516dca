// Glyph runs: instances get their places in device pixels, and outlines that are drawn under the same matrix become one
// glyph, however many instances of it there are.
#include "scene/encode_glyphs.h"

#include <math.h>
#include <string.h>

#include "base/irect.h"
#include "kernel/clip.h"
#include "kernel/coverage.h"
#include "kernel/flatten.h"
#include "scene/encoder.h"

// How many forms, the newest first, are searched for one that is the same.
#define SEARCHED 8
// The work of an instance, and of a segment of a new glyph.
#define WORK_INSTANCE 2
#define WORK_SEGMENT 4

// Returns how many lines an outline becomes; more than it has segments where it has curves, as k_draw.lines wants it.
static uint32_t count_lines(const stijl_scene *scene, const sj_path_range *outline, k_matrix m) {
  uint64_t lines = 0;
  bool curved = false;
  for (uint32_t i = 0; i < outline->segment_count; i++) {
    const k_segment *segment = &scene->segments.data[outline->segment + i];
    const k_vec *points = &scene->points.data[segment->point];
    uint32_t kind = segment->flags & K_SEGMENT_KIND;
    k_vec p[4];
    for (uint32_t k = 0; k <= kind; k++) p[k] = k_pull_in(k_transform(m, points[k]));  // the same where nothing is far
    curved |= kind > K_SEGMENT_LINE;
    lines += kind == K_SEGMENT_CUBIC  ? (uint64_t)k_chords(k_curve_cubic(p[0], p[1], p[2], p[3]).bend, 0.0f)
             : kind == K_SEGMENT_QUAD ? (uint64_t)k_chords(k_curve_quad(p[0], p[1], p[2]).bend, 0.0f)
                                      : 1;
  }
  if (curved && lines == outline->segment_count) lines++;
  return (uint32_t)k_min(lines, UINT32_MAX / 2);
}

// Finds the number of the form that a matrix is without its translation.
static bool find_form(sj_encoder *e, stijl_matrix m, uint32_t *out) {
  m.e = m.f = 0.0f;
  size_t count = e->forms.count, end = count > SEARCHED ? count - SEARCHED : 0;
  for (size_t i = count; i > end; i--)
    if (memcmp(&e->forms.data[i - 1], &m, sizeof m) == 0) {
      *out = (uint32_t)i - 1;
      return true;
    }
  *out = (uint32_t)count;
  return sj_array_push(e->context, &e->forms, m);
}

// Finds the glyph that an outline is under a form.
static bool find_glyph(sj_encoder *e, uint32_t outline, uint32_t form, uint32_t *out) {
  sj_last_glyph *last = &e->last_glyphs.data[outline];
  *out = last->glyph;
  if (last->form == form) return true;
  if (!sj_pairs_find(&e->glyph_numbers, outline, form, out)) {
    const sj_path_range *path = &e->scene->outlines.data[outline];
    const stijl_matrix *m = &e->forms.data[form];
    sj_known_glyph known = {.box = stijl_matrix_apply_rect(*m, path->box)};
    known.far = sj_is_far(known.box);
    if (!known.far) {
      stijl_rect b = known.box;
      known.fixed = (stijl_irect){(k_round_down(b.x0) - 1) * K_SUBPIXELS, (k_round_down(b.y0) - 1) * K_SUBPIXELS,
                                  (k_round_up(b.x1) + 1) * K_SUBPIXELS, (k_round_up(b.y1) + 1) * K_SUBPIXELS};
    }
    if (!sj_spend(&e->spender, WORK_INSTANCE + (uint64_t)path->segment_count * WORK_SEGMENT)) return false;
    k_glyph made = {path->segment, path->segment_count, count_lines(e->scene, path, sj_to_k(*m)), sj_to_k(*m)};
    *out = (uint32_t)e->known.count;
    if (!sj_array_push(e->context, &e->known, known) || !sj_array_push(e->context, &e->out->glyphs, made) ||
        !sj_pairs_add(e->context, &e->glyph_numbers, outline, form, *out))
      return false;
  }
  *last = (sj_last_glyph){form, *out};
  return true;
}

static bool reserve_last_glyphs(sj_encoder *e) {
  size_t count = e->scene->outlines.count;
  if (e->last_glyphs.count == count) return true;
  if (!sj_array_reserve(e->context, &e->last_glyphs, count)) return false;
  for (size_t i = 0; i < count; i++) e->last_glyphs.data[i] = (sj_last_glyph){UINT32_MAX, 0};
  e->last_glyphs.count = count;
  return true;
}

// What is gathered of a run.
typedef struct {
  uint32_t form;
  stijl_matrix matrix;  // of the outlines at work to device pixels
  bool far;
  uint64_t segments, lines;
  stijl_irect box;    // of the pixels of those that are far
  stijl_rect hull;    // of all others
  stijl_rect limits;  // a pixel larger on each side
} gathered;

// Returns whether anything is to be seen of a box, which then is one of those gathered.
static bool gather_box(gathered *g, stijl_rect box, stijl_irect limits) {
  if (sj_is_far(box)) {
    stijl_irect seen = sj_irect_intersect(sj_pixels_of(box), limits);
    g->far = true;
    g->box = sj_irect_unite(g->box, seen);
    return !sj_irect_is_empty(seen);
  }
  // Its pixels are at most one more on each side (k_hull_margin).
  if (!(box.x1 > g->limits.x0 && box.x0 < g->limits.x1 && box.y1 > g->limits.y0 && box.y0 < g->limits.y1)) return false;
  g->hull.x0 = k_min(g->hull.x0, box.x0);
  g->hull.y0 = k_min(g->hull.y0, box.y0);
  g->hull.x1 = k_max(g->hull.x1, box.x1);
  g->hull.y1 = k_max(g->hull.y1, box.y1);
  return true;
}

// Adds an instance at a place in device pixels, if it can be seen; there is room for it. Its contours are closed: what
// lies outside of the limits changes nothing within, whatever side it is on.
static bool add_instance(sj_encoder *e, uint32_t outline, float x, float y, stijl_irect limits, gathered *g) {
  uint32_t glyph;
  if (!find_glyph(e, outline, g->form, &glyph)) return false;
  const sj_known_glyph *known = &e->known.data[glyph];
  stijl_rect box = known->box;
  // That a run is far must not depend on what is seen of it.
  g->far |= known->far;
  if (!gather_box(g, (stijl_rect){box.x0 + x, box.y0 + y, box.x1 + x, box.y1 + y}, limits)) return true;
  const k_glyph *made = &e->out->glyphs.data[glyph];
  g->segments += made->segment_count;
  g->lines += made->lines;
  e->out->instances.data[e->out->instances.count++] = (k_instance){glyph, (int)K_BITS(x), (int)K_BITS(y)};
  return true;
}

// Places the outline of an instance under the matrix at work: the same for all that have its matrix.
static bool add_placed(sj_encoder *e, const stijl_instance *at, stijl_matrix to_device, stijl_irect limits,
                       gathered *g) {
  float x = to_device.a * at->x + to_device.c * at->y, y = to_device.b * at->x + to_device.d * at->y;
  return add_instance(e, at->outline, x + g->matrix.e, y + g->matrix.f, limits, g);
}

// Returns how many segments those instances have, at most, whose lines may meet within 16 pixels, where that could be
// too many for sums of 32 bits (gpu/windings.h). Counts them in squares of 64 pixels, which are taken together every
// 2048.
static uint32_t crowd_of(const sj_encoder *e, size_t first, uint32_t segments) {
  enum { FEW = K_SUM_LINES / 4, SIDE = 32, SHIFT = 6 + 8, TILE = 16 * K_SUBPIXELS };
  if (segments <= FEW) return segments;
  uint32_t squares[SIDE][SIDE] = {{0}}, most = 0;
  for (size_t i = first; i < e->out->instances.count; i++) {
    const k_instance *at = &e->out->instances.data[i];
    stijl_irect r = e->known.data[at->glyph].fixed;
    int x0 = (at->x + r.x0 - TILE) >> SHIFT, x1 = k_min((at->x + r.x1 + TILE) >> SHIFT, x0 + SIDE - 1);
    int y0 = (at->y + r.y0 - TILE) >> SHIFT, y1 = k_min((at->y + r.y1 + TILE) >> SHIFT, y0 + SIDE - 1);
    uint32_t more = e->out->glyphs.data[at->glyph].segment_count;
    for (int sy = y0; sy <= y1; sy++)
      for (int sx = x0; sx <= x1; sx++) {
        uint32_t *square = &squares[sy & (SIDE - 1)][sx & (SIDE - 1)];
        *square += more;
        most = k_max(most, *square);
      }
  }
  return most;
}

bool sj_encode_run(sj_encoder *e, const sj_glyph_run *run, stijl_matrix to_device, stijl_irect *limits, k_draw *out) {
  const stijl_scene *scene = e->scene;
  gathered g = {
      .hull = {INFINITY, INFINITY, -INFINITY, -INFINITY},
      .limits = {(float)(limits->x0 - 1), (float)(limits->y0 - 1), (float)(limits->x1 + 1), (float)(limits->y1 + 1)}};
  uint32_t matrix = UINT32_MAX;
  bool finite = false;
  size_t first = e->out->instances.count;
  if (first > UINT32_MAX / 2 - run->instance_count || !reserve_last_glyphs(e) ||
      !sj_array_reserve(e->context, &e->out->instances, run->instance_count))
    return false;
  if (!sj_spend(&e->spender, (uint64_t)run->instance_count * WORK_INSTANCE)) return false;
  for (uint32_t i = 0; i < run->instance_count; i++) {
    const stijl_instance *at = &scene->instances.data[run->instance + i];
    if (!scene->outlines.data[at->outline].segment_count) continue;
    if (at->matrix != matrix) {
      matrix = at->matrix;
      g.matrix = stijl_matrix_multiply(to_device, scene->matrices.data[run->matrix + matrix]);
      finite = stijl_matrix_is_finite(g.matrix);
      if (finite && !find_form(e, g.matrix, &g.form)) return false;
    }
    if (finite && !add_placed(e, at, to_device, *limits, &g)) return false;
  }
  if (g.hull.x0 <= g.hull.x1) g.box = sj_irect_unite(g.box, sj_irect_intersect(sj_pixels_of(g.hull), *limits));
  *limits = g.box;
  k_run made = {(uint32_t)first, (uint32_t)(e->out->instances.count - first), (uint32_t)g.segments};
  out->flags |= K_DRAW_GLYPHS;
  out->segment = (uint32_t)e->out->runs.count;
  out->segment_count = (uint32_t)g.segments;
  out->lines = (uint32_t)k_min(g.lines, UINT32_MAX / 2);
  if (g.far) {
    out->flags |= K_DRAW_FAR;
    return sj_array_push(e->context, &e->out->runs, made);
  }
  for (size_t i = first; i < e->out->instances.count; i++) {
    k_instance *at = &e->out->instances.data[i];
    at->x = k_fixed(K_FLOAT((uint32_t)at->x));
    at->y = k_fixed(K_FLOAT((uint32_t)at->y));
  }
  made.crowd = crowd_of(e, first, out->segment_count);
  return sj_array_push(e->context, &e->out->runs, made);
}

void sj_encode_glyphs_finish(sj_encoder *e) {
  sj_arrays_finish(e->context, &e->forms, &e->known);
  sj_pairs_finish(e->context, &e->glyph_numbers);
  sj_array_finish(e->context, &e->last_glyphs);
}
