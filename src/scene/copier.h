// Copies what draws of a scene refer to into another scene, each thing once.
#ifndef SJ_SCENE_COPIER_H
#define SJ_SCENE_COPIER_H

#include "scene/scene.h"

#define SJ_NOT_COPIED UINT32_MAX

typedef struct sj_copier {
  stijl_scene *to;
  const stijl_scene *from;
  // Where the copies of the other scene's things are in this one, by their indices there; SJ_NOT_COPIED: not copied
  // yet.
  uint32_t *subscenes, *strokes, *paints, *ramps, *images, *filters, *outlines, *runs;
  size_t map_count;  // how many entries all of them have together, which lie behind `subscenes`
  // Where the matrices of the last run are: in the other scene, their count, and here.
  uint32_t matrix, matrix_count, matrices;
  bool shapes;                   // whether filters keep the shapes that were found for them
  SJ_ARRAY(uint32_t) open;       // the copies of the draws that pushed the open layers
  SJ_ARRAY(uint32_t *) touched;  // the entries of the maps that were set
} sj_copier;

// Begins to copy. Returns false, and sets to->status, when memory is out.
bool sj_copier_begin(sj_copier *c, stijl_scene *to, const stijl_scene *from);
// Begins again, into a scene that was reset.
void sj_copier_reset(sj_copier *c);
void sj_copier_finish(sj_copier *c);

// The functions below replace the index that something has in the other scene by that of its copy here. They return
// false when the scene has failed.

// Copies the segments of a draw or an outline. Their points become relative to the origin (x, y).
bool sj_copy_path(sj_copier *c, sj_path_range *path, double x, double y);
bool sj_copy_stroke(sj_copier *c, uint32_t *stroke);
// Copies what a paint refers to.
bool sj_copy_source(sj_copier *c, sj_paint *paint);
bool sj_copy_outline(sj_copier *c, uint32_t *outline);
// Copies the matrices of a glyph run. Mostly they are those of the run before, and so are copied already.
bool sj_copy_matrices(sj_copier *c, sj_glyph_run *run);
// Adds a filter, and sets *out to the number by which draws name it. Its scenes are here already: c->subscenes of
// `scenes`, or `scenes` themselves if they were `made` for it.
bool sj_copy_filter(sj_copier *c, sj_layer_filter filter, const uint32_t *scenes, bool made, uint32_t *out);
// Adds a scene within, whose draws are these of the other scene. What they show must be here already.
bool sj_copy_subscene(sj_copier *c, sj_subscene sub, const sj_draw *draws);

// Makes room for `count_` more elements of an array. Returns false, and makes the scene fail, if it would have more
// than `most`, or when memory is short.
#define SJ_COPY_ROOM(c, name, count_, most)                                                 \
  ((uint64_t)(c)->to->name.count + (count_) > (most)            ? sj_copy_too_many((c)->to) \
   : sj_array_reserve((c)->to->context, &(c)->to->name, count_) ? true                      \
                                                                : sj_copy_no_memory((c)->to))
// Makes the scene fail, and returns false.
bool sj_copy_too_many(stijl_scene *scene);
bool sj_copy_no_memory(stijl_scene *scene);

#endif
