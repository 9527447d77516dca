// A frame on the GPU.
#include <string.h>

#include "base/clock.h"
#include "base/irect.h"
#include "base/trial.h"
#include "gpu/batch.h"
#include "gpu/chain.h"
#include "gpu/filters.h"
#include "gpu/flight.h"
#include "gpu/ramps.h"
#include "gpu/readback.h"
#include "gpu/record.h"
#include "gpu/resident.h"
#include "gpu/state.h"
#include "gpu/submit.h"
#include "gpu/upload.h"
#include "kernel/coverage.h"
#include "kernel/paint.h"
#include "scene/watch.h"

#define MAX_TARGET_BYTES ((VkDeviceSize)128 << 20)  // the pixels of a band
// Of many pictures, whose draws would have to be sorted into bands: 10,000 of 64 x 64 are one.
#define MAX_PICTURES_BYTES ((VkDeviceSize)256 << 20)

// --- Making and ending ---

static stijl_result make_commands(sj_gpu *gpu, stijl_message *message) {
  stijl_result result = sj_vk_commands_create(&gpu->vk, SJ_GPU_COMMANDS, &gpu->commands, message);
  if (result == STIJL_OK) result = sj_vk_commands_create(&gpu->vk, SJ_GPU_COMMANDS, &gpu->other.commands, message);
  for (int i = 0; i < SJ_VK_SETS && result == STIJL_OK; i++) {
    result = sj_vk_timer_create(&gpu->vk, SJ_STAGES + 2, &gpu->timers[i], message);
    if (result == STIJL_OK) result = sj_vk_timer_create(&gpu->vk, 2, &gpu->filters.timers[i], message);
  }
  return result == STIJL_OK ? sj_readback_init(&gpu->vk, &gpu->readback, message) : result;
}

