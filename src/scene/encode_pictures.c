// Pictures depend on one another by nothing but where their draws, pens, paints and glyphs are in the output. So
// threads encode some each into lists of their own, which are then put behind one another. Those with filters and
// patterns, whose surfaces are numbered, come first, one after the other.
#include "scene/encode_pictures.h"

#include <string.h>

#include "base/pool.h"
#include "scene/encode_glyphs.h"
#include "scene/encode_parts.h"

// As many pictures are encoded at a time as have about so many draws, and this many of small ones.
#define PART_DRAWS 1024u
#define PART_PICTURES 128u
// For each part that has glyphs all outlines of the scene are gone through.
#define MOST_OUTLINES 16384u

// Where some pictures' draws and what they refer to go in the output.
typedef struct {
  size_t draws, pens, paints, glyphs, instances, runs;
} place;

typedef struct {
  sj_encoder encoder;
  sj_encoded out;
  uint32_t first, end;  // of `order`
  place at;
  uint32_t depth;
  bool good;
} part;

typedef struct sj_picture_parts {
  uint64_t made_for;         // the scene that `alone` tells of; 0: none
  SJ_ARRAY(bool) alone;      // of each scene within: it has no filters and patterns
  SJ_ARRAY(uint32_t) order;  // of the pictures
  SJ_ARRAY(part) parts;      // the first `used` are this frame's
  size_t used;
} sj_picture_parts;

// --- Which pictures stand alone ---

static bool draw_stands_alone(const stijl_scene *scene, const bool *alone, const sj_draw *draw) {
  if (draw->filter || (draw->op == SJ_DRAW_GLYPHS && scene->outlines.count > MOST_OUTLINES)) return false;
  if (draw->op == SJ_DRAW_SCENE) return alone[draw->paint];
  if (draw->op == K_DRAW_PUSH || draw->op == K_DRAW_POP || draw->flags & K_DRAW_SOLID) return true;
  return scene->paints.data[draw->paint].kind != STIJL_PAINT_SCENE;
}

static bool find_alone(sj_encoder *e) {
  sj_picture_parts *p = e->pictures;
  const stijl_scene *scene = e->scene;
  size_t count = scene->subscenes.count;
  if (scene->serial && p->made_for == scene->serial) return true;
  p->made_for = 0;
  p->alone.count = 0;
  if (!sj_array_reserve(e->context, &p->alone, count)) return false;
  bool plain = !scene->filters.count && scene->outlines.count <= MOST_OUTLINES;
  // Scenes within a scene come before it. Where there are neither scenes within nor filters, no draw need be looked at.
  for (size_t i = 0; i < count; i++) {
    const sj_subscene *sub = &scene->subscenes.data[i];
    const sj_draw *draws = sub->count ? sj_array_at(&scene->inner, sub->first) : NULL;
    bool alone = !sub->backdrops, known = plain && sub->nesting == 1;
    for (uint32_t k = 0; alone && !known && k < sub->count; k++)
      alone = draw_stands_alone(scene, p->alone.data, &draws[k]);
    p->alone.data[p->alone.count++] = alone;
  }
  p->made_for = scene->serial;
  return true;
}

// --- Encoding them ---

// Encodes a picture, and moves its draws to its place.
static bool encode_picture(sj_encoder *e, const sj_picture *picture, sj_placed *out) {
  sj_encoded *encoded = e->out;
  stijl_irect at = picture->place;
  *out = (sj_placed){.first = (uint32_t)encoded->draws.count, .place = at};
  e->root = picture->subscene;
  e->background = picture->background;
  e->view = picture->view;
  if (!sj_encode_pass(e, (stijl_irect){0, 0, at.x1 - at.x0, at.y1 - at.y0})) return false;
  out->end = (uint32_t)encoded->draws.count;
  for (uint32_t i = out->first; i < out->end; i++) {
    k_draw *draw = &encoded->draws.data[i];
    draw->x0 += at.x0;
    draw->x1 += at.x0;
    draw->y0 += at.y0;
    draw->y1 += at.y0;
  }
  return true;
}

typedef struct {
  sj_encoder *encoder;
  const sj_picture *pictures;
} job;

