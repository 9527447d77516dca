// Scenes that live on the device. A scene of many fills and strokes that is drawn again and again is uploaded as it was
// recorded, once. For each frame the processor then computes the pens and the paints, of which there are few, and
// shaders/encode.comp makes of the draws what the processor makes of other scenes: so a frame takes the processor the
// same time whatever number of draws there is.
#ifndef SJ_GPU_RESIDENT_H
#define SJ_GPU_RESIDENT_H

#include "gpu/state.h"

stijl_result sj_resident_init(sj_gpu *gpu, stijl_message *message);
void sj_resident_finish(sj_gpu *gpu);
// Writes the frame's tables where the stages read them.
void sj_resident_write(const sj_resident *resident, uint32_t *uses);
// Returns how many words the tables have.
static inline size_t sj_resident_words(const sj_resident *r) { return 2 * (r->pen_uses.count + r->paint_uses.count); }
// Makes the batch that has all draws, with room for as much as may be of each. Returns false when it is beyond the
// limits.
bool sj_resident_batch(sj_gpu *gpu, stijl_irect region, const sj_batch_limits *limits, sj_batch *batch);
// Tells that the device has no room for a frame, so that the processor encodes the next ones.
void sj_resident_decline(sj_resident *resident);
// Brings the draws to the device, if it has not got them yet.
stijl_result sj_resident_upload(sj_gpu *gpu, stijl_message *message);
// Returns what encode.comp is told of a batch.
g_encoding sj_resident_encoding(const sj_gpu *gpu, stijl_irect region, const sj_batch *batch, const g_params *params);

extern const sj_vk_shader sj_encode_shader;

#endif
