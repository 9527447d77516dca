#include "gpu/plan.h"

#include <string.h>

// The features that a stage is specialised by: its shader's constants 0, 1, ... (Of coarse, and of cover where it is
// WIDE, one chooses another shader instead.)
static const uint32_t stage_features[SJ_STAGES][SJ_STAGE_FEATURES] = {
    [SJ_STAGE_FLATTEN] = {SJ_FEATURE_STROKES, SJ_FEATURE_FAR, SJ_FEATURE_CURVES, SJ_FEATURE_ALIASED, SJ_FEATURE_SHARES,
                          SJ_FEATURE_GLYPHS, SJ_FEATURE_SHEET, SJ_FEATURE_RESIDENT},
    [SJ_STAGE_SMALL] = {SJ_FEATURE_SHEET, SJ_FEATURE_RESIDENT},
    [SJ_STAGE_RANK] = {SJ_FEATURE_RESIDENT},
    [SJ_STAGE_COVER] = {SJ_FEATURE_WIDE, SJ_FEATURE_LONG_SUMS, SJ_FEATURE_ALIASED, SJ_FEATURE_CROSSINGS},
    [SJ_STAGE_RESOLVE] = {SJ_FEATURE_WIDE, SJ_FEATURE_LONG_SUMS},
    [SJ_STAGE_COARSE] = {SJ_FEATURE_LAYERS, SJ_FEATURE_FEW_BINS, SJ_FEATURE_RESIDENT},
    [SJ_STAGE_FINE] = {SJ_FEATURE_LAYERS, SJ_FEATURE_GRADIENTS, SJ_FEATURE_IMAGES, SJ_FEATURE_BLENDS, SJ_FEATURE_OPAQUE,
                       SJ_FEATURE_SHEET, SJ_FEATURE_CLIPPED}};

uint32_t sj_stage_variant(sj_stage stage, uint32_t features) {
  if (features & SJ_FEATURE_LAYERS) features &= ~SJ_FEATURE_OPAQUE;
  uint32_t variant = 0;
  for (uint32_t i = 0; i < SJ_STAGE_FEATURES; i++)
    variant |= (uint32_t)((features & stage_features[stage][i]) != 0) << i;
  return variant;
}

// How many of each the first buffers have room for.
#define EDGES_A_TILE 8
#define COMMANDS_A_TILE 8

#define MAX_BIN_BYTES ((uint64_t)64 << 20)
#define MAX_SPILL_BYTES ((uint64_t)256 << 20)

static uint32_t width_of(stijl_irect region) { return (uint32_t)(region.x1 - region.x0); }
static uint32_t height_of(stijl_irect region) { return (uint32_t)(region.y1 - region.y0); }

static uint32_t bins_across(uint32_t pixels, uint32_t shift) {
  uint32_t side = G_TILE << shift;
  return (pixels + side - 1) / side;
}

sj_batch_limits sj_plan_limits(uint64_t max_range) {
  return (sj_batch_limits){.draws = max_range / sizeof(g_record),
                           .words = k_min(max_range / sizeof(g_word), G_MAX_WORDS),
                           // So many items and spans that G_BLOCKS fits a range, together with 16 bytes for each draw.
                           .rows = max_range,
                           .items = max_range / 8,
                           .glyph_spans = max_range / 3 / (G_GLYPH_SPAN_WORDS * sizeof(uint32_t)),
                           .pens = max_range / sizeof(k_pen),
                           .paints = max_range / sizeof(k_paint),
                           .images = {max_range / 4, NULL},
                           .ramps = {max_range / SJ_RAMP_BYTES, NULL}};
}

void sj_plan_limit_bins(sj_batch_limits *limits, uint64_t max_range, stijl_irect region) {
  limits->bins_x = bins_across(width_of(region), G_BIN_X_SHIFT);
  limits->bins = limits->bins_x * bins_across(height_of(region), G_BIN_Y_SHIFT);
  uint64_t most = k_min(max_range, MAX_BIN_BYTES) / (4 * (uint64_t)limits->bins) * 32;
  if (most < limits->draws) limits->draws = most;
}

