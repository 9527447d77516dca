#include "gpu/records.h"

#include <assert.h>
#include <string.h>

#include "gpu/drawn.h"
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
static_assert(K_DRAW_POP <= G_DRAW && K_PAINT_KINDS - 1 <= G_KIND >> G_KIND_SHIFT && K_BLEND_LAST <= G_BLEND_MOST,
              "a record's info has room for them");

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

// A batch that is being written, up to some draw.
typedef struct {
  const sj_encoded *scene;
  stijl_irect region;
  const sj_batch *batch;
  const sj_batch_arrays *out;
  // `out->open` has so many pushes of layers whose pop is yet to come, which then are written; those of other batches
  // it has not.
  uint32_t pushes;
  uint32_t seen, depth;  // segments; layers that are open
  uint32_t rows, words, rank, *rank_blocks;
  span_list lists[2];
  g_small *small;
} writer;

static writer begin_writing(const sj_encoded *scene, stijl_irect region, const sj_batch *batch,
                            const sj_batch_arrays *out) {
  return (writer){.scene = scene,
                  .region = region,
                  .batch = batch,
                  .out = out,
                  .depth = batch->open,
                  .rank_blocks = out->blocks + sj_rank_block(batch),
                  .lists = {begin_list(batch, 0, out->blocks), begin_list(batch, 1, out->blocks)},
                  .small = (g_small *)(void *)(out->blocks + sj_small_block(batch))};
}

static void skip_spans(span_list *list, uint64_t items, uint32_t spans) {
  list->items = (uint32_t)items;
  list->count = spans;
  list->groups = (list->items + list->at_once - 1) / list->at_once;
}

// Goes on behind draws that add up to these sums: no layers, no glyphs.
static void skip_draws(writer *w, const sj_batch_sums *before) {
  const sj_batch *batch = w->batch;
  uint64_t rows = before->rows, items = before->items;
  uint32_t spans = before->spans;
  if (batch->small) {
    rows -= before->small_rows;
    items -= before->small_items;
    spans -= before->small;
    w->small += before->small;
  }
  if (batch->lists[1].items) {
    items -= before->stroke_items;
    spans -= before->stroke_spans;
    skip_spans(&w->lists[1], before->stroke_items, before->stroke_spans);
  }
  skip_spans(&w->lists[0], items, spans);
  w->rows = (uint32_t)rows;
  w->words = (uint32_t)before->words;
  w->rank = (w->rows + batch->rows_at_once - 1) / batch->rows_at_once;
}

// Returns what a record's info has of the pop of a layer, whose push then is written.
static uint32_t end_layer(writer *w, const k_draw *pop, uint32_t index) {
  uint32_t info = pop->opacity << G_OPACITY_SHIFT | pop->blend << G_BLEND_SHIFT;
  if (w->pushes) {
    g_record push = w->out->open[--w->pushes];
    uint32_t at = push.color;
    info |= push.info & G_MASKED;
    push.info &= ~G_OPEN;
    push.color = index;
    w->out->records[at] = push;
  }
  if (pop->blend >= K_BLEND_MASK_ALPHA && w->pushes) w->out->open[w->pushes - 1].info |= G_MASKED;
  return info;
}

static uint32_t info_of(writer *w, const k_draw *draw, uint32_t index, const k_paint *paint) {
  bool path = sj_has_path(draw), paints = draw->op != K_DRAW_PUSH && draw->op != K_DRAW_POP;
  uint32_t info = draw->op | (draw->flags & K_DRAW_EVENODD ? G_EVENODD : 0) | (path ? G_PATH : 0);
  if (paints && draw->flags & K_DRAW_OPAQUE) info |= G_OPAQUE;
  if (draw->flags & K_DRAW_ALIASED) info |= G_ALIASED;
  if (w->depth) info |= G_IN_LAYER;
  if (sj_has_long_sums(w->scene, draw, w->batch->windings)) info |= G_LONG_SUMS;
  if (draw->op == K_DRAW_PUSH) info |= G_OPEN;
  if (draw->op == K_DRAW_POP) info |= end_layer(w, draw, index);
  return paint ? info | paint->kind << G_KIND_SHIFT : info;
}

// Writes the spans of a draw, and where the workgroups of rank begin.
static void write_lists(writer *w, const k_draw *draw, uint32_t index, k_pixels t) {
  const sj_batch *batch = w->batch;
  if (batch->small && sj_is_small(draw, t)) {
    *w->small++ = (g_small){index, draw->segment, draw->segment_count};
    return;
  }
  w->rows += (uint32_t)(t.y1 - t.y0);
  span_list *list = &w->lists[batch->lists[1].items && draw->op == K_DRAW_STROKE];
  if (draw->flags & K_DRAW_GLYPHS)
    add_instances(list, batch, &w->seen, w->scene, index, draw);
  else if (sj_has_path(draw))
    add_segments(list, batch, &w->seen, index, &no_instance, &no_matrix, draw->segment, draw->segment_count);
  while (w->rank * batch->rows_at_once < w->rows) w->rank_blocks[w->rank++] = index;
}

