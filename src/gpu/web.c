#include "gpu/web.h"

#include <stddef.h>
#include <string.h>

#include "image/convert.h"
#include "kernel/coverage.h"

#define MAX_TARGET_BYTES ((uint64_t)128 << 20)
// Rows are copied to canvases, which asks for multiples of 256 bytes.
#define ROW_PIXELS 64u
#define PARAMS_STRIDE 256  // WebGPU aligns what one dynamic offset selects to this
// WebGPU runs on drivers that end loops as Vulkan does (SJ_VK_MAX_TURNS).
#define MAX_TURNS 62000

// What the stages draw at a time: a pass of the scene, or a sheet.
typedef struct {
  uint64_t level;
  uint32_t place;      // of what is drawn; SJ_NO_PLACE: the target
  const k_pass *pass;  // NULL for
  const sj_sheet *sheet;
} job_pass;

struct sj_web {
  stijl_context *context;
  uint64_t max_range, max_layer_bytes;
  uint32_t first_tiles;
  g_needs room;
  uint64_t scene_serial;  // whose arrays the device has; 0: none
  // The frame.
  sj_gpu_job job;
  bool own_surfaces;     // the device draws them
  sj_places places;      // where they are
  uint64_t planned;      // the number of the encoding that they are for; 0: none
  uint64_t written;      // and of the one whose items the device has
  uint64_t texel_bytes;  // that the device's buffer has
  SJ_ARRAY(job_pass) passes;
  size_t pass;  // the one that is drawn
  size_t run;   // of the items of filters, the first that no program has drawn yet
  // The pass.
  sj_encoded scene;  // with its draws alone
  sj_draw_list draws;
  sj_origin_list origins;  // of its draws, on a sheet
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
};

stijl_result sj_web_create(stijl_context *context, uint64_t max_range, uint64_t max_layer_bytes, uint32_t first_tiles,
                           sj_web **out, stijl_message *message) {
  *out = NULL;
  context = sj_context(context);
  sj_web *web = sj_alloc_zero(context, sizeof *web);
  if (!web) return sj_fail_memory(message);
  web->context = context;
  web->max_range = max_range;
  web->max_layer_bytes = max_layer_bytes;
  web->first_tiles = first_tiles ? first_tiles : SJ_FIRST_TILES;
  sj_web_forget(web);
  *out = web;
  return STIJL_OK;
}

void sj_web_destroy(sj_web *web) {
  if (!web) return;
  stijl_context *context = web->context;
  sj_array_finish(context, &web->texels);
  sj_array_finish(context, &web->bin_turns);
  sj_array_finish(context, &web->image_texels);
  sj_array_finish(context, &web->frame);
  sj_array_finish(context, &web->params);
  sj_array_finish(context, &web->ramps);
  sj_array_finish(context, &web->steps);
  sj_array_finish(context, &web->passes);
  sj_array_finish(context, &web->draws);
  sj_array_finish(context, &web->origins);
  sj_array_finish(context, &web->items);
  sj_places_finish(context, &web->places);
  sj_free(context, web);
}

void sj_web_forget(sj_web *web) {
  web->scene_serial = web->written = web->texel_bytes = 0;
  web->room = sj_plan_first_room((g_needs){.shares = 1}, web->max_range, web->first_tiles);
}

sj_web_stats sj_web_last_stats(const sj_web *web) { return web->stats; }

static uint32_t stride_of(stijl_irect region) {
  return ((uint32_t)(region.x1 - region.x0) + ROW_PIXELS - 1) & ~(ROW_PIXELS - 1);
}
static uint64_t target_bytes(stijl_irect region) {
  return (uint64_t)stride_of(region) * sj_row_stride(region.y1 - region.y0) * 4;
}

// --- The scene's arrays ---

static stijl_result fail_large(const sj_web *web, const char *what, uint64_t bytes, stijl_message *message) {
  return sj_fail(message, STIJL_ERROR_LIMIT, "the device's storage buffers hold %llu bytes, the scene's %s need %llu",
                 (unsigned long long)web->max_range, what, (unsigned long long)bytes);
}

// Sets what the program uploads to a buffer.
static stijl_result upload(sj_web *web, int buffer, const char *what, const void *data, uint64_t bytes,
                           stijl_message *message) {
  if (bytes > web->max_range) return fail_large(web, what, bytes, message);
  web->program.buffers[buffer] = (sj_web_buffer){(uint32_t)bytes, bytes ? data : NULL, (uint32_t)bytes};
  return STIJL_OK;
}

