// What only tests and the lab ask of a renderer, and who draws what it has encoded.
#ifndef SJ_RENDER_RENDERER_H
#define SJ_RENDER_RENDERER_H

#include "base/shared.h"
#include "cpu/kernels.h"
#include "gpu/gpu.h"
#include "stijl/render.h"

// Makes the CPU cut frames into batches of about `lines` lines, and into smaller ones where they turn out to have twice
// as many; 0: as usual. The pictures do not change.
void sj_renderer_limit_batches(stijl_renderer *renderer, uint32_t lines);

// Makes a renderer for the lab, whose GPU has pipelines with what `change` tells (NULL: nothing) different. The second
// function makes frames of the CPU have bands of so many rows, a power of two (0: as many as are best), and the third
// names who is told what passes of its frames take (NULL: nobody).
SJ_SHARED stijl_result sj_renderer_create_changed(stijl_context *context, const stijl_renderer_params *params,
                                                  const sj_pipelines_change *change, stijl_renderer **out,
                                                  stijl_message *message);
SJ_SHARED void sj_renderer_force_rows(stijl_renderer *renderer, uint32_t rows);
SJ_SHARED void sj_renderer_watch(stijl_renderer *renderer, const struct sj_watch *watch);

// Makes the CPU draw frames with these functions, which the renderer only points to.
void sj_renderer_use_kernels(stijl_renderer *renderer, const sj_kernels *kernels);

// Stores targets from this size on past the cache, where an instruction does so. The pictures do not change.
void sj_renderer_stream_from(stijl_renderer *renderer, size_t bytes);

// Begins a frame whose target somebody else draws (gpu/web.h): sets the job's scene, region, background and budget. The
// target needs no pixels. Where this fails nothing is to be ended.
stijl_result sj_renderer_begin(stijl_renderer *renderer, const stijl_scene *scene, const stijl_target *target,
                               const stijl_render_params *params, sj_render_job *job, stijl_message *message);
// Draws the scene's surfaces, unless the device does.
stijl_result sj_renderer_surfaces(stijl_renderer *renderer, const sj_render_job *job, stijl_message *message);
// Ends it, with what drawing has resulted in; returns that, unless the budget is spent.
stijl_result sj_renderer_end(stijl_renderer *renderer, const sj_render_job *job, stijl_result result,
                             stijl_message *message);

#endif
