// Renders a band, batch by batch: grows buffers, submits again what did not fit, and cuts batches that never will.
#include <stddef.h>
#include <string.h>

#include "gpu/render.h"
#include "image/convert.h"
#include "kernel/paint.h"

#define COMPUTE SJ_VK_COMPUTE
#define COPY SJ_VK_COPY
#define ALL VK_PIPELINE_STAGE_ALL_COMMANDS_BIT
#define FEW_BINS 1024u

// --- Room ---

bool sj_limit_bins(sj_gpu *gpu, const sj_band *band, sj_batch_limits *limits) {
  sj_plan_limit_bins(limits, gpu->max_range, band->region);
  gpu->bin_turns.count = 0;
  if (!sj_array_reserve(gpu->context, &gpu->bin_turns, limits->bins)) return false;
  limits->bin_turns = gpu->bin_turns.data;
  return true;
}

// Grows the buffers to this room.
static stijl_result make_room(sj_gpu *gpu, g_needs room, stijl_message *message) {
  static const struct {
    int buffer, binding;
  } sized[] = {{SJ_TILES, G_TILES}, {SJ_SUMS, G_SUMS}, {SJ_COVERAGE, G_COVERAGE},
               {SJ_EDGES, G_EDGES}, {SJ_TAGS, G_TAGS}, {SJ_COMMANDS, G_COMMANDS}};
  g_params params = {.capacity = room};
  for (size_t i = 0; i < sizeof sized / sizeof *sized; i++) {
    stijl_result result = sj_reserve(gpu, sized[i].buffer, sj_plan_bytes(sized[i].binding, &params, 0, false), message);
    if (result != STIJL_OK) return result;
  }
  gpu->capacity = room;
  return STIJL_OK;
}

stijl_result sj_grow_first(sj_gpu *gpu, stijl_message *message) {
  return make_room(gpu, sj_plan_first_room(gpu->capacity, gpu->max_range, gpu->first_tiles), message);
}

stijl_result sj_grow_to(sj_gpu *gpu, g_needs needed, stijl_message *message) {
  if (needed.shares > G_MAX_SHARES)
    return sj_fail(message, STIJL_ERROR_LIMIT, "%s ends loops before their end: too many lines for one segment's shape",
                   gpu->vk.properties.deviceName);
  return make_room(gpu, sj_plan_growth(gpu->capacity, gpu->max_range, needed), message);
}

// --- A batch's arrays ---

static sj_frame_layout layout_frame(const sj_batch *batch, VkDeviceSize begin) {
  sj_frame_layout l = {.paths = begin};
  size_t draws = batch->end - batch->first;
  l.pens = begin + sj_vk_align(draws * sizeof(g_path));
  l.paints = l.pens + sj_vk_align(batch->pen_count * sizeof(k_pen));
  l.records = l.paints + sj_vk_align(batch->paint_count * sizeof(k_paint));
  l.blocks = l.records + sj_vk_align(draws * sizeof(g_record));
  l.end = l.blocks + sj_vk_align(sj_block_count(batch) * sizeof(uint32_t));
  return l;
}

// `out` is memory that the processor reads over the bus, a microsecond each time: it is only written.
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
  if (batch->pen_count) memcpy(base + l->pens, gpu->scene.pens.data + batch->pen, batch->pen_count * sizeof(k_pen));
  write_paints(gpu, batch, (k_paint *)(void *)(base + l->paints));
  sj_batch_write(&gpu->scene, region, batch, (g_record *)(void *)(base + l->records),
                 (g_path *)(void *)(base + l->paths), (uint32_t *)(void *)(base + l->blocks));
  if (gpu->on_sheet)
    sj_sheet_write_origins(gpu->origins.data + batch->first, batch->end - batch->first,
                           (g_record *)(void *)(base + l->records));
  return STIJL_OK;
}

static uint32_t region_width(const sj_band *band) { return (uint32_t)(band->region.x1 - band->region.x0); }
static uint32_t region_height(const sj_band *band) { return (uint32_t)(band->region.y1 - band->region.y0); }

