// Encodes many draws that follow one another by several threads.
#ifndef SJ_SCENE_ENCODE_PARTS_H
#define SJ_SCENE_ENCODE_PARTS_H

#include "scene/encoder.h"

// Finds the rows of the scene. A row is many draws that can be encoded by themselves: fills and strokes that do not
// paint with a scene. The output must have a pool. Returns false when memory is short.
bool sj_parts_begin(sj_encoder *e);

// Returns the first row among these draws, or NULL if there is none.
static inline const sj_draw_row *sj_next_row(const sj_encoder *e, const sj_draw *at, const sj_draw *end) {
  for (size_t i = 0; i < e->rows.count; i++)
    if (e->rows.data[i].first >= at && e->rows.data[i].end <= end) return &e->rows.data[i];
  return NULL;
}

// Encodes the row at which the run at work stands, and moves the run behind it. `encode` encodes a draw. Returns false
// when memory is short or the budget is spent.
bool sj_encode_parts(sj_encoder *e, bool (*encode)(sj_encoder *e, const sj_draw *draw));

void sj_parts_finish(sj_encoder *e);

// Returns a draw that was encoded by itself, where so many draws, pens and paints come before those of its part.
static inline k_draw sj_placed_draw(k_draw draw, size_t draws, size_t pens, size_t paints) {
  bool painted = draw.op != K_DRAW_PUSH && draw.op != K_DRAW_POP && !(draw.flags & K_DRAW_SOLID);
  if (draw.op == K_DRAW_STROKE) draw.pen += (uint32_t)pens;
  if (painted) draw.paint += (uint32_t)paints;
  if (draw.op == K_DRAW_POP) draw.paint += (uint32_t)draws;
  return draw;
}

#endif
