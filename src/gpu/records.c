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

// A stage for a few small fills would take longer than they do in the others, unless it replaces those.
#define LEAST_SMALL 2048
// And strokes are flattened apart from fills where there is much of both: fills then need half of the registers. (100
// tigers: 148 us together.)
#define LEAST_APART 65536

bool sj_batch_find(const sj_encoded *scene, stijl_irect region, uint32_t first, sj_batch_limits *limits,
                   sj_batch *batch) {
  *batch = (sj_batch){.first = first, .end = first};
  uint64_t rows = 0, words = 0, items = 0, pixels = 0;
  // Of these items, strokes'; and what would be taken away with small fills.
  uint32_t stroke_items = 0, spans = 0, stroke_spans = 0, small = 0, small_rows = 0, small_items = 0;
  limits->number++;
  uint32_t depth = 0, deepest = 0, features = 0;
  for (uint32_t i = first; i < scene->draws.count; i++) {
    const k_draw *draw = &scene->draws.data[i];
    tile_box t = tiles_of(scene, region, draw);
    uint32_t height = (uint32_t)(t.y1 - t.y0), segments = has_path(draw) ? draw->segment_count : 0;
    rows += height;
    words += (uint64_t)height * words_of(draw, t);
    items += segments;
    pixels += new_pixels(scene, draw, limits);
    if (pixels > limits->pixels) break;
    if (rows > limits->rows || words > limits->words || items > limits->items || i - first >= limits->draws) break;
    spans += segments != 0;
    if (draw->op == K_DRAW_STROKE) {
      stroke_items += segments;
      stroke_spans += segments != 0;
    }
    if (is_small(draw, t)) {
      small++;
      small_rows += height;
      small_items += segments;
    }
    depth += draw->op == K_DRAW_PUSH;
    if (depth > deepest) deepest = depth;
    depth -= draw->op == K_DRAW_POP;
    features |= features_of(scene, draw);
    if (depth) continue;
    *batch = (sj_batch){.first = first,
                        .end = i + 1,
                        .rows = (uint32_t)rows,
                        .words = (uint32_t)words,
                        .lists = {{(uint32_t)items, spans}},
                        .depth = deepest,
                        .features = features};
    if (small >= LEAST_SMALL || small_items == items) {
      batch->small = small;
      batch->rows -= small_rows;
      batch->lists[0].items -= small_items;
      batch->lists[0].spans -= small;
    }
    if (batch->lists[0].items >= LEAST_APART && batch->lists[0].items > stroke_items) {
      batch->lists[0].items -= stroke_items;
      batch->lists[0].spans -= stroke_spans;
      batch->lists[1].items = stroke_items;
      batch->lists[1].spans = stroke_spans;
    }
  }
  return batch->end > batch->first || first == scene->draws.count;
}

// A list of segments for flatten, as it is written.
typedef struct {
  uint32_t at_once, items, groups, *blocks;  // groups whose first span is known
  g_span *spans;
  uint32_t count;
} span_list;

static span_list begin_list(const sj_batch *batch, int list, uint32_t *blocks) {
  return (span_list){.at_once = sj_segments_at_once(batch, list),
                     .blocks = blocks + sj_flatten_block(batch, list),
                     .spans = (g_span *)(void *)(blocks + sj_span_block(batch, list))};
}

static void add_span(span_list *list, uint32_t index, const k_draw *draw) {
  list->spans[list->count] = (g_span){index, list->items, draw->segment - list->items};
  list->items += draw->segment_count;
  while (list->groups * list->at_once < list->items) list->blocks[list->groups++] = list->count;
  list->count++;
}

static void end_list(span_list *list) { list->blocks[list->groups] = list->count ? list->count - 1 : 0; }

void sj_batch_write(const sj_encoded *scene, stijl_irect region, const sj_batch *batch, g_record *records,
                    g_path *paths, uint32_t *blocks) {
  uint32_t rows = 0, words = 0, depth = 0, open = 0;  // open: the deepest layer's push
  uint32_t rank = 0, rows_at_once = sj_rows_at_once(batch), *rank_blocks = blocks + sj_rank_block(batch);
  span_list lists[2] = {begin_list(batch, 0, blocks), begin_list(batch, 1, blocks)};
  g_small *small = (g_small *)(void *)(blocks + sj_small_block(batch));
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
                                .outer = open};
    if (draw->op == K_DRAW_PUSH) open = index;
    paths[index] = (g_path){draw->matrix, draw->pen, draw->flags & K_DRAW_FAR ? 1 : 0};
    words += (uint32_t)(t.y1 - t.y0) * records[index].words;
    if (batch->small && is_small(draw, t)) {
      *small++ = (g_small){index, draw->segment, draw->segment_count};
      continue;
    }
    rows += (uint32_t)(t.y1 - t.y0);
    if (path && draw->segment_count) add_span(&lists[batch->lists[1].items && draw->op == K_DRAW_STROKE], index, draw);
    while (rank * rows_at_once < rows) rank_blocks[rank++] = index;
  }
  rank_blocks[rank] = batch->end - batch->first;
  end_list(&lists[0]);
  end_list(&lists[1]);
}