g_params sj_plan_params(stijl_irect region, const sj_batch *batch, uint32_t depth, g_needs capacity,
                        uint32_t background, bool keep) {
  uint32_t width = width_of(region), height = height_of(region), draws = batch->end - batch->first;
  uint32_t bins_x = bins_across(width, G_BIN_X_SHIFT);
  // Where layers are open beyond the batch, they have room for all layers of the scene, as later batches have as well.
  uint32_t flags = (keep ? G_KEEP : 0) | (batch->open ? G_RESUME : 0) | (batch->open_after ? G_SUSPEND : 0);
  uint32_t levels = flags & (G_RESUME | G_SUSPEND)     ? depth
                    : batch->depth > G_REGISTER_LEVELS ? batch->depth - G_REGISTER_LEVELS
                                                       : 0;
  return (g_params){.draws = draws,
                    .rows = batch->rows,
                    .capacity = capacity,
                    .width = width,
                    .height = height,
                    .tiles_x = (width + G_TILE - 1) / G_TILE,
                    .stride = sj_target_stride(region),
                    .bins_x = bins_x,
                    .bins = bins_x * bins_across(height, G_BIN_Y_SHIFT),
                    .rows_at_once = batch->rows_at_once,
                    .edges_at_once = batch->edges_at_once,
                    .rank_block = sj_rank_block(batch),
                    .small = batch->small,
                    .small_block = sj_small_block(batch),
                    .region_x = region.x0,
                    .region_y = region.y0,
                    .background = background,
                    .flags = flags,
                    .open = batch->open,
                    .spill_levels = levels};
}

uint32_t sj_plan_flatten(const sj_batch *batch, int list, g_params *params) {
  params->items = batch->lists[list].items;
  params->segments_at_once = batch->lists[list].at_once;
  params->flatten_block = sj_flatten_block(batch, list);
  params->span = sj_span_block(batch, list);
  return sj_flatten_groups(batch, list) * sj_flatten_shares(batch, list, params);
}

// --- Room ---

static uint32_t at_most(uint64_t wanted, uint64_t most) { return (uint32_t)k_min(k_min(wanted, most), UINT32_MAX); }

// Returns room for so many of each, as far as ranges allow, and never less than before.
static g_needs enlarge(g_needs room, uint64_t max_range, uint64_t tiles, uint64_t edges, uint64_t small,
                       uint64_t commands) {
  room.tiles = k_max(room.tiles, at_most(tiles, max_range / SJ_SUMS_BYTES));
  room.edges = k_max(room.edges, at_most(edges, max_range / SJ_EDGE_BYTES));
  room.small = at_most(k_max(small, room.small), max_range / G_TILE_PIXELS - room.tiles);
  room.commands = k_max(room.commands, at_most(commands, max_range / sizeof(g_command)));
  return room;
}

g_needs sj_plan_first_room(g_needs room, uint64_t max_range, uint64_t tiles) {
  return enlarge(room, max_range, tiles, tiles * EDGES_A_TILE, tiles, tiles * COMMANDS_A_TILE);
}

g_needs sj_plan_growth(g_needs room, uint64_t max_range, g_needs needed) {
  // A frame in which something else did not fit has not counted its commands, so their number is guessed.
  uint64_t tiles = (uint64_t)needed.tiles * 17 / 16, small = (uint64_t)needed.small * 17 / 16;
  uint64_t commands = (uint64_t)needed.commands * 17 / 16;
  room.shares = k_max(room.shares, needed.shares);
  room.crowded = k_max(room.crowded, needed.crowded);
  uint64_t most_words = sj_plan_limits(max_range).words;
  if (needed.words <= most_words) room.words = k_max(room.words, at_most((uint64_t)needed.words * 17 / 16, most_words));
  return enlarge(room, max_range, tiles, (uint64_t)needed.edges * 17 / 16, small,
                 k_max(commands, (tiles + small) * COMMANDS_A_TILE));
}

