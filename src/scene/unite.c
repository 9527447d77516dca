// Fills and strokes that overlap themselves are recorded as the outline of what they cover: the coverage of their lines
// would add up where they share a pixel (docs/architecture.md, "Arithmetic").
#include "scene/scene.h"

#include <math.h>

#include "base/budget.h"
#include "geometry/crossings.h"
#include "geometry/fill_union.h"
#include "geometry/path.h"
#include "geometry/stroke_outline.h"
#include "geometry/stroke_union.h"
#include "geometry/union.h"

// Rounding to a union's grid is not seen in what is no larger than this, in pixels.
#define MOST_PIXELS 262144.0

// Where curves cross may be as far off as this, in pixels of the recording. It is a power of two for each transform, so
// that a path that is zoomed finds its outline again.
#define TOLERANCE (1.0 / 64)

// Corners of strokes that are thinner than so many tolerances, a quarter of a pixel to a half, are not cut.
#define LEAST_WIDTH 32.0f

// Returns the square of how long a matrix makes a unit of its axes, at most.
static double largest_square(const stijl_matrix *m) {
  double a = (double)m->a, b = (double)m->b, c = (double)m->c, d = (double)m->d;
  return fmax(a * a + b * b, c * c + d * d);
}

// Finds how far off curves may be. Returns false where the path is too large for a union.
static bool tolerance_of(const stijl_path *path, const stijl_matrix *m, float *tolerance) {
  stijl_rect box;
  if (!stijl_path_control_bounds(path, &box)) return false;
  double side = fmax((double)box.x1 - (double)box.x0, (double)box.y1 - (double)box.y0);
  double scale = m ? sqrt(largest_square(m)) : 1024 / side;
  int exponent;
  frexp(scale, &exponent);
  *tolerance = (float)ldexp(TOLERANCE, -exponent);
  return side > 0 && side * scale <= MOST_PIXELS && *tolerance > 0;
}

// Counts steps. False where they are more than may be taken, or the budget is spent.
static bool count_steps(stijl_scene *scene, uint64_t steps) {
  uint64_t left = SJ_UNION_STEPS - scene->union_steps;
  scene->union_steps += steps < left ? steps : left;
  return sj_context_check(scene->context, steps) && steps <= left;
}

static uint64_t most_steps(const stijl_scene *scene) {
  uint64_t left = SJ_UNION_STEPS - scene->union_steps;
  return left < SJ_UNION_MOST ? left : SJ_UNION_MOST;
}

// Returns whether an outline may be drawn: there is one, and room for it.
static bool fits(const stijl_scene *scene, const stijl_path *path) {
  return path && path->verbs.count <= scene->limits.max_segments - scene->segments.count;
}

// Takes the outline that a path keeps as if it were found now.
static bool use_kept(stijl_scene *scene, const sj_united *kept, sj_outline *out) {
  *out = (sj_outline){.path = kept->path};
  return count_steps(scene, kept->steps) && fits(scene, kept->path);
}

// Uses what was found, and lets the path keep it. Without an outline `made` is NULL: the path is one itself, or cannot
// be made one.
static bool use_made(stijl_scene *scene, const stijl_path *path, const sj_united_key *key, stijl_result result,
                     uint64_t steps, stijl_path *made, sj_outline *out) {
  bool counted = count_steps(scene, steps), kept = false;
  if (result == STIJL_ERROR_LIMIT && (steps > SJ_UNION_MOST || counted)) {  // not only for what the scene has left
    stijl_path_destroy(made);
    made = NULL;
    result = STIJL_OK;
  }
  if (result == STIJL_OK && !sj_path_keep_united(path, key, steps, made, &kept)) result = STIJL_ERROR_OUT_OF_MEMORY;
  *out = (sj_outline){made, kept ? NULL : made};
  if (result == STIJL_OK && counted && fits(scene, made)) return true;
  stijl_path_destroy(out->own);
  *out = (sj_outline){NULL, NULL};
  if (result == STIJL_ERROR_OUT_OF_MEMORY) sj_scene_fail(scene, result, "out of memory");
  return false;
}

bool sj_unite_fill(stijl_scene *scene, const stijl_path *path, uint32_t flags, const stijl_matrix *transform,
                   sj_outline *out) {
  bool evenodd = flags & K_DRAW_EVENODD, may = true, simple = false;
  uint64_t asked = 0;
  sj_united_key key = {.kind = evenodd ? STIJL_FILL_EVENODD : STIJL_FILL_NONZERO};
  if (!tolerance_of(path, transform, &key.tolerance)) return false;
  const sj_united *kept = sj_path_find_united(path, &key);
  if (kept) return use_kept(scene, kept, out);
  sj_crossing_mark *marks = sj_alloc_array(path->context, path->verbs.count + 1, sizeof *marks);
  stijl_path *made = NULL;
  uint64_t steps = 0;
  stijl_result result = STIJL_ERROR_OUT_OF_MEMORY;
  if (marks && sj_fill_may_overlap(path, marks, &may, &asked) && may) result = stijl_path_create(path->context, &made);
  if (made)
    result = sj_path_fill_union(path, marks, (double)key.tolerance, evenodd, most_steps(scene), made, &simple, &steps);
  sj_free(path->context, marks);
  if (!may) {  // what the path keeps is of a stroke
    sj_path_keep_apart(path);
    return false;
  }
  if (simple) {
    stijl_path_destroy(made);
    made = NULL;
  }
  return use_made(scene, path, &key, result, asked + steps, made, out);
}

bool sj_unite_stroke(stijl_scene *scene, const stijl_path *path, const stijl_stroke *stroke, bool unfolds,
                     const stijl_matrix *transform, sj_outline *out) {
  sj_united_key key = {SJ_UNITED_STROKE, stroke->cap, stroke->join, stroke->width, stroke->miter_limit, 0.0f};
  if (!tolerance_of(path, transform, &key.tolerance)) return false;
  const sj_united *kept = sj_path_find_united(path, &key);
  if (kept) return use_kept(scene, kept, out);
  bool overlaps;
  stijl_result result = STIJL_ERROR_OUT_OF_MEMORY;
  stijl_path *made = NULL;
  uint64_t steps = 0;
  if (sj_stroke_overlaps(path, stroke, unfolds, &overlaps))
    result = overlaps ? stijl_path_create(path->context, &made) : STIJL_OK;
  if (made) result = sj_path_stroke_union(path, stroke, (double)key.tolerance, most_steps(scene), made, &steps);
  return use_made(scene, path, &key, result, steps, made, out);
}

bool sj_cut_corners(stijl_scene *scene, const stijl_path *path, const stijl_stroke *stroke,
                    const stijl_matrix *transform, sj_outline *out) {
  sj_united_key key = {SJ_UNITED_CORNERS, stroke->cap, stroke->join, stroke->width, stroke->miter_limit, 0.0f};
  if (!tolerance_of(path, transform, &key.tolerance) || stroke->width < LEAST_WIDTH * key.tolerance) return false;
  const sj_united *kept = sj_path_find_united(path, &key);
  if (kept) return use_kept(scene, kept, out);
  bool plain = false;
  stijl_path *made = NULL;
  uint64_t steps = 0;
  stijl_result result = stijl_path_create(path->context, &made);
  if (made)
    result = sj_path_stroke_outline(path, stroke, (double)key.tolerance, most_steps(scene), made, &plain, &steps);
  if (!plain) {
    stijl_path_destroy(made);
    made = NULL;
  }
  return use_made(scene, path, &key, result, steps, made, out);
}
