// A filter as it was built: primitives in the order of the calls, in user space.
#ifndef SJ_SCENE_FILTER_H
#define SJ_SCENE_FILTER_H

#include <stdatomic.h>

#include "base/array.h"
#include "kernel/filter.h"
#include "stijl/filter.h"

// All kinds of primitives, and what the code needs to know of each:
//   how many inputs it has (SJ_FILTER_ANY: any number);
//   what it reads of them (sj_filter_reads);
//   when its pixels have alpha alone, so that they are the same in both colour spaces (sj_filter_black);
//   whether it only moves the pixels of its first input, and so leaves them in the colour space that they are in;
//   whether its pixels depend on where they are, and not only on those of its inputs and how far away these are;
//   what a pixel costs at least, where copying one costs 1.
// To add a kind, add a line. Whatever differs by kind switches over all of them, without a default, so that the
// compiler names each place that still lacks the new kind. Saved scenes hold the numbers, so new kinds come before
// SOURCE, which only plans have as a step: the layer's picture, or a scene, drawn before the filter.
#define SJ_FILTER_KINDS(X)                                                         \
  X(BLUR, 1, ROWS, INPUTS, false, false, 8)                                        \
  X(OFFSET, 1, POINT, INPUTS, true, false, 2)                                      \
  X(FLOOD, 0, POINT, COLOR, false, false, 2)                                       \
  X(TINT, 1, POINT, COLOR, false, false, 2)   /* the input's alpha, in a colour */ \
  X(ALPHA, 1, POINT, ALWAYS, false, false, 2) /* the same in black */              \
  X(MATRIX, 1, POINT, NEVER, false, false, 2)                                      \
  X(TRANSFER, 1, POINT, NEVER, false, false, 2)                                    \
  X(COMPOSITE, 2, POINT, INPUTS, false, false, 2)                                  \
  X(ARITHMETIC, 2, POINT, NEVER, false, false, 2)                                  \
  X(BLEND, 2, POINT, NEVER, false, false, 2)                                       \
  X(MERGE, SJ_FILTER_ANY, POINT, INPUTS, false, false, 1)                          \
  X(MORPHOLOGY, 1, ROWS, INPUTS, false, false, 8)                                  \
  X(CONVOLVE, 1, AREA, NEVER, false, false, 4)                                     \
  X(DISPLACE, 2, AREA, NEVER, true, false, 2)                                      \
  X(TILE, 1, AREA, INPUTS, true, false, 2)                                         \
  X(TURBULENCE, 0, AREA, NEVER, false, true, 4)                                    \
  X(LIGHT, 1, AREA, NEVER, false, true, 32)                                        \
  X(SCENE, 0, AREA, NEVER, false, true, 2)                                         \
  X(BACKDROP, 0, AREA, NEVER, false, true, 2)                                      \
  X(SOURCE, 0, AREA, NEVER, false, true, 2)

#define SJ_FILTER_ANY UINT32_MAX

typedef enum sj_filter_kind {
#define ENUMERATOR(name, inputs, reads, black, moves, placed, cost) SJ_FILTER_##name,
  SJ_FILTER_KINDS(ENUMERATOR)
#undef ENUMERATOR
} sj_filter_kind;

typedef enum sj_filter_reads {
  SJ_FILTER_READS_POINT,  // one pixel of each input, at one place
  SJ_FILTER_READS_ROWS,   // row by row, each row once
  SJ_FILTER_READS_AREA    // in any order
} sj_filter_reads;

typedef enum sj_filter_black {
  SJ_FILTER_BLACK_NEVER,
  SJ_FILTER_BLACK_ALWAYS,
  SJ_FILTER_BLACK_COLOR,  // if its colour is black
  SJ_FILTER_BLACK_INPUTS  // if all of its inputs are
} sj_filter_black;

typedef struct sj_filter_traits {
  uint32_t inputs;
  sj_filter_reads reads;
  sj_filter_black black;
  bool moves, placed;
  uint32_t cost;
} sj_filter_traits;

extern const sj_filter_traits sj_filter_traits_of[];  // by sj_filter_kind

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
  atomic_bool used;  // a layer was given the filter, so that it cannot change any more
  stijl_result status;
  stijl_message *message;  // NULL until the filter fails
  bool reads_backdrop;     // whether one of its nodes is a backdrop
  SJ_ARRAY(sj_filter_node) nodes;
  SJ_ARRAY(int) inputs;
  SJ_ARRAY(float) floats;
  SJ_ARRAY(uint8_t) bytes;  // tables of transfer functions, 4 x 256 each
  SJ_ARRAY(stijl_convolution) convolutions;
  SJ_ARRAY(stijl_turbulence) turbulences;
  SJ_ARRAY(stijl_light) lights;
  SJ_ARRAY(sj_filter_scene) scenes;
};

// Adds an owner. Each owner calls stijl_filter_destroy. The filter cannot be built further. NULL is allowed.
stijl_filter *sj_filter_retain(const stijl_filter *filter);

// Adds a primitive that draws a scene which only a copy of the filter is given, and returns its number. Its slot is the
// last of filter->scenes.
int sj_filter_add_slot(stijl_filter *filter, const stijl_filter_options *options);
// Returns a copy of a filter, whose slots are empty and can be filled. Returns NULL when memory is short.
stijl_filter *sj_filter_copy(const stijl_filter *filter);
// Fills a slot with a scene, as stijl_filter_scene does.
stijl_result sj_filter_fill(stijl_filter *filter, uint32_t slot, const stijl_scene *scene,
                            const stijl_matrix *transform);

// The largest number that filters compute with. Larger ones would make no visible difference, except that they lead to
// infinities and NaN, which not every processor turns into the same byte.
#define SJ_FILTER_MOST 0x1p40f
static inline float sj_filter_number(float v) {
  return v < -SJ_FILTER_MOST ? -SJ_FILTER_MOST : v > SJ_FILTER_MOST ? SJ_FILTER_MOST : v;
}

#endif