stijl_result sj_gpu_create(stijl_context *context, const stijl_renderer_params *params,
                           const stijl_vulkan_device *device, const sj_pipelines_change *change, sj_pool *threads,
                           sj_gpu **out, stijl_message *message) {
  *out = NULL;
  sj_gpu *gpu = sj_alloc_zero(context, sizeof *gpu);
  if (!gpu) return sj_fail_memory(message);
  gpu->context = context;
  gpu->threads = threads;
  gpu->parts = (sj_batch_parts){.context = context, .pool = sj_pool_threads(threads) > 1 ? threads : NULL};
  gpu->max_layer_bytes = params->max_layer_bytes;
  sj_vk_needs needs;
  stijl_result result = sj_gpu_needs(context, &needs, message);
  if (result == STIJL_OK)
    result = device ? sj_vk_adopt(&gpu->vk, context, device, &needs, message)
                    : sj_vk_open(&gpu->vk, context, params->device, params->device_name, &needs, message);
  if (result != STIJL_OK) {
    sj_free(context, gpu);
    return result;
  }
  static const struct {
    const char *name;
    sj_buffer_kind kind;
  } buffers[SJ_BUFFERS] = {
      [SJ_POINTS] = {"points", SJ_BUFFER_UPLOAD},     [SJ_SEGMENTS] = {"segments", SJ_BUFFER_UPLOAD},
      [SJ_RAMPS] = {"ramps", SJ_BUFFER_UPLOAD},       [SJ_TEXELS] = {"texels", SJ_BUFFER_UPLOAD},
      [SJ_FRAME] = {"draws", SJ_BUFFER_UPLOAD},       [SJ_SCRATCH] = {"lists", SJ_BUFFER_DEVICE},
      [SJ_MARKS] = {"marks", SJ_BUFFER_DEVICE},       [SJ_WORDS] = {"words", SJ_BUFFER_DEVICE},
      [SJ_BINS] = {"bins", SJ_BUFFER_DEVICE},         [SJ_TILES] = {"tiles", SJ_BUFFER_DEVICE},
      [SJ_SUMS] = {"sums", SJ_BUFFER_DEVICE},         [SJ_CARRIES] = {"carries", SJ_BUFFER_DEVICE},
      [SJ_COVERAGE] = {"coverage", SJ_BUFFER_DEVICE}, [SJ_EDGES] = {"edges", SJ_BUFFER_DEVICE},
      [SJ_TAGS] = {"tags", SJ_BUFFER_DEVICE},         [SJ_COMMANDS] = {"commands", SJ_BUFFER_DEVICE},
      [SJ_TARGET] = {"target", SJ_BUFFER_DEVICE},     [SJ_SPILL] = {"layers", SJ_BUFFER_DEVICE},
      [SJ_ITEMS] = {"filters", SJ_BUFFER_UPLOAD},     [SJ_READBACK] = {"readback", SJ_BUFFER_READBACK}};
  _Static_assert(SJ_BUFFERS <= STIJL_MAX_BUFFERS, "sj_gpu_stats tells of each");
  for (int i = 0; i < SJ_BUFFERS; i++) gpu->buffers[i] = (sj_buffer){.name = buffers[i].name, .kind = buffers[i].kind};
  gpu->other.frame = gpu->buffers[SJ_FRAME];
  gpu->other.readback = gpu->buffers[SJ_READBACK];
  // Tests make storage ranges and the first buffers small.
  gpu->max_range = sj_trial_number("range", gpu->vk.properties.limits.maxStorageBufferRange);
  gpu->first_tiles = (uint32_t)sj_trial_number("tiles", SJ_FIRST_TILES);
  gpu->max_turns = (uint32_t)k_min(sj_trial_number("turns", SJ_VK_MAX_TURNS), SJ_VK_MAX_TURNS);
  gpu->first_shares = (uint32_t)k_min(sj_trial_number("shares", 1), G_MAX_SHARES);
  gpu->max_windings = (uint32_t)k_min(sj_trial_number("windings", K_SUM_LINES), K_SUM_LINES);
  result = sj_pipelines_init(&gpu->vk, change, &gpu->pipelines, message);
  if (result == STIJL_OK) result = make_commands(gpu, message);
  if (result == STIJL_OK) result = sj_resident_init(gpu, message);
  sj_ramps_init(gpu);
  if (result != STIJL_OK) {
    sj_gpu_destroy(gpu);
    return result;
  }
  *out = gpu;
  return STIJL_OK;
}

static void destroy_objects(sj_gpu *gpu) {
  sj_vk *vk = &gpu->vk;
  sj_transfer_finish(vk, &gpu->transfer);
  sj_gpu_filters_finish(gpu);
  sj_resident_finish(gpu);
  sj_ramps_finish(gpu);
  for (int i = 0; i < SJ_BUFFERS; i++) sj_buffer_finish(vk, &gpu->buffers[i]);
  sj_pipelines_finish(vk, &gpu->pipelines);
  sj_readback_finish(vk, &gpu->readback);
  for (int i = 0; i < SJ_VK_SETS; i++) sj_vk_timer_destroy(vk, &gpu->timers[i]);
  sj_vk_commands_destroy(vk, &gpu->commands);
  sj_vk_commands_destroy(vk, &gpu->other.commands);
  sj_buffer_finish(vk, &gpu->other.frame);
  sj_buffer_finish(vk, &gpu->other.readback);
  sj_vk_close(vk);
}

void sj_gpu_destroy(sj_gpu *gpu) {
  if (!gpu) return;
  sj_flight_settle(gpu, NULL);
  sj_flight_settle_other(gpu, NULL);
  if (!gpu->vk.stuck) destroy_objects(gpu);
  sj_places_finish(gpu->context, &gpu->places);
  sj_pairs_finish(gpu->context, &gpu->resident.numbers);
  sj_arrays_finish(gpu->context, &gpu->resident.own, &gpu->resident.firsts, &gpu->resident.changed);
  sj_arrays_finish(gpu->context, &gpu->resident.sources, &gpu->resident.transforms, &gpu->resident.pens,
                   &gpu->resident.paints, &gpu->resident.slots, &gpu->resident.pen_uses, &gpu->resident.paint_uses);
  sj_arrays_finish(gpu->context, &gpu->band_draws, &gpu->origins, &gpu->open_records, &gpu->image_texels,
                   &gpu->image_batch, &gpu->ramp_batch, &gpu->ramp_places, &gpu->bin_turns, &gpu->parts.sums);
  sj_free(gpu->context, gpu);
}

