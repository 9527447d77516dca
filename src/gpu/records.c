#include "gpu/records.h"

#include <assert.h>
#include <string.h>

#include "gpu/turns.h"
#include "gpu/windings.h"
#include "image/image.h"
#include "kernel/composite.h"
#include "kernel/paint.h"

#define QUADS(type) (sizeof(type) / 16)
static_assert(QUADS(g_record) == G_RECORD_QUADS && QUADS(g_tile) == G_TILE_QUADS && QUADS(g_path) == G_PATH_QUADS &&
                  QUADS(k_pen) == G_PEN_QUADS && QUADS(k_paint) == G_PAINT_QUADS && QUADS(g_word) == 1 &&
                  QUADS(g_command) == 1 && sizeof(g_span) == 4 * G_SPAN_WORDS &&
                  sizeof(g_glyph_span) == 4 * G_GLYPH_SPAN_WORDS && sizeof(g_small) == 4 * G_SMALL_WORDS,
              "as shaders/load.glsl has them");
static_assert(sizeof(g_params) <= 128, "every device has as much for push constants");
static_assert(sizeof(g_params) < 16 * G_PARAM_QUADS, "WebGPU's stages have a word more, which is zero");
static_assert(K_DRAW_POP <= G_DRAW && K_PAINT_IMAGE <= G_KIND >> G_KIND_SHIFT && K_BLEND_LAST <= G_BLEND_MOST,
              "a record's info has room for them");

static bool has_path(const k_draw *draw) {
  return draw->op == K_DRAW_FILL || draw->op == K_DRAW_STROKE || (draw->op == K_DRAW_POP && draw->flags & K_DRAW_CLIP);
}

typedef struct {
  int x0, y0, x1, y1;
} tile_box;

// The tiles a draw takes part in. A pop takes part where its push does, though its own box may be smaller.
static tile_box tiles_of(const sj_encoded *scene, stijl_irect region, const k_draw *draw) {
  const k_draw *box = draw->op == K_DRAW_POP ? &scene->draws.data[draw->paint] : draw;
  return (tile_box){(box->x0 - region.x0) >> G_TILE_SHIFT, (box->y0 - region.y0) >> G_TILE_SHIFT,
                    (box->x1 - region.x0 + G_TILE - 1) >> G_TILE_SHIFT,
                    (box->y1 - region.y0 + G_TILE - 1) >> G_TILE_SHIFT};
}

static uint32_t words_of(const k_draw *draw, tile_box t) {
  return has_path(draw) && draw->segment_count ? (uint32_t)(t.x1 - t.x0 + 31) / 32 : 0;
}

// Whether a draw is for the stage of small fills.
static bool is_small(const k_draw *draw, tile_box t) {
  return draw->op == K_DRAW_FILL && !(draw->flags & (K_DRAW_FAR | K_DRAW_ALIASED | K_DRAW_GLYPHS)) &&
         draw->segment_count && draw->lines == draw->segment_count && draw->segment_count <= G_SMALL_LINES &&
         t.x1 - t.x0 <= G_SMALL_TILES && t.y1 - t.y0 <= G_SMALL_TILES &&
         g_small_pitch(draw->x1 - draw->x0) * (draw->y1 - draw->y0) <= G_SMALL_PIXELS;
}

// A draw's paint; NULL where it has one colour, or is the push or pop of a layer.
static const k_paint *paint_of(const sj_encoded *scene, const k_draw *draw) {
  bool paints = draw->op != K_DRAW_PUSH && draw->op != K_DRAW_POP && !(draw->flags & K_DRAW_SOLID);
  return paints ? &scene->paints.data[draw->paint] : NULL;
}

int64_t sj_image_of(const sj_encoded *scene, const k_draw *draw) {
  const k_paint *paint = paint_of(scene, draw);
  return paint && paint->kind == K_PAINT_IMAGE ? (int64_t)paint->source : -1;
}

