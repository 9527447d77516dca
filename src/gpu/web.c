#include "gpu/web.h"

#include <string.h>

#include "image/convert.h"
#include "kernel/coverage.h"

#define MAX_TARGET_BYTES ((uint64_t)128 << 20)
// Rows are copied to canvases, which asks for multiples of 256 bytes.
#define ROW_PIXELS 64u
// WebGPU runs on drivers that end loops as Vulkan does (SJ_VK_MAX_TURNS).
#define MAX_TURNS 62000

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
  sj_arrays_finish(context, &web->texels, &web->bin_turns, &web->image_texels, &web->frame, &web->params, &web->ramps,
                   &web->steps, &web->passes, &web->draws, &web->origins, &web->open_records, &web->items);
  sj_places_finish(context, &web->places);
  sj_free(context, web);
}

void sj_web_forget(sj_web *web) {
  web->scene_arrays = web->written = web->texel_bytes = 0;
  web->room = sj_plan_first_room((g_needs){.shares = 1, .crowded = 1}, web->max_range, web->first_tiles);
}

sj_web_stats sj_web_last_stats(const sj_web *web) { return web->stats; }

static uint32_t stride_of(stijl_irect region) {
  return ((uint32_t)(region.x1 - region.x0) + ROW_PIXELS - 1) & ~(ROW_PIXELS - 1);
}
static uint64_t target_bytes(stijl_irect region) {
  return (uint64_t)stride_of(region) * sj_row_stride(region.y1 - region.y0) * 4;
}

// --- The scene's arrays ---

// Returns how many texels the scene's images have, one after the other; behind them the device has the surfaces that it
// draws.
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
    if (*texels > web->max_range / 4) return sj_web_fail_large(web, "images", *texels * 4, message);
  }
  return STIJL_OK;
}

static stijl_result write_images(sj_web *web, const sj_encoded *scene, uint64_t texels, stijl_message *message) {
  web->texels.count = 0;
  if (!sj_array_reserve(web->context, &web->texels, texels)) return sj_fail_memory(message);
  for (size_t i = 0; i < scene->image_count; i++)
    if (scene->images[i]) sj_plan_image(scene->images[i], web->texels.data + web->image_texels.data[i]);
  return sj_web_upload(web, G_TEXELS, "images", web->texels.data, texels * 4, message);
}

static stijl_result write_ramps(sj_web *web, const sj_encoded *scene, stijl_message *message) {
  uint64_t bytes = scene->ramp_count * SJ_RAMP_BYTES;
  if (bytes > web->max_range) return sj_web_fail_large(web, "gradients", bytes, message);
  web->ramps.count = 0;
  if (!sj_array_reserve(web->context, &web->ramps, scene->ramp_count * K_RAMP_SIZE)) return sj_fail_memory(message);
  for (uint32_t i = 0; i < scene->ramp_count; i++) sj_plan_ramp(scene, i, web->ramps.data + (size_t)i * K_RAMP_SIZE);
  return sj_web_upload(web, G_RAMPS, "gradients", web->ramps.data, bytes, message);
}

// Uploads what the scene has, once for each scene; surfaces that WebAssembly draws are other images in each frame.
static stijl_result write_scene(sj_web *web, const sj_encoded *scene, stijl_message *message) {
  bool images_change = scene->surfaces.count && !web->own_surfaces;
  uint64_t texels, drawn = web->own_surfaces ? web->places.texels * 4 : 0;
  stijl_result result = place_images(web, scene, &texels, message);
  if (result != STIJL_OK) return result;
  if (web->scene_arrays == scene->arrays && !images_change && web->texel_bytes >= drawn) return STIJL_OK;
  web->scene_arrays = 0;
  web->room.shares = 1;
  result = sj_web_upload(web, G_POINTS, "points", scene->points, scene->point_count * sizeof(k_vec), message);
  if (result == STIJL_OK)
    result =
        sj_web_upload(web, G_SEGMENTS, "segments", scene->segments, scene->segment_count * sizeof(k_segment), message);
  if (result == STIJL_OK) result = write_ramps(web, scene, message);
  if (result == STIJL_OK) result = write_images(web, scene, texels, message);
  if (result != STIJL_OK) return result;
  sj_web_buffer *buffer = &web->program.buffers[G_TEXELS];
  if (buffer->bytes < drawn) buffer->bytes = (uint32_t)drawn;
  web->texel_bytes = k_max(web->texel_bytes, buffer->bytes);
  if (!images_change) web->scene_arrays = scene->arrays;
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
      sj_web_upload(web, G_WEB_ITEMS, "filters", web->items.data, places->items.count * sizeof(g_item), message);
  if (result != STIJL_OK) return result;
  return sj_web_upload(web, G_WEB_ITEM_WORDS, "filters", places->words.data, places->words.count * sizeof(uint32_t),
                       message);
}

