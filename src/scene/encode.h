// Encoding: a recorded scene resolved for one target: transforms multiplied out, everything outside dropped, layers given
// their boxes, paints brought to device pixels. All of it per draw; the segments are used as recorded.
#ifndef SJ_SCENE_ENCODE_H
#define SJ_SCENE_ENCODE_H

#include "base/budget.h"
#include "kernel/pen.h"
#include "scene/scene.h"

typedef struct sj_encoded {
  // Of the scene, not owned.
  const k_vec *points;
  const k_segment *segments;
  const uint32_t *ramps;
  stijl_image *const *images;
  // Owned, kept from frame to frame.
  SJ_ARRAY(k_draw) draws;
  SJ_ARRAY(k_pen) pens;
  SJ_ARRAY(k_paint) paints;
  uint32_t depth;     // layers open at a time
  stijl_budget *budget;  // that encoding spends, for drawing too; set by the caller, NULL: none
} sj_encoded;

// `region` are the pixels wanted of a canvas; draws outside it are dropped. False when memory is out or the
// budget spent.
bool sj_encode(stijl_context *context, const stijl_scene *scene, stijl_matrix view, stijl_irect region, sj_encoded *out);
void sj_encoded_finish(stijl_context *context, sj_encoded *encoded);

#endif
