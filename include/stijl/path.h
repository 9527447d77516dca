// Paths: subpaths of lines and of quadratic and cubic Bézier curves.
//
// The calls that build a path return nothing. Instead the first failure sticks: later calls do nothing, and
// stijl_path_status or the call that draws the path reports the failure. Coordinates must be finite and within +-1e9. A
// segment before any stijl_path_move_to starts at (0, 0), and one after a close starts where the closed subpath began.
#ifndef STIJL_PATH_H
#define STIJL_PATH_H

#include <stddef.h>

#include "stijl/context.h"
#include "stijl/geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

// A path. One thread at a time may change it, and several may read it while nobody does.
typedef struct stijl_path stijl_path;

// Creates an empty path, which the caller destroys. Returns STIJL_ERROR_OUT_OF_MEMORY, with *out NULL, when memory is
// short.
STIJL_API stijl_result stijl_path_create(stijl_context *context, stijl_path **out);
// Frees the path. NULL is allowed.
STIJL_API void stijl_path_destroy(stijl_path *path);
// Returns the failure that stuck, or STIJL_OK if there was none.
STIJL_API stijl_result stijl_path_status(const stijl_path *path);
// Empties the path and forgets a failure. The path keeps its memory for what is drawn next.
STIJL_API void stijl_path_clear(stijl_path *path);

// Appends a segment from the current point, where the last call ended, to (x, y), with the control points (x1, y1) and
// (x2, y2). stijl_path_move_to begins a new subpath at (x, y) instead.
STIJL_API void stijl_path_move_to(stijl_path *path, float x, float y);
STIJL_API void stijl_path_line_to(stijl_path *path, float x, float y);
STIJL_API void stijl_path_quad_to(stijl_path *path, float x1, float y1, float x, float y);
STIJL_API void stijl_path_cubic_to(stijl_path *path, float x1, float y1, float x2, float y2, float x, float y);
// Appends SVG's elliptical arc, with SVG's rules for radii that are too small, zero or negative (SVG 2, 9.5.1 and B.2).
// The rotation is in degrees. The arc is appended as cubics whose error is below 3e-4 of the larger radius.
STIJL_API void stijl_path_arc_to(stijl_path *path, float rx, float ry, float x_axis_rotation, bool large_arc,
                                 bool sweep, float x, float y);
// Closes the subpath with a line to its begin. It does nothing if no subpath is open.
STIJL_API void stijl_path_close(stijl_path *path);

// Appends a closed shape. Such shapes start at the same point and run in the same direction as SVG's: clockwise where y
// points down.
STIJL_API void stijl_path_add_rect(stijl_path *path, float x, float y, float width, float height);
// Appends a rectangle with round corners. The radii are limited to half the size; where one of them is 0 or less the
// corners are sharp.
STIJL_API void stijl_path_add_round_rect(stijl_path *path, float x, float y, float width, float height, float rx,
                                         float ry);
// Appends an ellipse with the centre (cx, cy). Its cubics are off by less than 3e-4 of the radii.
STIJL_API void stijl_path_add_ellipse(stijl_path *path, float cx, float cy, float rx, float ry);
// Appends a copy of another path, transformed by `matrix` (if NULL, not transformed). `other` may be `path` itself. A
// failure that stuck to `other` sticks to `path` too.
STIJL_API void stijl_path_add_path(stijl_path *path, const stijl_path *other, const stijl_matrix *matrix);
// Appends SVG path data. If there is an error in the data, all that comes before it is kept, as SVG demands. The call
// then returns STIJL_ERROR_MALFORMED, sets *error_offset (NULL is allowed) to the byte where the error lies, and the
// path stays usable. Coordinates in the data that are beyond +-1e9 are moved to that bound.
STIJL_API stijl_result stijl_path_add_svg(stijl_path *path, const char *data, size_t length, size_t *error_offset);

// Returns whether the path has no segments at all, not even a stijl_path_move_to.
STIJL_API bool stijl_path_is_empty(const stijl_path *path);
// Sets *out to the bounding box of all points, including the control points. For an empty path it returns false, and
// *out is all zero.
STIJL_API bool stijl_path_control_bounds(const stijl_path *path, stijl_rect *out);
// Sets *out to the smallest box that holds the curves; a lone stijl_path_move_to counts. For an empty path it returns
// false, and *out is all zero.
STIJL_API bool stijl_path_bounds(const stijl_path *path, stijl_rect *out);

// What a segment is. The comments tell how many points it has beside the current one.
typedef enum stijl_path_verb {
  STIJL_PATH_MOVE,   // 1 point
  STIJL_PATH_LINE,   // 1 point
  STIJL_PATH_QUAD,   // 2 points
  STIJL_PATH_CUBIC,  // 3 points
  STIJL_PATH_CLOSE   // none
} stijl_path_verb;

// Sets *out to the verbs (bytes that hold a stijl_path_verb), or to the points that they use, in order, and returns how
// many there are. Both arrays belong to the path and are valid until it changes. The first verb is a STIJL_PATH_MOVE,
// and so is the one behind each STIJL_PATH_CLOSE, because the path inserts it where the caller left it out.
STIJL_API size_t stijl_path_verbs(const stijl_path *path, const unsigned char **out);
STIJL_API size_t stijl_path_points(const stijl_path *path, const stijl_point **out);

#ifdef __cplusplus
}
#endif
#endif
