// The public renderer: parameters checked, the scene handed to the CPU or to the GPU.
#include "render/renderer.h"

#include <limits.h>
#include <string.h>

#include "base/params.h"
#include "base/processors.h"
#include "base/clock.h"
#include "cpu/passes.h"
#include "render/state.h"
#include "scene/scene.h"

#define MAX_THREADS 256

const char *stijl_isa_name(stijl_isa isa) {
  switch (isa) {
    case STIJL_ISA_AUTO: return "auto";
    case STIJL_ISA_SCALAR: return "scalar";
    case STIJL_ISA_SSE: return "sse";
    case STIJL_ISA_AVX2: return "avx2";
    case STIJL_ISA_AVX512: return "avx512";
    case STIJL_ISA_NEON: return "neon";
    case STIJL_ISA_WASM: return "wasm";
  }
  return NULL;
}

bool stijl_isa_available(stijl_isa isa) { return sj_kernels_for(isa) != NULL; }

// Returns whether a GPU is wanted, where the caller gives no device of its own.
static bool wants_gpu(const stijl_renderer_params *params) {
  return params->backend == STIJL_BACKEND_AUTO ? params->device >= 0 || params->device_name
                                               : params->backend != STIJL_BACKEND_CPU;
}

// Opens a GPU where one is wanted. With STIJL_BACKEND_AUTO a failure is no error: the CPU then draws.
static stijl_result open_gpu(stijl_renderer *renderer, const stijl_renderer_params *params,
                             const stijl_vulkan_device *device, const sj_pipelines_change *change,
                             stijl_message *message) {
  sj_pool *threads = renderer->frame.pool;
  if (device) return sj_gpu_create(renderer->context, params, device, NULL, threads, &renderer->gpu, message);
  if (!wants_gpu(params)) return STIJL_OK;
  renderer->may_fall = params->backend == STIJL_BACKEND_AUTO;
  stijl_message why = {""};
  stijl_result result = sj_gpu_create(renderer->context, params, NULL, change, threads, &renderer->gpu, &why);
  if (result == STIJL_OK) return STIJL_OK;
  if (!renderer->may_fall || result == STIJL_ERROR_OUT_OF_MEMORY) return sj_fail(message, result, "%s", why.text);
  sj_log(renderer->context, STIJL_LOG_NOTICE, "drawing on the CPU: %s", why.text);
  return STIJL_OK;
}

// Returns how many threads there are by default. With a GPU the threads only convert pixels that have arrived, which
// few can do as fast as the bus. Where all processors wait for them, the system interrupts one now and then, and all
// wait for that one: 300 hairlines at 1920x1080 on an H200 with 16 processors took 0.59 ms, and one frame in a thousand
// 2.3; with 15 threads that took 0.75.
static int default_threads(bool gpu) {
  int processors = sj_processors();
  return gpu && processors >= 8 ? processors - 1 : processors;
}

static stijl_result create(stijl_context *context, const stijl_renderer_params *params,
                           const stijl_vulkan_device *device, const sj_pipelines_change *change, stijl_renderer **out,
                           stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!out) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no place for the renderer");
  *out = NULL;
  params = SJ_PARAMS(stijl_renderer_params, STIJL_RENDERER_PARAMS_INIT, params, message);
  if (!params) return STIJL_ERROR_INVALID_ARGUMENT;
  if (params->threads < 0 || params->threads > MAX_THREADS)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "%d threads are not 0..%d", params->threads, MAX_THREADS);
  if ((unsigned)params->backend > STIJL_BACKEND_VULKAN)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "unknown backend %d", (int)params->backend);
  const sj_kernels *kernels = sj_kernels_for(params->isa);
  if (!kernels) {
    const char *name = stijl_isa_name(params->isa);
    return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "this machine or build lacks the instruction set %s",
                   name ? name : "?");
  }
  context = sj_context(context);
  stijl_renderer *renderer = sj_alloc_zero(context, sizeof *renderer);
  if (!renderer) return sj_fail_memory(message);
  renderer->context = context;
  renderer->max_layer_bytes = params->max_layer_bytes;
  int threads = params->threads ? params->threads : default_threads(device || wants_gpu(params));
  stijl_result result = stijl_budget_create(context, NULL, &renderer->own);
  if (result == STIJL_OK)
    result = sj_frame_init(&renderer->frame, stijl_budget_context(renderer->own), kernels,
                           threads > MAX_THREADS ? MAX_THREADS : threads);
  renderer->frame.eager = params->threads > 0;
  renderer->blocks.context = renderer->frame.context;
  if (result != STIJL_OK) {
    stijl_budget_destroy(renderer->own);
    sj_free(context, renderer);
    return sj_fail_memory(message);
  }
  result = open_gpu(renderer, params, device, change, message);
  if (result != STIJL_OK) {
    stijl_renderer_destroy(renderer);
    return result;
  }
  *out = renderer;
  return STIJL_OK;
}

