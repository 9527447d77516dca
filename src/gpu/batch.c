// Renders a band, batch by batch: grows buffers, submits again what did not fit, and cuts batches that never will.
#include "gpu/batch.h"

#include "gpu/chain.h"
#include "gpu/filters.h"
#include "gpu/flight.h"
#include "gpu/prepare.h"
#include "gpu/readback.h"
#include "gpu/record.h"
#include "gpu/resident.h"
#include "gpu/submit.h"

#define COMPUTE SJ_VK_COMPUTE
#define COPY SJ_VK_COPY

// --- Room ---

bool sj_limit_bins(sj_gpu *gpu, const sj_band *band, sj_batch_limits *limits) {
  sj_plan_limit_bins(limits, gpu->max_range, band->region);
  gpu->bin_turns.count = 0;
  if (!sj_array_reserve(gpu->context, &gpu->bin_turns, limits->bins)) return false;
  limits->bin_turns = gpu->bin_turns.data;
  limits->parts = &gpu->parts;
  return true;
}

typedef enum sj_outcome {
  SJ_PAINTED,
  SJ_NEEDS_MORE,  // nothing is painted: buffers have to grow to what *needed tells
  SJ_NEEDS_ROWS   // nothing is painted, and larger buffers do not help: the band has to be made smaller
} sj_outcome;

// Runs some stages of the batch that sj_write_batch has written, and reads g_control back.
static stijl_result run_stages(sj_gpu *gpu, sj_band *band, uint32_t stages, stijl_message *message) {
  if (!sj_budget_look(band->job->budget)) return sj_budget_spent(message);
  VkCommandBuffer commands;
  stijl_result result = sj_record_before(gpu, band, &commands, message);
  if (result != STIJL_OK) return result;
  sj_clear_edges(gpu, commands);
  sj_record(gpu, commands, &gpu->recorded, stages, false);
  sj_record_control(gpu, commands);
  result = sj_submit(gpu, NULL, message);
  if (result == STIJL_OK) sj_gpu_filters_read_time(gpu);
  return result;
}

// Makes the sums of a batch that has more edges than there is room for. First all segments are flattened to mark the
// tiles they touch, which are then ranked. Then flatten and cover run for one part of the segments after another, whose
// sums add up.
static stijl_result add_parts(sj_gpu *gpu, sj_band *band, const sj_batch *batch, sj_outcome *outcome, g_needs *needed,
                              stijl_message *message) {
  stijl_result result = run_stages(gpu, band, SJ_STAGE_BIT(FLATTEN) | SJ_STAGE_BIT(RANK), message);
  if (result != STIJL_OK) return result;
  *needed = sj_told_of(gpu, 0)->control.counted;
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
    result = sj_write_batch(gpu, band, &part, message);
    if (result == STIJL_OK) result = run_stages(gpu, band, SJ_STAGE_BIT(FLATTEN) | SJ_STAGE_BIT(COVER), message);
    if (result != STIJL_OK) return result;
    needed->shares = sj_told_of(gpu, 0)->control.counted.shares;
    if (needed->shares > gpu->capacity.shares) *outcome = SJ_NEEDS_MORE;
    needed->crowded = sj_told_of(gpu, 0)->control.counted.crowded;
    if (needed->crowded > gpu->capacity.crowded) *outcome = SJ_NEEDS_MORE;
    edges = sj_told_of(gpu, 0)->control.counted.edges;
    if (edges <= gpu->capacity.edges) skip += count;
  }
  if (*outcome == SJ_PAINTED)
    gpu->buffers[SJ_MARKS].fresh = true;  // flattening the parts has set marks, which rank has not read and cleared
  else
    sj_set_fresh(gpu);
  return result;
}

// Draws over what the application's target holds, once the pixels are known to be right, since it could not be begun
// again.
static stijl_result store_kept(sj_gpu *gpu, const sj_band *band, stijl_message *message) {
  VkCommandBuffer commands;
  stijl_result result = sj_commands_begin(gpu, &commands, message);
  if (result != STIJL_OK) return result;
  sj_vk_barrier(&gpu->vk, commands, COMPUTE, COMPUTE | COPY);
  sj_transfer_store(&gpu->vk, &gpu->transfer, commands, &gpu->buffers[SJ_TARGET], band->region, gpu->capacity);
  return sj_submit(gpu, NULL, message);
}

// Records a batch, and submits it with those of the chain. It is waited for, unless it is to be left in flight.
static stijl_result submit_batch(sj_gpu *gpu, sj_band *band, uint32_t stages, bool last, bool leave,
                                 stijl_message *message) {
  sj_chain *chain = &gpu->chain;
  bool pixels = last && band->pixels;
  VkCommandBuffer commands;
  stijl_result result = sj_record_before(gpu, band, &commands, message);
  if (result != STIJL_OK) return result;
  if (stages != SJ_FRAME_STAGES) sj_clear_edges(gpu, commands);
  // Timestamps cost the device some microseconds, so a frame that nobody waits for goes without them.
  sj_record(gpu, commands, &gpu->recorded, stages, !leave);
  sj_record_after(gpu, band, commands, last);
  if (pixels) result = sj_readback_record(gpu, band, commands, message);
  if (result != STIJL_OK) return result;
  if (chain->open) sj_chain_note(gpu);
  gpu->links = chain->count;
  result = pixels ? sj_readback_run(gpu, band, message) : sj_submit(gpu, leave ? band->job->frame : NULL, message);
  sj_chain_close(gpu);
  return result;
}

