#include "gpu/records.h"

#include <assert.h>

#include "gpu/pipeline.h"
#include "image/image.h"
#include "kernel/composite.h"
#include "kernel/paint.h"

static_assert(sizeof(g_record) == 48 && sizeof(g_word) == 16 && sizeof(g_tile) == 32 && sizeof(g_command) == 16 &&
                  sizeof(g_control) == 60,
              "as the shaders have it");
static_assert(sizeof(g_path) == 32 && sizeof(k_segment) == 12 && sizeof(k_pen) == 80 && sizeof(k_paint) == 96,
              "as the shaders have it");
static_assert(sizeof(g_params) <= 128, "every device has as much for push constants");

static bool has_path(const k_draw *draw) {
  return draw->op == K_DRAW_FILL || draw->op == K_DRAW_STROKE || (draw->op == K_DRAW_POP && draw->flags & K_DRAW_CLIP);
}

typedef struct {
  int x0, y0, x1, y1;
} tile_box;

// A layer's end takes part where its begin does.
static tile_box tiles_of(const sj_encoded *scene, stijl_irect region, const k_draw *draw) {
  const k_draw *box = draw->op == K_DRAW_POP ? &scene->draws.data[draw->paint] : draw;
  return (tile_box){(box->x0 - region.x0) >> G_TILE_SHIFT, (box->y0 - region.y0) >> G_TILE_SHIFT,
                    (box->x1 - region.x0 + G_TILE - 1) >> G_TILE_SHIFT,
                    (box->y1 - region.y0 + G_TILE - 1) >> G_TILE_SHIFT};
}

static uint32_t words_of(const k_draw *draw, tile_box t) {
  return has_path(draw) && draw->segment_count ? (uint32_t)(t.x1 - t.x0 + 31) / 32 : 0;
}

// Whether one workgroup makes its coverage.
static bool is_small(const k_draw *draw, tile_box t) {
  return draw->op == K_DRAW_FILL && !(draw->flags & K_DRAW_FAR) && draw->segment_count &&
         draw->lines == draw->segment_count && draw->segment_count <= G_SMALL_LINES && t.x1 - t.x0 <= G_SMALL_TILES &&
         t.y1 - t.y0 <= G_SMALL_TILES && g_small_pitch(draw->x1 - draw->x0) * (draw->y1 - draw->y0) <= G_SMALL_PIXELS;
}

int64_t sj_image_of(const sj_encoded *scene, const k_draw *draw) {
  if (draw->op == K_DRAW_PUSH || draw->op == K_DRAW_POP || draw->flags & K_DRAW_SOLID) return -1;
  const k_paint *paint = &scene->paints.data[draw->paint];
  return paint->kind == K_PAINT_IMAGE ? (int64_t)paint->source : -1;
}

// Pixels of the draw's image where no draw of this batch had it before.
static uint64_t new_pixels(const sj_encoded *scene, const k_draw *draw, sj_batch_limits *limits) {
  int64_t image = limits->batch_of ? sj_image_of(scene, draw) : -1;
  if (image < 0 || limits->batch_of[image] == limits->number) return 0;
  limits->batch_of[image] = limits->number;
  return (uint64_t)scene->images[image]->width * (uint64_t)scene->images[image]->height;
}

static uint32_t features_of(const sj_encoded *scene, const k_draw *draw) {
  uint32_t features =
      (draw->op == K_DRAW_STROKE ? SJ_FEATURE_STROKES : 0) | (draw->flags & K_DRAW_FAR ? SJ_FEATURE_FAR : 0);
  if (has_path(draw) && draw->lines != draw->segment_count) features |= SJ_FEATURE_CURVES;
  if (draw->op == K_DRAW_PUSH) return features | SJ_FEATURE_LAYERS;
  if (draw->op == K_DRAW_POP) return features | (draw->blend != K_BLEND_NORMAL ? SJ_FEATURE_BLENDS : 0);
  if (draw->flags & K_DRAW_SOLID) return features;
  return features | (scene->paints.data[draw->paint].kind == K_PAINT_IMAGE ? SJ_FEATURE_IMAGES : SJ_FEATURE_GRADIENTS);
}

#define LEAST_SMALL 2048

