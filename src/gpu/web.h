// The WebGPU backend's half within the module (docs/browser.md). It draws a frame batch by batch, without waiting for
// anything: it writes what the stages read, and a program, which says how large buffers have to be and what is to be
// dispatched. The other half, in JavaScript (web/npm/webgpu.js), has the device, carries out the program, and tells
// what the device has counted; where that was too much, the program comes again with larger buffers.
//
// Passes are drawn one after the other, as gpu/places.h plans them: a surface, or the surfaces of a sheet, into the
// target's buffer, from where they are copied to the texels, since WebGPU lets no stage read a buffer that it writes.
//
// A frame that the device has no room for as a whole (pixels, images, one draw) is an error, STIJL_ERROR_LIMIT; the
// caller then draws it on the CPU.
#ifndef SJ_GPU_WEB_H
#define SJ_GPU_WEB_H

#include "gpu/web_program.h"

// Makes the host's part of the WebGPU backend. A storage buffer has at most `max_range` bytes. There is room for
// `first_tiles` touched tiles to begin with, or for as many as usual if that is 0.
stijl_result sj_web_create(stijl_context *context, uint64_t max_range, uint64_t max_layer_bytes, uint32_t first_tiles,
                           sj_web **out, stijl_message *message);
void sj_web_destroy(sj_web *web);

// Plans the next frame's surfaces, as sj_gpu_draws_surfaces does.
bool sj_web_draws_surfaces(sj_web *web, const sj_encoded *scene);
// Begins a frame: the scene (whose surfaces have been drawn, unless the device draws them), region, background and
// budget of a job, whose scene stays until the frame ends.
stijl_result sj_web_begin(sj_web *web, const sj_render_job *job, stijl_message *message);
// Writes the next program. What it points to stays until the next call.
stijl_result sj_web_next(sj_web *web, const sj_web_program **out, stijl_message *message);
// Takes what the program's frame has needed, the beginning of G_LISTS. *again tells that there is another program.
stijl_result sj_web_told(sj_web *web, const g_needs *needed, bool *again, stijl_message *message);
// Brings the region's pixels, as G_TARGET has them, to the target's format.
void sj_web_pixels(const sj_web *web, const uint32_t *pixels, const stijl_target *target);

// Is called when the device has lost what it had, or a frame has not come to its end: the next one uploads its scene
// again.
void sj_web_forget(sj_web *web);

sj_web_stats sj_web_last_stats(const sj_web *web);

#endif
