// Scenes that live on the device. A scene of many fills and strokes that is drawn again and again is uploaded as it was
// recorded, once. For each frame the processor then computes the pens and the paints, of which there are few, and
// shaders/encode.comp makes of the draws what the processor makes of other scenes: so a frame takes the processor the
// same time whatever number of draws there is.
#ifndef SJ_GPU_RESIDENT_H
#define SJ_GPU_RESIDENT_H

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

#define SJ_SLOT_KEY 17  // words of what a pen follows from

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

typedef struct sj_resident {
  uint64_t serial;  // of the scene; 0: none
  bool fits;        // whether the device can encode it
  uint32_t draws;
  sj_resident_sums sums;
  SJ_ARRAY(g_source) sources;  // until they are uploaded
  SJ_ARRAY(g_transform) transforms;
  SJ_ARRAY(sj_pen_slot) pens;
  SJ_ARRAY(sj_paint_slot) paints;
  sj_pairs slots;  // of pens and paints, by a hash of what they follow from
  sj_hash_key key;
  float last_key[SJ_SLOT_KEY];  // that of the draw before, and its slot
  size_t last_bytes;
  uint32_t last;
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

struct sj_gpu;

stijl_result sj_resident_init(struct sj_gpu *gpu, stijl_message *message);
void sj_resident_finish(struct sj_gpu *gpu);
// Writes the frame's tables where the stages read them.
void sj_resident_write(const sj_resident *resident, uint32_t *uses);
// How many words the tables have.
static inline size_t sj_resident_words(const sj_resident *r) { return 2 * (r->pen_uses.count + r->paint_uses.count); }
// Makes the batch that has all draws, with room for as much as may be of each. Returns false when it is beyond the
// limits.
bool sj_resident_batch(struct sj_gpu *gpu, stijl_irect region, const sj_batch_limits *limits, sj_batch *batch);
// The device has no room for a frame: the processor encodes the next ones.
void sj_resident_decline(sj_resident *resident);
// Brings the draws to the device, if it has not got them yet.
stijl_result sj_resident_upload(struct sj_gpu *gpu, stijl_message *message);
// What encode.comp is told of a batch.
g_encoding sj_resident_encoding(const struct sj_gpu *gpu, stijl_irect region, const sj_batch *batch,
                                const g_params *params);

extern const sj_vk_shader sj_encode_shader;

#endif