stijl_result stijl_renderer_create(stijl_context *context, const stijl_renderer_params *params, stijl_renderer **out,
                                   stijl_message *message) {
  return create(context, params, NULL, NULL, out, message);
}

stijl_result sj_renderer_create_changed(stijl_context *context, const stijl_renderer_params *params,
                                        const sj_pipelines_change *change, stijl_renderer **out,
                                        stijl_message *message) {
  return create(context, params, NULL, change, out, message);
}

stijl_result stijl_vulkan_renderer_create(stijl_context *context, const stijl_renderer_params *params,
                                          const stijl_vulkan_device *device, stijl_renderer **out,
                                          stijl_message *message) {
  if (out) *out = NULL;
  if (!device) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "the Vulkan device is missing");
  device = SJ_PARAMS(stijl_vulkan_device, STIJL_VULKAN_DEVICE_INIT, device, message);
  if (!device) return STIJL_ERROR_INVALID_ARGUMENT;
  return create(context, params, device, NULL, out, message);
}

void stijl_renderer_destroy(stijl_renderer *renderer) {
  if (!renderer) return;
  sj_gpu_destroy(renderer->gpu);
  sj_many_finish(renderer);
  sj_encoded_finish(renderer->frame.context, &renderer->scene);
  sj_blocks_finish(&renderer->blocks);
  sj_frame_finish(&renderer->frame);
  stijl_budget_destroy(renderer->own);
  sj_free(renderer->context, renderer);
}

void sj_renderer_limit_batches(stijl_renderer *renderer, uint32_t lines) { renderer->frame.limit_lines = lines; }

void sj_renderer_force_rows(stijl_renderer *renderer, uint32_t rows) { renderer->frame.force_rows = rows; }

void sj_renderer_watch(stijl_renderer *renderer, const struct sj_watch *watch) { renderer->watch = watch; }

void sj_renderer_use_kernels(stijl_renderer *renderer, const sj_kernels *kernels) { renderer->frame.kernels = kernels; }

void sj_renderer_stream_from(stijl_renderer *renderer, size_t bytes) { renderer->frame.stream_from = bytes; }

stijl_isa stijl_renderer_isa(const stijl_renderer *renderer) {
  return renderer ? renderer->frame.kernels->isa : STIJL_ISA_AUTO;
}
int stijl_renderer_threads(const stijl_renderer *renderer) {
  return renderer ? sj_pool_threads(renderer->frame.pool) : 0;
}

stijl_backend stijl_renderer_backend(const stijl_renderer *renderer) {
  return renderer && renderer->gpu ? STIJL_BACKEND_VULKAN : STIJL_BACKEND_CPU;
}

const char *stijl_renderer_device(const stijl_renderer *renderer) {
  return renderer && renderer->gpu ? sj_gpu_name(renderer->gpu) : "cpu";
}

// Returns whether a canvas is drawn in blocks.
static bool is_large(int width, int height) { return width > SJ_CANVAS_SIDE || height > SJ_CANVAS_SIDE; }