const char *sj_gpu_name(const sj_gpu *gpu) { return gpu->vk.properties.deviceName; }

// --- Frames ---

// What a frame's passes have in common.
typedef struct {
  sj_batch_limits limits;
  double crop_us;
} passes;

// Returns how many rows of a region fit the device at a time.
static int rows_at_once(const sj_gpu *gpu, stijl_irect region, uint32_t stride, bool pictures) {
  VkDeviceSize most = k_min(gpu->max_range, pictures ? MAX_PICTURES_BYTES : MAX_TARGET_BYTES);
  uint64_t fits = most / ((uint64_t)stride * 4), height = (uint64_t)(region.y1 - region.y0);
  fits = k_min(fits, sj_transfer_rows(&gpu->transfer, gpu->max_range));
  if (fits >= ((height + G_TILE - 1) & ~(uint64_t)(G_TILE - 1))) return (int)height;
  fits &= ~(uint64_t)(G_TILE - 1);
  return fits ? (int)fits : 1;
}

// Adds the draws of the target's pictures in the band, each with its picture's origin. Where the band is `whole` they
// are all draws, as they are.
static bool take_pictures(sj_gpu *gpu, const sj_band *band, bool whole) {
  const sj_encoded *scene = band->job->scene;
  gpu->origins.count = 0;
  for (size_t i = 0; i < scene->pictures.count; i++) {
    const sj_placed *picture = &scene->pictures.data[i];
    sj_origin origin = {band->region.x0 - picture->place.x0, band->region.y0 - picture->place.y0};
    uint32_t draws = picture->end - picture->first, before = (uint32_t)gpu->band_draws.count;
    if (sj_irect_is_empty(sj_irect_intersect(picture->place, band->region))) continue;
    if (!whole) {
      if (!sj_encoded_crop(gpu->context, scene, picture->first, picture->end, band->region, &gpu->band_draws))
        return false;
      draws = (uint32_t)gpu->band_draws.count - before;
    }
    if (!sj_array_reserve(gpu->context, &gpu->origins, draws)) return false;
    for (uint32_t k = 0; k < draws; k++) gpu->origins.data[gpu->origins.count++] = origin;
  }
  return true;
}

// Sets gpu->scene to the pass' draws in the band.
static bool take_draws(sj_gpu *gpu, const sj_band *band, const k_pass *pass) {
  const sj_encoded *scene = band->job->scene;
  bool whole = pass->surface == K_TARGET && sj_irect_equal(band->region, band->job->region);
  gpu->scene = *scene;
  gpu->scene.draws.count = pass->end;
  gpu->depth = pass->depth;
  gpu->band_draws.count = 0;
  gpu->on_sheet = pass->surface == K_TARGET && scene->pictures.count;
  if (gpu->on_sheet && !take_pictures(gpu, band, whole)) return false;
  if (whole) return true;
  // Pops name their pushes by numbers that count from the first draw of the list.
  if (!gpu->on_sheet && !sj_encoded_crop(gpu->context, scene, pass->first, pass->end, band->region, &gpu->band_draws))
    return false;
  gpu->scene.draws = gpu->band_draws;
  return true;
}

// Draws gpu->scene's draws in a band.
static stijl_result draw_band(sj_gpu *gpu, sj_band *band, passes *p, bool *split, stijl_message *message) {
  stijl_result result = gpu->images_paged ? sj_check_images(gpu, band->job->scene, message) : STIJL_OK;
  if (result != STIJL_OK) return result;
  sj_batch_limits limits = p->limits;
  if (!sj_limit_bins(gpu, band, &limits)) return sj_fail_memory(message);
  result = sj_run_band(gpu, band, &limits, split, message);
  p->limits.number = limits.number;  // numbers of batches go on from band to band
  if (result == STIJL_OK && *split) {
    sj_set_fresh(gpu);
    gpu->chain.possible = false;
  }
  if (result == STIJL_OK && !*split) gpu->bands++;
  return result;
}