int64_t sj_ramp_of(const sj_encoded *scene, const k_draw *draw) {
  const k_paint *paint = paint_of(scene, draw);
  return paint && paint->kind != K_PAINT_IMAGE ? (int64_t)paint->source : -1;
}

// Whether an image or ramp is used for the first time in the batch `number`.
static bool is_new(sj_pages *pages, int64_t page, uint32_t number) {
  if (page < 0 || !pages->batch_of || pages->batch_of[page] == number) return false;
  pages->batch_of[page] = number;
  return true;
}

static uint32_t features_of(const sj_encoded *scene, const k_draw *draw) {
  uint32_t features =
      (draw->op == K_DRAW_STROKE ? SJ_FEATURE_STROKES : 0) | (draw->flags & K_DRAW_FAR ? SJ_FEATURE_FAR : 0);
  if (has_path(draw) && draw->lines != draw->segment_count) features |= SJ_FEATURE_CURVES;
  if (draw->flags & K_DRAW_ALIASED) features |= SJ_FEATURE_ALIASED;
  if (draw->flags & K_DRAW_GLYPHS) features |= SJ_FEATURE_GLYPHS;
  if (draw->op == K_DRAW_PUSH) return features | SJ_FEATURE_LAYERS;
  if (draw->op == K_DRAW_POP)
    return features | SJ_FEATURE_LAYERS | (draw->blend != K_BLEND_NORMAL ? SJ_FEATURE_BLENDS : 0);
  const k_paint *paint = paint_of(scene, draw);
  return features | (!paint ? 0 : paint->kind == K_PAINT_IMAGE ? SJ_FEATURE_IMAGES : SJ_FEATURE_GRADIENTS);
}

// A draw's pen; NULL where it is no stroke.
static const k_pen *pen_of(const sj_encoded *scene, const k_draw *draw) {
  return draw->op == K_DRAW_STROKE ? &scene->pens.data[draw->pen] : NULL;
}

static bool has_long_sums(const sj_encoded *scene, const k_draw *draw, uint32_t windings) {
  return has_path(draw) && sj_windings_of(draw, pen_of(scene, draw), sj_run_of(scene, draw)) > windings;
}

// --- Turns of a bin's draws ---

// An upper bound of the turns in any bin: draws in few bins are counted in each of these, draws in many bins once for
// all bins.
typedef struct {
  uint32_t everywhere, most;
} bin_turns;

#define FEW_BINS 16u

static void add_to_bins(bin_turns *t, sj_batch_limits *limits, tile_box box, uint32_t turns) {
  uint32_t x0 = (uint32_t)box.x0 >> G_BIN_X_SHIFT, x1 = (uint32_t)(box.x1 - 1) >> G_BIN_X_SHIFT;
  uint32_t y0 = (uint32_t)box.y0 >> G_BIN_Y_SHIFT, y1 = (uint32_t)(box.y1 - 1) >> G_BIN_Y_SHIFT;
  if ((x1 - x0 + 1) * (y1 - y0 + 1) > FEW_BINS) {
    t->everywhere += turns;
    return;
  }
  for (uint32_t y = y0; y <= y1; y++)
    for (uint32_t x = x0; x <= x1; x++) {
      uint32_t *bin = &limits->bin_turns[y * limits->bins_x + x];
      *bin += turns;
      if (*bin > t->most) t->most = *bin;
    }
}

static uint32_t turns_of(const sj_encoded *scene, const sj_batch_limits *limits, const k_draw *draw) {
  return sj_turns_of(paint_of(scene, draw), limits->chunk);
}

// Adds the turns of draws from..i. False where some bin now takes too many.
static bool bins_have_room(const sj_encoded *scene, stijl_irect region, sj_batch_limits *limits, uint32_t from,
                           uint32_t i, bin_turns *t) {
  for (uint32_t k = from; k <= i; k++) {
    const k_draw *draw = &scene->draws.data[k];
    add_to_bins(t, limits, tiles_of(scene, region, draw), turns_of(scene, limits, draw));
  }
  return t->everywhere + t->most <= limits->turns;
}