// Images are one after the other; behind them the device has the surfaces that it draws.
static uint64_t scene_texels(const sj_encoded *scene) {
  uint64_t texels = 0;
  for (size_t i = 0; i < scene->scene_image_count; i++) texels += sj_plan_texels(scene->images[i]);
  return (texels + ROW_PIXELS - 1) & ~(uint64_t)(ROW_PIXELS - 1);
}

static stijl_result place_images(sj_web *web, const sj_encoded *scene, uint64_t *texels, stijl_message *message) {
  *texels = 0;
  web->image_texels.count = 0;
  for (size_t i = 0; i < scene->image_count; i++) {
    bool drawn = web->own_surfaces && i >= scene->scene_image_count;
    uint32_t first = drawn ? web->places.places.data[i - scene->scene_image_count].first : (uint32_t)*texels;
    if (!sj_array_push(web->context, &web->image_texels, first)) return sj_fail_memory(message);
    if (!drawn) *texels += sj_plan_texels(scene->images[i]);
    if (*texels > web->max_range / 4) return fail_large(web, "images", *texels * 4, message);
  }
  return STIJL_OK;
}

static stijl_result write_images(sj_web *web, const sj_encoded *scene, uint64_t texels, stijl_message *message) {
  web->texels.count = 0;
  if (!sj_array_reserve(web->context, &web->texels, texels)) return sj_fail_memory(message);
  for (size_t i = 0; i < scene->image_count; i++)
    if (scene->images[i]) sj_plan_image(scene->images[i], web->texels.data + web->image_texels.data[i]);
  return upload(web, G_TEXELS, "images", web->texels.data, texels * 4, message);
}

static stijl_result write_ramps(sj_web *web, const sj_encoded *scene, stijl_message *message) {
  uint64_t bytes = scene->ramp_count * SJ_RAMP_BYTES;
  if (bytes > web->max_range) return fail_large(web, "gradients", bytes, message);
  web->ramps.count = 0;
  if (!sj_array_reserve(web->context, &web->ramps, scene->ramp_count * K_RAMP_SIZE)) return sj_fail_memory(message);
  for (uint32_t i = 0; i < scene->ramp_count; i++) sj_plan_ramp(scene, i, web->ramps.data + (size_t)i * K_RAMP_SIZE);
  return upload(web, G_RAMPS, "gradients", web->ramps.data, bytes, message);
}

// What the scene has is uploaded once for each scene; surfaces that WebAssembly draws are other images in each frame.
static stijl_result write_scene(sj_web *web, const sj_encoded *scene, stijl_message *message) {
  bool images_change = scene->surfaces.count && !web->own_surfaces;
  uint64_t texels, drawn = web->own_surfaces ? web->places.texels * 4 : 0;
  stijl_result result = place_images(web, scene, &texels, message);
  if (result != STIJL_OK) return result;
  if (web->scene_serial == scene->serial && !images_change && web->texel_bytes >= drawn) return STIJL_OK;
  web->scene_serial = 0;
  web->room.shares = 1;
  result = upload(web, G_POINTS, "points", scene->points, scene->point_count * sizeof(k_vec), message);
  if (result == STIJL_OK)
    result = upload(web, G_SEGMENTS, "segments", scene->segments, scene->segment_count * sizeof(k_segment), message);
  if (result == STIJL_OK) result = write_ramps(web, scene, message);
  if (result == STIJL_OK) result = write_images(web, scene, texels, message);
  if (result != STIJL_OK) return result;
  sj_web_buffer *buffer = &web->program.buffers[G_TEXELS];
  if (buffer->bytes < drawn) buffer->bytes = (uint32_t)drawn;
  web->texel_bytes = k_max(web->texel_bytes, buffer->bytes);
  if (!images_change) web->scene_serial = scene->serial;
  return STIJL_OK;
}

static stijl_result write_items(sj_web *web, const sj_encoded *scene, stijl_message *message) {
  const sj_places *places = &web->places;
  if (!web->own_surfaces || !places->items.count || web->written == scene->number) return STIJL_OK;
  web->items.count = 0;
  if (!sj_array_reserve(web->context, &web->items, places->items.count)) return sj_fail_memory(message);
  sj_items_write(places, web->items.data);
  web->written = scene->number;
  stijl_result result =
      upload(web, G_WEB_ITEMS, "filters", web->items.data, places->items.count * sizeof(g_item), message);
  if (result != STIJL_OK) return result;
  return upload(web, G_WEB_ITEM_WORDS, "filters", places->words.data, places->words.count * sizeof(uint32_t), message);
}

