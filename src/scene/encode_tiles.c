// Surfaces: which of them a frame needs, and in what order they are drawn.
#include "scene/encode_tiles.h"

#include <string.h>

#include "base/sort.h"
#include "scene/encode_passes.h"
#include "scene/encoder.h"

#define BYTES_A_PIXEL 4
// What a pass takes beside its draws and its pixels.
#define WORK_PASS 4096

// Returns the order in which passes are drawn: scenes within a scene come before it.
static uint32_t later(uint32_t a, uint32_t b) { return a > b ? a : b; }

// What tells one tile from another.
typedef struct {
  uint32_t subscene;
  sj_tile_part part;
  stijl_point p0, p1;
} tile_key;

_Static_assert(sizeof(tile_key) == 44, "hashed without padding");

bool sj_find_tile(sj_encoder *e, const sj_paint *paint, const sj_tile_part *part, uint32_t *out) {
  if (!e->tile_numbers.entries.count) e->tile_hash = sj_hash_key_random();
  tile_key key = {paint->source, *part, paint->p0, paint->p1};
  uint64_t hash = sj_hash(e->tile_hash, &key, sizeof key);
  bool known = sj_pairs_find(&e->tile_numbers, hash, (uint32_t)(hash >> 32), out);
  if (known) {
    sj_tile *tile = &e->tiles.data[*out];
    tile_key other = {tile->subscene, tile->part, tile->p0, tile->p1};
    if (memcmp(&key, &other, sizeof key) == 0) {
      tile->reader = later(tile->reader, e->subscene);
      return true;
    }
  }
  // Of two tiles with the same hash, which nobody will see, the second is shared with none.
  sj_tile made = {.subscene = paint->source, .part = *part, .p0 = paint->p0, .p1 = paint->p1, .reader = e->subscene};
  *out = (uint32_t)e->tiles.count;
  return sj_array_push(e->context, &e->tiles, made) &&
         (known || sj_pairs_add(e->context, &e->tile_numbers, hash, (uint32_t)(hash >> 32), *out));
}

static int compare(const void *left, const void *right) {
  const sj_entry *a = left, *b = right;
  if (a->subscene != b->subscene) return a->subscene < b->subscene ? -1 : 1;
  return (a->order > b->order) - (a->order < b->order);
}

// Sorts the entries. Most scenes have them in their order from the beginning. Returns false when memory is out.
static bool sort_entries(sj_encoder *e) {
  sj_entry *entries = e->entries.data;
  size_t count = e->entries.count, sorted = 1;
  while (sorted < count && compare(&entries[sorted - 1], &entries[sorted]) <= 0) sorted++;
  return sorted >= count || sj_sort(e->context, entries, count, sizeof *entries, compare);
}

// Lists surfaces by their last pass.
static bool list_released(sj_encoder *e) {
  sj_encoded *out = e->out;
  size_t count = out->surfaces.count, passes = out->passes.count + 1;  // the target's is yet to come
  uint32_t *starts = sj_alloc_zero(e->context, (passes + 1) * sizeof *starts);
  if (!starts || !sj_array_reserve(e->context, &out->released, count)) {
    sj_free(e->context, starts);
    return false;
  }
  for (size_t i = 0; i < count; i++) starts[out->surfaces.data[i].last + 1]++;
  for (size_t i = 0; i < passes; i++) starts[i + 1] += starts[i];
  for (size_t i = 0; i < count; i++) out->released.data[starts[out->surfaces.data[i].last]++] = (uint32_t)i;
  out->released.count = count;
  sj_free(e->context, starts);
  return true;
}

typedef struct {
  sj_encoded *out;
  uint32_t pass;
} last_reader;

static void note_reader(void *user, uint32_t surface) {
  const last_reader *reader = user;
  reader->out->surfaces.data[surface].last = reader->pass;
}

// Finds the last pass that reads each surface of a filter: paints it, or makes another of it.
static void find_filter_readers(const sj_encoder *e) {
  const sj_encoded *out = e->out;
  uint32_t images = (uint32_t)e->scene->images.count;
  for (uint32_t i = 0; i <= out->passes.count; i++) {
    // The target's pass, which comes last, has what was encoded first.
    bool target = i == out->passes.count;
    k_pass pass = target ? (k_pass){.end = e->target_end} : out->passes.data[i];
    if (!target && e->tiles.data[pass.surface].filter) out->surfaces.data[pass.surface].last = i;
    for (uint32_t k = pass.first; k < pass.end; k++) {
      const k_draw *draw = &out->draws.data[k];
      if (draw->op > K_DRAW_ALL || (draw->flags & K_DRAW_SOLID)) continue;
      const k_paint *paint = &out->paints.data[draw->paint];
      if (paint->kind != K_PAINT_IMAGE || paint->source < images) continue;
      if (e->tiles.data[paint->source - images].filter) out->surfaces.data[paint->source - images].last = i;
    }
    if (!pass.filter_use) continue;
    sj_each_source(out, &pass, note_reader, &(last_reader){e->out, i});
  }
}

