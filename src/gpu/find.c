// Finds which draws go together in a batch.
#include <string.h>

#include "gpu/drawn.h"
#include "gpu/records.h"
#include "gpu/turns.h"
#include "image/image.h"

int64_t sj_image_of(const sj_encoded *scene, const k_draw *draw) {
  const k_paint *paint = sj_paint_of(scene, draw);
  return paint && paint->kind == K_PAINT_IMAGE ? (int64_t)paint->source : -1;
}

int64_t sj_ramp_of(const sj_encoded *scene, const k_draw *draw) {
  const k_paint *paint = sj_paint_of(scene, draw);
  return paint && paint->kind != K_PAINT_IMAGE ? (int64_t)paint->source : -1;
}

// Returns whether an image or ramp is used for the first time in the batch `number`.
static bool is_new(sj_pages *pages, int64_t page, uint32_t number) {
  if (page < 0 || !pages->batch_of || pages->batch_of[page] == number) return false;
  pages->batch_of[page] = number;
  return true;
}

static uint32_t features_of(const sj_encoded *scene, const k_draw *draw) {
  uint32_t features =
      (draw->op == K_DRAW_STROKE ? SJ_FEATURE_STROKES : 0) | (draw->flags & K_DRAW_FAR ? SJ_FEATURE_FAR : 0);
  if (sj_has_path(draw) && draw->lines != draw->segment_count) features |= SJ_FEATURE_CURVES;
  if (draw->flags & K_DRAW_ALIASED) features |= SJ_FEATURE_ALIASED;
  if (draw->flags & K_DRAW_GLYPHS) features |= SJ_FEATURE_GLYPHS;
  if (draw->op == K_DRAW_PUSH) return features | SJ_FEATURE_LAYERS;
  if (draw->op == K_DRAW_POP)
    return features | SJ_FEATURE_LAYERS | (draw->blend != K_BLEND_NORMAL ? SJ_FEATURE_BLENDS : 0);
  const k_paint *paint = sj_paint_of(scene, draw);
  return features | (!paint ? 0 : paint->kind == K_PAINT_IMAGE ? SJ_FEATURE_IMAGES : SJ_FEATURE_GRADIENTS);
}

// --- Turns of a bin's draws ---

// An upper bound of the turns in any bin: draws in few bins are counted in each of these, draws in many bins once for
// all bins.
typedef struct {
  uint32_t everywhere, most;
} bin_turns;

#define FEW_BINS 16u

// The bins that a box of tiles touches, the last ones included.
typedef struct {
  uint32_t x0, y0, x1, y1;
} bin_range;

static bin_range bins_of(k_pixels t) {
  return (bin_range){(uint32_t)t.x0 >> G_BIN_X_SHIFT, (uint32_t)t.y0 >> G_BIN_Y_SHIFT,
                     (uint32_t)(t.x1 - 1) >> G_BIN_X_SHIFT, (uint32_t)(t.y1 - 1) >> G_BIN_Y_SHIFT};
}

static bool is_in_many(const bin_range *r) { return (r->x1 - r->x0 + 1) * (r->y1 - r->y0 + 1) > FEW_BINS; }

static void add_to_bins(bin_turns *t, sj_batch_limits *limits, bin_range r, uint32_t turns) {
  if (is_in_many(&r)) {
    t->everywhere += turns;
    return;
  }
  for (uint32_t y = r.y0; y <= r.y1; y++)
    for (uint32_t x = r.x0; x <= r.x1; x++) {
      uint32_t *bin = &limits->bin_turns[y * limits->bins_x + x];
      *bin += turns;
      if (*bin > t->most) t->most = *bin;
    }
}

static uint32_t turns_of(const sj_encoded *scene, const sj_batch_limits *limits, const k_draw *draw) {
  return sj_turns_of(sj_paint_of(scene, draw), limits->chunk);
}