// Draws the target of a job whose draws the device encodes. *drawn is false where the processor has to do so.
static stijl_result draw_resident(sj_gpu *gpu, const sj_render_job *job, const passes *p, bool *drawn,
                                  stijl_message *message) {
  uint32_t stride = sj_target_stride(job->region);
  *drawn = false;
  if (rows_at_once(gpu, job->region, stride, false) < job->region.y1 - job->region.y0) return STIJL_OK;
  sj_band band = {.job = job,
                  .region = job->region,
                  .stride = stride,
                  .buffer = SJ_TARGET,
                  .bytes = sj_target_bytes(job->region),
                  .pixels = job->vulkan_target ? NULL : job->target.pixels,
                  .in_flight = job->frame && job->frame->in_flight && !job->keep && !gpu->crowded};
  sj_batch_limits limits = p->limits;
  if (!take_draws(gpu, &band, sj_target_pass(job->scene)) || !sj_limit_bins(gpu, &band, &limits))
    return sj_fail_memory(message);
  stijl_result result = sj_run_resident(gpu, &band, &limits, drawn, message);
  if (*drawn) gpu->bands++;
  return result;
}

// Draws a pass: the region of the job, on its target, or a surface, which is at `place` in SJ_TEXELS.
static stijl_result draw_pass(sj_gpu *gpu, const sj_render_job *job, const k_pass *pass, const sj_place *place,
                              passes *p, stijl_message *message) {
  bool on_target = pass->surface == K_TARGET;
  uint32_t stride = on_target ? sj_target_stride(job->region) : place->stride;
  VkDeviceSize first = on_target ? 0 : 4 * (VkDeviceSize)place->first;
  int rows = rows_at_once(gpu, job->region, stride, on_target && job->scene->pictures.count);
  for (int y = job->region.y0; y < job->region.y1;) {
    sj_band band = {.job = job, .region = job->region, .stride = stride, .loaded = !on_target};
    band.region.y0 = y;
    if (rows < job->region.y1 - y) band.region.y1 = y + rows;
    band.buffer = on_target ? SJ_TARGET : SJ_TEXELS;
    band.first = on_target ? 0 : first + (VkDeviceSize)(y - job->region.y0) * band.stride * 4;
    band.bytes = sj_target_bytes(band.region) + (VkDeviceSize)(stride - sj_target_stride(band.region)) * 4 *
                                                    (sj_row_stride(band.region.y1 - band.region.y0) - 1);
    if (on_target && !job->vulkan_target)
      band.pixels = (unsigned char *)job->target.pixels + (size_t)(y - job->region.y0) * job->target.stride;
    band.in_flight =
        job->frame && job->frame->in_flight && !job->keep && band.region.y1 == job->region.y1 && !gpu->crowded;
    double before = sj_now_us();
    if (!take_draws(gpu, &band, pass)) return sj_fail_memory(message);
    p->crop_us += sj_now_us() - before;
    bool split;
    stijl_result result = draw_band(gpu, &band, p, &split, message);
    gpu->on_sheet = false;
    if (result != STIJL_OK) return result;
    if (split) {
      if (rows <= G_TILE)
        return sj_fail(message, STIJL_ERROR_LIMIT,
                       "16 rows of one draw need more than the device's storage ranges (%llu bytes), or than "
                       "max_layer_bytes for the layers around it",
                       (unsigned long long)gpu->max_range);
      rows = k_min(rows, band.region.y1 - band.region.y0);
      rows = rows > 2 * G_TILE ? rows / 2 & ~(G_TILE - 1) : G_TILE;
      continue;
    }
    y = band.region.y1;
  }
  return STIJL_OK;
}

