// A filter for one target: every primitive in device pixels, with the box that has to be computed of it so that all
// that is wanted comes out. Boxes follow from what each reads, backwards from the result, and are cut to where anything
// can be drawn, forwards from the source; so halos are as large as needed, and what nobody looks at is not computed.
// Each pixel of each step is a function of its place alone: bands and regions do not show.
#ifndef SJ_SCENE_FILTER_PLAN_H
#define SJ_SCENE_FILTER_PLAN_H

#include "base/irect.h"
#include "kernel/filter.h"
#include "kernel/filter_blur.h"
#include "kernel/filter_light.h"
#include "kernel/filter_noise.h"
#include "scene/filter.h"

#define SJ_FILTER_NO_STEP UINT32_MAX
#define SJ_FILTER_BELOW (UINT32_MAX - 1)  // in the item of a source, until it is encoded: what lies below the layer
#define SJ_FILTER_CHAIN 6                 // steps in a row, at most, that are computed when they are read

typedef struct sj_filter_step {
  sj_filter_kind kind;
  bool linear;  // the colours of its pixels are
  bool black;   // it has alpha alone: its pixels are the same in both colour spaces
  bool stored;  // its pixels are kept, since they are read more than once or out of order; else computed when read
  uint32_t input, input_count;  // into the plan's inputs: steps, or SJ_FILTER_NO_STEP
  uint32_t readers;             // steps that read it
  uint32_t chain;               // how many steps in a row are computed when this one is
  uint32_t last;                // the last step that reads its pixels, also by way of steps that are not stored
  stijl_irect full;             // the picture that edges belong to, and beyond which it is transparent
  stijl_irect box;              // what is computed
  uint32_t op;                  // as in sj_filter_node; of a displacement 1: the map's colours are linear
  uint32_t color;               // premultiplied sRGB
  uint32_t kernel;              // of a convolution: the first of the filter's floats
  int x, y;                     // offsets and radii
  float scale_x, scale_y;       // of a displacement
  uint32_t channels[2];
  uint32_t item;  // of the plan's arrays, by kind
  k_filter_tile tile_x, tile_y;
} sj_filter_step;

typedef struct sj_filter_blurs {
  k_filter_blur x, y;
} sj_filter_blurs;

typedef SJ_ARRAY(sj_filter_step) sj_filter_steps;

typedef struct sj_filter_plan {
  const stijl_filter *filter;  // whose floats and bytes steps use
  sj_filter_steps steps;       // 0: the source
  SJ_ARRAY(uint32_t) inputs;
  SJ_ARRAY(sj_filter_blurs) blurs;
  SJ_ARRAY(k_filter_light) lights;
  SJ_ARRAY(k_filter_noise) noises;
  uint32_t result;     // the step; SJ_FILTER_NO_STEP: transparent
  stijl_irect source;  // what has to be drawn of the source
  uint64_t work;       // steps of the budget
} sj_filter_plan;

// `scale_x`, `scale_y` > 0, `x`, `y` take user space, as it is seen from its origin, to pixels. `content` holds all
// that the source draws, `wanted` what is asked of the result.
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
// Returns the memory, about, of surfaces that are needed at a time beside those of sources and of the result. Where a
// quick bound is `enough` or less, that is the answer.
uint64_t sj_filter_plan_bytes(stijl_context *context, const sj_filter_plan *plan, uint64_t enough);
// Moves all boxes. Only of plans without lights and noises, whose numbers depend on where pixels are.
void sj_filter_plan_move(sj_filter_plan *plan, int x, int y);
void sj_filter_plan_finish(stijl_context *context, sj_filter_plan *plan);

// Returns the pixels of a region in user space.
stijl_irect sj_filter_pixels(const sj_filter_target *target, stijl_rect region);
// Returns the blur of an axis by a standard deviation in pixels.
k_filter_blur sj_filter_blur_of(float deviation);
// Fills the tables of a noise by the specification's random numbers.
void sj_filter_noise_tables(int seed, k_filter_noise *out);

// The tables of colour spaces: sRGB's bytes in linear light and back, the nearest.
typedef struct sj_filter_spaces {
  uint8_t to_linear[256], to_srgb[256];
} sj_filter_spaces;
const sj_filter_spaces *sj_filter_spaces_get(void);

#endif