// --- A frame ---

bool sj_web_draws_surfaces(sj_web *web, const sj_encoded *scene) {
  if (web->own_surfaces && web->planned == scene->number) return true;
  web->planned = web->written = 0;
  uint64_t budget = k_min(web->max_layer_bytes, UINT64_MAX / 2) / 4 * 2;  // as on Vulkan
  sj_places_limits limits = {scene_texels(scene), k_min(web->max_range / 4, UINT32_MAX), budget, G_TILE};
  web->own_surfaces = scene->surfaces.count && sj_places_plan(web->context, scene, &limits, &web->places);
  // Each is drawn as a whole.
  for (size_t i = 0; web->own_surfaces && i < scene->passes.count; i++) {
    const k_pass *pass = &scene->passes.data[i];
    if (pass->effect || pass->surface == K_TARGET) continue;
    const sj_place *place = &web->places.places.data[pass->surface];
    if (place->sheet != SJ_NO_PLACE) place = &web->places.places.data[place->sheet];
    web->own_surfaces = place->texels <= k_min(web->max_range, MAX_TARGET_BYTES) / 4;
  }
  if (web->own_surfaces) web->planned = scene->number;
  return web->own_surfaces || !scene->surfaces.count;
}

// Lists what the stages draw: the surfaces level by level, then the target.
static bool list_passes(sj_web *web, const sj_encoded *scene) {
  const sj_places *places = &web->places;
  web->passes.count = 0;
  for (size_t i = 0, sheet = 0, level = 0; web->own_surfaces && level < places->level_count; level++) {
    for (; sheet < places->sheets.count && places->sheets.data[sheet].level == level; sheet++) {
      const sj_sheet *s = &places->sheets.data[sheet];
      if (!sj_array_push(web->context, &web->passes, (job_pass){level, s->place, NULL, s})) return false;
    }
    for (; i < places->order.count && places->levels.data[places->order.data[i]] == level; i++) {
      const k_pass *pass = &scene->passes.data[places->order.data[i]];
      if (pass->effect || places->places.data[pass->surface].sheet != SJ_NO_PLACE) continue;
      if (!sj_array_push(web->context, &web->passes, (job_pass){level, pass->surface, pass, NULL})) return false;
    }
  }
  return sj_array_push(web->context, &web->passes, (job_pass){UINT64_MAX, SJ_NO_PLACE, sj_target_pass(scene), NULL});
}

// Sets web->scene to the draws of the pass.
static bool take_draws(sj_web *web, const job_pass *p) {
  const sj_encoded *scene = web->job.scene;
  web->scene = *scene;
  web->origins.count = 0;
  if (p->place == SJ_NO_PLACE) {
    web->scene.draws.count = p->pass->end;
    web->depth = p->pass->depth;
    return true;
  }
  if (p->sheet) {
    if (!sj_sheet_draws(web->context, scene, &web->places, p->sheet, &web->draws, &web->origins, &web->depth))
      return false;
  } else if (!sj_encoded_crop(web->context, scene, p->pass, web->region, &web->draws)) {
    return false;
  } else {
    web->depth = p->pass->depth;
  }
  web->scene.draws = web->draws;
  return true;
}

static stijl_result begin_pass(sj_web *web, stijl_message *message) {
  const job_pass *p = &web->passes.data[web->pass];
  const sj_place *place = p->place == SJ_NO_PLACE ? NULL : &web->places.places.data[p->place];
  web->region = place ? place->box : web->job.region;
  web->stride = place ? place->stride : stride_of(web->region);
  web->background = p->pass && p->pass->flags & K_PASS_BACKGROUND ? web->job.background : 0;
  web->keep = p->pass && p->pass->flags & K_PASS_CONTINUES;
  web->first = web->open = 0;
  web->limits = sj_plan_limits(web->max_range);
  web->limits.turns = MAX_TURNS;
  web->limits.windings = K_SUM_LINES;
  web->limits.chunk = 8;
  web->limits.few_segments = true;  // flatten has them for all kinds of segments
  sj_plan_limit_bins(&web->limits, web->max_range, web->region);
  // Records and paints are in one buffer (fine.comp).
  web->limits.draws = k_min(web->limits.draws, web->max_range / 2 / sizeof(g_record));
  web->limits.paints = k_min(web->limits.paints, web->max_range / 2 / sizeof(k_paint));
  web->most_draws = web->limits.draws;
  web->bin_turns.count = 0;
  if (!sj_array_reserve(web->context, &web->bin_turns, web->limits.bins)) return sj_fail_memory(message);
  web->limits.bin_turns = web->bin_turns.data;
  if (!take_draws(web, p)) return sj_fail_memory(message);
  web->stats.draws += (uint32_t)web->scene.draws.count;
  return STIJL_OK;
}