static stijl_result reserve_buffers(sj_gpu *gpu, const sj_band *band, const sj_batch *batch, const g_params *params,
                                    stijl_message *message) {
  bool long_sums = batch->features & SJ_FEATURE_LONG_SUMS;
#define BYTES(binding) sj_plan_bytes(binding, params, batch->words, long_sums)
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

// Whether tiles reach out of a region that fine draws into the application's buffer.
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
  return result;
}

// Writes what the stages read of the batch.
static stijl_result write_batch(sj_gpu *gpu, const sj_band *band, const sj_batch *batch, stijl_message *message) {
  sj_recorded *recorded = &gpu->recorded;
  sj_frame_layout layout = layout_frame(batch, gpu->chain.frame_bytes);
  stijl_result result = write_frame(gpu, band->region, batch, &layout, message);
  if (result != STIJL_OK) return result;
  recorded->batch = *batch;
  recorded->upload_bytes = layout.end;
  gpu->chain.wanted += layout.end - layout.paths;
  sj_bind(gpu, band, &layout);
  return STIJL_OK;
}

// Records, into SJ_BEFORE, what is still to be done of this: uploading the scene's arrays, loading the target's pixels,
// clearing fresh buffers.
static stijl_result prepare(sj_gpu *gpu, sj_band *band, VkCommandBuffer *list, uint32_t *count,
                            stijl_message *message) {
  sj_vk *vk = &gpu->vk;
  sj_buffer *b = gpu->buffers;
  bool load = band->job->keep && !band->loaded;
  if (!gpu->upload && !load && !sj_any_fresh(gpu)) return STIJL_OK;
  VkCommandBuffer commands = gpu->commands.buffers[SJ_BEFORE];
  stijl_result result = sj_flight_settle_other(gpu, message);
  if (result == STIJL_OK) result = sj_vk_begin(vk, commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, message);
  if (result != STIJL_OK) return result;
  if (gpu->upload)
    for (int i = SJ_POINTS; i <= SJ_TEXELS; i++) sj_copy_upload(vk, commands, &b[i], b[i].bytes);
  if (load && gpu->transfer.target) {
    sj_transfer_load(vk, &gpu->transfer, commands, &b[SJ_TARGET], band->region);
  } else if (load) {
    unsigned char *pixels = (unsigned char *)b[SJ_READBACK].mapped + SJ_PIXELS_OFFSET;
    for (uint32_t y = 0; y < region_height(band); y++)
      sj_convert_row(band->job->target.format, STIJL_FORMAT_RGBA8, band->pixels + (size_t)y * band->job->target.stride,
                     (void *)(pixels + (size_t)y * band->stride * 4), region_width(band));
    VkBufferCopy region = {.srcOffset = SJ_PIXELS_OFFSET, .size = band->bytes};
    vk->CmdCopyBuffer(commands, b[SJ_READBACK].handle, b[SJ_TARGET].handle, 1, &region);
  }
  sj_clear_fresh(gpu, commands);
  sj_vk_barrier(vk, commands, COPY, COMPUTE | COPY);
  list[(*count)++] = commands;
  return sj_vk_end(vk, commands, message);
}

// Records what has to happen before the batch's stages, if anything, and adds it to a list.
static stijl_result record_before(sj_gpu *gpu, sj_band *band, VkCommandBuffer *list, uint32_t *count,
                                  stijl_message *message) {
  stijl_result result = prepare(gpu, band, list, count, message);
  return result == STIJL_OK ? sj_effects_end(gpu, list, count, message) : result;
}

// Notes that what record_before recorded has been submitted, and is not needed again.
static void note_before(sj_gpu *gpu, sj_band *band) {
  sj_set_cleared(gpu);
  gpu->upload = false;
  band->loaded = true;
}

