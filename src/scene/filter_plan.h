// A filter for one target. Every primitive is a step in device pixels, with the box of its pixels that must be computed
// so that everything wanted comes out. Boxes follow, backwards from the result, from what each step reads. They are
// cut, forwards from the source, to where anything can be drawn. So halos are as large as needed, and nothing is
// computed that nobody looks at. Each pixel of each step is a function of its place alone, so bands and regions make no
// difference.
#ifndef SJ_SCENE_FILTER_PLAN_H
#define SJ_SCENE_FILTER_PLAN_H

#include "base/irect.h"
#include "kernel/filter.h"
#include "kernel/filter_blur.h"
#include "kernel/filter_light.h"
#include "kernel/filter_noise.h"
#include "scene/filter.h"

#define SJ_FILTER_NO_STEP UINT32_MAX
// the item of a source that stands for what lies below the layer, until it is encoded
#define SJ_FILTER_BELOW (UINT32_MAX - 1)
#define SJ_FILTER_CHAIN 6  // the most steps in a row that are computed when they are read

typedef struct sj_filter_step {
  sj_filter_kind kind;
  bool linear;  // whether the colours of its pixels are linear
  bool black;   // whether it has alpha alone, so that its pixels are the same in both colour spaces
  // Whether its pixels are stored, because they are read more than once or out of order; else they are computed when
  // read.
  bool stored;
  // The first of the plan's inputs, which are steps or SJ_FILTER_NO_STEP, and how many it has.
  uint32_t input, input_count;
  uint32_t readers;        // how many steps read it
  uint32_t chain;          // how many steps in a row are computed when this one is
  uint32_t last;           // the last step that reads its pixels, also through steps that are not stored
  stijl_irect full;        // the picture that has its edges, and beyond which it is transparent
  stijl_irect box;         // what is computed
  uint32_t op;             // as in sj_filter_node; of a displacement 1: the map's colours are linear
  uint32_t color;          // premultiplied sRGB
  uint32_t kernel;         // of a convolution: the first of the filter's floats
  int x, y;                // offsets and radii
  float scale_x, scale_y;  // of a displacement
  uint32_t channels[2];
  uint32_t item;  // an index into the plan's array of its kind
  k_filter_tile tile_x, tile_y;
} sj_filter_step;

typedef struct sj_filter_blurs {
  k_filter_blur x, y;
} sj_filter_blurs;

typedef SJ_ARRAY(sj_filter_step) sj_filter_steps;

typedef struct sj_filter_plan {
  const stijl_filter *filter;  // the steps use its floats and bytes
  sj_filter_steps steps;       // 0: the source
  SJ_ARRAY(uint32_t) inputs;
  SJ_ARRAY(sj_filter_blurs) blurs;
  SJ_ARRAY(k_filter_light) lights;
  SJ_ARRAY(k_filter_noise) noises;
  uint32_t result;     // the step; SJ_FILTER_NO_STEP: transparent
  stijl_irect source;  // what has to be drawn of the source
  uint64_t work;       // steps of the budget
} sj_filter_plan;

// Where a filter is drawn. The scale (above 0) and `x`, `y` take user space, seen from its origin, to pixels. `content`
// holds all that the source draws, and `wanted` is the part of the result that is needed.
typedef struct sj_filter_target {
  float scale_x, scale_y, x, y;
  stijl_irect content, wanted;
  double origin_x, origin_y;
} sj_filter_target;

// Plans a filter: begins, and fits it to be executed. Returns false when memory is out.
bool sj_filter_plan_make(stijl_context *context, const stijl_filter *filter, const sj_filter_target *target,
                         sj_filter_plan *out);
// Plans what follows from scale and place alone. `out` is all zero, or a plan whose memory is used again. Returns false
// when memory is out; the plan is still to be finished then.
bool sj_filter_plan_begin(stijl_context *context, const stijl_filter *filter, const sj_filter_target *target,
                          sj_filter_plan *out);
// Plans what follows from the boxes as well. It may be called again for other boxes of the same scale and place; the
// last call is for a plan that is `executed` (else tables are left out). Returns false when memory is out.
bool sj_filter_plan_fit(stijl_context *context, const sj_filter_target *target, bool executed, sj_filter_plan *plan);
// Returns about how many bytes the surfaces take that are needed at the same time, besides those of sources and of the
// result. If a quick bound is `enough` or less, it returns the bound.
uint64_t sj_filter_plan_bytes(stijl_context *context, const sj_filter_plan *plan, uint64_t enough);
// Moves all boxes. The plan must have no lights and noises, because their numbers depend on where pixels are.
void sj_filter_plan_move(sj_filter_plan *plan, int x, int y);
void sj_filter_plan_finish(stijl_context *context, sj_filter_plan *plan);

// Returns the pixels of a region in user space.
stijl_irect sj_filter_pixels(const sj_filter_target *target, stijl_rect region);
// Returns the blur of an axis by a standard deviation in pixels.
k_filter_blur sj_filter_blur_of(float deviation);
// Fills the tables of a noise by the specification's random numbers.
void sj_filter_noise_tables(int seed, k_filter_noise *out);

// Tables that convert bytes of sRGB to linear light and back, to the nearest byte.
typedef struct sj_filter_spaces {
  uint8_t to_linear[256], to_srgb[256];
} sj_filter_spaces;
const sj_filter_spaces *sj_filter_spaces_get(void);

#endif
