// How far a stroke reaches.
#ifndef SJ_SVG_RESOLVE_EXTENT_H
#define SJ_SVG_RESOLVE_EXTENT_H

#include "svg/resolve/tree.h"

// Adds the box of a stroke's outline; dashes are not looked at. `matrix` is from the space of the path.
void sj_stroke_extent(const stijl_path *path, const stijl_stroke *stroke, const stijl_matrix *matrix, sj_box *box);

#endif