// Renders one batch.
static stijl_result run_batch(sj_gpu *gpu, sj_band *band, const sj_batch *batch, bool parts, sj_outcome *outcome,
                              g_needs *needed, stijl_message *message) {
  const sj_chain *chain = &gpu->chain;
  bool last = batch->end == gpu->scene.draws.count, chained = chain->open;
  bool link = chained && (!last || band->buffer != SJ_TARGET), leave = last && band->in_flight && !parts;
  sj_layer_plan layers;
  *outcome = SJ_NEEDS_ROWS;
  stijl_result result = sj_plan_batch(gpu, band, batch, &layers, message);
  if (result != STIJL_OK) return result;
  if (chained && (parts || !layers.fits || (link && chain->count == SJ_MAX_LINKS)))
    return SJ_CHAIN_BROKEN;  // there is more to draw than one submission takes
  if (!layers.fits) return STIJL_OK;
  result = sj_prepare_batch(gpu, band, batch, &layers, message);
  *outcome = SJ_PAINTED;  // unless it lacks room, which is known once it has run
  if (result == STIJL_OK && parts) result = add_parts(gpu, band, batch, outcome, needed, message);
  if (result != STIJL_OK || *outcome != SJ_PAINTED) return result;
  if (link) return sj_chain_add(gpu, band, message);
  gpu->recorded.batch = *batch;
  uint32_t painting = SJ_STAGE_BIT(SMALL) | SJ_STAGE_BIT(RESOLVE) | SJ_STAGE_BIT(COARSE) | SJ_STAGE_BIT(FINE);
  result = submit_batch(gpu, band, parts ? painting : SJ_FRAME_STAGES, last, leave, message);
  if (result != STIJL_OK || leave) return result;
  sj_read_times(gpu);
  sj_gpu_filters_read_time(gpu);
  *needed = sj_needed(gpu);
  if (!g_fits(*needed, gpu->capacity)) {
    *outcome = SJ_NEEDS_MORE;
    return chained ? SJ_CHAIN_BROKEN : STIJL_OK;
  }
  return last && gpu->transfer.target && band->job->keep ? store_kept(gpu, band, message) : STIJL_OK;
}

// Chooses sums. Draws that may need long sums get them once a frame of the scene was crowded. Until then their lines
// are counted, which takes less time and memory: on an H200 one path of 400,000 segments 115 us, not 128, and 500
// dashed curves 370 us and 291 MiB, not 468 and 399 (without what was guessed for edges).
static void choose_sums(sj_batch *batch, g_needs capacity) {
  const uint32_t sums = SJ_FEATURE_LONG_SUMS | SJ_FEATURE_CROSSINGS;
  if (!(batch->features & sums)) return;
  batch->features &= ~sums;
  batch->features |= capacity.crowded ? SJ_FEATURE_LONG_SUMS : SJ_FEATURE_CROSSINGS;
}

stijl_result sj_run_band(sj_gpu *gpu, sj_band *band, sj_batch_limits *limits, bool *split, stijl_message *message) {
  uint64_t most_draws = limits->draws, most_edges = gpu->max_range / SJ_EDGE_BYTES;
  uint32_t first = 0, open = 0;
  *split = true;
  do {
    sj_batch batch;
    if (!sj_batch_find(&gpu->scene, band->region, first, open, limits, &batch)) return STIJL_OK;
    // Where lines are surely too many for the device the batch goes in parts from the start. Small fills have no edges.
    bool parts = sj_items(&batch) && batch.lines > most_edges, fewer = false;
    for (;;) {
      sj_outcome outcome;
      g_needs needed = {0};
      if (!sj_budget_look(band->job->budget)) return sj_budget_spent(message);
      choose_sums(&batch, gpu->capacity);
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

stijl_result sj_run_resident(sj_gpu *gpu, sj_band *band, const sj_batch_limits *limits, bool *drawn,
                             stijl_message *message) {
  sj_batch batch;
  *drawn = false;
  while (sj_resident_batch(gpu, band->region, limits, &batch)) {
    sj_outcome outcome;
    g_needs needed = {0};
    if (!sj_budget_look(band->job->budget)) return sj_budget_spent(message);
    choose_sums(&batch, gpu->capacity);
    stijl_result result = run_batch(gpu, band, &batch, false, &outcome, &needed, message);
    if (result != STIJL_OK || outcome == SJ_NEEDS_ROWS) return result;
    if (outcome == SJ_PAINTED) {
      gpu->batches++;
      *drawn = true;
      return STIJL_OK;
    }
    gpu->retries++;
    result = sj_grow_to(gpu, needed, message);
    if (result != STIJL_OK || !g_fits(needed, gpu->capacity)) return result;
  }
  return STIJL_OK;
}