// --- Finding a batch ---

// Each stage takes some microseconds however little it does. So fewer small fills than this have their own stage only
// where they are all there is, and the other stages are not needed.
#define LEAST_SMALL 2048
// With at least this many items, strokes are flattened by a pipeline of their own, beside that of fills, which then
// needs half of the registers. (100 tigers: 148 us together, 108 apart.)
#define LEAST_APART 65536

// What is known of a batch while draws are added.
typedef struct {
  sj_batch batch;
  uint64_t rows, words, items;
  // How many of its items and spans are strokes', and how many small fills there are, with their rows and items.
  uint32_t stroke_items, spans, stroke_spans, small, small_rows, small_items;
} growing;

// Decides how many items each workgroup gets.
static void share_out(sj_batch *batch, const growing *g, stijl_irect region, const sj_batch_limits *limits) {
  uint32_t width = (uint32_t)(region.x1 - region.x0), height = (uint32_t)(region.y1 - region.y0);
  for (int list = 0; list < 2; list++) {
    // Few segments where there are not enough to keep the device busy.
    uint32_t features = sj_flatten_features(batch, list);
    bool curved = limits->few_segments || features & (SJ_FEATURE_STROKES | SJ_FEATURE_CURVES);
    uint32_t n = sj_items(batch) / 1024, most = curved ? G_FLATTEN_CURVED : G_FLATTEN_SEGMENTS;
    batch->lists[list].at_once = n < 4 ? 4 : n > most ? most : n;
  }
  // For the same reason few edges, where there are few, which then are long, and few rows, which then have many tiles.
  batch->edges_at_once = sj_edges_for_turns(sj_items(batch) < 8192 ? 16 : G_COVER_EDGES, width, height, limits->turns);
  batch->rows_at_once =
      sj_rows_for_turns(batch->rows < 16384 ? 16 : G_RANK_GROUP, (width + G_TILE - 1) / G_TILE, limits->turns);
}

static sj_batch finish_batch(const growing *g, stijl_irect region, const sj_batch_limits *limits) {
  sj_batch batch = g->batch;
  batch.rows = (uint32_t)g->rows;
  batch.words = (uint32_t)g->words;
  batch.lists[0].items = (uint32_t)g->items;
  batch.lists[0].spans = g->spans;
  if (g->small >= LEAST_SMALL || g->small_items == g->items) {
    batch.small = g->small;
    batch.rows -= g->small_rows;
    batch.lists[0].items -= g->small_items;
    batch.lists[0].spans -= g->small;
  }
  if (batch.lists[0].items >= LEAST_APART && batch.lists[0].items > g->stroke_items) {
    batch.lists[0].items -= g->stroke_items;
    batch.lists[0].spans -= g->stroke_spans;
    batch.lists[1].items = g->stroke_items;
    batch.lists[1].spans = g->stroke_spans;
  }
  share_out(&batch, g, region, limits);
  return batch;
}

// How many runs of segments a draw has.
static uint32_t spans_of(const sj_encoded *scene, const k_draw *draw) {
  const k_run *run = sj_run_of(scene, draw);
  return run ? run->instance_count : has_path(draw) && draw->segment_count;
}

static void add_draw(growing *g, const sj_encoded *scene, const k_draw *draw, tile_box t) {
  sj_batch *b = &g->batch;
  uint32_t height = (uint32_t)(t.y1 - t.y0), segments = has_path(draw) ? draw->segment_count : 0;
  g->rows += height;
  g->words += (uint64_t)height * words_of(draw, t);
  g->items += segments;
  g->spans += spans_of(scene, draw);
  if (segments) {
    bool stroke = draw->op == K_DRAW_STROKE;
    b->lines += stroke ? 2 * (uint64_t)draw->lines : draw->lines;
    g->stroke_items += stroke ? segments : 0;
    g->stroke_spans += stroke;
  }
  if (is_small(draw, t)) {
    g->small++;
    g->small_rows += height;
    g->small_items += segments;
  }
  b->open_after += draw->op == K_DRAW_PUSH;
  if (b->open_after > b->depth) b->depth = b->open_after;
  b->open_after -= draw->op == K_DRAW_POP;
  b->features |= features_of(scene, draw);
  if (has_long_sums(scene, draw, b->windings)) b->features |= SJ_FEATURE_LONG_SUMS;
  b->end++;
}

