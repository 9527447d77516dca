// What encoding makes of a scene: all that a backend reads.
#ifndef SJ_SCENE_ENCODED_H
#define SJ_SCENE_ENCODED_H

#include "base/budget.h"
#include "base/shared.h"
#include "kernel/pen.h"
#include "scene/filter_plan.h"
#include "scene/scene.h"

typedef SJ_ARRAY(k_draw) sj_draw_list;
typedef SJ_ARRAY(k_pen) sj_pen_list;
typedef SJ_ARRAY(k_paint) sj_paint_list;

// The use of a filter by a pass. Filters that differ only in their place share a plan.
typedef struct sj_filter_use {
  uint32_t plan;  // of sj_encoded.plans
  int x, y;       // how far the plan's boxes are moved
  // The surface of its step 0, or SJ_FILTER_NO_STEP; those of other sources are the items of their steps.
  uint32_t source;
} sj_filter_use;

static inline stijl_irect sj_filter_placed(stijl_irect box, const sj_filter_use *use) {
  return (stijl_irect){box.x0 + use->x, box.y0 + use->y, box.x1 + use->x, box.y1 + use->y};
}

// All that an encoding follows from.
typedef struct sj_encoded_for {
  uint64_t serial;  // of the scene
  stijl_matrix view;
  stijl_irect region, canvas;
  uint64_t max_surface_bytes;
  bool keep;
} sj_encoded_for;

// One of several pictures that are drawn side by side (encode_pictures.h).
typedef struct sj_placed {
  uint32_t first, end;  // its draws, whose boxes are in the target's pixels; all else of them is in the picture's own
  stijl_irect place;    // in the target
} sj_placed;

typedef struct sj_encoded {
  // The scene's arrays, which the scene owns.
  const k_vec *points;
  const k_segment *segments;
  const sj_ramp *ramps;
  const k_ramp_piece *ramp_pieces;
  const sj_path_range *outlines;
  size_t point_count, segment_count, ramp_count;
  uint64_t arrays;  // the serial of these (scene.h)
  // The images of the scene, and behind them one for each surface, which is NULL except from the pass that draws it to
  // the last one that samples it.
  stijl_image *const *images;
  size_t image_count, scene_image_count;
  // Arrays of its own, which are kept from frame to frame.
  sj_draw_list draws;  // the draws of the target's pass come first
  // The pictures that the target consists of, in the order of their draws; none: it is one picture.
  SJ_ARRAY(sj_placed) pictures;
  SJ_ARRAY(k_glyph) glyphs;
  SJ_ARRAY(k_instance) instances;
  SJ_ARRAY(k_run) runs;
  sj_pen_list pens;
  sj_paint_list paints;
  SJ_ARRAY(k_pass) passes;
  SJ_ARRAY(k_surface) surfaces;
  SJ_ARRAY(sj_filter_use) filters;
  SJ_ARRAY(sj_filter_plan) plans;
  size_t plans_made;            // how many plans exist; those that are not counted in `plans` only lend their memory
  SJ_ARRAY(uint32_t) released;  // surfaces, in the order in which their memory becomes free
  SJ_ARRAY(stijl_image *) all_images;  // `images`, where there are surfaces
  struct sj_encoder *encoder;          // encoding's own memory, which is not needed afterwards; or NULL
  // What it was encoded for; the serial is 0 if that has failed.
  sj_encoded_for made_for;
  uint64_t number, work;  // the number of this encoding, and the work that was charged for it
  bool resident;          // the device encodes the draws (gpu/resident.h): only pens and paints are here
  bool beyond;  // encoding failed because of the size of surfaces, which would be smaller for a part of the region
  // Set by the caller.
  stijl_budget *budget;  // bounds encoding and drawing, whose work is charged while encoding; or NULL
  // Bytes of all surfaces that are needed at the same time; 0: any number. If they need more, passes are divided, so
  // that what filters have made is painted at once. This is not possible if the target is drawn over.
  uint64_t max_surface_bytes;
  struct sj_pool *pool;          // threads that encode long rows of draws together; NULL: only the calling thread does
  const struct sj_watch *watch;  // who is told of each pass (scene/watch.h); or NULL
  stijl_irect canvas;            // the whole target, of which a region is drawn; empty: the region
  bool keep;                     // the target is drawn over
} sj_encoded;

// Finds those of the draws first..end, which are a pass or a picture, that touch a part of its pixels, and cuts them to
// it (crop.c); what they refer to stays where it is. They are added to `out`. Returns false when memory is out.
bool sj_encoded_crop(stijl_context *context, const sj_encoded *encoded, uint32_t first, uint32_t end,
                     stijl_irect region, sj_draw_list *out);

// Makes the plan of a pass that has a filter for the place where it is used. `steps` is memory for its steps; all else
// belongs to the encoded scene. Returns false when memory is out.
bool sj_encoded_plan(stijl_context *context, const sj_encoded *encoded, const k_pass *pass, sj_filter_steps *steps,
                     sj_filter_plan *out);

// Returns the memory of all surfaces that are needed at a time, at most. The second function adds what filters take
// while they work, about; as sj_filter_plan_bytes.
uint64_t sj_encoded_surface_bytes(const sj_encoded *encoded);
uint64_t sj_encoded_bytes(stijl_context *context, const sj_encoded *encoded, uint64_t enough);

// Returns a draw's glyph run; NULL where it has none.
static inline const k_run *sj_run_of(const sj_encoded *encoded, const k_draw *draw) {
  return draw->flags & K_DRAW_GLYPHS ? &encoded->runs.data[draw->segment] : NULL;
}

// Returns the plan of a pass that has a filter, around a corner of its own.
static inline const sj_filter_plan *sj_plan_of(const sj_encoded *encoded, const k_pass *pass) {
  return &encoded->plans.data[encoded->filters.data[pass->filter_use - 1].plan];
}

// Calls `visit` for each surface that a filter reads.
static inline void sj_each_source(const sj_encoded *encoded, const k_pass *pass,
                                  void (*visit)(void *user, uint32_t surface), void *user) {
  const sj_filter_use *use = &encoded->filters.data[pass->filter_use - 1];
  const sj_filter_plan *plan = sj_plan_of(encoded, pass);
  bool more = plan->filter->scenes.count || plan->filter->reads_backdrop;
  if (use->source != SJ_FILTER_NO_STEP) visit(user, use->source);
  for (size_t i = 1; more && i < plan->steps.count; i++) {
    const sj_filter_step *step = &plan->steps.data[i];
    if (step->kind == SJ_FILTER_SOURCE && step->item != SJ_FILTER_NO_STEP) visit(user, step->item);
  }
}

// Returns the pass that draws the target.
static inline const k_pass *sj_target_pass(const sj_encoded *encoded) {
  return &encoded->passes.data[encoded->passes.count - 1];
}

#endif
