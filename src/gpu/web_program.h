// The programs of the WebGPU backend (gpu/web.h), what writes them, and the state that they are written from.
#ifndef SJ_GPU_WEB_PROGRAM_H
#define SJ_GPU_WEB_PROGRAM_H

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

typedef struct sj_web_stats {
  uint32_t draws, batches, retries;
  uint32_t surfaces;  // that the device draws
} sj_web_stats;

// What the stages draw at a time: a pass of the scene, or a sheet.
typedef struct sj_web_pass {
  uint64_t level;
  uint32_t place;      // of what is drawn; SJ_NO_PLACE: the target
  const k_pass *pass;  // or NULL: the sheet
  const sj_sheet *sheet;
} sj_web_pass;

typedef struct sj_web {
  stijl_context *context;
  uint64_t max_range, max_layer_bytes;
  uint32_t first_tiles;
  g_needs room;
  uint64_t scene_arrays;  // whose arrays the device has; 0: none
  // The frame.
  sj_render_job job;
  bool own_surfaces;     // the device draws them
  sj_places places;      // where they are
  uint64_t planned;      // the number of the encoding that they are for; 0: none
  uint64_t written;      // and of the one whose items the device has
  uint64_t texel_bytes;  // that the device's buffer has
  SJ_ARRAY(sj_web_pass) passes;
  size_t pass;  // the one that is drawn
  size_t run;   // of the items of filters, the first that no program has drawn yet
  // The pass.
  sj_encoded scene;  // with its draws alone
  sj_draw_list draws;
  sj_origin_list origins;           // of its draws, on a sheet
  SJ_ARRAY(g_record) open_records;  // of the batch that is being written
  stijl_irect region;
  uint32_t stride, depth, background;
  bool keep;
  sj_batch_limits limits;
  uint64_t most_draws;
  uint32_t first, open;  // of the batch
  sj_batch batch;
  bool glyphs;  // whether it has glyph runs
  sj_web_program program;
  sj_web_stats stats;
  // What programs point to.
  SJ_ARRAY(uint32_t) texels, bin_turns, image_texels, frame, params;
  SJ_ARRAY(k_pixel) ramps;
  SJ_ARRAY(sj_web_step) steps;
  SJ_ARRAY(g_item) items;
} sj_web;

stijl_result sj_web_fail_large(const sj_web *web, const char *what, uint64_t bytes, stijl_message *message);
// Sets what the program uploads to a buffer before it runs; `what` names it in messages.
stijl_result sj_web_upload(sj_web *web, int buffer, const char *what, const void *data, uint64_t bytes,
                           stijl_message *message);

// Writes web->program for web->batch of the pass: the batch's arrays, the steps, the buffers' sizes.
stijl_result sj_web_write_program(sj_web *web, const g_params *params, const sj_layer_plan *layers,
                                  stijl_message *message);

#endif
