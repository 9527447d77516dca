// An index of recorded draws by where they are. It finds those that may touch a rectangle without looking at the
// others.
#ifndef SJ_SCENE_INDEX_H
#define SJ_SCENE_INDEX_H

#include "scene/matrix64.h"
#include "scene/scene.h"

// A layer, by the draws that begin and end it.
typedef struct sj_index_layer {
  uint32_t push, pop;
  uint32_t outer;      // 1 + the layer around it; 0: none
  uint32_t mask;       // 1 + the last mask in it; 0: none
  uint32_t next_mask;  // of a mask: 1 + the one before it in the same layer; 0: none
  uint32_t query;      // the last query that found it
  // How far from a draw in it its filter, and those of the layers around, may show the draw; INFINITY: anywhere.
  float reach;
} sj_index_layer;

typedef SJ_ARRAY(uint32_t) sj_draw_numbers;

typedef struct sj_index {
  stijl_rect box;  // of all draws that have one
  // A tree. The boxes of draws that are near one another come together, behind them a box for each SJ_INDEX_NODE of
  // them, and so on up to the root.
  SJ_ARRAY(stijl_rect) boxes;
  sj_draw_numbers numbers;   // the draws whose boxes come first
  sj_draw_numbers always;    // the draws that may be seen anywhere, in their order
  SJ_ARRAY(uint32_t) outer;  // for each draw 1 + the layer that it is in; 0: none. Empty where there are no layers
  SJ_ARRAY(sj_index_layer) layers;
  uint32_t query;
  // How many pixels beyond their boxes draws may show: `pixels` always, and `thin` times the square root of the ratio
  // of the axes of the target's matrix, because of strokes that are never thinner than a pixel.
  double pixels, thin;
} sj_index;

#define SJ_INDEX_NODE 16

// Builds the index of some draws of a scene. `inner` are the indices of scenes within, of which those that these draws
// show are built; with NULL, scenes that have filters may show anywhere. Returns false when memory is out.
bool sj_index_build(stijl_context *context, const stijl_scene *scene, const sj_draw *draws, size_t count,
                    const sj_index *inner, sj_index *out);
void sj_index_finish(stijl_context *context, sj_index *index);
// Finds the draws, in their order, that the pixels of a box may show, and the layers that they are in, with their
// masks. `m` takes the space of the draws to pixels; `reach` are further pixels around the box. What is left out has a
// box that, as encoding finds it, does not touch these pixels. Returns false when memory is out.
bool sj_index_find(stijl_context *context, sj_index *index, sj_matrix64 m, stijl_irect pixels, double reach,
                   sj_draw_numbers *out);

// Finds the pixels that the draws may show, within `all`; `m` takes the space of the draws to pixels.
stijl_irect sj_index_pixels(const sj_index *index, sj_matrix64 m, stijl_irect all);

// Finds the lengths of the longest and the shortest vector that a matrix makes of a unit vector.
static inline void sj_stretch64(sj_matrix64 m, double *longest, double *shortest) {
  double p = m.a * m.a + m.b * m.b, q = m.c * m.c + m.d * m.d, r = m.a * m.c + m.b * m.d;
  double root = sqrt((p - q) * (p - q) + 4.0 * r * r);
  *longest = sqrt(0.5 * (p + q + root));
  *shortest = *longest > 0.0 ? fabs(m.a * m.d - m.b * m.c) / *longest : 0.0;
}

#endif