static void write_draw(writer *w, uint32_t i) {
  const sj_batch *batch = w->batch;
  const sj_batch_arrays *out = w->out;
  const k_draw *draw = &w->scene->draws.data[i];
  stijl_irect region = w->region;
  uint32_t index = i - batch->first;
  k_pixels t = sj_tiles_of(w->scene, region, draw);
  const k_paint *paint = sj_paint_of(w->scene, draw);
  uint32_t info = info_of(w, draw, index, paint), row_words = sj_words_of(draw, t);
  w->depth += draw->op == K_DRAW_PUSH;
  w->depth -= draw->op == K_DRAW_POP;
  g_record *record = draw->op == K_DRAW_PUSH ? &out->open[w->pushes] : &out->records[index];
  *record = (g_record){.info = info,
                       .box0 = g_pair(draw->x0 - region.x0, draw->y0 - region.y0),
                       .box1 = g_pair(draw->x1 - region.x0, draw->y1 - region.y0),
                       .tile0 = g_pair(t.x0, t.y0),
                       .tile1 = g_pair(t.x1, t.y1),
                       .color = draw->op == K_DRAW_PUSH ? index : draw->paint - (paint ? batch->paint : 0),
                       .words = row_words,
                       .word = w->words,
                       .row = w->rows,
                       .outer = w->pushes ? out->open[w->pushes - 1].color : NONE,
                       .origin_x = out->origins ? out->origins[index].x : region.x0,
                       .origin_y = out->origins ? out->origins[index].y : region.y0};
  w->pushes += draw->op == K_DRAW_PUSH;
  uint32_t pen = draw->op == K_DRAW_STROKE ? draw->pen - batch->pen : 0;
  uint32_t flags = (draw->flags & K_DRAW_FAR ? G_PATH_FAR : 0) | (draw->flags & K_DRAW_ALIASED ? G_PATH_ALIASED : 0) |
                   (draw->flags & K_DRAW_GLYPHS ? G_PATH_GLYPHS : 0);
  out->paths[index] = (g_path){draw->matrix, pen, flags};
  w->words += (uint32_t)(t.y1 - t.y0) * row_words;
  write_lists(w, draw, index, t);
}

static void end_writing(writer *w) {
  while (w->pushes) {
    g_record push = w->out->open[--w->pushes];
    w->out->records[push.color] = push;
  }
  w->rank_blocks[w->rank] = w->batch->end - w->batch->first;
  end_list(&w->lists[0]);
  end_list(&w->lists[1]);
}

typedef struct {
  const sj_encoded *scene;
  stijl_irect region;
  const sj_batch *batch;
  const sj_batch_parts *parts;
  const sj_batch_arrays *out;
} write_job;

// Copies the n-th of `parts` equal parts of the batch's pens.
static void write_pens(const sj_encoded *scene, const sj_batch *batch, k_pen *out, size_t n, size_t parts) {
  size_t first = batch->pen_count * n / parts, end = batch->pen_count * (n + 1) / parts;
  if (end > first) memcpy(out + first, scene->pens.data + batch->pen + first, (end - first) * sizeof *out);
}

static void write_part(void *user, uint32_t index, int thread) {
  (void)thread;
  const write_job *job = user;
  const sj_batch_sums *before = &job->parts->sums.data[index];
  uint32_t first = before->batch.end, end = k_min(first + SJ_BATCH_PART, job->batch->end);
  write_pens(job->scene, job->batch, job->out->pens, index, job->parts->sums.count);
  writer w = begin_writing(job->scene, job->region, job->batch, job->out);
  skip_draws(&w, before);
  for (uint32_t i = first; i < end; i++) write_draw(&w, i);
  if (end == job->batch->end) end_writing(&w);
}

void sj_batch_write(const sj_encoded *scene, stijl_irect region, const sj_batch *batch, sj_batch_parts *parts,
                    const sj_batch_arrays *out) {
  if (batch->in_parts && !batch->part) {
    write_job job = {scene, region, batch, parts, out};
    sj_pool_run(parts->pool, (uint32_t)parts->sums.count, write_part, &job);
    return;
  }
  write_pens(scene, batch, out->pens, 0, 1);
  writer w = begin_writing(scene, region, batch, out);
  for (uint32_t i = batch->first; i < batch->end; i++) write_draw(&w, i);
  end_writing(&w);
}
