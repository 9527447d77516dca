// Writes the program of a batch: what it uploads, how large its buffers have to be, and its dispatches.
#include "gpu/web_program.h"

#include <stddef.h>
#include <string.h>

#define PARAMS_STRIDE 256  // WebGPU aligns what one dynamic offset selects to this

stijl_result sj_web_fail_large(const sj_web *web, const char *what, uint64_t bytes, stijl_message *message) {
  return sj_fail(message, STIJL_ERROR_LIMIT, "the device's storage buffers hold %llu bytes, the scene's %s need %llu",
                 (unsigned long long)web->max_range, what, (unsigned long long)bytes);
}

stijl_result sj_web_upload(sj_web *web, int buffer, const char *what, const void *data, uint64_t bytes,
                           stijl_message *message) {
  if (bytes > web->max_range) return sj_web_fail_large(web, what, bytes, message);
  web->program.buffers[buffer] = (sj_web_buffer){(uint32_t)bytes, bytes ? data : NULL, (uint32_t)bytes};
  return STIJL_OK;
}

// --- The batch's arrays ---

static void write_paints(const sj_web *web, k_paint *out) {
  for (uint32_t i = 0; i < web->batch.paint_count; i++) {
    k_paint *paint = &out[i];
    *paint = web->scene.paints.data[web->batch.paint + i];
    if (paint->kind == K_PAINT_IMAGE) {
      uint32_t image = paint->source, surface = image - (uint32_t)web->scene.scene_image_count;
      bool drawn = web->own_surfaces && image >= web->scene.scene_image_count;
      paint->source = web->image_texels.data[image];
      paint->stride = drawn ? web->places.places.data[surface].stride : (uint32_t)paint->width;
    } else {
      paint->source *= K_RAMP_SIZE;
    }
  }
}

static stijl_result write_batch(sj_web *web, stijl_message *message) {
  const sj_batch *batch = &web->batch;
  size_t draws = batch->end - batch->first;
  // In this order, without gaps: paths, pens, records, paints, blocks.
  size_t bytes[] = {draws * sizeof(g_path), batch->pen_count * sizeof(k_pen), draws * sizeof(g_record),
                    batch->paint_count * sizeof(k_paint), (size_t)sj_block_count(batch) * sizeof(uint32_t)};
  size_t at[6] = {0};
  for (int i = 0; i < 5; i++) at[i + 1] = at[i] + bytes[i];
  web->frame.count = 0;
  if (!sj_array_reserve(web->context, &web->frame, at[5] / 4)) return sj_fail_memory(message);
  unsigned char *base = (unsigned char *)web->frame.data;
  write_paints(web, (k_paint *)(void *)(base + at[3]));
  g_record *records = (g_record *)(void *)(base + at[2]);
  web->open_records.count = 0;
  if (!sj_array_reserve(web->context, &web->open_records, batch->depth)) return sj_fail_memory(message);
  sj_batch_arrays arrays = {web->origins.count ? web->origins.data + batch->first : NULL,
                            web->open_records.data,
                            records,
                            (g_path *)(void *)base,
                            (k_pen *)(void *)(base + at[1]),
                            (uint32_t *)(void *)(base + at[4])};
  sj_batch_write(&web->scene, web->region, batch, NULL, &arrays);
  stijl_result result = sj_web_upload(web, G_PATHS, "draws", base, bytes[0], message);
  if (result == STIJL_OK) result = sj_web_upload(web, G_PENS, "pens", base + at[1], bytes[1], message);
  if (result == STIJL_OK) result = sj_web_upload(web, G_RECORDS, "paints", base + at[2], at[4] - at[2], message);
  if (result == STIJL_OK) result = sj_web_upload(web, G_BLOCKS, "lists", base + at[4], bytes[4], message);
  return result;
}

// --- Steps ---

