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

#endif
