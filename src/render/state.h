// A renderer, and what the files that draw with it share.
#ifndef SJ_RENDER_STATE_H
#define SJ_RENDER_STATE_H

#include "cpu/frame.h"
#include "gpu/gpu.h"
#include "scene/block.h"
#include "scene/encode_pictures.h"

// What many pictures are drawn with (many.c).
typedef struct sj_many {
  // All scenes that the pictures of a call show, each of them within it once. It is made anew where the pictures show
  // others; its memory is counted by `own`.
  stijl_scene *scene;
  SJ_ARRAY(sj_picture) pictures;  // of this call
  SJ_ARRAY(sj_picture) encoded;   // what the encoding with this number was made of; 0: of none
  uint64_t number;
  // Renderers with one thread, one for each of the pool's, which draw small pictures on the CPU.
  SJ_ARRAY(stijl_renderer *) workers;
} sj_many;

struct stijl_renderer {
  stijl_context *context;
  stijl_budget *own;  // counts the working memory; the budget of frames for which the caller gives none
  sj_frame frame;
  sj_encoded scene;  // of the last frame; its memory is counted by `own`
  sj_blocks blocks;  // of large canvases; their memory is counted by `own`
  sj_many many;
  sj_gpu *gpu;    // or NULL: the CPU draws
  bool may_fall;  // to the CPU when the GPU fails
  uint64_t max_layer_bytes;
  const struct sj_watch *watch;  // of each frame; NULL: nobody
  double encode_ms, surfaces_ms, render_ms;
};

// --- What calls check ---

// Checks what the kinds of target share: the region, which becomes the whole canvas if it is all zero, and the format.
stijl_result sj_find_region(int width, int height, stijl_format format, stijl_irect *region, stijl_message *message);
// Fails for targets beyond the limit of a canvas's side that are no parts of large canvases: applications' own images,
// targets that somebody else draws, and those of many pictures.
stijl_result sj_refuse_large(int width, int height, stijl_message *message);
stijl_result sj_check_pixels(const stijl_target *target, stijl_message *message);
stijl_result sj_check_scene(const stijl_scene *scene, stijl_matrix transform, stijl_message *message);
stijl_result sj_check_semaphores(const stijl_vulkan_frame *frame, stijl_message *message);

// --- Budgets ---

// Begins with a frame's budget: what is given, that of the renderer's context, or, for documents' scenes, which are
// made from so many bytes, the renderer's own; NULL for scenes that the application recorded. Where it fails with a
// budget, that is to be ended as well.
stijl_result sj_begin_budget(stijl_renderer *renderer, uint64_t input_bytes, uint64_t pixels, stijl_budget *given,
                             stijl_budget **out, stijl_message *message);
// Ends it, with what drawing has resulted in; returns that, unless the budget is spent.
stijl_result sj_end_budget(const stijl_renderer *renderer, stijl_budget *job, stijl_result result,
                           stijl_message *message);
// Limits the renderer's working memory to what the budget has left.
void sj_renderer_share_memory(stijl_renderer *renderer, const stijl_budget *job);

// --- Drawing ---

// Draws a frame that is all of its target's canvas, within a budget that has begun.
stijl_result sj_draw_alone(stijl_renderer *renderer, const stijl_scene *scene, const stijl_target *target,
                           const stijl_render_params *params, stijl_budget *budget, stijl_message *message);
// Frees what many pictures were drawn with.
void sj_many_finish(stijl_renderer *renderer);

#endif