// Copies what the stages have counted for a batch to where the host reads it: sj_told number `slot`, which is 0 for the
// last batch of a submission.
static void record_control(sj_gpu *gpu, VkCommandBuffer commands, uint32_t slot) {
  VkDeviceSize to = slot * sizeof(sj_told);
  const VkBufferCopy told[] = {
      {.dstOffset = to + offsetof(sj_told, control), .size = sizeof(g_control)},
      {.srcOffset = SJ_LISTS_OFFSET, .dstOffset = to + offsetof(sj_told, needed), .size = sizeof(g_needs)}};
  gpu->vk.CmdCopyBuffer(commands, gpu->buffers[SJ_SCRATCH].handle, gpu->buffers[SJ_READBACK].handle, 2, told);
}

// Records what has to happen after the batch's stages, and where it is the `last`, after the band's. An application's
// target that is drawn over is not written here, but once its pixels are known to be right.
static stijl_result record_after(sj_gpu *gpu, const sj_band *band, VkCommandBuffer commands, bool last,
                                 stijl_message *message) {
  sj_vk *vk = &gpu->vk;
  sj_buffer *b = gpu->buffers;
  stijl_result result = sj_vk_begin(vk, commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, message);
  if (result != STIJL_OK) return result;
  sj_vk_barrier(vk, commands, COMPUTE, COPY);
  record_control(gpu, commands, 0);
  if (gpu->recorded.direct) {
    sj_vk_barrier(vk, commands, COMPUTE, ALL);
  } else if (last && gpu->transfer.target && !band->job->keep) {
    sj_vk_barrier(vk, commands, COMPUTE, COMPUTE);
    sj_transfer_store(vk, &gpu->transfer, commands, &b[SJ_TARGET], band->region, gpu->capacity);
  }
  // The next frame counts where this one is read from.
  sj_vk_barrier(vk, commands, COPY, SJ_VK_HOST | COMPUTE);
  return sj_vk_end(vk, commands, message);
}

typedef enum sj_outcome {
  SJ_PAINTED,
  SJ_NEEDS_MORE,  // nothing is painted: buffers have to grow to what *needed tells
  SJ_NEEDS_ROWS   // nothing is painted, and larger buffers do not help: the band has to be made smaller
} sj_outcome;

// Runs some stages of the batch that write_batch has written, and reads g_control back.
static stijl_result run_stages(sj_gpu *gpu, sj_band *band, uint32_t stages, stijl_message *message) {
  if (!sj_budget_look(band->job->budget)) return sj_budget_spent(message);
  sj_vk *vk = &gpu->vk;
  VkCommandBuffer list[SJ_AFTER], frame = gpu->commands.buffers[SJ_FRAME_STAGES];
  uint32_t count = 0;
  stijl_result result = record_before(gpu, band, list, &count, message);
  if (result == STIJL_OK) result = sj_vk_begin(vk, frame, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, message);
  if (result != STIJL_OK) return result;
  sj_clear_edges(gpu, frame);
  sj_record(gpu, frame, &gpu->recorded, stages, false);
  sj_vk_barrier(vk, frame, COMPUTE, COPY);
  record_control(gpu, frame, 0);
  sj_vk_barrier(vk, frame, COPY, SJ_VK_HOST);
  list[count++] = frame;
  result = sj_vk_end(vk, frame, message);
  if (result == STIJL_OK) result = sj_submit(gpu, list, count, NULL, message);
  if (result != STIJL_OK) return result;
  note_before(gpu, band);
  sj_effects_read_time(gpu);
  return STIJL_OK;
}

