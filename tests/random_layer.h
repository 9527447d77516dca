// Random layers with filters, for tests: nested, under every transform, with clips, masks, opacity and blend modes, on
// a picture of 90 pixels a side.
#ifndef SJ_RANDOM_LAYER_H
#define SJ_RANDOM_LAYER_H

#include "random_filter.h"
#include "stijl/stijl.h"

static inline stijl_matrix random_matrix(sj_random *r) {
  stijl_matrix m = stijl_matrix_scale(random_number(r, 0.3f, 1.8f), random_number(r, 0.3f, 1.8f));
  int kind = sj_random_int(r, 0, 6);
  if (kind == 0) m = stijl_matrix_multiply(stijl_matrix_rotate(random_number(r, -180, 180)), m);
  if (kind == 1) m = stijl_matrix_multiply(stijl_matrix_skew(random_number(r, -40, 40), 10), m);
  if (kind == 2) m = stijl_matrix_multiply(stijl_matrix_scale(-1, 1), m);
  if (kind == 3) m = stijl_matrix_multiply(stijl_matrix_rotate(90), m);
  return stijl_matrix_multiply(stijl_matrix_translate(random_number(r, 0, 60), random_number(r, 0, 60)), m);
}

static inline void random_shape(sj_random *r, stijl_scene *scene) {
  stijl_path *path;
  stijl_path_create(NULL, &path);
  if (sj_random_int(r, 0, 2)) {
    stijl_path_add_rect(path, random_number(r, -20, 70), random_number(r, -20, 70), random_number(r, 1, 70), 30);
  } else {
    stijl_path_add_ellipse(path, random_number(r, 0, 80), random_number(r, 0, 80), random_number(r, 2, 40), 20);
  }
  stijl_matrix m = random_matrix(r);
  stijl_paint paint = stijl_paint_solid(random_color(r));
  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, sj_random_int(r, 0, 2) ? &m : NULL, &paint);
  stijl_path_destroy(path);
}

static inline void random_layer(sj_random *r, stijl_scene *scene, int depth);

static inline stijl_filter *random_filter(sj_random *r) {
  stijl_filter *filter;
  stijl_filter_create(NULL, &filter);
  int count = sj_random_int(r, 0, 6), results = 0;
  for (int i = 0; i < count; i++) {
    add_random_primitive(filter, r, results);
    results++;
  }
  if (!sj_random_int(r, 0, 6)) {
    stijl_scene *within;
    stijl_scene_create(NULL, NULL, &within);
    random_layer(r, within, 2);
    stijl_scene_finish(within);
    stijl_matrix m = random_matrix(r);
    int drawn = stijl_filter_scene(filter, NULL, within, &m);
    stijl_filter_merge(filter, NULL, (int[]){STIJL_FILTER_SOURCE, drawn}, 2);
    stijl_scene_destroy(within);
  }
  return filter;
}

static inline void random_layer(sj_random *r, stijl_scene *scene, int depth) {
  stijl_layer layer = STIJL_LAYER_INIT;
  stijl_filter *filter = random_filter(r);
  stijl_matrix m = random_matrix(r);
  layer.filter = filter;
  layer.filter_transform = &m;
  if (!sj_random_int(r, 0, 3)) layer.opacity = 0.6f;
  if (!sj_random_int(r, 0, 4)) layer.blend = (stijl_blend)sj_random_int(r, 0, 16);
  stijl_path *clip = NULL;
  if (!sj_random_int(r, 0, 4)) {
    stijl_path_create(NULL, &clip);
    stijl_path_add_ellipse(clip, 45, 45, 40, 30);
    layer.clip = clip;
  }
  stijl_scene_push_layer(scene, &layer);
  stijl_filter_destroy(filter);
  stijl_path_destroy(clip);
  for (int i = sj_random_int(r, 1, 4); i > 0; i--) {
    if (depth > 0 && !sj_random_int(r, 0, 3))
      random_layer(r, scene, depth - 1);
    else
      random_shape(r, scene);
  }
  if (!sj_random_int(r, 0, 4)) {
    stijl_scene_push_mask(scene, STIJL_MASK_LUMINANCE);
    random_shape(r, scene);
    if (depth > 0 && !sj_random_int(r, 0, 2)) random_layer(r, scene, 0);
    stijl_scene_pop_mask(scene);
  }
  stijl_scene_pop_layer(scene);
}

#endif
