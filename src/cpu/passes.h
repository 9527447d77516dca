// Draws the surfaces that a scene's last pass samples, directly or through others.
#ifndef SJ_CPU_PASSES_H
#define SJ_CPU_PASSES_H

#include "cpu/frame_data.h"

// Draws all passes of a scene but the last into their surfaces, which are among encoded->all_images from then on; those
// that no further pass needs are freed. `background` is the frame's. The frame's target is overwritten.
// sj_surfaces_finish frees the surfaces that are left.
stijl_result sj_draw_surfaces(sj_frame *frame, sj_encoded *encoded, uint32_t background, stijl_message *message);
void sj_surfaces_finish(sj_encoded *encoded);

#endif
