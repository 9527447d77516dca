// The inside of a path, for those who build one without the checks of the public calls.
//
// Invariant of `verbs`: it is empty or starts with MOVE, and what follows a CLOSE is a MOVE. The public calls insert
// the MOVE where the caller left it out.
#ifndef SJ_GEOMETRY_PATH_H
#define SJ_GEOMETRY_PATH_H

#include "base/array.h"
#include "stijl/path.h"

// Coordinates are within +- this: differences and products of a few of them stay finite in float.
#define SJ_PATH_LIMIT 1e9f

struct stijl_path {
  stijl_context *context;
  stijl_result status;  // the first failure
  SJ_ARRAY(unsigned char) verbs;
  SJ_ARRAY(stijl_point) points;
  stijl_point start;  // of the current subpath, or of the one to come after a close
  bool open;          // segments may follow without a MOVE
};

static inline bool sj_path_coordinate_ok(float v) { return v >= -SJ_PATH_LIMIT && v <= SJ_PATH_LIMIT; }

// SVG sets no bound on coordinates, the path does. Where data says more, it moves to the bound rather than end the
// path.
static inline float sj_path_clamp(double v) {
  const double limit = (double)SJ_PATH_LIMIT;
  return v > limit ? SJ_PATH_LIMIT : v < -limit ? -SJ_PATH_LIMIT : (float)v;
}

// Where the next segment starts.
stijl_point sj_path_current(const stijl_path *path);
// Appends one verb with its `count` points, none of which may alias the path's own. Checks coordinates and keeps the
// invariant; failures stick.
void sj_path_append(stijl_path *path, stijl_path_verb verb, const stijl_point *points, int count);
// As stijl_path_arc_to, from the current point given in double, so that path data loses nothing on the way. The arc's
// own points are clamped.
void sj_path_arc(stijl_path *path, double x0, double y0, double rx, double ry, double x_axis_rotation, bool large_arc,
                 bool sweep, double x, double y);

#endif