// Makes the sums of a batch that has more edges than there is room for. First all segments are flattened to mark the
// tiles they touch, which are then ranked. Then flatten and cover run for one part of the segments after another, whose
// sums add up.
static stijl_result add_parts(sj_gpu *gpu, sj_band *band, const sj_batch *batch, sj_outcome *outcome, g_needs *needed,
                              stijl_message *message) {
  stijl_result result = run_stages(gpu, band, SJ_STAGE_BIT(FLATTEN) | SJ_STAGE_BIT(RANK), message);
  if (result != STIJL_OK) return result;
  *needed = sj_told_of(gpu)->control.counted;
  *outcome = needed->tiles > gpu->capacity.tiles || needed->shares > gpu->capacity.shares ? SJ_NEEDS_MORE : SJ_PAINTED;
  uint32_t items = sj_items(batch), count = items, edges = needed->edges;
  for (uint32_t skip = 0; *outcome == SJ_PAINTED && skip < items;) {
    if (edges > gpu->capacity.edges) {
      if (count == 1) *outcome = SJ_NEEDS_ROWS;
      count = (uint32_t)((uint64_t)count * gpu->capacity.edges / edges * 7 / 8);
      if (!count) count = 1;
    }
    if (count > items - skip) count = items - skip;
    sj_batch part = sj_batch_part(batch, skip, count);
    result = write_batch(gpu, band, &part, message);
    if (result == STIJL_OK) result = run_stages(gpu, band, SJ_STAGE_BIT(FLATTEN) | SJ_STAGE_BIT(COVER), message);
    if (result != STIJL_OK) return result;
    needed->shares = sj_told_of(gpu)->control.counted.shares;
    if (needed->shares > gpu->capacity.shares) *outcome = SJ_NEEDS_MORE;
    edges = sj_told_of(gpu)->control.counted.edges;
    if (edges <= gpu->capacity.edges) skip += count;
  }
  if (*outcome == SJ_PAINTED)
    gpu->buffers[SJ_MARKS].fresh = true;  // flattening the parts has set marks, which rank has not read and cleared
  else
    sj_set_fresh(gpu);
  return result;
}

// Notes what a batch of the chain was recorded from, so that sj_gpu_repeat can record it again.
static void note_link(sj_gpu *gpu) {
  sj_chain *chain = &gpu->chain;
  sj_link *link = &chain->links[chain->count];
  *link = (sj_link){.recorded = gpu->recorded, .effects_end = gpu->effects.next};
  if (chain->count) link->effects = link[-1].effects_end;
}

// Records all of a batch that is submitted together with those behind it.
static stijl_result add_link(sj_gpu *gpu, sj_band *band, stijl_message *message) {
  sj_vk *vk = &gpu->vk;
  sj_chain *chain = &gpu->chain;
  VkCommandBuffer list[SJ_PIECES], commands = gpu->commands.buffers[SJ_LINKS + chain->count];
  uint32_t count = 0;
  stijl_result result = record_before(gpu, band, list, &count, message);
  if (result == STIJL_OK) result = sj_vk_begin(vk, commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, message);
  if (result != STIJL_OK) return result;
  sj_record(gpu, commands, &gpu->recorded, SJ_ALL_STAGES, !gpu->chain.leaves);
  sj_vk_barrier(vk, commands, COMPUTE, COPY);
  record_control(gpu, commands, 1 + chain->count);
  sj_vk_barrier(vk, commands, COPY, SJ_VK_HOST | COMPUTE);
  result = sj_vk_end(vk, commands, message);
  note_link(gpu);
  chain->frame_bytes = gpu->recorded.upload_bytes;
  chain->count++;
  return result;
}

// The commands of the batches before this one, in their order.
static void list_links(const sj_gpu *gpu, VkCommandBuffer *list, uint32_t *count) {
  const sj_chain *chain = &gpu->chain;
  for (uint32_t i = 0; i < chain->count; i++) {
    if (chain->links[i].effects < chain->links[i].effects_end) list[(*count)++] = gpu->commands.buffers[SJ_EFFECTS + i];
    list[(*count)++] = gpu->commands.buffers[SJ_LINKS + i];
  }
}

