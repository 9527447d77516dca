// Many draws that follow one another, encoded by several threads.
#ifndef SJ_SCENE_ENCODE_PARTS_H
#define SJ_SCENE_ENCODE_PARTS_H

#include "scene/encoder.h"

// Finds the rows of the scene: many draws that can be encoded by themselves, which are fills and strokes that paint
// with no scene within. The output has a pool. Returns false when memory is out.
bool sj_parts_begin(sj_encoder *e);

// Returns the first row of these draws; NULL where they have none.
static inline const sj_draw_row *sj_next_row(const sj_encoder *e, const sj_draw *at, const sj_draw *end) {
  for (size_t i = 0; i < e->rows.count; i++)
    if (e->rows.data[i].first >= at && e->rows.data[i].end <= end) return &e->rows.data[i];
  return NULL;
}

// Encodes the row that the run at work has come to, and moves it behind that. `encode` encodes a draw. Returns false
// when memory is out or the budget is spent.
bool sj_encode_parts(sj_encoder *e, bool (*encode)(sj_encoder *e, const sj_draw *draw));

void sj_parts_finish(sj_encoder *e);

#endif
