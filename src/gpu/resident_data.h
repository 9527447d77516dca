// What the renderer has of a scene that lives on the device (gpu/resident.h).
#ifndef SJ_GPU_RESIDENT_DATA_H
#define SJ_GPU_RESIDENT_DATA_H

#include "base/hash.h"
#include "base/pairs.h"
#include "gpu/layout.h"
#include "gpu/records.h"
#include "scene/encode.h"
#include "vulkan/buffer.h"
#include "vulkan/pipeline.h"

// A stroke under some transform: strokes with the same pen share one. And a paint under some transform.
typedef struct sj_pen_slot {
  stijl_matrix transform;
  uint32_t stroke;
  uint32_t curved;  // segments of one of its draws with curves, at most
} sj_pen_slot;
typedef struct sj_paint_slot {
  stijl_matrix transform;
  uint32_t paint;
} sj_paint_slot;

// What a pen or a paint follows from, and its number.
typedef struct sj_slot {
  float key[17];
  uint32_t number;
} sj_slot;

// What the draws of a scene add up to, and what they are at most. Boxes are in the scene's space.
typedef struct sj_resident_sums {
  uint64_t segments, stroke_segments, lines;
  uint64_t work;  // of a frame, but for its pixels
  uint32_t strokes, all, candidates;
  uint32_t features;                   // SJ_FEATURE_*
  uint32_t fill, fill_curved, stroke;  // segments of a fill of lines, one with curves, a stroke of lines
  double reach_x, reach_y;             // how far from the origin anything is, without pens
  double numbers;                      // the largest number of boxes and transforms
  double w, h, ww, wh, hh;             // of the widths and heights of boxes
} sj_resident_sums;

// A draw that has changed, as the device has yet to get it.
typedef struct sj_changed_draw {
  uint32_t draw;
  g_source source;
  g_transform transform;
} sj_changed_draw;

typedef struct sj_resident {
  uint64_t arrays;  // those of the scene, as sj_encoded has them; 0: none
  uint64_t seen;    // how many changes of the scene were looked at, all in all,
  uint64_t looked;  // and since it was looked at as a whole
  bool fits;        // whether the device can encode it
  uint32_t draws;
  sj_resident_sums sums;
  SJ_ARRAY(g_source) sources;  // until they are uploaded
  SJ_ARRAY(g_transform) transforms;
  // Draws that have changed have transforms of their own, behind the others: there is room for so many.
  uint32_t transform_count, room;
  SJ_ARRAY(uint32_t) own;  // of each draw 1 + the number of its own one; none: no draw has changed
  uint32_t owned;
  bool full;  // more have changed than there is room for
  // Where what each of the scene's draws has become begins; none: each is one. `next`: the one at work.
  SJ_ARRAY(uint32_t) firsts;
  uint32_t next;
  SJ_ARRAY(sj_changed_draw) changed;
  SJ_ARRAY(sj_pen_slot) pens;
  SJ_ARRAY(sj_paint_slot) paints;
  SJ_ARRAY(sj_slot) slots;  // of pens and of paints,
  sj_pairs numbers;         // by hashes of their keys
  sj_hash_key hash_key;
  uint32_t last;     // that of the draw before
  sj_buffer buffer;  // g_source, g_transform
  bool upload;       // it has yet to be copied
  // Of the frame.
  stijl_matrix view;
  uint32_t features, most;  // `most`: as in g_control
  SJ_ARRAY(g_pen_use) pen_uses;
  SJ_ARRAY(g_paint_use) paint_uses;
  uint32_t least;  // draws that make a scene worth it
  uint32_t rest;   // so many frames are encoded by the processor, since the device had no room
  sj_vk_bindings bindings;
  VkPipeline pipeline;
} sj_resident;

#endif
