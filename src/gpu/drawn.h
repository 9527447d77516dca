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

typedef struct sj_tile_box {
  int x0, y0, x1, y1;
} sj_tile_box;

// The tiles a draw takes part in. A pop takes part where its push does, though its own box may be smaller.
static inline sj_tile_box sj_tiles_of(const sj_encoded *scene, stijl_irect region, const k_draw *draw) {
  const k_draw *box = draw->op == K_DRAW_POP ? &scene->draws.data[draw->paint] : draw;
  return (sj_tile_box){(box->x0 - region.x0) >> G_TILE_SHIFT, (box->y0 - region.y0) >> G_TILE_SHIFT,
                       (box->x1 - region.x0 + G_TILE - 1) >> G_TILE_SHIFT,
                       (box->y1 - region.y0 + G_TILE - 1) >> G_TILE_SHIFT};
}

static inline uint32_t sj_words_of(const k_draw *draw, sj_tile_box t) {
  return sj_has_path(draw) && draw->segment_count ? (uint32_t)(t.x1 - t.x0 + 31) / 32 : 0;
}

// Returns whether a draw is for the stage of small fills.
static inline bool sj_is_small(const k_draw *draw, sj_tile_box t) {
  return draw->op == K_DRAW_FILL && !(draw->flags & (K_DRAW_FAR | K_DRAW_ALIASED | K_DRAW_GLYPHS)) &&
         draw->segment_count && draw->lines == draw->segment_count && draw->segment_count <= G_SMALL_LINES &&
         t.x1 - t.x0 <= G_SMALL_TILES && t.y1 - t.y0 <= G_SMALL_TILES &&
         g_small_pitch(draw->x1 - draw->x0) * (draw->y1 - draw->y0) <= G_SMALL_PIXELS;
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
