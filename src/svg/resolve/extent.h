// Finds how far a stroke reaches.
#ifndef SJ_SVG_RESOLVE_EXTENT_H
#define SJ_SVG_RESOLVE_EXTENT_H

#include "svg/resolve/tree.h"

// Adds to *box the box of a stroke's outline in the space that `matrix` takes the path to. Dashes are ignored.
void sj_stroke_extent(const stijl_path *path, const stijl_stroke *stroke, const stijl_matrix *matrix, sj_box *box);

#endif