stijl_result sj_web_begin(sj_web *web, const sj_gpu_job *job, stijl_message *message) {
  stijl_irect region = job->region;
  web->job = *job;
  web->stats = (sj_web_stats){.surfaces = web->own_surfaces ? (uint32_t)job->scene->surfaces.count : 0};
  web->pass = web->run = 0;
  if (target_bytes(region) > k_min(web->max_range, MAX_TARGET_BYTES))
    return sj_fail(message, STIJL_ERROR_LIMIT, "%d x %d pixels are more than the device draws at a time",
                   region.x1 - region.x0, region.y1 - region.y0);
  memset(web->program.buffers, 0, sizeof web->program.buffers);
  stijl_result result = write_scene(web, job->scene, message);
  if (result == STIJL_OK) result = write_items(web, job->scene, message);
  if (result == STIJL_OK && !list_passes(web, job->scene)) result = sj_fail_memory(message);
  return result == STIJL_OK ? begin_pass(web, message) : result;
}

// --- A batch ---

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

// Stages that are not specialised take each draw to have an origin of its own.
static void write_origins(const sj_web *web, g_record *records) {
  size_t count = web->batch.end - web->batch.first;
  if (web->origins.count) {
    sj_sheet_write_origins(web->origins.data + web->batch.first, count, records);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    records[i].origin_x = web->region.x0;
    records[i].origin_y = web->region.y0;
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
  if (batch->pen_count) memcpy(base + at[1], web->scene.pens.data + batch->pen, bytes[1]);
  write_paints(web, (k_paint *)(void *)(base + at[3]));
  g_record *records = (g_record *)(void *)(base + at[2]);
  sj_batch_write(&web->scene, web->region, batch, records, (g_path *)(void *)base, (uint32_t *)(void *)(base + at[4]));
  write_origins(web, records);
  stijl_result result = upload(web, G_PATHS, "draws", base, bytes[0], message);
  if (result == STIJL_OK) result = upload(web, G_PENS, "pens", base + at[1], bytes[1], message);
  if (result == STIJL_OK) result = upload(web, G_RECORDS, "paints", base + at[2], at[4] - at[2], message);
  if (result == STIJL_OK) result = upload(web, G_BLOCKS, "lists", base + at[4], bytes[4], message);
  return result;
}

// --- Steps ---

static const sj_stage stages[] = {
    [SJ_WEB_FLATTEN] = SJ_STAGE_FLATTEN,      [SJ_WEB_SMALL] = SJ_STAGE_SMALL,      [SJ_WEB_RANK] = SJ_STAGE_RANK,
    [SJ_WEB_COVER] = SJ_STAGE_COVER,          [SJ_WEB_COVER_LONG] = SJ_STAGE_COVER, [SJ_WEB_RESOLVE] = SJ_STAGE_RESOLVE,
    [SJ_WEB_RESOLVE_LONG] = SJ_STAGE_RESOLVE, [SJ_WEB_COARSE] = SJ_STAGE_COARSE,    [SJ_WEB_FINE] = SJ_STAGE_FINE};

// Those of the batch, as fine is specialised by them.
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
  // As groups_xy of shaders/common.glsl.
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
  uint32_t tiles = params.tiles_x * params.tiles_y;
  for (; params.first_tile < tiles; params.first_tile += tiles_at_once)
    if (!add_dispatch(web, SJ_WEB_FINE, k_min(tiles - params.first_tile, tiles_at_once), &params)) return false;
  return true;
}

