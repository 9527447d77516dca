// A filter as it was built: primitives in the order of the calls, in user space.
#ifndef SJ_SCENE_FILTER_H
#define SJ_SCENE_FILTER_H

#include <stdatomic.h>

#include "base/array.h"
#include "kernel/filter.h"
#include "stijl/filter.h"

typedef enum sj_filter_kind {
  SJ_FILTER_BLUR,
  SJ_FILTER_OFFSET,
  SJ_FILTER_FLOOD,
  SJ_FILTER_TINT,   // the input's alpha, in a colour
  SJ_FILTER_ALPHA,  // the same in black
  SJ_FILTER_MATRIX,
  SJ_FILTER_TRANSFER,
  SJ_FILTER_COMPOSITE,
  SJ_FILTER_ARITHMETIC,
  SJ_FILTER_BLEND,
  SJ_FILTER_MERGE,
  SJ_FILTER_MORPHOLOGY,
  SJ_FILTER_CONVOLVE,
  SJ_FILTER_DISPLACE,
  SJ_FILTER_TILE,
  SJ_FILTER_TURBULENCE,
  SJ_FILTER_LIGHT,
  SJ_FILTER_SCENE,
  SJ_FILTER_BACKDROP
} sj_filter_kind;

typedef struct sj_filter_node {
  sj_filter_kind kind;
  bool linear;
  bool bounded;  // by `region`
  stijl_rect region;
  uint32_t input, input_count;  // into the filter's inputs
  uint32_t data;                // index of floats (matrix, arithmetic, kernel) or bytes (transfer)
  uint32_t op;                  // operator, mode, edge; of a morphology 1: dilate
  float x, y;                   // deviations, offsets, radii; the scale of a displacement
  uint32_t color;               // premultiplied
  uint32_t item;                // of `convolutions`, `turbulences`, `lights`, `scenes`
  uint32_t channels[2];
  stijl_rect tile;
} sj_filter_node;

typedef struct sj_filter_scene {
  stijl_scene *scene;  // in the filter's user space; NULL: a slot that is still to be filled
} sj_filter_scene;

struct stijl_filter {
  stijl_context *context;
  atomic_uint references;
  atomic_bool used;  // by a layer: it does not change any more
  stijl_result status;
  stijl_message *message;  // made where the filter fails
  bool reads_backdrop;  // one of its nodes is of that kind
  SJ_ARRAY(sj_filter_node) nodes;
  SJ_ARRAY(int) inputs;
  SJ_ARRAY(float) floats;
  SJ_ARRAY(uint8_t) bytes;  // tables of transfer functions, 4 x 256 each
  SJ_ARRAY(stijl_convolution) convolutions;
  SJ_ARRAY(stijl_turbulence) turbulences;
  SJ_ARRAY(stijl_light) lights;
  SJ_ARRAY(sj_filter_scene) scenes;
};

// One more owner, each of which calls stijl_filter_destroy. Ends the building. Takes NULL.
stijl_filter *sj_filter_retain(const stijl_filter *filter);

// A primitive that draws a scene which only a copy of the filter is given. It is the last of filter->scenes.
int sj_filter_add_slot(stijl_filter *filter, const stijl_filter_options *options);
// A filter whose slots are empty, and can be filled; NULL without memory.
stijl_filter *sj_filter_copy(const stijl_filter *filter);
// Fills a slot; as stijl_filter_scene.
stijl_result sj_filter_fill(stijl_filter *filter, uint32_t slot, const stijl_scene *scene, const stijl_matrix *transform);

// The premultiplied pixel of a straight colour.
uint32_t sj_filter_color(stijl_color color);

// The largest number that filters compute with. Larger ones would make no difference to be seen, but infinities and what
// is no number, which not every processor turns into the same byte.
#define SJ_FILTER_MOST 0x1p40f
static inline float sj_filter_number(float v) {
  return v < -SJ_FILTER_MOST ? -SJ_FILTER_MOST : v > SJ_FILTER_MOST ? SJ_FILTER_MOST : v;
}

#endif