stijl_result sj_find_region(int width, int height, stijl_format format, stijl_irect *region, stijl_message *message) {
  if (width < 1 || height < 1)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "the target's size, %d x %d, is not within 1..%d", width,
                   height, INT_MAX);
  if (!region->x0 && !region->y0 && !region->x1 && !region->y1) *region = (stijl_irect){0, 0, width, height};
  if (region->x0 < 0 || region->y0 < 0 || region->x1 > width || region->y1 > height || region->x0 >= region->x1 ||
      region->y0 >= region->y1)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "the region is empty, or not within the target");
  if (region->x1 - region->x0 > SJ_CANVAS_SIDE || region->y1 - region->y0 > SJ_CANVAS_SIDE)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT,
                   "a region of %d x %d pixels is too large: %d a side are drawn at once, of a canvas of any size",
                   region->x1 - region->x0, region->y1 - region->y0, SJ_CANVAS_SIDE);
  if (!stijl_format_bytes(format))
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "unknown format %d", (int)format);
  return STIJL_OK;
}

stijl_result sj_refuse_large(int width, int height, stijl_message *message) {
  if (!is_large(width, height)) return STIJL_OK;
  return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "the target's size, %d x %d, is not within 1..%d", width,
                 height, SJ_CANVAS_SIDE);
}

stijl_result sj_check_pixels(const stijl_target *t, stijl_message *message) {
  if (!t->pixels) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "the target has no pixels");
  stijl_irect region = t->region;
  stijl_result result = sj_find_region(t->width, t->height, t->format, &region, message);
  if (result != STIJL_OK) return result;
  size_t row = (size_t)(region.x1 - region.x0) * stijl_format_bytes(t->format);
  if (t->stride < row)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "the stride, %zu bytes, is less than a row, %zu", t->stride,
                   row);
  return STIJL_OK;
}

stijl_result sj_check_scene(const stijl_scene *scene, stijl_matrix transform, stijl_message *message) {
  if (!scene->finished) return sj_fail(message, STIJL_ERROR_INVALID_STATE, "the scene is not finished");
  if (scene->status != STIJL_OK)
    return sj_fail(message, STIJL_ERROR_INVALID_STATE, "the scene is in error: %s", scene->message.text);
  if (!stijl_matrix_is_finite(transform))
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "the transform is not finite");
  return STIJL_OK;
}

static stijl_result check_call(const stijl_renderer *renderer, const stijl_scene *scene, const void *target,
                               const stijl_render_params *params, stijl_message *message) {
  if (!renderer || !scene || !target)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no %s is given",
                   !renderer ? "renderer"
                   : !scene  ? "scene"
                             : "target");
  return sj_check_scene(scene, params->transform, message);
}

static sj_render_job gpu_job(const stijl_renderer *renderer, const stijl_scene *scene,
                             const stijl_render_params *params, stijl_irect region) {
  return (sj_render_job){.scene = &renderer->scene,
                         .region = region,
                         .background = sj_premultiplied(params->background, 1.0f),
                         .keep = params->keep,
                         .clamp = params->keep && scene->blends};
}

void sj_renderer_share_memory(stijl_renderer *renderer, const stijl_budget *job) {
  sj_budget_share_memory(renderer->own, job);
  if (atomic_load(&renderer->own->held) <= renderer->own->max_memory) return;
  sj_frame_trim(&renderer->frame);
  sj_encoded_finish(renderer->frame.context, &renderer->scene);
  sj_blocks_finish(&renderer->blocks);
  sj_many_finish(renderer);
}