// Adds the turns of draws from..i. Returns false where some bin now takes too many.
static bool bins_have_room(const sj_encoded *scene, stijl_irect region, sj_batch_limits *limits, uint32_t from,
                           uint32_t i, bin_turns *t) {
  for (uint32_t k = from; k <= i; k++) {
    const k_draw *draw = &scene->draws.data[k];
    add_to_bins(t, limits, bins_of(sj_tiles_of(scene, region, draw)), turns_of(scene, limits, draw));
  }
  return t->everywhere + t->most <= limits->turns;
}

// --- Finding a batch ---

#define LEAST_PARTS 4

void sj_batch_share_out(sj_batch *batch, stijl_irect region, const sj_batch_limits *limits) {
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

static sj_batch finish_batch(const sj_batch_sums *g, stijl_irect region, const sj_batch_limits *limits) {
  sj_batch batch = g->batch;
  batch.rows = (uint32_t)g->rows;
  batch.words = (uint32_t)g->words;
  batch.lists[0].items = (uint32_t)g->items;
  batch.lists[0].spans = g->spans;
  if (g->small >= SJ_LEAST_SMALL || g->small_items == g->items) {
    batch.small = g->small;
    batch.rows -= g->small_rows;
    batch.lists[0].items -= g->small_items;
    batch.lists[0].spans -= g->small;
  }
  if (batch.lists[0].items >= SJ_LEAST_APART && batch.lists[0].items > g->stroke_items) {
    batch.lists[0].items -= g->stroke_items;
    batch.lists[0].spans -= g->stroke_spans;
    batch.lists[1].items = g->stroke_items;
    batch.lists[1].spans = g->stroke_spans;
  }
  sj_batch_share_out(&batch, region, limits);
  return batch;
}

static void add_draw(sj_batch_sums *g, const sj_encoded *scene, const k_draw *draw, k_pixels t) {
  sj_batch *b = &g->batch;
  uint32_t height = (uint32_t)(t.y1 - t.y0), segments = sj_has_path(draw) ? draw->segment_count : 0;
  g->rows += height;
  g->words += (uint64_t)height * sj_words_of(draw, t);
  g->items += segments;
  g->spans += sj_spans_of(scene, draw);
  if (segments) {
    bool stroke = draw->op == K_DRAW_STROKE;
    b->lines += stroke ? 2 * (uint64_t)draw->lines : draw->lines;
    g->stroke_items += stroke ? segments : 0;
    g->stroke_spans += stroke;
  }
  if (sj_is_small(draw, t)) {
    g->small++;
    g->small_rows += height;
    g->small_items += segments;
  }
  b->open_after += draw->op == K_DRAW_PUSH;
  if (b->open_after > b->depth) b->depth = b->open_after;
  b->open_after -= draw->op == K_DRAW_POP;
  b->features |= features_of(scene, draw);
  if (sj_has_long_sums(scene, draw, b->windings)) b->features |= SJ_FEATURE_LONG_SUMS;
  b->end++;
}

// Lets a run begin and end so that it has the indices at..at + more too. Returns false where it gets too long.
static bool extend(uint32_t *first, uint32_t *count, uint32_t at, uint32_t more, uint64_t most) {
  uint32_t begin = *count ? k_min(*first, at) : at, end = *count ? k_max(*first + *count, at + more) : at + more;
  if (end - begin > most) return false;
  *first = begin;
  *count = end - begin;
  return true;
}

// Adds a draw's pen and paint to the batch, which has a run of each. Encoding has put them in the order of the draws of
// a pass; a sheet has passes in any order. Returns false where a run gets too long.
static bool add_pen_and_paint(sj_batch *b, const sj_encoded *scene, const k_draw *draw, const sj_batch_limits *limits) {
  if (draw->op == K_DRAW_STROKE && !extend(&b->pen, &b->pen_count, draw->pen, 1, limits->pens)) return false;
  return !sj_paint_of(scene, draw) || extend(&b->paint, &b->paint_count, draw->paint, 1, limits->paints);
}

// --- By several threads ---

typedef struct {
  const sj_encoded *scene;
  stijl_irect region;
  uint32_t first;
  sj_batch_limits *limits;
} count_job;

static uint32_t part_end(const sj_encoded *scene, uint32_t begin) {
  return scene->draws.count - begin > SJ_BATCH_PART ? begin + SJ_BATCH_PART : (uint32_t)scene->draws.count;
}

// Adds up a part by itself.
static void count_part(void *user, uint32_t index, int thread) {
  (void)thread;
  const count_job *job = user;
  uint32_t begin = job->first + index * SJ_BATCH_PART;
  sj_batch_sums sums = {.batch = {.first = begin, .end = begin, .windings = job->limits->windings}};
  sj_batch_limits all = *job->limits;
  all.pens = all.paints = UINT32_MAX;
  for (uint32_t end = part_end(job->scene, begin), i = begin; i < end; i++) {
    const k_draw *draw = &job->scene->draws.data[i];
    add_pen_and_paint(&sums.batch, job->scene, draw, &all);
    sums.turns += turns_of(job->scene, &all, draw);
    add_draw(&sums, job->scene, draw, sj_tiles_of(job->scene, job->region, draw));
  }
  job->limits->parts->sums.data[index] = sums;
}

// Adds the sums of the part that follows.
static void add_part(sj_batch_sums *g, const sj_batch_sums *part) {
  sj_batch *b = &g->batch;
  const sj_batch *more = &part->batch;
  if (more->pen_count) extend(&b->pen, &b->pen_count, more->pen, more->pen_count, UINT32_MAX);
  if (more->paint_count) extend(&b->paint, &b->paint_count, more->paint, more->paint_count, UINT32_MAX);
  b->end = more->end;
  b->lines += more->lines;
  b->features |= more->features;
  g->rows += part->rows;
  g->words += part->words;
  g->items += part->items;
  g->turns += part->turns;
  g->stroke_items += part->stroke_items;
  g->spans += part->spans;
  g->stroke_spans += part->stroke_spans;
  g->small += part->small;
  g->small_rows += part->small_rows;
  g->small_items += part->small_items;
}

static bool is_within(const sj_batch_sums *g, const sj_batch_limits *limits) {
  const sj_batch *b = &g->batch;
  return b->end - b->first <= limits->draws && g->rows <= limits->rows && g->items <= limits->items &&
         g->words <= limits->words && b->pen_count <= limits->pens && b->paint_count <= limits->paints;
}

// Adds the turns of a part to its bins, and those that count for all bins to its sums. Several threads add to a bin.
static void count_bins(void *user, uint32_t index, int thread) {
  (void)thread;
  const count_job *job = user;
  const sj_batch_limits *limits = job->limits;
  sj_batch_sums *sums = &limits->parts->sums.data[index];
  sums->everywhere = 0;
  for (uint32_t i = sums->batch.end, end = part_end(job->scene, i); i < end; i++) {
    const k_draw *draw = &job->scene->draws.data[i];
    bin_range r = bins_of(sj_tiles_of(job->scene, job->region, draw));
    uint32_t turns = turns_of(job->scene, limits, draw);
    if (is_in_many(&r)) sums->everywhere += turns;
    for (uint32_t y = r.y0; y <= r.y1 && !is_in_many(&r); y++)
      for (uint32_t x = r.x0; x <= r.x1; x++)
        __atomic_fetch_add(&limits->bin_turns[y * limits->bins_x + x], turns, __ATOMIC_RELAXED);
  }
}

// Does what bins_have_room does, for all draws.
static bool all_have_room(count_job *job, uint32_t count, uint64_t turns) {
  const sj_batch_limits *limits = job->limits;
  if (turns <= limits->turns) return true;
  if (turns > UINT32_MAX) return false;  // a bin's number might wrap
  memset(limits->bin_turns, 0, limits->bins * sizeof *limits->bin_turns);
  sj_pool_run(limits->parts->pool, count, count_bins, job);
  uint32_t everywhere = 0, most = 0;
  for (uint32_t i = 0; i < count; i++) everywhere += limits->parts->sums.data[i].everywhere;
  for (uint32_t i = 0; i < limits->bins; i++) most = k_max(most, limits->bin_turns[i]);
  return everywhere + most <= limits->turns;
}

// Finds a batch that has all draws from `first` on, whose parts are added up by several threads. Returns false where it
// has layers or glyphs, where it may be beyond the limits, or where the draws are too few: then it is found draw by
// draw.
static bool find_whole(const sj_encoded *scene, stijl_irect region, uint32_t first, uint32_t open,
                       sj_batch_limits *limits, sj_batch *batch) {
  sj_batch_parts *parts = limits->parts;
  uint32_t draws = (uint32_t)scene->draws.count - first, count = (draws + SJ_BATCH_PART - 1) / SJ_BATCH_PART;
  if (!parts || !parts->pool || open || count < LEAST_PARTS) return false;
  if (limits->images.batch_of || limits->ramps.batch_of) return false;
  parts->sums.count = 0;
  if (!sj_array_reserve(parts->context, &parts->sums, count)) return false;
  count_job job = {scene, region, first, limits};
  sj_pool_run(parts->pool, count, count_part, &job);
  sj_batch_sums now = {.batch = {.first = first, .end = first, .windings = limits->windings}};
  for (uint32_t i = 0; i < count; i++) {
    sj_batch_sums part = parts->sums.data[i];
    parts->sums.data[i] = now;
    add_part(&now, &part);
  }
  parts->sums.count = count;
  if (now.batch.features & (SJ_FEATURE_LAYERS | SJ_FEATURE_GLYPHS) || !is_within(&now, limits)) return false;
  if (!all_have_room(&job, count, now.turns)) return false;
  limits->number++;
  *batch = finish_batch(&now, region, limits);
  batch->in_parts = true;
  return true;
}

bool sj_batch_find(const sj_encoded *scene, stijl_irect region, uint32_t first, uint32_t open, sj_batch_limits *limits,
                   sj_batch *batch) {
  if (find_whole(scene, region, first, open, limits, batch)) return true;
  sj_batch_sums now = {.batch = {.first = first,
                                 .end = first,
                                 .open = open,
                                 .open_after = open,
                                 .depth = open,
                                 .windings = limits->windings}},
                whole = now;
  uint64_t pixels = 0, ramps = 0;
  bin_turns bins = {0};
  uint32_t in_bins = first;  // draws before this one are counted in their bins
  limits->number++;
  for (uint32_t i = first; i < scene->draws.count; i++) {
    const k_draw *draw = &scene->draws.data[i];
    if (!now.batch.open_after) whole = now;
    k_pixels t = sj_tiles_of(scene, region, draw);
    uint64_t height = (uint64_t)(t.y1 - t.y0), segments = sj_has_path(draw) ? draw->segment_count : 0;
    if (i - first >= limits->draws || now.rows + height > limits->rows || now.items + segments > limits->items ||
        now.words + height * sj_words_of(draw, t) > limits->words)
      break;
    bool glyphs = draw->flags & K_DRAW_GLYPHS || now.batch.features & SJ_FEATURE_GLYPHS;
    if (glyphs && (uint64_t)now.spans + sj_spans_of(scene, draw) > limits->glyph_spans) break;
    if (!add_pen_and_paint(&now.batch, scene, draw, limits)) break;
    int64_t image = sj_image_of(scene, draw);
    if (is_new(&limits->images, image, limits->number))
      pixels += (uint64_t)scene->images[image]->width * (uint64_t)scene->images[image]->height;
    ramps += is_new(&limits->ramps, sj_ramp_of(scene, draw), limits->number);
    if (pixels > limits->images.most || ramps > limits->ramps.most) break;
    now.turns += turns_of(scene, limits, draw);
    if (now.turns > limits->turns && i > first) {
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
