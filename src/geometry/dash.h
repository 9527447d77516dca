// Cutting a path into dashes.
#ifndef SJ_GEOMETRY_DASH_H
#define SJ_GEOMETRY_DASH_H

#include <stdint.h>

#include "stijl/path.h"

// Appends the dashes of `path` to `out` (another path) as open subpaths, in the space of `path`. Dash lengths are
// measured after the linear part of `measure` (NULL: identity). Each subpath starts the pattern anew, `offset` into it;
// an odd number of dashes is repeated to an even one. A negative dash, a pattern without length
// or one without gaps leaves the path undashed.
//
// - Pieces of curves are curves, cut where the arc length is right to 1e-4 of the curve or 0.001, whichever is less.
// - On a closed subpath a dash that runs through the start is one piece, joined there; one that covers everything
//   leaves the subpath closed.
// - A dash without length, or too short for float, becomes a line of 2^-14 of the segment's largest coordinate, centred
//   on its place: too short to see, long enough to tell the stroker how to turn its caps.
// - A subpath without length is kept as it is when the pattern starts with a dash.
//
// STIJL_ERROR_LIMIT when more than `max_segments` segments (or dashes) would be made; never more work than that.
stijl_result sj_path_dash(const stijl_path *path, const float *dashes, size_t count, float offset,
                          const stijl_matrix *measure, uint64_t max_segments, stijl_path *out);

#endif
