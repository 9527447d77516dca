// Strokes of which it is seen where they overlap themselves.
#ifndef SJ_GEOMETRY_DENSE_H
#define SJ_GEOMETRY_DENSE_H

#include "stijl/path.h"
#include "stijl/scene.h"

// Returns whether a stroke covers much of its box, as hatching does, draws a line twice, as if by hand, or is that of a
// polygon that turns around more than once, as a star's. It takes a few additions a segment. Of other strokes it is
// hardly seen that they cross themselves.
bool sj_stroke_is_dense(const stijl_path *path, const stijl_stroke *stroke);

// Returns whether curves of a path have corners that are so sharp that both sides of a stroke cover much of one another
// there, as the tips of fur and grass do.
bool sj_stroke_has_spikes(const stijl_path *path);

#endif
