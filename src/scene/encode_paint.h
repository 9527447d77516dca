// Encodes transforms, pens and paints.
#ifndef SJ_SCENE_ENCODE_PAINT_H
#define SJ_SCENE_ENCODE_PAINT_H

#include "scene/encoder.h"

// Finds the matrix from a draw's path to device pixels. Returns false when it is not finite.
bool sj_find_transform(sj_encoder *e, const stijl_matrix *transform);
// Returns the stroke's pen under the last transform. Returns NULL if the pen has no width in device space, or when
// memory is short, and then sets e->failed.
const k_pen *sj_find_pen(sj_encoder *e, const sj_stroke *stroke);
// Stores the draw's colour or its paint. Returns false if it draws nothing, or when memory is short, and then sets
// e->failed.
bool sj_encode_paint(sj_encoder *e, const sj_draw *draw, stijl_matrix to_device, k_draw *out);

#endif
