// Two frames in flight: what each has for itself, and the change from one to the other.
#ifndef SJ_GPU_FLIGHT_H
#define SJ_GPU_FLIGHT_H

#include "gpu/state.h"

// Waits for this frame, if it is in flight; notes what it has told.
stijl_result sj_flight_settle(sj_gpu *gpu, stijl_message *message);
// Waits for the other frame as well: then the device uses nothing that frames have in common.
stijl_result sj_flight_settle_other(sj_gpu *gpu, stijl_message *message);
// Waits for all frames, and makes room for what they have needed.
stijl_result sj_flight_land(sj_gpu *gpu, stijl_message *message);
// Makes ready for a frame. One that is left in flight need not wait for the frame before, only for the one before that.
stijl_result sj_flight_take_off(sj_gpu *gpu, const sj_render_job *job, stijl_message *message);
// Is called after an error, so that no command buffer stays half recorded.
void sj_flight_reset(sj_gpu *gpu);
// Makes room in a buffer. Where it is one that both frames have in common and has to grow, it waits for the other
// frame.
stijl_result sj_reserve(sj_gpu *gpu, int buffer, VkDeviceSize bytes, stijl_message *message);
// Makes the first buffers, and grows them for what a frame needs, as far as the device's ranges allow.
stijl_result sj_grow_first(sj_gpu *gpu, stijl_message *message);
stijl_result sj_grow_to(sj_gpu *gpu, g_needs needed, stijl_message *message);

#endif