// Adds a draw's pen and paint to the batch. Encoding has put them in the order of the draws, so a batch has a run of
// each. False where the run gets too long.
static bool add_pen_and_paint(sj_batch *b, const sj_encoded *scene, const k_draw *draw, const sj_batch_limits *limits) {
  if (draw->op == K_DRAW_STROKE) {
    if (!b->pen_count) b->pen = draw->pen;
    if (draw->pen - b->pen >= limits->pens) return false;
    b->pen_count = draw->pen - b->pen + 1;
  }
  if (paint_of(scene, draw)) {
    if (!b->paint_count) b->paint = draw->paint;
    if (draw->paint - b->paint >= limits->paints) return false;
    b->paint_count = draw->paint - b->paint + 1;
  }
  return true;
}

bool sj_batch_find(const sj_encoded *scene, stijl_irect region, uint32_t first, uint32_t open, sj_batch_limits *limits,
                   sj_batch *batch) {
  growing now = {.batch = {.first = first,
                           .end = first,
                           .open = open,
                           .open_after = open,
                           .depth = open,
                           .windings = limits->windings}},
          whole = now;
  uint64_t pixels = 0, ramps = 0, turns = 0;
  bin_turns bins = {0};
  uint32_t in_bins = first;  // draws before this one are counted in their bins
  limits->number++;
  for (uint32_t i = first; i < scene->draws.count; i++) {
    const k_draw *draw = &scene->draws.data[i];
    if (!now.batch.open_after) whole = now;
    tile_box t = tiles_of(scene, region, draw);
    uint64_t height = (uint64_t)(t.y1 - t.y0), segments = has_path(draw) ? draw->segment_count : 0;
    if (i - first >= limits->draws || now.rows + height > limits->rows || now.items + segments > limits->items ||
        now.words + height * words_of(draw, t) > limits->words)
      break;
    bool glyphs = draw->flags & K_DRAW_GLYPHS || now.batch.features & SJ_FEATURE_GLYPHS;
    if (glyphs && (uint64_t)now.spans + spans_of(scene, draw) > limits->glyph_spans) break;
    if (!add_pen_and_paint(&now.batch, scene, draw, limits)) break;
    int64_t image = sj_image_of(scene, draw);
    if (is_new(&limits->images, image, limits->number))
      pixels += (uint64_t)scene->images[image]->width * (uint64_t)scene->images[image]->height;
    ramps += is_new(&limits->ramps, sj_ramp_of(scene, draw), limits->number);
    if (pixels > limits->images.most || ramps > limits->ramps.most) break;
    turns += turns_of(scene, limits, draw);
    if (turns > limits->turns && i > first) {
      if (in_bins == first) memset(limits->bin_turns, 0, limits->bins * sizeof *limits->bin_turns);
      if (!bins_have_room(scene, region, limits, in_bins, i, &bins)) break;
      in_bins = i + 1;
    }
    add_draw(&now, scene, draw, t);
  }
  // The batch ends within layers only where no earlier end outside of all layers was found.
  bool inside = now.batch.open_after && whole.batch.end == first;
  *batch = finish_batch(inside || !now.batch.open_after ? &now : &whole, region, limits);
  return batch->end > first || first == scene->draws.count;
}

