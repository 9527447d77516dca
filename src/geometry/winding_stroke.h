// Strokes that cross themselves many times, as the outline of what they cover.
#ifndef SJ_GEOMETRY_WINDING_STROKE_H
#define SJ_GEOMETRY_WINDING_STROKE_H

#include "stijl/path.h"
#include "stijl/scene.h"

// Returns whether a path is made of closed polygons, not too large, of which one turns around more than once, as a star
// does: then it crosses itself (Whitney, "On regular closed curves in the plane", 1937).
bool sj_path_winds(const stijl_path *path);

// Returns whether a path is made of closed polygons, of few lines together, of which two have a line in common, as the
// faces of a solid do, or one comes back along a line, as candlesticks do.
bool sj_path_shares_lines(const stijl_path *path);

// Appends to `out` what the stroke of such a path covers: all that is within its lines and joins, once. Returns false
// when that would take more than `max_steps` or memory is short, and `out` is of no use then; *steps becomes how many
// it took.
bool sj_path_stroke_union(const stijl_path *path, const stijl_stroke *stroke, uint64_t max_steps, stijl_path *out,
                          uint64_t *steps);

#endif
