// The inside of a path, for code that builds one without the checks of the public calls.
//
// `verbs` always is empty or starts with a MOVE, and a CLOSE is followed by a MOVE or nothing. sj_path_append inserts a
// MOVE where the caller left it out.
#ifndef SJ_GEOMETRY_PATH_H
#define SJ_GEOMETRY_PATH_H

#include "base/array.h"
#include "stijl/path.h"

// Coordinates are within +-SJ_PATH_LIMIT, so that differences and products of a few of them stay finite in float.
#define SJ_PATH_LIMIT 1e9f

struct stijl_path {
  stijl_context *context;
  stijl_result status;  // the first failure
  SJ_ARRAY(unsigned char) verbs;
  SJ_ARRAY(stijl_point) points;
  stijl_point start;  // where the current subpath starts, or the next one after a CLOSE
  bool open;          // segments may follow without a MOVE
};

// Returns how many points a verb has.
static inline int sj_path_verb_points(unsigned char verb) {
  static const unsigned char counts[] = {[STIJL_PATH_MOVE] = 1,
                                         [STIJL_PATH_LINE] = 1,
                                         [STIJL_PATH_QUAD] = 2,
                                         [STIJL_PATH_CUBIC] = 3,
                                         [STIJL_PATH_CLOSE] = 0};
  return counts[verb];
}

static inline bool sj_path_coordinate_ok(float v) { return v >= -SJ_PATH_LIMIT && v <= SJ_PATH_LIMIT; }

// Moves a coordinate that is beyond the limit to the limit. SVG sets no limit, so a document's path must not end there.
static inline float sj_path_clamp(double v) {
  const double limit = (double)SJ_PATH_LIMIT;
  return v > limit ? SJ_PATH_LIMIT : v < -limit ? -SJ_PATH_LIMIT : (float)v;
}

// Returns where the next segment starts.
stijl_point sj_path_current(const stijl_path *path);
// Appends a verb with its `count` points, which must not lie in the path itself. A coordinate beyond the limit, or a
// lack of memory, becomes the path's status, and ends it.
void sj_path_append(stijl_path *path, stijl_path_verb verb, const stijl_point *points, int count);
// Appends an arc like stijl_path_arc_to, but takes both ends as doubles, so that path data loses no precision. The
// current point (x0, y0) is passed because the path only has its floats. Points of the arc are clamped to the limit.
void sj_path_arc(stijl_path *path, double x0, double y0, double rx, double ry, double x_axis_rotation, bool large_arc,
                 bool sweep, double x, double y);

#endif
