// Renders a frame on the CPU: threads flatten the encoded draws and sort their lines into bands of pixel rows; then
// threads paint the bands, each through all draws that touch it, in painting order.
#ifndef SJ_CPU_FRAME_H
#define SJ_CPU_FRAME_H

#include "cpu/frame_data.h"

stijl_result sj_frame_init(sj_frame *frame, stijl_context *context, const sj_kernels *kernels, int threads);
void sj_frame_finish(sj_frame *frame);

// Draws frame->pass into the target. On failure the message says which limit or memory.
stijl_result sj_frame_render(sj_frame *frame, stijl_message *message);

// Frees working memory.
void sj_frame_trim(sj_frame *frame);
uint64_t sj_frame_scratch_bytes(const sj_frame *frame);

#endif