// Draws a surface where the frame's later passes sample it.
static stijl_result draw_surface(sj_gpu *gpu, const sj_render_job *job, const k_pass *pass, passes *p,
                                 stijl_message *message) {
  const sj_place *place = &gpu->places.places.data[pass->surface];
  sj_render_job own = {.scene = job->scene,
                       .region = place->box,
                       .background = pass->flags & K_PASS_BACKGROUND ? job->background : 0,
                       .keep = pass->flags & K_PASS_CONTINUES,
                       .budget = job->budget};
  return draw_pass(gpu, &own, pass, place, p, message);
}

// Sets gpu->scene to the draws of all passes of a sheet.
static bool take_sheet(sj_gpu *gpu, const sj_encoded *scene, const sj_sheet *sheet) {
  if (!sj_sheet_draws(gpu->context, scene, &gpu->places, sheet, &gpu->band_draws, &gpu->origins, &gpu->depth))
    return false;
  gpu->scene = *scene;
  gpu->scene.draws = gpu->band_draws;
  return true;
}

// Draws all surfaces of a sheet, together if they have room.
static stijl_result draw_sheet(sj_gpu *gpu, const sj_render_job *job, const sj_sheet *sheet, passes *p,
                               stijl_message *message) {
  const sj_place *place = &gpu->places.places.data[sheet->place];
  sj_render_job own = {.scene = job->scene, .region = place->box, .budget = job->budget};
  sj_band band = {.job = &own,
                  .region = place->box,
                  .stride = place->stride,
                  .buffer = SJ_TEXELS,
                  .first = 4 * (VkDeviceSize)place->first,
                  .bytes = 4 * (VkDeviceSize)place->stride * (uint32_t)place->box.y1};
  bool split = rows_at_once(gpu, place->box, place->stride, false) < place->box.y1;
  if (!split) {
    if (!take_sheet(gpu, job->scene, sheet)) return sj_fail_memory(message);
    gpu->on_sheet = true;
    stijl_result result = draw_band(gpu, &band, p, &split, message);
    gpu->on_sheet = false;
    if (result != STIJL_OK || !split) return result;
  }
  stijl_result result = STIJL_OK;
  for (uint32_t i = sheet->first; i < sheet->end && result == STIJL_OK; i++)
    result = draw_surface(gpu, job, &job->scene->passes.data[gpu->places.sheet_passes.data[i]], p, message);
  return result;
}

static double stages_us(const sj_gpu *gpu) {
  double us = 0.0;
  for (int i = 0; i < SJ_STAGES; i++) us += gpu->stage_us[i];
  return us;
}

// Draws all surfaces, level by level: those that the stages draw, a submission each at least, then what filters make.
static stijl_result draw_surfaces(sj_gpu *gpu, const sj_render_job *job, passes *p, stijl_message *message) {
  const sj_encoded *scene = job->scene;
  const sj_places *places = &gpu->places;
  const stijl_vulkan_target *target = gpu->transfer.target;
  gpu->transfer.target = NULL;
  stijl_result result = sj_gpu_filters_begin(gpu, message);
  size_t sheet = 0;
  sj_watch_passes(scene, NULL, 0, 0);
  for (size_t i = 0, level = 0; level < places->level_count; level++) {
    for (; sheet < places->sheets.count && places->sheets.data[sheet].level == level; sheet++)
      if (result == STIJL_OK) {
        const sj_sheet *s = &places->sheets.data[sheet];
        result = draw_sheet(gpu, job, s, p, message);
        sj_watch_passes(scene, &places->sheet_passes.data[s->first], s->end - s->first, stages_us(gpu));
      }
    for (; i < places->order.count && places->levels.data[places->order.data[i]] == level; i++) {
      const k_pass *pass = &scene->passes.data[places->order.data[i]];
      bool alone = !pass->filter_use && places->places.data[pass->surface].sheet == SJ_NO_PLACE;
      if (result != STIJL_OK || !alone) continue;
      result = draw_surface(gpu, job, pass, p, message);
      sj_watch_passes(scene, &places->order.data[i], 1, stages_us(gpu));
    }
    if (result == STIJL_OK) result = sj_gpu_filters_record(gpu, level, message);
  }
  gpu->transfer.target = target;
  return result;
}