// The items of the levels before a pass, that none of the programs before has drawn.
static bool add_items(sj_web *web, uint64_t level) {
  const sj_places *places = &web->places;
  for (; web->own_surfaces && web->run < places->effect_runs.count; web->run++) {
    const sj_effect_run *run = &places->effect_runs.data[web->run];
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

// As sj_record (gpu/record.c) has it.
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

// Sizes of the buffers that depend on the batch or on what the frame has counted.
static void size_buffers(sj_web *web, const g_params *params, uint64_t layer_bytes) {
  bool long_sums = web->batch.features & SJ_FEATURE_LONG_SUMS;
  for (int i = 0; i < G_BINDINGS; i++) {
    uint64_t bytes = sj_plan_bytes(i, params, web->batch.words, long_sums);
    if (bytes) web->program.buffers[i].bytes = (uint32_t)bytes;
  }
  web->program.buffers[G_CONTROL].bytes = sizeof(g_control);
  web->program.buffers[G_TARGET].bytes = web->stride * sj_row_stride(web->region.y1 - web->region.y0) * 4;
  web->program.buffers[G_SPILL].bytes = (uint32_t)layer_bytes;
}

static stijl_result fail_draw(stijl_message *message) {
  return sj_fail(message, STIJL_ERROR_LIMIT, "one draw, or the layers around it, need more than the device holds");
}

stijl_result sj_web_next(sj_web *web, const sj_web_program **out, stijl_message *message) {
  if (!sj_budget_look(web->job.budget)) return sj_budget_result(web->job.budget, sj_budget_spent(NULL), message);
  const job_pass *pass = &web->passes.data[web->pass];
  sj_batch *batch = &web->batch;
  if (!sj_batch_find(&web->scene, web->region, web->first, web->open, &web->limits, batch)) return fail_draw(message);
  web->glyphs = batch->features & SJ_FEATURE_GLYPHS;
  batch->features |= SJ_FEATURE_GLYPHS;  // all variants of flatten read the spans of glyph runs
  // Where lines are many, there is room for them at the first try.
  if (batch->lines > SJ_LEAST_GUESSED) web->room = sj_plan_room(web->room, web->max_range, 0, batch->lines, 0, 0);
  bool ends = batch->end == web->scene.draws.count;
  g_params params =
      sj_plan_params(web->region, batch, web->depth, web->room, web->background, batch->first > 0 || web->keep);
  params.stride = web->stride;
  sj_layer_plan layers;
  stijl_result result = sj_plan_layers(&params, web->depth, web->max_layer_bytes, web->max_range, &layers, message);
  if (result == STIJL_OK && !layers.fits) result = fail_draw(message);
  if (result == STIJL_OK) result = write_batch(web, message);
  if (result != STIJL_OK) return result;
  web->steps.count = web->params.count = 0;
  if (!add_items(web, pass->level) || (web->keep && !batch->first && !add_copy(web, SJ_WEB_LOAD, pass->place)) ||
      !add_steps(web, &params, layers.tiles_at_once) ||
      (ends && pass->place != SJ_NO_PLACE && !add_copy(web, SJ_WEB_STORE, pass->place)))
    return sj_fail_memory(message);
  size_buffers(web, &params, layers.bytes);
  web->program.steps = web->steps.data;
  web->program.step_count = (uint32_t)web->steps.count;
  web->program.last = ends && pass->place == SJ_NO_PLACE;
  *out = &web->program;
  return upload(web, G_WEB_PARAMS, "parameters", web->params.data, web->params.count * 4, message);
}

stijl_result sj_web_told(sj_web *web, const g_needs *needed, bool *again, stijl_message *message) {
  sj_batch *batch = &web->batch;
  // What the scene has is on the device.
  memset(web->program.buffers, 0, sizeof web->program.buffers);
  *again = true;
  if (g_fits(*needed, web->room)) {
    web->stats.batches++;
    web->first = batch->end;
    web->open = batch->open_after;
    web->limits.draws = k_min(web->limits.draws * 2, web->most_draws);
    if (web->first < web->scene.draws.count) return STIJL_OK;
    *again = ++web->pass < web->passes.count;
    return *again ? begin_pass(web, message) : STIJL_OK;
  }
  web->stats.retries++;
  if (needed->shares > G_MAX_SHARES)
    return sj_fail(message, STIJL_ERROR_LIMIT,
                   "the device ends loops before their end: too many lines for one segment's shape");
  web->room = sj_plan_growth(web->room, web->max_range, *needed);
  if (g_fits(*needed, web->room)) return STIJL_OK;
  uint32_t draws = batch->end - batch->first;
  if (draws == 1) return fail_draw(message);
  web->limits.draws = sj_plan_fewer_draws(draws, *needed, web->room);
  return STIJL_OK;
}

void sj_web_pixels(const sj_web *web, const uint32_t *pixels, const stijl_target *target) {
  stijl_irect region = web->job.region;
  uint32_t stride = stride_of(region);
  for (int y = 0; y < region.y1 - region.y0; y++)
    sj_convert_row(STIJL_FORMAT_RGBA8, target->format, pixels + (size_t)y * stride,
                   (unsigned char *)target->pixels + (size_t)y * target->stride, (size_t)(region.x1 - region.x0));
}