static const sj_stage stages[] = {
    [SJ_WEB_FLATTEN] = SJ_STAGE_FLATTEN,      [SJ_WEB_SMALL] = SJ_STAGE_SMALL,      [SJ_WEB_RANK] = SJ_STAGE_RANK,
    [SJ_WEB_COVER] = SJ_STAGE_COVER,          [SJ_WEB_COVER_LONG] = SJ_STAGE_COVER, [SJ_WEB_RESOLVE] = SJ_STAGE_RESOLVE,
    [SJ_WEB_RESOLVE_LONG] = SJ_STAGE_RESOLVE, [SJ_WEB_COARSE] = SJ_STAGE_COARSE,    [SJ_WEB_FINE] = SJ_STAGE_FINE};

// Returns the features of the batch, by which fine is specialised.
static uint32_t features_of(const sj_web *web, const g_params *params) {
  bool opaque = params->background >> 24 == 255 && !(params->flags & G_KEEP);
  return web->batch.features | (opaque ? SJ_FEATURE_OPAQUE : 0) | (web->origins.count ? SJ_FEATURE_SHEET : 0);
}

// Adds what one dispatch is told.
static bool add_params(sj_web *web, const void *params, size_t bytes, uint32_t *offset) {
  const size_t words = PARAMS_STRIDE / 4;
  if (!sj_array_reserve(web->context, &web->params, words)) return false;
  *offset = (uint32_t)(web->params.count * 4);
  memset(web->params.data + web->params.count, 0, PARAMS_STRIDE);
  memcpy(web->params.data + web->params.count, params, bytes);
  web->params.count += words;
  return true;
}

static bool add_step(sj_web *web, sj_web_op op, uint32_t x, uint32_t y, uint32_t features, const g_params *params) {
  uint32_t offset = 0;
  if (params && !add_params(web, params, sizeof *params, &offset)) return false;
  return sj_array_push(
      web->context, &web->steps,
      (sj_web_step){(uint32_t)op, x, y, offset, op < SJ_WEB_ITEMS ? sj_stage_variant(stages[op], features) : 0});
}

static bool add_dispatch(sj_web *web, sj_web_op op, uint32_t groups, const g_params *params) {
  // As groups_xy of shaders/groups.glsl.
  return !groups || add_step(web, op, k_min(groups, 32768), (groups + 32767) / 32768, features_of(web, params), params);
}

static bool add_indirect(sj_web *web, sj_web_op op, size_t at, const g_params *params) {
  return add_step(web, op, 0, (uint32_t)at, features_of(web, params), params);
}

static bool add_flatten(sj_web *web, g_params params, int list) {
  if (!web->batch.lists[list].items) return true;
  uint32_t groups = sj_plan_flatten(&web->batch, list, &params), features = sj_flatten_features(&web->batch, list);
  if (web->origins.count) features |= SJ_FEATURE_SHEET;
  // Whether several workgroups share segments may be part of the shader, or not.
  params.capacity.shares = sj_flatten_shares(&web->batch, list, &params);
  if (params.capacity.shares > 1) features |= SJ_FEATURE_SHARES;
  if (!web->glyphs) features &= ~SJ_FEATURE_GLYPHS;
  return add_step(web, SJ_WEB_FLATTEN, k_min(groups, 32768), (groups + 32767) / 32768, features, &params);
}

static bool add_fine(sj_web *web, g_params params, uint32_t tiles_at_once) {
  uint32_t tiles = sj_tiles(&params);
  for (; params.first_tile < tiles; params.first_tile += tiles_at_once)
    if (!add_dispatch(web, SJ_WEB_FINE, k_min(tiles - params.first_tile, tiles_at_once), &params)) return false;
  return true;
}

