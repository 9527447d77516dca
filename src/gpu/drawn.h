// What an encoded draw is to the stages.
#ifndef SJ_GPU_DRAWN_H
#define SJ_GPU_DRAWN_H

#include "gpu/windings.h"
#include "kernel/paint.h"
#include "scene/encode.h"
#include "gpu/layout.h"

static inline bool sj_has_path(const k_draw *draw) {
  return draw->op == K_DRAW_FILL || draw->op == K_DRAW_STROKE || (draw->op == K_DRAW_POP && draw->flags & K_DRAW_CLIP);
}

// Returns the tiles that a draw takes part in. A pop takes part where its push does, though its own box may be smaller.
static inline k_pixels sj_tiles_of(const sj_encoded *scene, stijl_irect region, const k_draw *draw) {
  const k_draw *box = draw->op == K_DRAW_POP ? &scene->draws.data[draw->paint] : draw;
  return g_tiles_of((k_pixels){box->x0, box->y0, box->x1, box->y1}, region.x0, region.y0);
}

static inline uint32_t sj_words_of(const k_draw *draw, k_pixels t) {
  return sj_has_path(draw) && draw->segment_count ? g_words_across(t) : 0;
}

// Returns whether a draw is for the stage of small fills.
static inline bool sj_is_small(const k_draw *draw, k_pixels t) {
  return g_may_be_small(draw->op, draw->flags, draw->segment_count, draw->lines) &&
         g_is_small_at(draw->flags, (k_pixels){draw->x0, draw->y0, draw->x1, draw->y1}, t);
}

// Returns a draw's paint; NULL where it has one colour, or is the push or pop of a layer.
static inline const k_paint *sj_paint_of(const sj_encoded *scene, const k_draw *draw) {
  bool paints = draw->op != K_DRAW_PUSH && draw->op != K_DRAW_POP && !(draw->flags & K_DRAW_SOLID);
  return paints ? &scene->paints.data[draw->paint] : NULL;
}

// Returns a draw's pen; NULL where it is no stroke.
static inline const k_pen *sj_pen_of(const sj_encoded *scene, const k_draw *draw) {
  return draw->op == K_DRAW_STROKE ? &scene->pens.data[draw->pen] : NULL;
}

static inline bool sj_has_long_sums(const sj_encoded *scene, const k_draw *draw, uint32_t windings) {
  return sj_has_path(draw) && sj_windings_of(draw, sj_pen_of(scene, draw), sj_run_of(scene, draw)) > windings;
}

// Returns how many runs of segments a draw has.
static inline uint32_t sj_spans_of(const sj_encoded *scene, const k_draw *draw) {
  const k_run *run = sj_run_of(scene, draw);
  return run ? run->instance_count : sj_has_path(draw) && draw->segment_count;
}

#endif