// --- A frame ---

bool sj_web_draws_surfaces(sj_web *web, const sj_encoded *scene) {
  if (web->own_surfaces && web->planned == scene->number) return true;
  web->planned = web->written = 0;
  uint64_t budget = k_min(web->max_layer_bytes, UINT64_MAX / 2) / 4 * 2;  // as on Vulkan
  sj_places_limits limits = {scene_texels(scene), k_min(web->max_range / 4, UINT32_MAX), budget, G_TILE};
  web->own_surfaces = scene->surfaces.count && sj_places_plan(web->context, scene, &limits, &web->places);
  // Each surface or sheet has to fit the target's buffer, in which it is drawn as a whole.
  for (size_t i = 0; web->own_surfaces && i < scene->passes.count; i++) {
    const k_pass *pass = &scene->passes.data[i];
    if (pass->filter_use || pass->surface == K_TARGET) continue;
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
      if (!sj_array_push(web->context, &web->passes, (sj_web_pass){level, s->place, NULL, s})) return false;
    }
    for (; i < places->order.count && places->levels.data[places->order.data[i]] == level; i++) {
      const k_pass *pass = &scene->passes.data[places->order.data[i]];
      if (pass->filter_use || places->places.data[pass->surface].sheet != SJ_NO_PLACE) continue;
      if (!sj_array_push(web->context, &web->passes, (sj_web_pass){level, pass->surface, pass, NULL})) return false;
    }
  }
  return sj_array_push(web->context, &web->passes, (sj_web_pass){UINT64_MAX, SJ_NO_PLACE, sj_target_pass(scene), NULL});
}

// Sets web->scene to the draws of the pass.
static bool take_draws(sj_web *web, const sj_web_pass *p) {
  const sj_encoded *scene = web->job.scene;
  web->scene = *scene;
  web->origins.count = 0;
  if (p->place == SJ_NO_PLACE) {
    web->scene.draws.count = p->pass->end;
    web->depth = p->pass->depth;
    return true;
  }
  web->draws.count = 0;
  if (p->sheet) {
    if (!sj_sheet_draws(web->context, scene, &web->places, p->sheet, &web->draws, &web->origins, &web->depth))
      return false;
  } else if (!sj_encoded_crop(web->context, scene, p->pass->first, p->pass->end, web->region, &web->draws)) {
    return false;
  } else {
    web->depth = p->pass->depth;
  }
  web->scene.draws = web->draws;
  return true;
}

static stijl_result begin_pass(sj_web *web, stijl_message *message) {
  const sj_web_pass *p = &web->passes.data[web->pass];
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
  web->limits.few_segments = true;  // here one variant of flatten is for all kinds of segments
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

stijl_result sj_web_begin(sj_web *web, const sj_render_job *job, stijl_message *message) {
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

// --- Programs ---

static stijl_result fail_draw(stijl_message *message) {
  return sj_fail(message, STIJL_ERROR_LIMIT, "one draw, or the layers around it, need more than the device holds");
}

stijl_result sj_web_next(sj_web *web, const sj_web_program **out, stijl_message *message) {
  if (!sj_budget_look(web->job.budget)) return sj_budget_result(web->job.budget, sj_budget_spent(NULL), message);
  sj_batch *batch = &web->batch;
  if (!sj_batch_find(&web->scene, web->region, web->first, web->open, &web->limits, batch)) return fail_draw(message);
  web->glyphs = batch->features & SJ_FEATURE_GLYPHS;
  batch->features |= SJ_FEATURE_GLYPHS;  // all variants of flatten read the spans of glyph runs
  g_params params =
      sj_plan_params(web->region, batch, web->depth, web->room, web->background, batch->first > 0 || web->keep);
  params.stride = web->stride;
  sj_layer_plan layers;
  stijl_result result = sj_plan_layers(&params, web->depth, web->max_layer_bytes, web->max_range, &layers, message);
  if (result == STIJL_OK && !layers.fits) result = fail_draw(message);
  if (result == STIJL_OK) result = sj_web_write_program(web, &params, &layers, message);
  if (result != STIJL_OK) return result;
  *out = &web->program;
  return STIJL_OK;
}

stijl_result sj_web_told(sj_web *web, const g_needs *needed, bool *again, stijl_message *message) {
  sj_batch *batch = &web->batch;
  // Uploads what the scene has, once for each scene; surfaces that WebAssembly draws are other images in each frame.
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