static void encode_part(void *user, uint32_t index, int thread) {
  const job *j = user;
  const sj_encoder *e = j->encoder;
  const sj_picture_parts *p = e->pictures;
  part *own = &p->parts.data[index];
  (void)thread;
  sj_encoder begun = {.context = e->context,
                      .scene = e->scene,
                      .out = &own->out,
                      .spender = {.budget = e->spender.budget},
                      .subscene = SJ_ROOT,
                      .levels = own->encoder.levels,
                      .runs = own->encoder.runs};
  own->encoder = begun;
  own->out.draws.count = own->out.pens.count = own->out.paints.count = 0;
  own->out.glyphs.count = own->out.instances.count = own->out.runs.count = 0;
  own->depth = 0;
  own->good = true;
  for (uint32_t i = own->first; own->good && i < own->end; i++) {
    own->good = encode_picture(&own->encoder, &j->pictures[p->order.data[i]], &e->out->pictures.data[i]);
    own->depth = k_max(own->depth, own->encoder.depth);
  }
}

#define COPY(list, at)                                                                                               \
  do {                                                                                                               \
    if (from->list.count) memcpy(to->list.data + (at), from->list.data, from->list.count * sizeof *from->list.data); \
  } while (0)

// Copies a part to its place in the output.
static void place_part(void *user, uint32_t index, int thread) {
  const job *j = user;
  const sj_encoder *e = j->encoder;
  sj_encoded *to = e->out;
  const part *own = &e->pictures->parts.data[index];
  const sj_encoded *from = &own->out;
  const place *at = &own->at;
  (void)thread;
  for (size_t i = 0; i < from->draws.count; i++) {
    k_draw draw = sj_placed_draw(from->draws.data[i], at->draws, at->pens, at->paints);
    if (draw.flags & K_DRAW_GLYPHS) draw.segment += (uint32_t)at->runs;
    to->draws.data[at->draws + i] = draw;
  }
  for (uint32_t i = own->first; i < own->end; i++) {
    to->pictures.data[i].first += (uint32_t)at->draws;
    to->pictures.data[i].end += (uint32_t)at->draws;
  }
  COPY(pens, at->pens);
  COPY(paints, at->paints);
  COPY(glyphs, at->glyphs);
  for (size_t i = 0; i < from->instances.count; i++) {
    k_instance instance = from->instances.data[i];
    instance.glyph += (uint32_t)at->glyphs;
    to->instances.data[at->instances + i] = instance;
  }
  for (size_t i = 0; i < from->runs.count; i++) {
    k_run run = from->runs.data[i];
    run.instance += (uint32_t)at->instances;
    to->runs.data[at->runs + i] = run;
  }
}

// Makes room for all parts, and finds where they go.
static bool lay_out(sj_encoder *e, uint32_t *depth) {
  sj_picture_parts *p = e->pictures;
  sj_encoded *out = e->out;
  place at = {out->draws.count,  out->pens.count,      out->paints.count,
              out->glyphs.count, out->instances.count, out->runs.count};
  for (size_t i = 0; i < p->used; i++) {
    part *own = &p->parts.data[i];
    const sj_encoded *from = &own->out;
    e->spender.spent += own->encoder.spender.spent;
    if (!sj_spend(&e->spender, own->encoder.spender.work) || !own->good) return false;
    // The encoder's own glyphs are known by their numbers.
    if (!sj_array_reserve(e->context, &e->known, from->glyphs.count)) return false;
    for (size_t k = 0; k < from->glyphs.count; k++) e->known.data[e->known.count++] = own->encoder.known.data[k];
    *depth = k_max(*depth, own->depth);
    own->at = at;
    at.draws += from->draws.count;
    at.pens += from->pens.count;
    at.paints += from->paints.count;
    at.glyphs += from->glyphs.count;
    at.instances += from->instances.count;
    at.runs += from->runs.count;
  }
  if (at.draws > UINT32_MAX / 2 || at.instances > UINT32_MAX / 2) return false;
  if (!sj_array_reserve(e->context, &out->draws, at.draws - out->draws.count) ||
      !sj_array_reserve(e->context, &out->pens, at.pens - out->pens.count) ||
      !sj_array_reserve(e->context, &out->paints, at.paints - out->paints.count) ||
      !sj_array_reserve(e->context, &out->glyphs, at.glyphs - out->glyphs.count) ||
      !sj_array_reserve(e->context, &out->instances, at.instances - out->instances.count) ||
      !sj_array_reserve(e->context, &out->runs, at.runs - out->runs.count))
    return false;
  out->draws.count = at.draws;
  out->pens.count = at.pens;
  out->paints.count = at.paints;
  out->glyphs.count = at.glyphs;
  out->instances.count = at.instances;
  out->runs.count = at.runs;
  return true;
}