static bool order_passes(sj_encoder *e) {
  sj_encoded *out = e->out;
  sj_entry *entries = e->entries.data;
  size_t count = e->entries.count;  // each surface is made by one pass, or by several
  // The last pass of each scene within.
  uint32_t *last = sj_alloc_array(e->context, e->scene->subscenes.count + 1, sizeof *last);
  if (!last || !sj_array_reserve(e->context, &out->passes, count + 1) ||
      !sj_array_reserve(e->context, &out->surfaces, e->tiles.count) || !sort_entries(e)) {
    sj_free(e->context, last);
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    out->passes.data[out->passes.count++] = entries[i].pass;
    if (entries[i].subscene != SJ_ROOT) last[entries[i].subscene] = (uint32_t)i;
  }
  for (size_t i = 0; i < e->tiles.count; i++) {
    const sj_tile *tile = &e->tiles.data[i];
    uint32_t reader = tile->reader == SJ_ROOT ? (uint32_t)count : last[tile->reader];
    k_surface made = {.width = tile->part.width, .height = tile->part.height, .last = reader};
    if (tile->filter) made.x = tile->part.x, made.y = tile->part.y;
    out->surfaces.data[out->surfaces.count++] = made;
  }
  sj_free(e->context, last);
  find_filter_readers(e);
  return list_released(e);
}

// Makes the list of images that has room for surfaces.
static bool list_images(sj_encoder *e) {
  sj_encoded *out = e->out;
  size_t count = out->scene_image_count + e->tiles.count;
  if (!sj_array_reserve(e->context, &out->all_images, count)) return false;
  for (size_t i = 0; i < count; i++) out->all_images.data[i] = i < out->scene_image_count ? out->images[i] : NULL;
  out->all_images.count = out->image_count = count;
  out->images = out->all_images.data;
  return true;
}

bool sj_encode_tiles(sj_encoder *e, bool (*encode)(sj_encoder *e, stijl_irect region), bool (*append)(sj_encoder *e)) {
  bool ok = true;
  // Encoding a pass may ask for further surfaces, which are added to the end.
  for (uint32_t i = 0; ok && i < e->tiles.count; i++) {
    sj_tile tile = e->tiles.data[i];
    if (tile.filter) continue;
    sj_tile_part part = tile.part;
    float x = (float)((double)part.whole_width / ((double)tile.p1.x - (double)tile.p0.x));
    float y = (float)((double)part.whole_height / ((double)tile.p1.y - (double)tile.p0.y));
    e->view = stijl_matrix_multiply(stijl_matrix_scale(x, y), stijl_matrix_translate(-tile.p0.x, -tile.p0.y));
    e->view.e -= (float)part.x;
    e->view.f -= (float)part.y;
    e->subscene = tile.subscene;
    k_pass pass = {.first = (uint32_t)e->out->draws.count, .surface = i};
    ok = sj_spend(&e->spender, WORK_PASS + (uint64_t)part.width * (uint64_t)part.height / 4) &&
         encode(e, (stijl_irect){0, 0, part.width, part.height});
    pass.depth = e->depth;
    ok = ok && sj_add_passes(e, pass.first, pass.first, pass, false);
  }
  return ok && append(e) && order_passes(e) && list_images(e);
}

// Returns the most bytes that surfaces take at a time, together with what filters take while they work, unless
// `context` is NULL.
static uint64_t most_at_a_time(const sj_encoded *encoded, stijl_context *context, uint64_t enough) {
  uint64_t live = 0, most = 0;
  for (size_t i = 0, k = 0; i + 1 < encoded->passes.count; i++) {
    const k_pass *pass = &encoded->passes.data[i];
    const k_surface *drawn = &encoded->surfaces.data[pass->surface];
    if (!(pass->flags & K_PASS_CONTINUES)) live += (uint64_t)drawn->width * (uint64_t)drawn->height * BYTES_A_PIXEL;
    uint64_t within = 0, left = enough > live ? enough - live : 0;
    if (context && pass->filter_use) within = sj_filter_plan_bytes(context, sj_plan_of(encoded, pass), left);
    if (live + within > most) most = live + within;
    for (; k < encoded->released.count && encoded->surfaces.data[encoded->released.data[k]].last <= i; k++) {
      const k_surface *freed = &encoded->surfaces.data[encoded->released.data[k]];
      live -= (uint64_t)freed->width * (uint64_t)freed->height * BYTES_A_PIXEL;
    }
  }
  return most;
}

uint64_t sj_encoded_surface_bytes(const sj_encoded *encoded) { return most_at_a_time(encoded, NULL, 0); }

uint64_t sj_encoded_bytes(stijl_context *context, const sj_encoded *encoded, uint64_t enough) {
  return most_at_a_time(encoded, context, enough);
}
