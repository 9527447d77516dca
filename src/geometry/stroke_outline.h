// Strokes whose curves have sharp corners, as their outline.
#ifndef SJ_GEOMETRY_STROKE_OUTLINE_H
#define SJ_GEOMETRY_STROKE_OUTLINE_H

#include "stijl/path.h"
#include "stijl/scene.h"

// Appends to `out` the outline of the stroke of a path, which is dashed already. It runs around all that is covered in
// one direction, and inside of corners its sides are cut where they cross. Curves are no farther off than `tolerance`,
// about. *plain becomes false, and `out` is of no use, where a curve bends tighter than the pen or a subpath is a
// point. *steps becomes how many of a union's steps took as long. Returns STIJL_ERROR_LIMIT where that would be more
// than `max_steps`, STIJL_ERROR_OUT_OF_MEMORY, or a failure of `out`.
stijl_result sj_path_stroke_outline(const stijl_path *path, const stijl_stroke *stroke, double tolerance,
                                    uint64_t max_steps, stijl_path *out, bool *plain, uint64_t *steps);

#endif