stijl_result sj_begin_budget(stijl_renderer *renderer, uint64_t input_bytes, uint64_t pixels, stijl_budget *given,
                             stijl_budget **out, stijl_message *message) {
  stijl_budget *inherited = renderer->context->budget, *job = given ? given : inherited;
  *out = NULL;
  renderer->encode_ms = renderer->surfaces_ms = renderer->render_ms = renderer->frame.flatten_ms = 0.0;
  renderer->frame.lines = 0;
  if (given && given != inherited && given->outer != renderer->context)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "the budget was created with another context");
  if (!job && input_bytes) stijl_budget_restart(job = renderer->own);
  sj_budget_enter(job);
  // A frame within a larger job, whose budget is inherited, does not make the limits larger.
  if (!inherited) sj_budget_expect(job, input_bytes, pixels);
  if (job != renderer->own) sj_renderer_share_memory(renderer, job);
  *out = job;
  return sj_budget_look(job) ? STIJL_OK : sj_budget_spent(message);
}

static stijl_result begin_budget(stijl_renderer *renderer, const stijl_scene *scene, const stijl_render_params *params,
                                 stijl_irect region, stijl_budget **out, stijl_message *message) {
  uint64_t pixels = (uint64_t)(region.x1 - region.x0) * (uint64_t)(region.y1 - region.y0);
  return sj_begin_budget(renderer, scene->input_bytes, pixels, params->budget, out, message);
}

stijl_result sj_end_budget(const stijl_renderer *renderer, stijl_budget *job, stijl_result result,
                           stijl_message *message) {
  if (job) sj_budget_hand_over(renderer->own, job);
  sj_budget_leave(job);
  return sj_budget_result(job, result, message);
}

// Encodes the scene, or lets the device do so where it can.
static stijl_result encode(stijl_renderer *renderer, const stijl_scene *scene, const stijl_render_params *params,
                           stijl_irect canvas, stijl_irect region, stijl_budget *budget, bool by_device,
                           stijl_message *message) {
  double start = sj_now_ms();
  sj_encoded *encoded = &renderer->scene;
  sj_frame *frame = &renderer->frame;
  encoded->budget = budget;
  encoded->pool = sj_pool_threads(frame->pool) > 1 ? frame->pool : NULL;
  encoded->watch = renderer->watch;
  encoded->max_surface_bytes = renderer->max_layer_bytes;
  encoded->canvas = canvas;
  encoded->keep = params->keep;
  // A budget that outlasts the frame is charged for no more than it asks for, which only the processor knows.
  bool own = !budget || budget == renderer->own;
  stijl_result result = STIJL_OK;
  if (!by_device || !own || !renderer->gpu ||
      !sj_gpu_encodes(renderer->gpu, frame->context, scene, params->transform, region, encoded)) {
    const stijl_scene *part = sj_part_scene(&renderer->blocks, scene, params->transform, canvas, region);
    result = sj_encode(frame->context, part, params->transform, region, encoded, message);
  }
  frame->max_layer_bytes = renderer->max_layer_bytes;
  renderer->encode_ms += sj_now_ms() - start;
  return result;
}

// What a frame was encoded from.
typedef struct {
  stijl_renderer *renderer;
  const stijl_scene *scene;
  const stijl_render_params *params;
  stijl_irect canvas, region;
  stijl_budget *budget;
} encoding;

// Encodes a frame whose draws the device was to encode.
static stijl_result encode_anew(void *user, stijl_message *message) {
  const encoding *e = user;
  sj_budget_refund(e->budget, e->renderer->scene.work);
  return encode(e->renderer, e->scene, e->params, e->canvas, e->region, e->budget, false, message);
}

// Draws all of the scene's passes but the target's, where the device does not do so itself.
static stijl_result draw_surfaces(stijl_renderer *renderer, uint32_t background, stijl_message *message) {
  if (renderer->gpu && sj_gpu_draws_surfaces(renderer->gpu, &renderer->scene)) return STIJL_OK;
  double start = sj_now_ms();
  stijl_result result = sj_draw_surfaces(&renderer->frame, &renderer->scene, background, message);
  renderer->surfaces_ms += sj_now_ms() - start;
  return result;
}

