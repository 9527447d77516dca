// Strokes that overlap themselves, as the outline of what they cover.
#ifndef SJ_GEOMETRY_STROKE_UNION_H
#define SJ_GEOMETRY_STROKE_UNION_H

#include "stijl/path.h"
#include "stijl/scene.h"

// Appends to `out` what the stroke of a path, which is dashed already, covers: all that is within its lines, curves,
// joins and caps, once. Returns STIJL_ERROR_LIMIT where that would take more than `max_steps`, or
// cannot be found precisely, and STIJL_ERROR_OUT_OF_MEMORY; *steps becomes how many it took. Curves become lines that
// are no farther off than `tolerance`, about.
stijl_result sj_path_stroke_union(const stijl_path *path, const stijl_stroke *stroke, double tolerance,
                                  uint64_t max_steps, stijl_path *out, uint64_t *steps);

#endif
