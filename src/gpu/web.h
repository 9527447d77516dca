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

#include "gpu/gpu.h"
#include "gpu/places.h"
#include "gpu/plan.h"

// What a step does: dispatches a shader, or one of the last four. In the order of the stages in web/npm/webgpu.js.
typedef enum sj_web_op {
  SJ_WEB_FLATTEN,
  SJ_WEB_SMALL,
  SJ_WEB_RANK,
  SJ_WEB_COVER,
  SJ_WEB_COVER_LONG,
  SJ_WEB_RESOLVE,
  SJ_WEB_RESOLVE_LONG,
  SJ_WEB_COARSE,
  SJ_WEB_FINE,
  SJ_WEB_ITEMS,                           // of filters, G_ITEM_*
  SJ_WEB_CLEAR = SJ_WEB_ITEMS + G_ITEMS,  // of buffer x
  SJ_WEB_COUNT,                           // g_control.counted is copied to G_LISTS, and the control is cleared
  SJ_WEB_LOAD,                            // from x on, y texels are copied to the target
  SJ_WEB_STORE                            // and the other way
} sj_web_op;

typedef struct sj_web_step {
  uint32_t op;
  uint32_t x, y;     // workgroups; where x is 0 they are read from the control, at byte y
  uint32_t params;   // byte offset in G_WEB_PARAMS
  uint32_t variant;  // the constants that the frame needs of the stage's shader (sj_stage_variant)
} sj_web_step;

typedef struct sj_web_buffer {
  uint32_t bytes;    // that it has to have at least; 0: it is not used
  const void *data;  // what its beginning gets before the program runs, or NULL
  uint32_t data_bytes;
} sj_web_buffer;

// All members have 32 bits in WebAssembly: JavaScript reads it as words.
typedef struct sj_web_program {
  sj_web_buffer buffers[G_WEB_BINDINGS];
  uint32_t
      last;  // the target (rows of a multiple of 64 pixels) then has the frame's pixels, unless more room is needed
  uint32_t step_count;
  const sj_web_step *steps;
} sj_web_program;

typedef struct sj_web sj_web;

// `max_range`: bytes of a storage buffer, at most; `first_tiles`: room for so many touched tiles to begin with, 0: as
// usual.
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
// What the program's frame has needed, the beginning of G_LISTS. *again: there is another program.
stijl_result sj_web_told(sj_web *web, const g_needs *needed, bool *again, stijl_message *message);
// Brings the region's pixels, as G_TARGET has them, to the target's format.
void sj_web_pixels(const sj_web *web, const uint32_t *pixels, const stijl_target *target);

// The device has lost what it had, or a frame has not come to its end: the next one uploads its scene again.
void sj_web_forget(sj_web *web);

typedef struct sj_web_stats {
  uint32_t draws, batches, retries;
  uint32_t surfaces;  // that the device draws
} sj_web_stats;
sj_web_stats sj_web_last_stats(const sj_web *web);

#endif