// Divides the pictures from `first` of the order on among parts.
static bool begin_parts(sj_encoder *e, const sj_picture *pictures, uint32_t first) {
  sj_picture_parts *p = e->pictures;
  p->used = 0;
  for (uint32_t i = first, end; i < p->order.count; i = end) {
    uint32_t draws = 0;
    for (end = i; end < p->order.count && end - i < PART_PICTURES && draws < PART_DRAWS; end++)
      draws += e->scene->subscenes.data[pictures[p->order.data[end]].subscene].count;
    if (p->used == p->parts.count && !sj_array_push(e->context, &p->parts, (part){0})) return false;
    p->parts.data[p->used].first = i;
    p->parts.data[p->used++].end = end;
  }
  return true;
}

// Encodes those that stand alone, from `first` of the order on.
static bool encode_alone(sj_encoder *e, const sj_picture *pictures, uint32_t first, uint32_t *depth) {
  job j = {e, pictures};
  if (!begin_parts(e, pictures, first)) return false;
  uint32_t count = (uint32_t)e->pictures->used;
  sj_pool_run(e->out->pool, count, encode_part, &j);
  bool ok = lay_out(e, depth);
  if (ok) sj_pool_run(e->out->pool, count, place_part, &j);
  for (uint32_t i = 0; i < count; i++) sj_encode_glyphs_finish(&e->pictures->parts.data[i].encoder);
  return ok;
}

// Lists the pictures, those that stand alone last. *alone: where these begin.
static bool find_order(sj_encoder *e, const sj_picture *pictures, size_t count, uint32_t *alone) {
  sj_picture_parts *p = e->pictures;
  p->order.count = 0;
  *alone = (uint32_t)count;
  if (!sj_array_reserve(e->context, &p->order, count)) return false;
  if (!e->out->pool) {
    for (size_t i = 0; i < count; i++) p->order.data[p->order.count++] = (uint32_t)i;
    return true;
  }
  if (!find_alone(e)) return false;
  for (int last = 0; last < 2; last++) {
    if (last) *alone = (uint32_t)p->order.count;
    for (size_t i = 0; i < count; i++) {
      uint32_t subscene = pictures[i].subscene;
      if ((subscene != SJ_ROOT && p->alone.data[subscene]) == last) p->order.data[p->order.count++] = (uint32_t)i;
    }
  }
  return true;
}

stijl_result sj_encode_pictures(stijl_context *context, const stijl_scene *scene, const sj_picture *pictures,
                                size_t count, sj_encoded *out, stijl_message *message) {
  out->resident = false;
  out->made_for.serial = out->work = 0;
  out->number++;
  sj_encoder *e = sj_encoder_begin(context, scene, out);
  if (!e) return sj_fail_memory(message);
  if (!e->pictures) e->pictures = sj_alloc_zero(context, sizeof *e->pictures);
  k_pass target = {.surface = K_TARGET, .flags = K_PASS_BACKGROUND};
  uint32_t alone;
  bool ok = e->pictures && count < UINT32_MAX / 2 && sj_array_reserve(context, &out->pictures, count) &&
            find_order(e, pictures, count, &alone);
  if (ok) out->pictures.count = count;
  for (uint32_t i = 0; ok && i < alone; i++) {
    ok = encode_picture(e, &pictures[e->pictures->order.data[i]], &out->pictures.data[i]);
    target.depth = k_max(target.depth, e->depth);
  }
  ok = ok && (alone == count || encode_alone(e, pictures, alone, &target.depth));
  stijl_result result = sj_encoder_end(e, target, ok, message);
  return result == STIJL_OK ? sj_encoded_check(out, message) : result;
}

void sj_picture_parts_finish(sj_encoder *e) {
  sj_picture_parts *p = e->pictures;
  if (!p) return;
  for (size_t i = 0; i < p->parts.count; i++) {
    part *own = &p->parts.data[i];
    sj_arrays_finish(e->context, &own->encoder.levels, &own->encoder.runs, &own->out.draws, &own->out.pens,
                     &own->out.paints, &own->out.glyphs, &own->out.instances, &own->out.runs);
  }
  sj_arrays_finish(e->context, &p->alone, &p->order, &p->parts);
  sj_free(e->context, p);
}