// Draws all passes, whose statistics begin anew.
static stijl_result draw_passes(sj_gpu *gpu, const sj_render_job *job, passes *p, stijl_message *message) {
  gpu->dispatches = gpu->submits = gpu->batches = gpu->bands = 0;
  gpu->latency_us = gpu->encode_us = 0.0;
  memset(gpu->stage_us, 0, sizeof gpu->stage_us);
  gpu->filters.us = 0.0;
  memset(gpu->filters.timed, 0, sizeof gpu->filters.timed);
  gpu->chain.count = 0;
  gpu->chain.frame_bytes = gpu->chain.wanted = 0;
  gpu->links = 0;
  *p = (passes){.limits = sj_plan_limits(gpu->max_range)};
  p->limits.turns = gpu->max_turns;
  p->limits.windings = gpu->max_windings;
  p->limits.chunk = gpu->pipelines.chunk > 8 ? gpu->pipelines.chunk : 8;
  if (gpu->images_paged) p->limits.images.batch_of = gpu->image_batch.data;
  if (gpu->ramps_paged) p->limits.ramps.batch_of = gpu->ramp_batch.data;
  if (gpu->images_paged) memset(gpu->image_batch.data, 0, gpu->image_batch.count * sizeof *gpu->image_batch.data);
  if (gpu->ramps_paged) memset(gpu->ramp_batch.data, 0, gpu->ramp_batch.count * sizeof *gpu->ramp_batch.data);
  stijl_result result = gpu->own_surfaces ? draw_surfaces(gpu, job, p, message) : STIJL_OK;
  if (result == STIJL_OK && job->scene->resident) {
    bool drawn;
    result = draw_resident(gpu, job, p, &drawn, message);
    if (result != STIJL_OK || drawn) return result;
    sj_resident_decline(&gpu->resident);
    result = job->encode(job->user, message);
  }
  if (result != STIJL_OK) return result;
  const k_pass *pass = sj_target_pass(job->scene);
  sj_render_job target = *job;
  if (!(pass->flags & K_PASS_BACKGROUND)) target.background = 0;
  return draw_pass(gpu, &target, pass, NULL, p, message);
}

// Draws all passes by one submission, if the frame before tells that they have room. Else, or where it turns out that
// they have not, *drawn is false.
static stijl_result draw_chain(sj_gpu *gpu, const sj_render_job *job, passes *p, bool *drawn, stijl_message *message) {
  sj_chain *chain = &gpu->chain;
  *drawn = false;
  stijl_result result = sj_chain_open(gpu, job, message);
  if (result != STIJL_OK || !chain->open) return result;
  stijl_message why;
  result = draw_passes(gpu, job, p, &why);
  sj_chain_close(gpu);
  *drawn = result == STIJL_OK;
  chain->whole = *drawn && gpu->batches == gpu->links + 1;
  if (*drawn) return STIJL_OK;
  if (result != SJ_CHAIN_BROKEN) return sj_fail(message, result, "%s", why.text);
  gpu->retries++;
  gpu->links = 0;
  gpu->recording = gpu->filters.recorded = false;
  sj_vk_commands_reset(&gpu->vk, &gpu->commands);
  sj_set_fresh(gpu);
  return STIJL_OK;
}

