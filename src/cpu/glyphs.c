#include "cpu/glyphs.h"

#include "base/irect.h"
#include "cpu/segments.h"

void sj_forget_glyphs(sj_worker *worker) {
  worker->glyph_lines.count = 0;
  worker->glyph_lines.failed = false;
  worker->glyphs.count = 0;
}

static k_draw draw_of(const k_glyph *glyph) {
  return (k_draw){.op = K_DRAW_FILL,
                  .segment = glyph->segment,
                  .segment_count = glyph->segment_count,
                  .lines = glyph->lines,
                  .matrix = glyph->matrix};
}

static bool make_room(const sj_frame *frame, sj_worker *worker) {
  size_t count = frame->scene->glyphs.count;
  if (worker->glyphs.count == count) return true;
  if (!sj_array_reserve(worker->context, &worker->glyphs, count)) return false;
  for (size_t i = 0; i < count; i++) worker->glyphs.data[i] = (sj_glyph_lines){.first = SJ_NO_LINES};
  worker->glyphs.count = count;
  return true;
}

static bool make_lines(const sj_frame *frame, sj_worker *worker, uint32_t number, sj_glyph_lines *out) {
  sj_lines *lines = &worker->glyph_lines;
  const k_draw draw = draw_of(&frame->scene->glyphs.data[number]);
  bool past_right;
  out->first = lines->count;
  if (!sj_lines_reserve(lines, draw.lines) || !sj_flatten_segments(frame, &draw, SIZE_MAX, lines, &past_right))
    return false;
  out->count = lines->count - out->first;
  out->box = frame->kernels->line_box(lines, out->first);
  return true;
}

static void include(stijl_irect *box, stijl_irect other, int x, int y) {
  box->x0 = k_min(box->x0, other.x0 + x);
  box->y0 = k_min(box->y0, other.y0 + y);
  box->x1 = k_max(box->x1, other.x1 + x);
  box->y1 = k_max(box->y1, other.y1 + y);
}

static void move_all(int32_t *restrict to, const int32_t *restrict from, size_t count, int by) {
  for (size_t i = 0; i < count; i++) to[i] = from[i] + by;
}

static bool add_moved(const sj_lines *from, const sj_glyph_lines *glyph, int x, int y, sj_lines *lines) {
  if (!sj_lines_reserve(lines, glyph->count)) return false;
  size_t at = lines->count;
  move_all(lines->x0 + at, from->x0 + glyph->first, glyph->count, x);
  move_all(lines->y0 + at, from->y0 + glyph->first, glyph->count, y);
  move_all(lines->x1 + at, from->x1 + glyph->first, glyph->count, x);
  move_all(lines->y1 + at, from->y1 + glyph->first, glyph->count, y);
  lines->count += glyph->count;
  return true;
}

// Flattens each instance by itself, since the run may leave the guard band.
static bool flatten_far(const sj_frame *frame, const k_run *run, size_t most, sj_lines *lines, stijl_irect *box) {
  size_t first = lines->count;
  for (uint32_t i = 0; i < run->instance_count && lines->count - first <= most; i++) {
    const k_instance *at = &frame->scene->instances.data[run->instance + i];
    k_draw draw = draw_of(&frame->scene->glyphs.data[at->glyph]);
    draw.flags = K_DRAW_FAR;
    draw.matrix.e = K_FLOAT((uint32_t)at->x);
    draw.matrix.f = K_FLOAT((uint32_t)at->y);
    bool past_right;
    if (!sj_flatten_segments(frame, &draw, SIZE_MAX, lines, &past_right)) return false;
  }
  *box = frame->kernels->line_box(lines, first);
  return true;
}

bool sj_flatten_glyphs(const sj_frame *frame, sj_worker *worker, const k_run *run, bool far, size_t most,
                       sj_lines *lines, stijl_irect *box) {
  if (far) return flatten_far(frame, run, most, lines, box);
  if (!make_room(frame, worker)) return false;
  size_t first = lines->count;
  *box = (stijl_irect){INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
  for (uint32_t i = 0; i < run->instance_count && lines->count - first <= most; i++) {
    const k_instance *at = &frame->scene->instances.data[run->instance + i];
    sj_glyph_lines *glyph = &worker->glyphs.data[at->glyph];
    if (glyph->first == SJ_NO_LINES && !make_lines(frame, worker, at->glyph, glyph)) return false;
    if (!glyph->count) continue;
    if (!add_moved(&worker->glyph_lines, glyph, at->x, at->y, lines)) return false;
    include(box, glyph->box, at->x, at->y);
  }
  return true;
}