// Renders one batch.
static stijl_result run_batch(sj_gpu *gpu, sj_band *band, const sj_batch *batch, bool parts, sj_outcome *outcome,
                              g_needs *needed, stijl_message *message) {
  sj_vk *vk = &gpu->vk;
  sj_recorded *recorded = &gpu->recorded;
  bool last = batch->end == gpu->scene.draws.count;
  recorded->batch = *batch;
  uint32_t depth = gpu->depth;
  recorded->params =
      sj_plan_params(band->region, batch, depth, gpu->capacity, band->job->background, batch->first || band->job->keep);
  // Only a frame of one batch is drawn straight into the application's buffer: further batches draw over what the first
  // ones left, which is in the renderer's own buffer.
  recorded->direct = last && !batch->first && !band->job->keep && sj_transfer_is_direct(&gpu->transfer, band->region);
  recorded->params.stride = recorded->direct ? (uint32_t)(gpu->transfer.target->stride / 4) : band->stride;
  sj_layer_plan layers;
  stijl_result result =
      sj_plan_layers(&recorded->params, depth, gpu->max_layer_bytes, gpu->max_range, &layers, message);
  recorded->tiles_at_once = layers.tiles_at_once;
  *outcome = SJ_NEEDS_ROWS;
  sj_chain *chain = &gpu->chain;
  bool link = chain->open && (!last || band->buffer != SJ_TARGET);
  if (chain->open && (parts || !layers.fits || (link && chain->count == SJ_MAX_LINKS))) {
    chain->broken = true;
    return sj_fail(message, STIJL_ERROR_LIMIT, "there is more to draw than one submission takes");
  }
  if (result != STIJL_OK || !layers.fits) return result;
  result = sj_reserve(gpu, SJ_SPILL, layers.bytes, message);
  if (result == STIJL_OK) result = reserve_buffers(gpu, band, batch, &recorded->params, message);
  if (result == STIJL_OK) result = get_pipelines(gpu, recorded, message);
  if (result != STIJL_OK) return result;
  if (gpu->images_paged || gpu->ramps_paged) {
    result = sj_flight_settle_other(gpu, message);
    if (result != STIJL_OK) return result;
    sj_upload_pages(gpu, band->job->scene, batch);
  }
  result = write_batch(gpu, band, batch, message);
  if (result != STIJL_OK) return result;
  if (gpu->transfer.target && !recorded->direct)
    sj_transfer_bind(vk, &gpu->transfer, &gpu->buffers[SJ_TARGET], &gpu->buffers[SJ_SCRATCH], band->region);
  uint32_t stages = SJ_ALL_STAGES;
  if (parts) {
    stages = SJ_STAGE_BIT(RESOLVE) | SJ_STAGE_BIT(COARSE) | SJ_STAGE_BIT(FINE);
    result = add_parts(gpu, band, batch, outcome, needed, message);
    if (result != STIJL_OK || *outcome != SJ_PAINTED) return result;
    recorded->batch = *batch;
  }

  if (link) {
    *outcome = SJ_PAINTED;  // unless it lacks room, which is known once the whole chain has run
    return add_link(gpu, band, message);
  }
  VkCommandBuffer list[SJ_PIECES], frame = gpu->commands.buffers[SJ_FRAME_STAGES],
                                   finish = gpu->commands.buffers[SJ_AFTER];
  uint32_t count = 0;
  list_links(gpu, list, &count);
  result = record_before(gpu, band, list, &count, message);
  if (result == STIJL_OK) result = sj_vk_begin(vk, frame, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, message);
  if (result != STIJL_OK) return result;
  // Fine must not write the application's buffer before its earlier commands are done with it.
  if (recorded->direct) sj_vk_barrier(vk, frame, ALL, COMPUTE);
  if (parts) sj_clear_edges(gpu, frame);
  // Timestamps cost the device some microseconds, so a frame that nobody waits for goes without them.
  bool leave = last && band->in_flight && !parts, pixels = last && band->pixels;
  sj_record(gpu, frame, recorded, stages, !leave);
  list[count++] = frame;
  result = sj_vk_end(vk, frame, message);
  if (result == STIJL_OK) result = record_after(gpu, band, finish, last, message);
  list[count++] = finish;
  if (result == STIJL_OK && pixels) result = sj_readback_record(gpu, band, message);
  if (result != STIJL_OK) return result;
  bool chained = chain->open;
  if (chained) note_link(gpu);
  gpu->links = chain->count;
  result = pixels ? sj_readback_run(gpu, band, list, count, message)
                  : sj_submit(gpu, list, count, leave ? band->job->frame : NULL, message);
  if (result != STIJL_OK) return result;
  chain->open = false;
  chain->count = 0;
  chain->frame_bytes = 0;
  note_before(gpu, band);
  *outcome = SJ_PAINTED;
  if (leave) return STIJL_OK;
  sj_read_times(gpu);
  sj_effects_read_time(gpu);
  *needed = sj_needed(gpu);
  if (!g_fits(*needed, gpu->capacity)) *outcome = SJ_NEEDS_MORE;
  if (chained && *outcome == SJ_NEEDS_MORE) {
    chain->broken = true;
    return sj_fail(message, STIJL_ERROR_LIMIT, "a batch needs more than there is room for");
  }
  if (*outcome != SJ_PAINTED || !last || !gpu->transfer.target || !band->job->keep) return STIJL_OK;
  result = sj_vk_begin(vk, finish, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, message);
  if (result != STIJL_OK) return result;
  sj_vk_barrier(vk, finish, COMPUTE, COMPUTE | COPY);
  sj_transfer_store(vk, &gpu->transfer, finish, &gpu->buffers[SJ_TARGET], band->region, gpu->capacity);
  result = sj_vk_end(vk, finish, message);
  return result == STIJL_OK ? sj_submit(gpu, &finish, 1, NULL, message) : result;
}