static stijl_result render(sj_gpu *gpu, const sj_render_job *job, stijl_message *message) {
  double start = sj_now_us();
  gpu->retries = 0;
  stijl_result result = sj_upload_scene(gpu, job->scene, message);
  if (result == STIJL_OK && !gpu->capacity.tiles) result = sj_grow_first(gpu, message);
  passes p = {0};
  bool drawn = false;
  if (result == STIJL_OK) result = draw_chain(gpu, job, &p, &drawn, message);
  sj_chain *chain = &gpu->chain;
  if (result == STIJL_OK && !drawn) {
    chain->possible = true;
    result = draw_passes(gpu, job, &p, message);
    if (!chain->possible || gpu->batches > SJ_MAX_LINKS + 1) chain->wanted = 0;
  }
  if (result != STIJL_OK) return result;
  if (gpu->batches == 1 || chain->whole) gpu->crowded = false;
  gpu->encode_ms = p.crop_us * 1e-3;
  gpu->render_ms = (sj_now_us() - start - p.crop_us) * 1e-3;
  return STIJL_OK;
}

// Renders a frame, and signals its semaphores, unless its last submission is left in flight and will signal them.
static stijl_result render_to(sj_gpu *gpu, const sj_render_job *job, stijl_message *message) {
  gpu->transfer.target = NULL;
  stijl_result result = STIJL_OK;
  if (job->vulkan_target)
    result = sj_transfer_begin(&gpu->vk, &gpu->pipelines.cache, &gpu->transfer, job->vulkan_target, job->region,
                               job->keep, job->clamp, message);
  gpu->wait = result == STIJL_OK ? job->frame : NULL;
  if (result == STIJL_OK) result = render(gpu, job, message);
  if (result != STIJL_OK || gpu->in_flight || !job->frame || !job->frame->signal_count) return result;
  VkResult signalled = sj_submit_signal(gpu, job->frame);
  return signalled == VK_SUCCESS ? STIJL_OK : sj_vk_fail(message, signalled, "signalling semaphores");
}

stijl_result sj_gpu_render(sj_gpu *gpu, const sj_render_job *job, stijl_message *message) {
  stijl_result result = sj_flight_take_off(gpu, job, message);
  if (result == STIJL_OK) result = render_to(gpu, job, message);
  gpu->wait = NULL;
  if (result != STIJL_OK) {
    gpu->chain = (sj_chain){0};
    gpu->links = 0;
    sj_flight_reset(gpu);
    gpu->scene_arrays = 0;  // how much of the scene the device has is not known
    gpu->resident.arrays = 0;
    gpu->filters.written = 0;
    sj_set_fresh(gpu);
    gpu->batches = 0;
  }
  return result;
}

void sj_gpu_stats(const sj_gpu *gpu, stijl_render_stats *stats) {
  stats->encode_ms += gpu->encode_ms;
  stats->render_ms = gpu->render_ms;
  stats->draws = (uint32_t)gpu->scene.draws.count;
  stats->bands = gpu->bands;
  stats->dispatches = gpu->dispatches;
  stats->submits = gpu->submits;
  stats->retries = gpu->retries;
  stats->latency_us = gpu->latency_us;
  stats->stage_count = SJ_STAGES;
  for (int i = 0; i < SJ_STAGES; i++) stats->stages[i] = (stijl_stage){sj_stage_name((sj_stage)i), gpu->stage_us[i]};
  if (gpu->encode_us > 0.0) stats->stages[stats->stage_count++] = (stijl_stage){"encode", gpu->encode_us};
  if (gpu->filters.us > 0.0 && stats->stage_count < STIJL_MAX_STAGES)
    stats->stages[stats->stage_count++] = (stijl_stage){"filters", gpu->filters.us};
  stats->buffer_count = SJ_BUFFERS;
  stats->scratch_bytes = 0;
  for (int i = 0; i < SJ_BUFFERS; i++) {
    // Those of the other frame as well.
    uint64_t other = i == SJ_FRAME ? gpu->other.frame.bytes : i == SJ_READBACK ? gpu->other.readback.bytes : 0;
    if (i == SJ_FRAME) other += gpu->resident.buffer.bytes;
    if (i == SJ_RAMPS) other += gpu->ramps.buffer.bytes;
    stats->buffers[i] = (stijl_buffer_use){gpu->buffers[i].name, gpu->buffers[i].bytes + other};
    stats->scratch_bytes += stats->buffers[i].bytes;
  }
}