sj_batch sj_batch_part(const sj_batch *batch, uint32_t skip, uint32_t count) {
  sj_batch part = *batch;
  part.part = true;
  part.skip = skip;
  if (part.lists[1].items && part.lists[1].at_once < part.lists[0].at_once)
    part.lists[0].at_once = part.lists[1].at_once;
  part.lists[0].spans += part.lists[1].spans;
  part.lists[1].items = part.lists[1].spans = 0;
  part.lists[0].items = count;
  return part;
}

// The state of writing a list of segments for flatten.
typedef struct {
  uint32_t at_once, items, groups, *blocks;  // `groups`: of how many workgroups the first span is written
  uint32_t *spans, words;                    // of a span
  uint32_t count;
} span_list;

static span_list begin_list(const sj_batch *batch, int list, uint32_t *blocks) {
  return (span_list){.at_once = batch->lists[list].at_once,
                     .blocks = blocks + sj_flatten_block(batch, list),
                     .spans = blocks + sj_span_block(batch, list),
                     .words = sj_span_words(batch)};
}

// Where the glyph of a span is, and its matrix; zeros for other spans.
static const k_instance no_instance;
static const k_matrix no_matrix;

// Adds the span of a draw that has `count` segments from `segment` on.
static void add_span(span_list *list, uint32_t draw, const k_instance *at, const k_matrix *m, uint32_t segment,
                     uint32_t count) {
  // Word by word: a struct that is filled in and then copied makes the processor wait for what it just wrote.
  uint32_t *words = list->spans + (size_t)list->count * list->words;
  words[0] = draw;
  words[1] = list->items;
  words[2] = segment - list->items;
  if (list->words == G_GLYPH_SPAN_WORDS) {
    words[3] = (uint32_t)at->x;
    words[4] = (uint32_t)at->y;
    memcpy(words + 5, &m->a, 4 * sizeof m->a);
  }
  list->items += count;
  while (list->groups * list->at_once < list->items) list->blocks[list->groups++] = list->count;
  list->count++;
}

// Adds a run of segments, or what the batch has of it. `seen` counts segments.
static void add_segments(span_list *list, const sj_batch *batch, uint32_t *seen, uint32_t draw, const k_instance *at,
                         const k_matrix *m, uint32_t segment, uint32_t count) {
  uint32_t from = 0, to = count;
  if (batch->part) {
    from = k_min(k_max(batch->skip, *seen) - *seen, to);
    to = k_max(k_min(batch->skip + batch->lists[0].items, *seen + to), *seen + from) - *seen;
    *seen += count;
  }
  if (to > from) add_span(list, draw, at, m, segment + from, to - from);
}

static void add_instances(span_list *list, const sj_batch *batch, uint32_t *seen, const sj_encoded *scene,
                          uint32_t index, const k_draw *draw) {
  const k_run *run = sj_run_of(scene, draw);
  for (uint32_t i = 0; i < run->instance_count; i++) {
    const k_instance *at = &scene->instances.data[run->instance + i];
    const k_glyph *glyph = &scene->glyphs.data[at->glyph];
    add_segments(list, batch, seen, index, at, &glyph->matrix, glyph->segment, glyph->segment_count);
  }
}

static void end_list(span_list *list) { list->blocks[list->groups] = list->count ? list->count - 1 : 0; }

#define NONE UINT32_MAX  // no layer of this batch

