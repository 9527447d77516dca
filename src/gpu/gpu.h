// The Vulkan backend: a scene becomes pixels in a few compute dispatches. docs/gpu.md tells how.
#ifndef SJ_GPU_GPU_H
#define SJ_GPU_GPU_H

#include "base/budget.h"
#include "base/context.h"
#include "base/pool.h"
#include "scene/job.h"
#include "stijl/vulkan.h"

typedef struct sj_gpu sj_gpu;
typedef struct sj_pipelines_change sj_pipelines_change;  // gpu/pipeline.h

// Opens the device that the parameters name. STIJL_ERROR_UNSUPPORTED where there is no loader, no driver, no such
// device or a feature is missing. `device`: the application's, instead; or NULL. `change`: what is different in its
// pipelines; or NULL. `threads` outlive it, and bring pixels into memory.
stijl_result sj_gpu_create(stijl_context *context, const stijl_renderer_params *params,
                           const stijl_vulkan_device *device, const sj_pipelines_change *change, sj_pool *threads,
                           sj_gpu **out, stijl_message *message);
void sj_gpu_destroy(sj_gpu *gpu);

// Plans the next frame's surfaces. Whether the device draws them itself: where all that are needed at a time fit beside
// the images, and it has kernels for all that their filters do.
bool sj_gpu_draws_surfaces(sj_gpu *gpu, const sj_encoded *scene);

// Returns whether the device encodes the scene's draws itself, because it has had the scene for a frame and more, and
// all that the frame needs is known: then `out` has the pens and paints alone. Else `out` is as it was, or has to be
// encoded anew.
bool sj_gpu_encodes(sj_gpu *gpu, stijl_context *context, const stijl_scene *scene, stijl_matrix view,
                    stijl_irect region, sj_encoded *out);

stijl_result sj_gpu_render(sj_gpu *gpu, const sj_render_job *job, stijl_message *message);

// Waits for a frame that was left in flight. *painted: whether it was drawn. Where it was not, since buffers were too
// small, they have been grown meanwhile, so that drawing the same frame again succeeds.
stijl_result sj_gpu_finish(sj_gpu *gpu, bool *painted, stijl_message *message);

// Tells the last frame's statistics. Only the fields that concern the GPU are written.
void sj_gpu_stats(const sj_gpu *gpu, stijl_render_stats *stats);
const char *sj_gpu_name(const sj_gpu *gpu);

// Submits the last frame `frames` times over, back to back; microseconds of each.
stijl_result sj_gpu_repeat(sj_gpu *gpu, uint32_t frames, double *us, stijl_message *message);

#endif
