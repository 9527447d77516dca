// Makes a batch ready to be recorded: its plan, memory, pipelines and arrays.
#include "gpu/prepare.h"

#include <string.h>

#include "gpu/flight.h"
#include "gpu/record.h"
#include "gpu/resident.h"
#include "gpu/upload.h"
#include "kernel/paint.h"

#define FEW_BINS 1024u

static sj_frame_layout layout_frame(const sj_batch *batch, const sj_resident *resident, VkDeviceSize begin) {
  sj_frame_layout l = {.pens = begin};
  size_t draws = batch->end - batch->first;
  l.paints = begin + sj_vk_align(batch->pen_count * sizeof(k_pen));
  l.uses = l.paints + sj_vk_align(batch->paint_count * sizeof(k_paint));
  l.paths = l.uses + (batch->resident ? sj_vk_align(sj_resident_words(resident) * sizeof(uint32_t)) : 0);
  l.records = l.paths + sj_vk_align(draws * sizeof(g_path));
  l.blocks = l.records + sj_vk_align(draws * sizeof(g_record));
  l.totals = l.blocks + sj_vk_align(sj_block_count(batch) * sizeof(uint32_t));
  l.end = l.totals + (batch->resident ? sj_vk_align(G_TOTAL_QUADS * 4 * sizeof(uint32_t)) : 0);
  return l;
}

// Writes the paints. `out` is memory that the processor reads over the bus, which takes a microsecond each time, so it
// is only written.
static void write_paints(const sj_gpu *gpu, const sj_batch *batch, k_paint *out) {
  for (uint32_t i = 0; i < batch->paint_count; i++) {
    k_paint paint = gpu->scene.paints.data[batch->paint + i];
    uint32_t source = paint.source;
    if (paint.kind == K_PAINT_IMAGE) {
      bool drawn = gpu->own_surfaces && source >= gpu->scene.scene_image_count;
      paint.source = gpu->image_texels.data[source];
      paint.stride =
          drawn ? gpu->places.places.data[source - gpu->scene.scene_image_count].stride : (uint32_t)paint.width;
    } else {
      paint.source = gpu->ramp_places.data[source] * K_RAMP_SIZE;
    }
    out[i] = paint;
  }
}

static stijl_result write_frame(sj_gpu *gpu, stijl_irect region, const sj_batch *batch, const sj_frame_layout *l,
                                stijl_message *message) {
  stijl_result result = sj_reserve(gpu, SJ_FRAME, l->end, message);
  if (result != STIJL_OK) return result;
  unsigned char *base = gpu->buffers[SJ_FRAME].mapped;
  write_paints(gpu, batch, (k_paint *)(void *)(base + l->paints));
  if (batch->resident) {
    if (batch->pen_count) memcpy(base + l->pens, gpu->scene.pens.data, batch->pen_count * sizeof(k_pen));
    sj_resident_write(&gpu->resident, (uint32_t *)(void *)(base + l->uses));
    return STIJL_OK;
  }
  gpu->open_records.count = 0;
  if (!sj_array_reserve(gpu->context, &gpu->open_records, batch->depth)) return sj_fail_memory(message);
  const sj_origin *origins = gpu->on_sheet && gpu->origins.count ? gpu->origins.data + batch->first : NULL;
  sj_batch_arrays arrays = {origins,
                            gpu->open_records.data,
                            (g_record *)(void *)(base + l->records),
                            (g_path *)(void *)(base + l->paths),
                            (k_pen *)(void *)(base + l->pens),
                            (uint32_t *)(void *)(base + l->blocks)};
  sj_batch_write(&gpu->scene, region, batch, &gpu->parts, &arrays);
  return STIJL_OK;
}

static stijl_result reserve_buffers(sj_gpu *gpu, const sj_band *band, const sj_batch *batch, const g_params *params,
                                    stijl_message *message) {
#define BYTES(binding) sj_plan_bytes(binding, params, batch)
  const struct {
    int buffer;
    VkDeviceSize bytes;
  } sizes[] = {{SJ_SCRATCH, SJ_LISTS_OFFSET + BYTES(G_LISTS)},
               {SJ_MARKS, BYTES(G_MARKS)},
               {SJ_WORDS, BYTES(G_WORDS)},
               {SJ_BINS, BYTES(G_BINS)},
               {SJ_CARRIES, BYTES(G_CARRIES)},
               {SJ_TARGET, band->buffer == SJ_TARGET && !gpu->recorded.direct ? band->bytes : 0},
               {SJ_READBACK, SJ_PIXELS_OFFSET + (band->pixels ? band->bytes : 0)}};
#undef BYTES
  stijl_result result = STIJL_OK;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes && result == STIJL_OK; i++)
    result = sj_reserve(gpu, sizes[i].buffer, sizes[i].bytes, message);
  return result;
}

// Returns whether tiles reach out of a region that fine draws into the application's buffer.
static bool is_clipped(const sj_recorded *recorded) {
  return recorded->direct && (recorded->params.width % G_TILE || recorded->params.height % G_TILE);
}