void sj_batch_write(const sj_encoded *scene, stijl_irect region, const sj_batch *batch, const sj_origin *origins,
                    g_record *open, g_record *records, g_path *paths, uint32_t *blocks) {
  // `open` has the pushes of layers whose pop is yet to come, which then are written; those of other batches it has
  // not.
  uint32_t pushes = 0;
  uint32_t seen = 0;  // segments
  uint32_t rows = 0, words = 0, depth = batch->open;
  uint32_t rank = 0, rows_at_once = batch->rows_at_once, *rank_blocks = blocks + sj_rank_block(batch);
  span_list lists[2] = {begin_list(batch, 0, blocks), begin_list(batch, 1, blocks)};
  g_small *small = (g_small *)(void *)(blocks + sj_small_block(batch));
  for (uint32_t i = batch->first; i < batch->end; i++) {
    const k_draw *draw = &scene->draws.data[i];
    uint32_t index = i - batch->first;
    tile_box t = tiles_of(scene, region, draw);
    bool path = has_path(draw), paints = draw->op != K_DRAW_PUSH && draw->op != K_DRAW_POP;
    uint32_t info = draw->op | (draw->flags & K_DRAW_EVENODD ? G_EVENODD : 0) | (path ? G_PATH : 0);
    if (paints && draw->flags & K_DRAW_OPAQUE) info |= G_OPAQUE;
    if (draw->flags & K_DRAW_ALIASED) info |= G_ALIASED;
    if (depth) info |= G_IN_LAYER;
    if (has_long_sums(scene, draw, batch->windings)) info |= G_LONG_SUMS;
    if (draw->op == K_DRAW_PUSH) info |= G_OPEN;
    if (draw->op == K_DRAW_POP) {
      info |= draw->opacity << G_OPACITY_SHIFT | draw->blend << G_BLEND_SHIFT;
      if (pushes) {
        g_record push = open[--pushes];
        uint32_t at = push.color;
        info |= push.info & G_MASKED;
        push.info &= ~G_OPEN;
        push.color = index;
        records[at] = push;
      }
      if (draw->blend >= K_BLEND_MASK_ALPHA && pushes) open[pushes - 1].info |= G_MASKED;
    }
    const k_paint *paint = paint_of(scene, draw);
    if (paint) info |= paint->kind << G_KIND_SHIFT;
    depth += draw->op == K_DRAW_PUSH;
    depth -= draw->op == K_DRAW_POP;
    uint32_t row_words = words_of(draw, t);
    g_record *record = draw->op == K_DRAW_PUSH ? &open[pushes] : &records[index];
    *record = (g_record){.info = info,
                         .box0 = g_pair(draw->x0 - region.x0, draw->y0 - region.y0),
                         .box1 = g_pair(draw->x1 - region.x0, draw->y1 - region.y0),
                         .tile0 = g_pair(t.x0, t.y0),
                         .tile1 = g_pair(t.x1, t.y1),
                         .color = draw->op == K_DRAW_PUSH ? index : draw->paint - (paint ? batch->paint : 0),
                         .words = row_words,
                         .word = words,
                         .row = rows,
                         .outer = pushes ? open[pushes - 1].color : NONE,
                         .origin_x = origins ? origins[index].x : region.x0,
                         .origin_y = origins ? origins[index].y : region.y0};
    pushes += draw->op == K_DRAW_PUSH;
    uint32_t pen = draw->op == K_DRAW_STROKE ? draw->pen - batch->pen : 0;
    uint32_t flags = (draw->flags & K_DRAW_FAR ? G_PATH_FAR : 0) | (draw->flags & K_DRAW_ALIASED ? G_PATH_ALIASED : 0) |
                     (draw->flags & K_DRAW_GLYPHS ? G_PATH_GLYPHS : 0);
    paths[index] = (g_path){draw->matrix, pen, flags};
    words += (uint32_t)(t.y1 - t.y0) * row_words;
    if (batch->small && is_small(draw, t)) {
      *small++ = (g_small){index, draw->segment, draw->segment_count};
      continue;
    }
    rows += (uint32_t)(t.y1 - t.y0);
    span_list *list = &lists[batch->lists[1].items && draw->op == K_DRAW_STROKE];
    if (draw->flags & K_DRAW_GLYPHS)
      add_instances(list, batch, &seen, scene, index, draw);
    else if (path)
      add_segments(list, batch, &seen, index, &no_instance, &no_matrix, draw->segment, draw->segment_count);
    while (rank * rows_at_once < rows) rank_blocks[rank++] = index;
  }
  while (pushes) {
    g_record push = open[--pushes];
    records[push.color] = push;
  }
  rank_blocks[rank] = batch->end - batch->first;
  end_list(&lists[0]);
  end_list(&lists[1]);
}