static stijl_result render_cpu(stijl_renderer *renderer, const sj_render_job *job, const stijl_render_params *params,
                               stijl_message *message) {
  sj_frame *frame = &renderer->frame;
  double start = sj_now_ms() - renderer->surfaces_ms;
  renderer->surfaces_ms = 0.0;
  frame->scene = &renderer->scene;
  frame->pass = sj_target_pass(frame->scene);
  frame->region = job->region;
  frame->target = job->target;
  frame->background = frame->pass->flags & K_PASS_BACKGROUND ? sj_premultiplied(params->background, 1.0f) : 0;
  frame->keep = job->keep;
  frame->clamp = job->clamp;
  frame->reads = params->reads;
  stijl_result result = sj_frame_render(frame, message);
  renderer->render_ms += sj_now_ms() - start;
  return result;
}

static stijl_result render(stijl_renderer *renderer, const sj_render_job *job, const stijl_render_params *params,
                           stijl_message *message) {
  if (renderer->gpu) {
    stijl_message why = {""};
    stijl_result result = sj_gpu_render(renderer->gpu, job, &why);
    if (result == STIJL_OK) return STIJL_OK;
    // What the target held is lost, so that drawing over it cannot be begun again.
    if (!renderer->may_fall || params->keep || !sj_budget_check(job->budget, 0))
      return sj_fail(message, result, "%s", why.text);
    sj_log(renderer->context, STIJL_LOG_NOTICE, "drawing on the CPU: %s", why.text);
    sj_gpu_destroy(renderer->gpu);
    renderer->gpu = NULL;
    sj_surfaces_finish(&renderer->scene);
    result = renderer->scene.resident ? job->encode(job->user, message) : STIJL_OK;
    if (result == STIJL_OK) result = draw_surfaces(renderer, job->background, message);
    if (result != STIJL_OK) return result;
  }
  return render_cpu(renderer, job, params, message);
}

// Returns by how much the surfaces that were encoded need more memory than there is, or 0. Those of a device are in its
// own.
static uint64_t bytes_beyond(const stijl_renderer *renderer) {
  if (renderer->gpu) return 0;
  uint64_t most = atomic_load(&renderer->own->max_memory) / 4 * 3;
  uint64_t bytes = sj_encoded_bytes(renderer->frame.context, &renderer->scene, most);
  return bytes > most ? bytes - most : 0;
}

static stijl_result draw_region(stijl_renderer *renderer, const stijl_scene *scene, const stijl_render_params *params,
                                stijl_irect canvas, const sj_render_job *job, uint64_t before, stijl_message *message);

// Draws one half of the region, then the other: every part has the same bits as the whole. The longer side is halved,
// since filters that are turned need least memory for squares.
static stijl_result draw_halves(stijl_renderer *renderer, const stijl_scene *scene, const stijl_render_params *params,
                                stijl_irect canvas, const sj_render_job *job, uint64_t beyond, stijl_message *message) {
  sj_render_job first = *job, second = *job;
  unsigned char *pixels = job->target.pixels;
  int width = job->region.x1 - job->region.x0, height = job->region.y1 - job->region.y0;
  int half = k_max(width, height) / 2;
  if (half > SJ_BLOCK) half = half / SJ_BLOCK * SJ_BLOCK;
  if (width > height) {
    first.region.x1 = second.region.x0 = job->region.x0 + half;
    second.target.pixels = pixels + (size_t)half * stijl_format_bytes(job->target.format);
  } else {
    first.region.y1 = second.region.y0 = job->region.y0 + half;
    second.target.pixels = pixels + (size_t)half * job->target.stride;
  }
  stijl_result result = draw_region(renderer, scene, params, canvas, &first, beyond, message);
  return result == STIJL_OK ? draw_region(renderer, scene, params, canvas, &second, beyond, message) : result;
}