stijl_result sj_run_band(sj_gpu *gpu, sj_band *band, sj_batch_limits *limits, bool *split, stijl_message *message) {
  uint64_t most_draws = limits->draws, most_edges = gpu->max_range / SJ_EDGE_BYTES;
  uint32_t first = 0, open = 0;
  *split = true;
  do {
    sj_batch batch;
    if (!sj_batch_find(&gpu->scene, band->region, first, open, limits, &batch)) return STIJL_OK;
    // Where lines are surely too many for the device the batch goes in parts from the start; and where they are many,
    // room is made before the first try and not after it.
    bool parts = batch.lines > most_edges, fewer = false;
    if (batch.lines > gpu->capacity.edges && batch.lines > SJ_LEAST_GUESSED) {
      stijl_result result = make_room(gpu, sj_plan_room(gpu->capacity, gpu->max_range, 0, batch.lines, 0, 0), message);
      if (result != STIJL_OK) return result;
    }
    for (;;) {
      sj_outcome outcome;
      g_needs needed = {0};
      if (!sj_budget_look(band->job->budget)) return sj_budget_spent(message);
      stijl_result result = run_batch(gpu, band, &batch, parts, &outcome, &needed, message);
      if (result != STIJL_OK || outcome == SJ_NEEDS_ROWS) return result;
      if (outcome == SJ_PAINTED) break;
      gpu->retries++;
      result = sj_grow_to(gpu, needed, message);
      if (result != STIJL_OK) return result;
      bool many_edges = needed.edges > gpu->capacity.edges;
      needed.edges = 0;
      if (g_fits(needed, gpu->capacity)) {
        parts = parts || many_edges;
        continue;
      }
      uint32_t draws = batch.end - batch.first;
      if (draws == 1) return STIJL_OK;
      limits->draws = sj_plan_fewer_draws(draws, needed, gpu->capacity);
      fewer = true;
      break;
    }
    if (fewer) continue;
    gpu->batches += parts ? 2 : 1;  // 2: counts as several, since a frame in parts cannot be repeated
    if (parts) gpu->chain.possible = false;
    first = batch.end;
    open = batch.open_after;
    limits->draws = k_min(limits->draws * 2, most_draws);
  } while (first < gpu->scene.draws.count);
  *split = false;
  return STIJL_OK;
}