// Adds the dispatches of filters that come before a pass of that level, and that no earlier program has.
static bool add_items(sj_web *web, uint64_t level) {
  const sj_places *places = &web->places;
  for (; web->own_surfaces && web->run < places->filter_runs.count; web->run++) {
    const sj_filter_run *run = &places->filter_runs.data[web->run];
    if (sj_level_of(run->moment) >= level) break;
    g_filter_params params = sj_run_params(run);
    sj_web_step step = {SJ_WEB_ITEMS + run->kind, k_min(run->groups, 32768), (run->groups + 32767) / 32768, 0, 0};
    if (!add_params(web, &params, sizeof params, &step.params) || !sj_array_push(web->context, &web->steps, step))
      return false;
  }
  return true;
}

// Copies a surface from its place or there.
static bool add_copy(sj_web *web, sj_web_op op, uint32_t place) {
  const sj_place *p = &web->places.places.data[place];
  return add_step(web, op, p->first, (uint32_t)p->texels, 0, NULL);
}

// Adds the steps of a batch, as sj_record (gpu/record.c) records them.
static bool add_steps(sj_web *web, const g_params *params, uint32_t tiles_at_once) {
  const sj_batch *batch = &web->batch;
  bool long_sums = batch->features & SJ_FEATURE_LONG_SUMS, items = sj_items(batch);
  return add_flatten(web, *params, 1) && add_flatten(web, *params, 0) &&
         add_dispatch(web, SJ_WEB_SMALL, batch->small, params) &&
         add_dispatch(web, SJ_WEB_RANK, sj_rank_groups(batch), params) &&
         (!long_sums || add_step(web, SJ_WEB_CLEAR, G_CARRIES, 0, 0, NULL)) &&
         (!items ||
          (add_indirect(web, long_sums ? SJ_WEB_COVER_LONG : SJ_WEB_COVER, offsetof(g_control, cover_x), params) &&
           add_indirect(web, long_sums ? SJ_WEB_RESOLVE_LONG : SJ_WEB_RESOLVE, offsetof(g_control, resolve_x),
                        params))) &&
         add_dispatch(web, SJ_WEB_COARSE, params->bins, params) && add_step(web, SJ_WEB_COUNT, 0, 0, 0, NULL) &&
         add_fine(web, *params, tiles_at_once);
}

// --- Programs ---

// Sets the sizes of the buffers that depend on the batch or on what the frame has counted.
static void size_buffers(sj_web *web, const g_params *params, uint64_t layer_bytes) {
  for (int i = 0; i < G_BINDINGS; i++) {
    uint64_t bytes = sj_plan_bytes(i, params, &web->batch);
    if (bytes) web->program.buffers[i].bytes = (uint32_t)bytes;
  }
  web->program.buffers[G_CONTROL].bytes = sizeof(g_control);
  web->program.buffers[G_TARGET].bytes = web->stride * sj_row_stride(web->region.y1 - web->region.y0) * 4;
  web->program.buffers[G_SPILL].bytes = (uint32_t)layer_bytes;
}

stijl_result sj_web_write_program(sj_web *web, const g_params *params, const sj_layer_plan *layers,
                                  stijl_message *message) {
  const sj_web_pass *pass = &web->passes.data[web->pass];
  bool begins = web->batch.first == 0, ends = web->batch.end == web->scene.draws.count;
  stijl_result result = write_batch(web, message);
  if (result != STIJL_OK) return result;
  web->steps.count = web->params.count = 0;
  if (!add_items(web, pass->level) || (web->keep && begins && !add_copy(web, SJ_WEB_LOAD, pass->place)) ||
      !add_steps(web, params, layers->tiles_at_once) ||
      (ends && pass->place != SJ_NO_PLACE && !add_copy(web, SJ_WEB_STORE, pass->place)))
    return sj_fail_memory(message);
  size_buffers(web, params, layers->bytes);
  web->program.steps = web->steps.data;
  web->program.step_count = (uint32_t)web->steps.count;
  web->program.last = ends && pass->place == SJ_NO_PLACE;
  return sj_web_upload(web, G_WEB_PARAMS, "parameters", web->params.data, web->params.count * 4, message);
}
