// Paths: lines, quadratic and cubic Béziers in subpaths.
//
// Drawing calls return nothing: the first failure sticks, later calls do nothing, and stijl_path_status or the call
// that consumes the path reports it. Coordinates must be finite and within +-1e9; a segment before any move_to starts
// at (0, 0), and one after a close starts where the closed subpath began.
#ifndef STIJL_PATH_H
#define STIJL_PATH_H

#include <stddef.h>

#include "stijl/context.h"
#include "stijl/geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stijl_path stijl_path;

// An empty path, which the caller destroys. STIJL_ERROR_OUT_OF_MEMORY, and *out is NULL, without memory.
STIJL_API stijl_result stijl_path_create(stijl_context *context, stijl_path **out);
// Accepts NULL.
STIJL_API void stijl_path_destroy(stijl_path *path);
// The sticky error; STIJL_OK where there is none.
STIJL_API stijl_result stijl_path_status(const stijl_path *path);
// Empties the path, clears a sticky error, keeps its memory.
STIJL_API void stijl_path_clear(stijl_path *path);

// Points are where the last call ended, the control points (x1, y1) and (x2, y2), and the end (x, y).
STIJL_API void stijl_path_move_to(stijl_path *path, float x, float y);
STIJL_API void stijl_path_line_to(stijl_path *path, float x, float y);
STIJL_API void stijl_path_quad_to(stijl_path *path, float x1, float y1, float x, float y);
STIJL_API void stijl_path_cubic_to(stijl_path *path, float x1, float y1, float x2, float y2, float x, float y);
// SVG's elliptical arc, with its rules for radii that are too small, zero or negative. Degrees. Added as cubics whose
// error is below 3e-4 of the larger radius.
STIJL_API void stijl_path_arc_to(stijl_path *path, float rx, float ry, float x_axis_rotation, bool large_arc,
                                 bool sweep, float x, float y);
STIJL_API void stijl_path_close(stijl_path *path);

// Closed shapes, starting and turning as SVG's shapes do (clockwise where y points down).
STIJL_API void stijl_path_add_rect(stijl_path *path, float x, float y, float width, float height);
// Radii are clamped to half the size.
STIJL_API void stijl_path_add_round_rect(stijl_path *path, float x, float y, float width, float height, float rx,
                                         float ry);
STIJL_API void stijl_path_add_ellipse(stijl_path *path, float cx, float cy, float rx, float ry);
// Appends a transformed copy; `matrix` NULL is the identity. `other` may be `path`.
STIJL_API void stijl_path_add_path(stijl_path *path, const stijl_path *other, const stijl_matrix *matrix);
// Appends SVG path data. An error in the data keeps everything before it, as SVG demands; the return value then is
// STIJL_ERROR_MALFORMED, *error_offset (may be NULL) the byte where it lies, and the path stays usable. Coordinates in
// the data that are beyond +-1e9 move to that bound.
STIJL_API stijl_result stijl_path_add_svg(stijl_path *path, const char *data, size_t length, size_t *error_offset);

// Whether there is nothing in it, not even a move_to.
STIJL_API bool stijl_path_is_empty(const stijl_path *path);
// The box of all points, control points included; false (rect zeroed) for an empty path.
STIJL_API bool stijl_path_control_bounds(const stijl_path *path, stijl_rect *out);
// The tight box of the curves; a lone move_to counts. False (rect zeroed) for an empty path.
STIJL_API bool stijl_path_bounds(const stijl_path *path, stijl_rect *out);

typedef enum stijl_path_verb {
  STIJL_PATH_MOVE,   // 1 point
  STIJL_PATH_LINE,   // 1 point
  STIJL_PATH_QUAD,   // 2 points
  STIJL_PATH_CUBIC,  // 3 points
  STIJL_PATH_CLOSE   // none
} stijl_path_verb;

// Read access, valid until the path changes: verbs (bytes of stijl_path_verb) and the points they use, in order. The
// first verb is a MOVE, and so is what follows a CLOSE: it is inserted where the caller left it out.
STIJL_API size_t stijl_path_verbs(const stijl_path *path, const unsigned char **out);
STIJL_API size_t stijl_path_points(const stijl_path *path, const stijl_point **out);

#ifdef __cplusplus
}
#endif
#endif