// Draws the region, in parts where its surfaces do not fit. `before`: by how much those of a region twice as large did
// not; where parts do not help much, the region is tried as it is.
static stijl_result draw_region(stijl_renderer *renderer, const stijl_scene *scene, const stijl_render_params *params,
                                stijl_irect canvas, const sj_render_job *job, uint64_t before, stijl_message *message) {
  stijl_result result = encode(renderer, scene, params, canvas, job->region, job->budget, true, message);
  encoding anew = {renderer, scene, params, canvas, job->region, job->budget};
  sj_render_job own = *job;
  own.encode = encode_anew;
  own.user = &anew;
  uint64_t beyond = result == STIJL_OK ? bytes_beyond(renderer) : renderer->scene.beyond ? UINT64_MAX : 0;
  bool divisible = k_max(job->region.x1 - job->region.x0, job->region.y1 - job->region.y0) > 1;
  bool halves = beyond && divisible && (before == UINT64_MAX || beyond < before - before / 8);
  renderer->frame.surfaces.limited = false;
  if (result == STIJL_OK && !halves) {
    result = draw_surfaces(renderer, job->background, message);
    // What filters take while they work was too much.
    halves = result != STIJL_OK && renderer->frame.surfaces.limited && divisible;
    if (halves) beyond = UINT64_MAX;
  }
  if (result == STIJL_OK && !halves) result = render(renderer, &own, params, message);
  sj_surfaces_finish(&renderer->scene);
  if (!halves) return result;
  sj_budget_refund(job->budget, renderer->scene.work);
  sj_frame_trim(&renderer->frame);
  return draw_halves(renderer, scene, params, canvas, job, beyond, message);
}

stijl_result sj_draw_alone(stijl_renderer *renderer, const stijl_scene *scene, const stijl_target *target,
                           const stijl_render_params *params, stijl_budget *budget, stijl_message *message) {
  stijl_irect canvas = {0, 0, target->width, target->height};
  sj_render_job job = gpu_job(renderer, scene, params, canvas);
  job.target = *target;
  job.budget = budget;
  return draw_region(renderer, scene, params, canvas, &job, UINT64_MAX, message);
}

// Draws what a block of a large canvas shows of the region; x, y is the block's first pixel of the canvas.
static stijl_result draw_block(stijl_renderer *renderer, const stijl_scene *scene, const stijl_render_params *params,
                               const sj_render_job *job, int x, int y, stijl_message *message) {
  stijl_irect whole = job->region, block = {0, 0, SJ_BLOCK_SIDE, SJ_BLOCK_SIDE};
  stijl_irect region = {k_max(whole.x0 - x, 0), k_max(whole.y0 - y, 0), k_min(whole.x1 - x, SJ_BLOCK_SIDE),
                        k_min(whole.y1 - y, SJ_BLOCK_SIDE)};
  double start = sj_now_ms();
  const stijl_scene *seen;
  stijl_result result =
      sj_block_scene(&renderer->blocks, scene, params->transform, x, y, region, job->budget, &seen, message);
  renderer->encode_ms += sj_now_ms() - start;
  if (result != STIJL_OK) return result;
  stijl_render_params own = *params;
  own.transform = stijl_matrix_identity();
  sj_render_job part = *job;
  part.region = part.target.region = region;
  part.target.width = part.target.height = SJ_BLOCK_SIDE;
  part.target.pixels = (unsigned char *)job->target.pixels + (size_t)(region.y0 + y - whole.y0) * job->target.stride +
                       (size_t)(region.x0 + x - whole.x0) * stijl_format_bytes(job->target.format);
  return draw_region(renderer, seen, &own, block, &part, UINT64_MAX, message);
}

// Draws a region of a large canvas. Blocks begin at multiples of their side.
static stijl_result draw_blocks(stijl_renderer *renderer, const stijl_scene *scene, const stijl_render_params *params,
                                const sj_render_job *job, stijl_message *message) {
  stijl_irect r = job->region;
  stijl_result result = STIJL_OK;
  renderer->frame.part_of = (uint64_t)(r.x1 - r.x0) * (uint64_t)(r.y1 - r.y0);
  for (int row = r.y0 / SJ_BLOCK_SIDE; row <= (r.y1 - 1) / SJ_BLOCK_SIDE; row++)
    for (int column = r.x0 / SJ_BLOCK_SIDE; column <= (r.x1 - 1) / SJ_BLOCK_SIDE && result == STIJL_OK; column++)
      result = draw_block(renderer, scene, params, job, column * SJ_BLOCK_SIDE, row * SJ_BLOCK_SIDE, message);
  renderer->frame.part_of = 0;
  return result;
}

