// What a draw is encoded to depends on the draws before it by three things alone: how many draws, pens and paints they
// have become. So threads encode parts of a long row of draws into lists of their own, and then put these behind one
// another.
#include "scene/encode_parts.h"

#include <string.h>

#include "base/irect.h"
#include "base/pool.h"

#define PART_DRAWS 1024  // a part takes some 40 us, and waking a thread 10
#define LEAST_DRAWS ((size_t)4 * PART_DRAWS)

// What a part of the draws has become.
typedef struct sj_draws_part {
  sj_draw_list draws;
  sj_pen_list pens;
  sj_paint_list paints;
  size_t first_draw, first_pen, first_paint;  // where they go in the output
  stijl_irect content;
  uint32_t depth;
  bool good;
  sj_spender spender;
} sj_draws_part;

// --- Where there are many ---

static bool stands_alone(const stijl_scene *scene, const sj_draw *draw) {
  if (draw->op != K_DRAW_FILL && draw->op != K_DRAW_STROKE && draw->op != K_DRAW_ALL) return false;
  return draw->flags & K_DRAW_SOLID || scene->paints.data[draw->paint].kind != STIJL_PAINT_SCENE;
}

static bool find_rows(sj_encoder *e, const sj_draw *draws, size_t count) {
  for (size_t first = 0, end; first < count; first = end + 1) {
    for (end = first; end < count && stands_alone(e->scene, &draws[end]);) end++;
    if (end - first < LEAST_DRAWS) continue;
    if (!sj_array_push(e->context, &e->rows, (sj_draw_row){draws + first, draws + end})) return false;
  }
  return true;
}

bool sj_parts_begin(sj_encoder *e) {
  const stijl_scene *scene = e->scene;
  if (scene->arrays && e->rows_of == scene->arrays) return true;
  e->rows.count = 0;
  e->rows_of = 0;
  if (!find_rows(e, scene->draws.data, scene->draws.count)) return false;
  for (size_t i = 0; i < scene->subscenes.count; i++) {
    const sj_subscene *sub = &scene->subscenes.data[i];
    if (sub->count && !find_rows(e, &scene->inner.data[sub->first], sub->count)) return false;
  }
  e->rows_of = scene->arrays;
  return true;
}

// --- Encoding them ---

typedef struct {
  sj_encoder *encoder;
  const sj_draw *first, *end;
  bool (*encode)(sj_encoder *e, const sj_draw *draw);
} sj_parts_job;

static void encode_part(void *user, uint32_t index, int thread) {
  const sj_parts_job *job = user;
  const sj_encoder *e = job->encoder;
  sj_draws_part *part = &e->parts.data[index];
  (void)thread;
  sj_encoded out = {.draws = part->draws, .pens = part->pens, .paints = part->paints};
  out.draws.count = out.pens.count = out.paints.count = 0;
  sj_level level = e->levels.data[e->levels.count - 1];
  level.content = (stijl_irect){0, 0, 0, 0};
  sj_run run = e->runs.data[e->runs.count - 1];
  sj_encoder own = {.context = e->context,
                    .scene = e->scene,
                    .out = &out,
                    .spender = {.budget = e->spender.budget},
                    .view = e->view,
                    .subscene = e->subscene,
                    .canvas = e->canvas};
  own.levels.data = &level;
  own.runs.data = &run;
  own.levels.count = own.levels.capacity = own.runs.count = own.runs.capacity = 1;
  const sj_draw *at = job->first + (size_t)index * PART_DRAWS;
  const sj_draw *end = job->end - at < PART_DRAWS ? job->end : at + PART_DRAWS;
  bool good = sj_array_reserve(e->context, &out.draws, PART_DRAWS);
  for (; good && at < end; at++) good = sj_spend(&own.spender, SJ_WORK_NODE) && job->encode(&own, at);
  part->draws = out.draws;
  part->pens = out.pens;
  part->paints = out.paints;
  part->content = level.content;
  part->depth = own.depth;
  part->spender = own.spender;
  part->good = good;
}

// Copies a part to its place in the output.
static void place_part(void *user, uint32_t index, int thread) {
  const sj_parts_job *job = user;
  const sj_encoder *e = job->encoder;
  const sj_draws_part *part = &e->parts.data[index];
  (void)thread;
  k_draw *out = e->out->draws.data + part->first_draw;
  for (size_t i = 0; i < part->draws.count; i++)
    out[i] = sj_placed_draw(part->draws.data[i], part->first_draw, part->first_pen, part->first_paint);
  if (part->pens.count)
    memcpy(e->out->pens.data + part->first_pen, part->pens.data, part->pens.count * sizeof *part->pens.data);
  if (part->paints.count)
    memcpy(e->out->paints.data + part->first_paint, part->paints.data, part->paints.count * sizeof *part->paints.data);
}

static bool reserve_parts(sj_encoder *e, size_t count) {
  if (e->parts.count >= count) return true;
  if (!sj_array_reserve(e->context, &e->parts, count - e->parts.count)) return false;
  memset(e->parts.data + e->parts.count, 0, (count - e->parts.count) * sizeof *e->parts.data);
  e->parts.count = count;
  return true;
}

// Finds where the parts go, and makes room for them.
static bool lay_out(sj_encoder *e, size_t count) {
  sj_encoded *out = e->out;
  sj_level *top = &e->levels.data[e->levels.count - 1];
  size_t draws = out->draws.count, pens = out->pens.count, paints = out->paints.count;
  for (size_t i = 0; i < count; i++) {
    sj_draws_part *part = &e->parts.data[i];
    e->spender.spent += part->spender.spent;
    if (!sj_spend(&e->spender, part->spender.work) || !part->good) return false;
    part->first_draw = draws;
    part->first_pen = pens;
    part->first_paint = paints;
    draws += part->draws.count;
    pens += part->pens.count;
    paints += part->paints.count;
    top->content = sj_irect_unite(top->content, part->content);
    if (part->depth > e->depth) e->depth = part->depth;
  }
  if (!sj_array_reserve(e->context, &out->draws, draws - out->draws.count) ||
      !sj_array_reserve(e->context, &out->pens, pens - out->pens.count) ||
      !sj_array_reserve(e->context, &out->paints, paints - out->paints.count))
    return false;
  out->draws.count = draws;
  out->pens.count = pens;
  out->paints.count = paints;
  return true;
}

bool sj_encode_parts(sj_encoder *e, bool (*encode)(sj_encoder *e, const sj_draw *draw)) {
  sj_run *run = &e->runs.data[e->runs.count - 1];
  const sj_draw_row *row = run->row;
  size_t count = ((size_t)(row->end - row->first) + PART_DRAWS - 1) / PART_DRAWS;
  sj_parts_job job = {e, row->first, row->end, encode};
  if (!reserve_parts(e, count)) return false;
  sj_pool_run(e->out->pool, (uint32_t)count, encode_part, &job);
  if (!lay_out(e, count)) return false;
  sj_pool_run(e->out->pool, (uint32_t)count, place_part, &job);
  run->at = row->end;
  run->row = sj_next_row(e, run->at, run->end);
  e->transform = NULL;
  return true;
}

void sj_parts_finish(sj_encoder *e) {
  for (size_t i = 0; i < e->parts.count; i++) {
    sj_arrays_finish(e->context, &e->parts.data[i].draws, &e->parts.data[i].pens, &e->parts.data[i].paints);
  }
  sj_arrays_finish(e->context, &e->parts, &e->rows);
}
