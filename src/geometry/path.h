// The inside of a path, for code that builds one without the checks of the public calls.
//
// `verbs` always is empty or starts with a MOVE, and a CLOSE is followed by a MOVE or nothing. sj_path_append inserts a
// MOVE where the caller left it out.
#ifndef SJ_GEOMETRY_PATH_H
#define SJ_GEOMETRY_PATH_H

#include <stdatomic.h>

#include "base/array.h"
#include "stijl/path.h"

// Coordinates are within +-SJ_PATH_LIMIT, so that differences and products of a few of them stay finite in float.
#define SJ_PATH_LIMIT 1e9f

// How a path is drawn. All bytes are set, so that bytes can be compared.
typedef struct sj_united_key {
  uint32_t kind;  // a fill rule, or SJ_UNITED_*
  uint32_t cap, join;
  float width, miter_limit, tolerance;
} sj_united_key;

#define SJ_UNITED_STROKE 2u   // all that a stroke covers, once
#define SJ_UNITED_CORNERS 3u  // its outline, whose corners alone are covered once
#define SJ_MOST_UNITED 4      // that a path keeps

// The outline of what such a fill or stroke covers.
typedef struct sj_united {
  struct sj_united *next;
  sj_united_key key;
  uint64_t steps;    // that it took
  stijl_path *path;  // NULL: the path is such an outline itself
} sj_united;

// What threads that read a path have found out since it last changed.
typedef struct sj_path_findings {
  _Atomic bool fill_is_apart;   // no parts of its fill overlap
  _Atomic(sj_united *) united;  // the last one
} sj_path_findings;

struct stijl_path {
  stijl_context *context;
  stijl_result status;  // the first failure
  SJ_ARRAY(unsigned char) verbs;
  SJ_ARRAY(stijl_point) points;
  stijl_point start;           // where the current subpath starts, or the next one after a CLOSE
  bool open;                   // segments may follow without a MOVE
  sj_path_findings *findings;  // NULL: nothing is kept
  sj_path_findings own;        // of a path that stijl_path_create made
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

static inline bool sj_path_fill_is_apart(const stijl_path *path) {
  return path->findings && atomic_load_explicit(&path->findings->fill_is_apart, memory_order_relaxed);
}

static inline void sj_path_keep_apart(const stijl_path *path) {
  if (path->findings) atomic_store_explicit(&path->findings->fill_is_apart, true, memory_order_relaxed);
}

static inline bool sj_path_has_united(const stijl_path *path) {
  return path->findings && atomic_load_explicit(&path->findings->united, memory_order_relaxed);
}

// Finds an outline that the path keeps. NULL: there is none.
const sj_united *sj_path_find_united(const stijl_path *path, const sj_united_key *key);
// Keeps an outline, unless there are SJ_MOST_UNITED already or the path keeps nothing; with *kept its path belongs to
// the path. Returns false when memory is short. Several threads may call both at the same time.
bool sj_path_keep_united(const stijl_path *path, const sj_united_key *key, uint64_t steps, stijl_path *united,
                         bool *kept);
// Frees what a path keeps, whose memory is the context's.
void sj_path_forget(stijl_context *context, sj_path_findings *findings);

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
