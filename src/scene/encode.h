// Encoding resolves a recorded scene for one target: transforms are multiplied out, draws outside of it dropped, layers
// get their boxes, and paints are converted to device pixels. Its work is for draws only; segments are used as
// recorded.
#ifndef SJ_SCENE_ENCODE_H
#define SJ_SCENE_ENCODE_H

#include "base/budget.h"
#include "kernel/pen.h"
#include "scene/scene.h"

typedef struct sj_encoded {
  // The scene's arrays, not owned.
  const k_vec *points;
  const k_segment *segments;
  const uint32_t *ramps;
  stijl_image *const *images;
  // Owned, kept from frame to frame.
  SJ_ARRAY(k_draw) draws;
  SJ_ARRAY(k_pen) pens;
  SJ_ARRAY(k_paint) paints;
  uint32_t depth;     // layers open at a time, at most
  stijl_budget *budget;  // of encoding and drawing, whose work is charged while encoding; set by the caller, or NULL
} sj_encoded;

// `region` is the part of the canvas that is wanted; draws outside of it are dropped. False when memory is out or the
// budget is spent.
bool sj_encode(stijl_context *context, const stijl_scene *scene, stijl_matrix view, stijl_irect region, sj_encoded *out);
void sj_encoded_finish(stijl_context *context, sj_encoded *encoded);

#endif