static stijl_result begin(stijl_renderer *renderer, const stijl_scene *scene, const stijl_target *target,
                          const stijl_render_params *params, sj_render_job *job, stijl_message *message) {
  stijl_irect region = target->region;
  stijl_result result = sj_find_region(target->width, target->height, target->format, &region, message);
  if (result != STIJL_OK) return result;
  *job = gpu_job(renderer, scene, params, region);
  job->target = *target;
  result = begin_budget(renderer, scene, params, region, &job->budget, message);
  return result == STIJL_OK ? STIJL_OK : sj_end_budget(renderer, job->budget, result, message);
}

stijl_result sj_renderer_begin(stijl_renderer *renderer, const stijl_scene *scene, const stijl_target *target,
                               const stijl_render_params *params, sj_render_job *job, stijl_message *message) {
  stijl_irect canvas = {0, 0, target->width, target->height};
  stijl_result result = check_call(renderer, scene, target, params, message);
  if (result == STIJL_OK) result = sj_refuse_large(target->width, target->height, message);
  if (result == STIJL_OK) result = begin(renderer, scene, target, params, job, message);
  if (result != STIJL_OK) return result;
  result = encode(renderer, scene, params, canvas, job->region, job->budget, false, message);
  return result == STIJL_OK ? STIJL_OK : sj_renderer_end(renderer, job, result, message);
}

stijl_result sj_renderer_surfaces(stijl_renderer *renderer, const sj_render_job *job, stijl_message *message) {
  return draw_surfaces(renderer, job->background, message);
}

stijl_result sj_renderer_end(stijl_renderer *renderer, const sj_render_job *job, stijl_result result,
                             stijl_message *message) {
  sj_surfaces_finish(&renderer->scene);
  return sj_end_budget(renderer, job->budget, result, message);
}

stijl_result stijl_render(stijl_renderer *renderer, const stijl_scene *scene, const stijl_target *target,
                          const stijl_render_params *params, stijl_message *message) {
  if (message) message->text[0] = 0;
  params = SJ_PARAMS(stijl_render_params, STIJL_RENDER_PARAMS_INIT, params, message);
  if (!params) return STIJL_ERROR_INVALID_ARGUMENT;
  stijl_result checked = check_call(renderer, scene, target, params, message);
  if (checked != STIJL_OK) return checked;
  target = SJ_PARAMS(stijl_target, STIJL_TARGET_INIT, target, message);
  if (!target) return STIJL_ERROR_INVALID_ARGUMENT;
  checked = sj_check_pixels(target, message);
  if (checked != STIJL_OK) return checked;
  sj_render_job job;
  stijl_result result = begin(renderer, scene, target, params, &job, message);
  if (result != STIJL_OK) return result;
  stijl_irect canvas = {0, 0, target->width, target->height};
  result = is_large(target->width, target->height)
               ? draw_blocks(renderer, scene, params, &job, message)
               : draw_region(renderer, scene, params, canvas, &job, UINT64_MAX, message);
  return sj_end_budget(renderer, job.budget, result, message);
}

stijl_result sj_check_semaphores(const stijl_vulkan_frame *frame, stijl_message *message) {
  if (frame->wait_count > STIJL_VULKAN_MAX_SEMAPHORES || frame->signal_count > STIJL_VULKAN_MAX_SEMAPHORES)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "more than %d semaphores of one kind",
                   STIJL_VULKAN_MAX_SEMAPHORES);
  if ((frame->wait_count && !frame->wait) || (frame->signal_count && !frame->signal))
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "semaphores are counted, but not given");
  return STIJL_OK;
}

