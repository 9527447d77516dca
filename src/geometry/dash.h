// Cuts a path into dashes.
#ifndef SJ_GEOMETRY_DASH_H
#define SJ_GEOMETRY_DASH_H

#include <stdint.h>

#include "stijl/path.h"

// Appends the dashes of `path` to `out`, another path, as open subpaths in the coordinates of `path`. Lengths are
// measured after the linear part of `measure` (NULL: the identity). The pattern `dashes` has the lengths of a dash, of
// a gap, and so on; an odd number of them is repeated once. Each subpath starts the pattern anew, `offset` into it. The
// path is not dashed if a length is negative, or if the pattern has no length or no gaps.
//
// - Pieces of curves are curves. They are cut where the arc length is right to 1e-4 of the curve or 0.001, whichever is
//   less.
// - On a closed subpath, a dash that runs through the start is joined there. If one dash covers the whole subpath, it
//   stays closed.
// - A dash without length, or one too short for floats, becomes a line of 2^-14 of the segment's largest coordinate,
//   centred on its place. That is too short to see, but tells the stroker how to turn the caps.
// - A subpath without length is kept as it is when the pattern starts with a dash.
//
// Fails with STIJL_ERROR_LIMIT when more than `max_segments` segments or dashes would be made, and does no more work
// than they take.
stijl_result sj_path_dash(const stijl_path *path, const float *dashes, size_t count, float offset,
                          const stijl_matrix *measure, uint64_t max_segments, stijl_path *out);

#endif
