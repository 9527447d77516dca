// Contours of a fill must neither overlap nor, beside one another, run in opposite directions: the coverage of their
// lines would add up, or cancel, where they share a pixel (docs/architecture.md, "Arithmetic").
#include <string.h>

#include "geometry/crossings.h"
#include "geometry/dense.h"
#include "geometry/path.h"
#include "scene/scene.h"

// Returns whether contours of a path may overlap, and notes where they do not.
static bool may_overlap(stijl_scene *scene, const stijl_path *path, uint32_t flags) {
  if (flags & K_DRAW_ALIASED || scene->union_steps >= SJ_UNION_STEPS || sj_path_fill_is_apart(path)) return false;
  bool may = sj_path_has_united(path);
  uint64_t steps;
  if (may) return true;
  if (!sj_fill_may_overlap(path, NULL, &may, &steps))
    sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
  else if (!may)
    sj_path_keep_apart(path);
  return may;
}

bool sj_scene_stroke_overlaps(stijl_scene *scene, const stijl_path *path, const stijl_stroke *stroke, bool unfolds) {
  bool overlaps = sj_path_has_united(path);
  if (stroke->pen || scene->union_steps >= SJ_UNION_STEPS || !sj_stroke_is_dense(path, stroke)) return false;
  if (!overlaps && !sj_stroke_overlaps(path, stroke, unfolds, &overlaps))
    sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
  return overlaps;
}

bool sj_scene_stroke_has_spikes(const stijl_scene *scene, const stijl_path *path, const stijl_stroke *stroke) {
  return !stroke->pen && scene->union_steps < SJ_UNION_STEPS && sj_stroke_has_spikes(path);
}

bool sj_scene_add_shape(stijl_scene *scene, const stijl_path *path, uint32_t flags, const stijl_matrix *transform,
                        sj_path_range *out) {
  sj_outline united;
  if (may_overlap(scene, path, flags) && sj_unite_fill(scene, path, flags, transform, &united)) {
    bool added = sj_scene_add_fill_path(scene, united.path, out);
    stijl_path_destroy(united.own);
    return added;
  }
  if (!sj_scene_add_fill_path(scene, path, out)) return false;
  size_t count = path->verbs.count;
  bool several = count > 1 && memchr(path->verbs.data + 1, STIJL_PATH_MOVE, count - 1);
  return !several || !sj_scene_may_orient(scene, out) || sj_scene_orient(scene, out);
}