stijl_result stijl_vulkan_render(stijl_renderer *renderer, const stijl_scene *scene, const stijl_vulkan_target *target,
                                 const stijl_render_params *params, const stijl_vulkan_frame *frame,
                                 stijl_message *message) {
  if (message) message->text[0] = 0;
  params = SJ_PARAMS(stijl_render_params, STIJL_RENDER_PARAMS_INIT, params, message);
  if (!params) return STIJL_ERROR_INVALID_ARGUMENT;
  stijl_result checked = check_call(renderer, scene, target, params, message);
  if (checked != STIJL_OK) return checked;
  if (!renderer->gpu) return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "the renderer draws on the CPU");
  target = SJ_PARAMS(stijl_vulkan_target, STIJL_VULKAN_TARGET_INIT, target, message);
  frame = SJ_PARAMS(stijl_vulkan_frame, STIJL_VULKAN_FRAME_INIT, frame, message);
  if (!target || !frame) return STIJL_ERROR_INVALID_ARGUMENT;
  stijl_irect region = target->region;
  checked = sj_find_region(target->width, target->height, target->format, &region, message);
  if (checked == STIJL_OK) checked = sj_refuse_large(target->width, target->height, message);
  if (checked != STIJL_OK) return checked;
  checked = sj_check_semaphores(frame, message);
  if (checked != STIJL_OK) return checked;
  stijl_irect canvas = {0, 0, target->width, target->height};
  stijl_budget *budget;
  stijl_result result = begin_budget(renderer, scene, params, region, &budget, message);
  if (result == STIJL_OK) result = encode(renderer, scene, params, canvas, region, budget, true, message);
  encoding anew = {renderer, scene, params, canvas, region, budget};
  sj_render_job job = gpu_job(renderer, scene, params, region);
  job.encode = encode_anew;
  job.user = &anew;
  if (result == STIJL_OK) result = draw_surfaces(renderer, job.background, message);
  job.vulkan_target = target;
  job.frame = frame;
  job.budget = budget;
  if (result == STIJL_OK) result = sj_gpu_render(renderer->gpu, &job, message);
  sj_surfaces_finish(&renderer->scene);
  return sj_end_budget(renderer, job.budget, result, message);
}

stijl_result stijl_vulkan_finish(stijl_renderer *renderer, bool *painted, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!renderer || !painted) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "renderer or result missing");
  if (!renderer->gpu) return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "the renderer draws on the CPU");
  return sj_gpu_finish(renderer->gpu, painted, message);
}

static uint64_t encoded_bytes(const sj_encoded *e) {
  return e->draws.capacity * sizeof *e->draws.data + e->paints.capacity * sizeof *e->paints.data +
         e->pens.capacity * sizeof *e->pens.data + e->glyphs.capacity * sizeof *e->glyphs.data +
         e->instances.capacity * sizeof *e->instances.data + e->runs.capacity * sizeof *e->runs.data;
}

void stijl_renderer_stats(const stijl_renderer *renderer, stijl_render_stats *out) {
  if (!renderer || !out) return;
  const sj_frame *frame = &renderer->frame;
  stijl_render_stats stats = {.size = sizeof stats,
                              .encode_ms = renderer->encode_ms,
                              .render_ms = renderer->render_ms,
                              .flatten_ms = frame->flatten_ms,
                              .lines = frame->lines,
                              .draws = (uint32_t)renderer->scene.draws.count,
                              .bands = (uint32_t)frame->bands,
                              .scratch_bytes = sj_frame_scratch_bytes(frame) + encoded_bytes(&renderer->scene)};
  if (renderer->gpu) {
    stats.lines = 0;
    stats.flatten_ms = 0.0;
    sj_gpu_stats(renderer->gpu, &stats);
  }
  SJ_WRITE(stijl_render_stats, out, &stats);
}

stijl_result stijl_renderer_repeat(stijl_renderer *renderer, uint32_t frames, double *us, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!renderer || !us) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "renderer or result missing");
  if (!renderer->gpu) return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "only a GPU repeats frames by itself");
  return sj_gpu_repeat(renderer->gpu, frames, us, message);
}
