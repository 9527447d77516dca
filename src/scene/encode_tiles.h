// Surfaces that paints sample: tiles of patterns, and parts of images.
#ifndef SJ_SCENE_ENCODE_TILES_H
#define SJ_SCENE_ENCODE_TILES_H

#include "scene/encoder.h"

// Finds the number of the surface that has this part of the paint's tile. Returns false when memory is out.
bool sj_find_tile(sj_encoder *e, const sj_paint *paint, const sj_tile_part *part, uint32_t *out);
// Encodes a pass for each surface that has none yet; then `append` puts all draws in one list, and all passes are put
// in the order of drawing.
bool sj_encode_tiles(sj_encoder *e, bool (*encode)(sj_encoder *e, stijl_irect region), bool (*append)(sj_encoder *e));

#endif
