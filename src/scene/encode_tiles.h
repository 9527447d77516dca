// Finds the surfaces that paints sample, which are tiles of patterns and parts of images, and encodes their passes.
#ifndef SJ_SCENE_ENCODE_TILES_H
#define SJ_SCENE_ENCODE_TILES_H

#include "scene/encoder.h"

// Finds the number of the surface that has this part of the paint's tile. Returns false when memory is out.
bool sj_find_tile(sj_encoder *e, const sj_paint *paint, const sj_tile_part *part, uint32_t *out);
// Encodes a pass for each surface that has none yet. Then `append` puts all draws in one list, and the passes are
// sorted into the order of drawing.
bool sj_encode_tiles(sj_encoder *e, bool (*encode)(sj_encoder *e, stijl_irect region), bool (*append)(sj_encoder *e));

#endif