bool sj_batch_find(const sj_encoded *scene, stijl_irect region, uint32_t first, sj_batch_limits *limits,
                   sj_batch *batch) {
  *batch = (sj_batch){.first = first, .end = first};
  uint64_t rows = 0, words = 0, items = 0, pixels = 0;
  uint32_t small = 0, small_rows = 0, small_items = 0;  // of the rows and items, small fills'
  limits->number++;
  uint32_t depth = 0, deepest = 0, features = 0;
  for (uint32_t i = first; i < scene->draws.count; i++) {
    const k_draw *draw = &scene->draws.data[i];
    tile_box t = tiles_of(scene, region, draw);
    uint32_t height = (uint32_t)(t.y1 - t.y0);
    rows += height;
    words += (uint64_t)height * words_of(draw, t);
    items += has_path(draw) ? draw->segment_count : 0;
    if (is_small(draw, t)) {
      small++;
      small_rows += height;
      small_items += draw->segment_count;
    }
    pixels += new_pixels(scene, draw, limits);
    if (pixels > limits->pixels) break;
    if (rows > limits->rows || words > limits->words || items > limits->items || i - first >= limits->draws) break;
    depth += draw->op == K_DRAW_PUSH;
    if (depth > deepest) deepest = depth;
    depth -= draw->op == K_DRAW_POP;
    features |= features_of(scene, draw);
    if (depth == 0)
      *batch = (sj_batch){first, i + 1, (uint32_t)rows, (uint32_t)words, (uint32_t)items, 0, deepest, features};
    // A stage for a few would take longer than they do in the others, unless it replaces those.
    if (depth == 0 && (small >= LEAST_SMALL || small_items == items)) {
      batch->small = small;
      batch->rows -= small_rows;
      batch->items -= small_items;
    }
  }
  return batch->end > batch->first || first == scene->draws.count;
}

void sj_batch_write(const sj_encoded *scene, stijl_irect region, const sj_batch *batch, g_record *records,
                    g_path *paths, uint32_t *blocks) {
  uint32_t rows = 0, words = 0, items = 0, depth = 0, open = 0;  // open: the deepest layer's push
  uint32_t flatten = 0, rank = 0;  // groups whose first draw is known
  uint32_t segments = sj_segments_at_once(batch), rows_at_once = sj_rows_at_once(batch);
  uint32_t *rank_blocks = blocks + sj_flatten_groups(batch) + 1;
  g_small *small = (g_small *)(void *)(rank_blocks + sj_rank_groups(batch) + 1);
  for (uint32_t i = batch->first; i < batch->end; i++) {
    const k_draw *draw = &scene->draws.data[i];
    uint32_t index = i - batch->first;
    tile_box t = tiles_of(scene, region, draw);
    bool path = has_path(draw), paints = draw->op != K_DRAW_PUSH && draw->op != K_DRAW_POP;
    uint32_t info = draw->op | (draw->flags & K_DRAW_EVENODD ? G_EVENODD : 0) | (path ? G_PATH : 0);
    if (paints && draw->flags & K_DRAW_OPAQUE) info |= G_OPAQUE;
    if (depth) info |= G_IN_LAYER;
    if (draw->op == K_DRAW_POP) {
      uint32_t push = draw->paint - batch->first;
      info |= draw->opacity << 8 | draw->blend << 16 | (records[push].info & G_MASKED);
      records[push].color = index;
      open = records[push].outer;
      if (draw->blend >= K_BLEND_MASK_ALPHA && depth > 1) records[open].info |= G_MASKED;
    }
    if (paints && !(draw->flags & K_DRAW_SOLID)) info |= scene->paints.data[draw->paint].kind << 21;
    depth += draw->op == K_DRAW_PUSH;
    depth -= draw->op == K_DRAW_POP;
    records[index] = (g_record){.info = info,
                                .box0 = (uint32_t)(draw->x0 - region.x0) | (uint32_t)(draw->y0 - region.y0) << 16,
                                .box1 = (uint32_t)(draw->x1 - region.x0) | (uint32_t)(draw->y1 - region.y0) << 16,
                                .tile0 = (uint32_t)t.x0 | (uint32_t)t.y0 << 16,
                                .tile1 = (uint32_t)t.x1 | (uint32_t)t.y1 << 16,
                                .color = draw->paint,
                                .words = words_of(draw, t),
                                .word = words,
                                .row = rows,
                                .item = items,
                                .outer = open,
                                .shift = draw->segment - items};
    if (draw->op == K_DRAW_PUSH) open = index;
    paths[index] = (g_path){draw->matrix, draw->pen, draw->flags & K_DRAW_FAR ? 1 : 0};
    words += (uint32_t)(t.y1 - t.y0) * records[index].words;
    if (batch->small && is_small(draw, t)) {
      *small++ = (g_small){index, draw->segment, draw->segment_count};
      continue;
    }
    rows += (uint32_t)(t.y1 - t.y0);
    items += path ? draw->segment_count : 0;
    while (flatten * segments < items) blocks[flatten++] = index;
    while (rank * rows_at_once < rows) rank_blocks[rank++] = index;
  }
  blocks[flatten] = rank_blocks[rank] = batch->end - batch->first;
}