static stijl_result get_pipelines(sj_gpu *gpu, sj_recorded *recorded, stijl_message *message) {
  sj_vk *vk = &gpu->vk;
  const sj_batch *batch = &recorded->batch;
  const g_params *params = &recorded->params;
  uint32_t sheet = gpu->on_sheet ? SJ_FEATURE_SHEET : 0;
  uint32_t features = batch->features | sheet | (vk->wide ? SJ_FEATURE_WIDE : 0) |
                      (is_clipped(recorded) ? SJ_FEATURE_CLIPPED : 0) |
                      (params->bins < FEW_BINS ? SJ_FEATURE_FEW_BINS : 0) |
                      (params->background >> 24 == 255 && !(params->flags & G_KEEP) ? SJ_FEATURE_OPAQUE : 0);
  // Where a pixel of a kept layer lies depends on how many pixels a lane of fine has, which gradients change. So all
  // batches then use the variant for gradients.
  if (params->flags & (G_RESUME | G_SUSPEND)) features |= SJ_FEATURE_GRADIENTS;
  stijl_result result = STIJL_OK;
  for (int i = 0; result == STIJL_OK && i < SJ_STAGES; i++)
    if (i > SJ_STAGE_SMALL || (i == SJ_STAGE_SMALL && batch->small))
      result = sj_pipelines_get(vk, &gpu->pipelines, (sj_stage)i, features, &recorded->pipelines[i], message);
  for (int list = 0; result == STIJL_OK && list < 2; list++)
    if (batch->lists[list].items)
      result = sj_pipelines_get(vk, &gpu->pipelines, SJ_STAGE_FLATTEN,
                                sj_flatten_features(batch, list) | sheet |
                                    (sj_flatten_shares(batch, list, params) > 1 ? SJ_FEATURE_SHARES : 0),
                                &recorded->flatten[list], message);
  sj_resident *r = &gpu->resident;
  if (result == STIJL_OK && batch->resident && !r->pipeline)
    result = sj_vk_pipeline_create(vk, &gpu->pipelines.cache, &sj_encode_shader, NULL, 0, &r->bindings, &r->pipeline,
                                   message);
  return result;
}

stijl_result sj_write_batch(sj_gpu *gpu, const sj_band *band, const sj_batch *batch, stijl_message *message) {
  sj_recorded *recorded = &gpu->recorded;
  sj_frame_layout layout = layout_frame(batch, &gpu->resident, gpu->chain.frame_bytes);
  stijl_result result = write_frame(gpu, band->region, batch, &layout, message);
  if (result != STIJL_OK) return result;
  recorded->batch = *batch;
  recorded->upload_bytes = batch->resident ? layout.paths : layout.end;
  recorded->totals = layout.totals;
  if (batch->resident) recorded->encoding = sj_resident_encoding(gpu, band->region, batch, &recorded->params);
  gpu->chain.wanted += layout.end - layout.pens;
  sj_bind(gpu, band, &layout);
  return STIJL_OK;
}

stijl_result sj_plan_batch(sj_gpu *gpu, const sj_band *band, const sj_batch *batch, sj_layer_plan *layers,
                           stijl_message *message) {
  sj_recorded *recorded = &gpu->recorded;
  const sj_render_job *job = band->job;
  bool last = batch->end == gpu->scene.draws.count;
  recorded->batch = *batch;
  recorded->params =
      sj_plan_params(band->region, batch, gpu->depth, gpu->capacity, job->background, batch->first || job->keep);
  // Only a frame of one batch is drawn straight into the application's buffer: further batches draw over what the first
  // ones left, which is in the renderer's own buffer.
  recorded->direct = last && !batch->first && !job->keep && sj_transfer_is_direct(&gpu->transfer, band->region);
  recorded->params.stride = recorded->direct ? (uint32_t)(gpu->transfer.target->stride / 4) : band->stride;
  stijl_result result =
      sj_plan_layers(&recorded->params, gpu->depth, gpu->max_layer_bytes, gpu->max_range, layers, message);
  if (result == STIJL_OK) recorded->tiles_at_once = layers->tiles_at_once;
  return result;
}

stijl_result sj_prepare_batch(sj_gpu *gpu, const sj_band *band, const sj_batch *batch, const sj_layer_plan *layers,
                              stijl_message *message) {
  sj_recorded *recorded = &gpu->recorded;
  stijl_result result = sj_reserve(gpu, SJ_SPILL, layers->bytes, message);
  if (result == STIJL_OK) result = reserve_buffers(gpu, band, batch, &recorded->params, message);
  if (result == STIJL_OK) result = get_pipelines(gpu, recorded, message);
  if (result == STIJL_OK && batch->resident) result = sj_resident_upload(gpu, message);
  bool paged = gpu->images_paged || gpu->ramps_paged;
  if (result == STIJL_OK && paged) result = sj_flight_settle_other(gpu, message);
  if (result != STIJL_OK) return result;
  if (paged) sj_upload_pages(gpu, band->job->scene, batch);
  result = sj_write_batch(gpu, band, batch, message);
  if (result == STIJL_OK && gpu->transfer.target && !recorded->direct)
    sj_transfer_bind(&gpu->vk, &gpu->transfer, &gpu->buffers[SJ_TARGET], &gpu->buffers[SJ_SCRATCH], band->region);
  return result;
}
