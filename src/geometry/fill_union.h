// Fills whose contours overlap, as the outline of what is inside.
#ifndef SJ_GEOMETRY_FILL_UNION_H
#define SJ_GEOMETRY_FILL_UNION_H

#include "geometry/crossings.h"

// Appends to `out` the outline of what a fill rule calls inside of a path. Curves stay curves: they are cut where they
// cross. *simple becomes true, and `out` is of no use, where the path is such an outline already. Returns
// STIJL_ERROR_LIMIT where it would take more than `max_steps`, and STIJL_ERROR_OUT_OF_MEMORY; *steps becomes how many
// it took. `marks` are those of sj_fill_may_overlap, and `tolerance` how far off the places may be where curves cross.
stijl_result sj_path_fill_union(const stijl_path *path, const sj_crossing_mark *marks, double tolerance, bool evenodd,
                                uint64_t max_steps, stijl_path *out, bool *simple, uint64_t *steps);

#endif