uint64_t sj_plan_fewer_draws(uint64_t draws, g_needs needed, g_needs capacity) {
  const uint32_t pairs[][2] = {
      {needed.tiles, capacity.tiles}, {needed.small, capacity.small}, {needed.commands, capacity.commands}};
  uint64_t fewer = draws * 3 / 4;
  for (int i = 0; i < 3; i++)
    if (pairs[i][0] > pairs[i][1]) fewer = k_min(fewer, draws * pairs[i][1] / pairs[i][0] * 7 / 8);
  return k_max(fewer, 1);
}

uint64_t sj_plan_bytes(int binding, const g_params *params, const sj_batch *batch) {
  uint64_t tiles = params->capacity.tiles;
  switch (binding) {
    case G_LISTS: return sizeof(g_needs) + (uint64_t)sj_tiles(params) * sizeof(g_list);
    case G_MARKS: return (uint64_t)batch->words * G_MARK_WORDS * sizeof(uint32_t);
    case G_WORDS: return (uint64_t)batch->words * sizeof(g_word);
    case G_BINS: return (uint64_t)params->bins * ((params->draws + 31) / 32) * sizeof(uint32_t);
    case G_TILES: return tiles * sizeof(g_tile);
    case G_SUMS: return tiles * SJ_SUMS_BYTES;
    case G_CARRIES:
      if (batch->features & SJ_FEATURE_CROSSINGS) return (uint64_t)batch->rows * G_STRIPS * sizeof(uint32_t);
      return batch->features & SJ_FEATURE_LONG_SUMS ? tiles * SJ_SUMS_BYTES : 0;
    case G_COVERAGE: return (tiles + params->capacity.small) * G_TILE_PIXELS;
    case G_EDGES: return (uint64_t)params->capacity.edges * SJ_EDGE_BYTES;
    case G_TAGS: return (uint64_t)params->capacity.edges * sizeof(uint32_t);
    case G_COMMANDS: return (uint64_t)params->capacity.commands * sizeof(g_command);
    default: return 0;
  }
}

stijl_result sj_plan_layers(const g_params *params, uint32_t depth, uint64_t max_layer_bytes, uint64_t max_range,
                            sj_layer_plan *out, stijl_message *message) {
  uint32_t all = sj_tiles(params);
  uint64_t a_tile = (uint64_t)params->spill_levels * G_TILE_PIXELS * 4;
  *out = (sj_layer_plan){.tiles_at_once = all, .fits = true};
  if (!a_tile) return STIJL_OK;
  uint64_t most = k_min(k_min(max_layer_bytes, max_range), MAX_SPILL_BYTES);
  bool kept = params->flags & (G_RESUME | G_SUSPEND);
  if (kept) a_tile += sizeof(uint32_t);  // for the number of its layers
  out->fits = !kept || most / a_tile >= all;
  if (most < a_tile)
    return sj_fail(message, STIJL_ERROR_LIMIT,
                   "%u nested layers need more than max_layer_bytes (%llu) or the device holds", depth,
                   (unsigned long long)max_layer_bytes);
  if (most / a_tile < all) out->tiles_at_once = (uint32_t)(most / a_tile);
  out->bytes = a_tile * out->tiles_at_once;
  return STIJL_OK;
}

// --- What the scene itself has ---

uint64_t sj_plan_texels(const stijl_image *image) {
  return image ? (uint64_t)image->width * (uint64_t)image->height : 0;
}

void sj_plan_image(const stijl_image *image, uint32_t *out) {
  for (int y = 0; y < image->height; y++) {
    const unsigned char *row = image->pixels + (size_t)y * image->stride;
    if (image->format == STIJL_FORMAT_A8)
      for (int x = 0; x < image->width; x++) *out++ = (uint32_t)row[x] << 24;
    else if (image->palette)
      for (int x = 0; x < image->width; x++) *out++ = image->palette[row[x]];
    else {
      memcpy(out, row, (size_t)image->width * 4);
      out += image->width;
    }
  }
}

void sj_plan_ramp(const sj_encoded *scene, uint32_t ramp, k_pixel *out) {
  uint32_t in[K_RAMP_SIZE];
  sj_ramp_entries(scene->ramp_pieces + scene->ramps[ramp].first, scene->ramps[ramp].count, in);
  for (int i = 0; i < K_RAMP_SIZE; i++) out[i] = k_pixel_unpack(in[i]);
}
