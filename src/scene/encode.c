#include "scene/encode.h"

#include <string.h>

#include "base/irect.h"
#include "image/image.h"
#include "kernel/composite.h"
#include "kernel/flatten.h"
#include "scene/encode_filter.h"
#include "scene/encode_glyphs.h"
#include "scene/encode_paint.h"
#include "scene/encode_parts.h"
#include "scene/encode_passes.h"
#include "scene/encode_pictures.h"
#include "scene/encode_plan.h"
#include "scene/encode_tiles.h"
#include "scene/encoder.h"

static void set_box(k_draw *draw, stijl_irect box) {
  draw->x0 = box.x0;
  draw->y0 = box.y0;
  draw->x1 = box.x1;
  draw->y1 = box.y1;
}

static void set_path(k_draw *draw, const sj_draw *from, stijl_matrix m, bool far) {
  draw->flags = from->flags | (far ? K_DRAW_FAR : 0);
  draw->segment = from->path.segment;
  draw->segment_count = from->path.segment_count;
  draw->lines = from->path.lines;
  draw->matrix = sj_to_k(m);
}

// Counts the next draw, whose colour is faded: by its own colour, by the opacity of its image, or, where a gradient
// gives the colours, by a layer around it.
static bool count_faded(sj_encoder *e, k_draw *draw, uint32_t fade) {
  k_paint *paint = draw->flags & K_DRAW_SOLID ? NULL : &e->out->paints.data[draw->paint];
  draw->flags &= ~K_DRAW_OPAQUE;
  if (!paint) {
    draw->paint = k_scale(draw->paint, fade);
    return !(draw->paint >> 24) || sj_count_draw(e);
  }
  if (paint->kind == K_PAINT_IMAGE) {
    paint->color = k_div255(paint->color * fade);
    return !paint->color || sj_count_draw(e);
  }
  uint32_t depth = e->levels.data[e->levels.count - 1].depth + 1;
  if (depth > e->depth) e->depth = depth;
  k_draw push = {.op = K_DRAW_PUSH}, pop = {.op = K_DRAW_POP, .opacity = fade};
  pop.paint = (uint32_t)e->out->draws.count;
  k_draw between = *draw;
  stijl_irect box = {draw->x0, draw->y0, draw->x1, draw->y1};
  set_box(&push, box);
  set_box(&pop, box);
  return sj_push_draw(e, &push) && sj_push_draw(e, &between) && sj_push_draw(e, &pop);
}

static bool encode_shape(sj_encoder *e, const sj_draw *draw) {
  if (draw->flags & K_DRAW_HIDDEN) return true;
  stijl_irect limits = e->levels.data[e->levels.count - 1].limits;
  if (sj_irect_is_empty(limits)) return true;
  if (!sj_find_transform(e, &draw->transform)) return true;
  stijl_matrix m = e->to_device;
  k_draw *made = sj_next_draw(e, draw->op);
  if (!made) return false;
  stijl_irect box = limits;
  if (draw->op == SJ_DRAW_GLYPHS) {
    made->op = K_DRAW_FILL;
    made->flags = draw->flags;
    if (!sj_encode_run(e, &e->scene->runs.data[draw->run], m, &box, made)) return false;
    if (sj_irect_is_empty(box)) return true;
  } else if (draw->op != K_DRAW_ALL) {
    k_box r = k_box_of(sj_to_k(m), sj_to_box(draw->path.box));
    if (draw->op == K_DRAW_STROKE) {
      const sj_stroke *stroke = &e->scene->strokes.data[draw->stroke];
      const k_pen *pen = sj_find_pen(e, stroke);
      if (!pen) return !e->failed;
      r = k_box_stroked(r, sj_stroke_reach(stroke) * pen->radius);
    }
    k_pixels pixels = k_pixels_of(r);
    stijl_irect whole = {pixels.x0, pixels.y0, pixels.x1, pixels.y1};
    box = sj_irect_intersect(limits, whole);
    if (sj_irect_is_empty(box)) return true;
    set_path(made, draw, m, k_is_far(r));
    if (!sj_irect_equal(box, whole)) made->flags |= K_DRAW_CUT;
  }
  if (!sj_encode_paint(e, draw, m, made)) return !e->failed;
  set_box(made, box);
  made->pen = draw->op == K_DRAW_STROKE ? e->pen : 0;
  return made->op == K_DRAW_STROKE && e->fade < 255 ? count_faded(e, made, e->fade) : sj_count_draw(e);
}

static bool is_whole(float x) {
  int fixed = k_fixed(x);
  return (fixed & 255) == 0;
}

// Returns whether a clip path is a rectangle whose edges lie on pixel borders. Then limits clip exactly, without a
// layer.
static bool clips_whole_pixels(const sj_draw *draw, stijl_matrix m, stijl_rect r) {
  bool upright = (m.b == 0.0f && m.c == 0.0f) || (m.a == 0.0f && m.d == 0.0f);
  return draw->clip_is_rect && upright && !sj_is_far(r) && is_whole(r.x0) && is_whole(r.y0) && is_whole(r.x1) &&
         is_whole(r.y1);
}

static bool run_draws(sj_encoder *e, size_t runs);

static bool encode_push(sj_encoder *e, const sj_draw *draw) {
  bool is_mask = draw->blend >= K_BLEND_MASK_ALPHA;
  if (draw->filter && e->scene->filters.data[draw->filter - 1].filter->reads_backdrop && !sj_end_gathering(e))
    return false;
  // The mask acts on the result of the filter, which therefore ends here.
  if (is_mask && e->levels.data[e->levels.count - 1].filter && !sj_end_filter(e, run_draws)) return false;
  sj_level made = e->levels.data[e->levels.count - 1];
  made.push = (uint32_t)e->out->draws.count;
  made.content = (stijl_irect){0, 0, 0, 0};
  made.mask = is_mask;
  made.filter = made.gathers = false;
  made.transparent = false;
  if (draw->opacity == 0) made.limits = (stijl_irect){0, 0, 0, 0};
  if (draw->flags & K_DRAW_CLIP) {
    bool drawn = sj_find_transform(e, &draw->transform) && draw->path.segment_count;
    stijl_matrix m = e->to_device;
    stijl_rect r = stijl_matrix_apply_rect(m, draw->path.box);
    stijl_irect box = drawn ? sj_pixels_of(r) : (stijl_irect){0, 0, 0, 0};
    if (drawn && draw->opacity == 255 && draw->blend == K_BLEND_NORMAL && !draw->holds_mask && !draw->holds_blend &&
        clips_whole_pixels(draw, m, r)) {
      made.transparent = true;
      box = (stijl_irect){k_fixed(r.x0) >> 8, k_fixed(r.y0) >> 8, k_fixed(r.x1) >> 8, k_fixed(r.y1) >> 8};
    }
    made.limits = sj_irect_intersect(made.limits, box);
  }
  // Where a layer has nothing but a filter, the filter's result is painted without a layer around it.
  if (draw->filter && draw->opacity == 255 && draw->blend == K_BLEND_NORMAL && !draw->holds_mask &&
      !(draw->flags & K_DRAW_CLIP))
    made.transparent = true;
  made.depth += !made.transparent;
  if (!sj_array_push(e->context, &e->levels, made)) return false;
  if (made.transparent) {
    if (!sj_spend(&e->spender, SJ_WORK_DRAW)) return false;
  } else {
    if (made.depth > e->depth) e->depth = made.depth;
    if (!sj_array_push(e->context, &e->out->draws, (k_draw){.op = K_DRAW_PUSH})) return false;
  }
  return (!draw->filter || sj_begin_filter(e, draw)) && (!draw->holds_backdrop || sj_begin_gathering(e));
}

static bool encode_pop(sj_encoder *e, const sj_draw *draw) {
  if (e->levels.data[e->levels.count - 1].filter && !sj_end_filter(e, run_draws)) return false;
  sj_level ended = e->levels.data[--e->levels.count];
  sj_level *below = &e->levels.data[e->levels.count - 1];
  if (ended.transparent) {
    below->content = sj_irect_unite(below->content, ended.content);
    return true;
  }
  stijl_irect box = ended.mask ? below->content : ended.content;
  if (sj_irect_is_empty(box)) {
    sj_drop_draws(e, ended.push);
    return true;
  }
  bool divided = sj_is_divided(e, ended.push + 1);
  if (divided && !sj_divide_level(e, ended.push + 1, 0)) return false;
  k_draw made = {.op = K_DRAW_POP, .paint = ended.push, .blend = draw->blend, .opacity = draw->opacity};
  if (draw->flags & K_DRAW_CLIP) {
    sj_find_transform(e, &draw->transform);
    set_path(&made, draw, e->to_device, sj_is_far(stijl_matrix_apply_rect(e->to_device, draw->path.box)));
    made.flags |= K_DRAW_CUT;
  }
  set_box(&made, box);
  // The box of what a mask draws may be larger than that of what it is applied to.
  set_box(&e->out->draws.data[ended.push], sj_irect_unite(box, ended.content));
  return sj_push_draw(e, &made) && (!divided || sj_cut_here(e));
}

// Begins with the draws of a scene within.
static bool enter(sj_encoder *e, const sj_draw *draw) {
  const sj_subscene *sub = &e->scene->subscenes.data[draw->paint];
  const sj_run *outer = &e->runs.data[e->runs.count - 1];
  sj_run run = {.at = sj_array_at(&e->scene->inner, sub->first), .placed = true, .place = draw->transform};
  run.end = run.at + sub->count;
  run.row = sj_next_row(e, run.at, run.end);
  if (outer->placed) run.place = stijl_matrix_multiply(outer->place, run.place);
  e->transform = NULL;
  return sj_array_push(e->context, &e->runs, run) && (!sub->backdrops || sj_begin_gathering(e));
}

// Goes on behind a layer.
static void skip_layer(sj_encoder *e, const sj_draw *push) {
  sj_run *run = &e->runs.data[e->runs.count - 1];
  run->at = sj_layer_end(push) + 1;
  run->row = sj_next_row(e, run->at, run->end);
}

static bool encode_draw(sj_encoder *e, const sj_draw *draw) {
  bool hidden = draw->flags & K_DRAW_HIDDEN;
  switch (draw->op) {
    case K_DRAW_PUSH:
      if (!hidden) return encode_push(e, draw);
      skip_layer(e, draw);
      return true;
    case K_DRAW_POP: return encode_pop(e, draw);
    case SJ_DRAW_SCENE: return hidden || enter(e, draw);
    default: return encode_shape(e, draw);
  }
}

// Encodes runs until so many are left.
static bool run_draws(sj_encoder *e, size_t runs) {
  bool ok = true;
  while (ok && e->runs.count > runs) {
    sj_run *run = &e->runs.data[e->runs.count - 1];
    if (run->at == run->end) {
      e->runs.count--;
      e->transform = NULL;
      continue;
    }
    if (run->row && run->at == run->row->first) {
      ok = sj_encode_parts(e, encode_shape);
      continue;
    }
    ok = sj_spend(&e->spender, SJ_WORK_NODE) && encode_draw(e, run->at++);
  }
  return ok;
}

static bool paint_background(sj_encoder *e, stijl_irect region) {
  k_draw *made = sj_next_draw(e, K_DRAW_ALL);
  if (!made) return false;
  made->flags = K_DRAW_SOLID | (e->background >> 24 == 255 ? K_DRAW_OPAQUE : 0);
  made->paint = e->background;
  set_box(made, region);
  return sj_count_draw(e);
}

bool sj_encode_pass(sj_encoder *e, stijl_irect region) {
  const stijl_scene *scene = e->scene;
  bool root = e->subscene == SJ_ROOT;
  uint32_t number = root ? e->root : e->subscene;
  const sj_subscene *shown = number == SJ_ROOT ? NULL : &scene->subscenes.data[number];
  const sj_draw *first = shown ? sj_array_at(&scene->inner, shown->first) : scene->draws.data;
  size_t count = shown ? shown->count : scene->draws.count;
  e->transform = NULL;
  e->stroke = NULL;
  e->depth = 0;
  e->canvas = root && !sj_irect_is_empty(e->out->canvas) ? e->out->canvas : region;
  e->levels.count = e->runs.count = e->filters.count = e->cuts.count = 0;
  e->below = SJ_FILTER_NO_STEP;
  if (count) {
    sj_run run = {.at = first, .end = first + count, .row = sj_next_row(e, first, first + count)};
    if (!sj_array_push(e->context, &e->runs, run)) return false;
  }
  // The background is no part of what filters read below their layers.
  return sj_array_push(e->context, &e->levels, (sj_level){.limits = region}) &&
         (!root || !e->background || paint_background(e, region)) &&
         (!(shown ? shown->backdrops : scene->backdrops) || sj_begin_gathering(e)) && run_draws(e, 0);
}

// Puts the draws of passes that were encoded within others behind all others.
static bool append_kept(sj_encoder *e) {
  sj_encoded *out = e->out;
  uint32_t base = (uint32_t)out->draws.count;
  if (!sj_array_reserve(e->context, &out->draws, e->kept.count)) return false;
  for (size_t i = 0; i < e->kept.count; i++) {
    k_draw draw = e->kept.data[i];
    if (draw.op == K_DRAW_POP) draw.paint += base;
    out->draws.data[out->draws.count++] = draw;
  }
  for (size_t i = 0; i < e->entries.count; i++)
    if (e->entries.data[i].kept) {
      e->entries.data[i].pass.first += base;
      e->entries.data[i].pass.end += base;
    }
  return true;
}

sj_encoder *sj_encoder_begin(stijl_context *context, const stijl_scene *scene, sj_encoded *out) {
  sj_encoded_begin(scene, out);
  if (!out->encoder) out->encoder = sj_alloc_zero(context, sizeof *out->encoder);
  sj_encoder *e = out->encoder;
  if (!e) return NULL;
  sj_encoder begun = {.context = context,
                      .scene = scene,
                      .out = out,
                      .spender = {.budget = out->budget},
                      .subscene = SJ_ROOT,
                      .root = SJ_ROOT,
                      .levels = e->levels,
                      .filters = e->filters,
                      .slots = e->slots,
                      .keys = e->keys,
                      .plans_of = e->plans_of,
                      .runs = e->runs,
                      .rows = e->rows,
                      .rows_of = e->rows_of,
                      .parts = e->parts,
                      .pictures = e->pictures,
                      .entries = e->entries,
                      .cuts = e->cuts,
                      .kept = e->kept,
                      .tiles = e->tiles,
                      .tile_numbers = e->tile_numbers};
  *e = begun;
  e->entries.count = e->cuts.count = e->kept.count = e->tiles.count = 0;
  sj_pairs_clear(&e->tile_numbers);
  sj_begin_plans(e);
  return e;
}

static void finish_encoder(stijl_context *context, sj_encoder *e) {
  if (!e) return;
  sj_arrays_finish(context, &e->levels, &e->runs, &e->tiles);
  sj_pairs_finish(context, &e->tile_numbers);
  sj_arrays_finish(context, &e->filters, &e->slots, &e->keys, &e->entries, &e->kept, &e->cuts);
  if (e->parts.count || e->rows.count) sj_parts_finish(e);
  sj_picture_parts_finish(e);
  sj_free(context, e);
}

void sj_encoded_begin(const stijl_scene *scene, sj_encoded *out) {
  out->points = scene->points.data;
  out->segments = scene->segments.data;
  out->ramps = scene->ramps.data;
  out->ramp_pieces = scene->ramp_pieces.data;
  out->outlines = scene->outlines.data;
  out->point_count = scene->points.count;
  out->segment_count = scene->segments.count;
  out->ramp_count = scene->ramps.count;
  out->images = scene->images.data;
  out->image_count = out->scene_image_count = scene->images.count;
  out->arrays = scene->arrays;
  out->draws.count = out->pens.count = out->paints.count = out->glyphs.count = out->instances.count = 0;
  out->runs.count = out->filters.count = out->pictures.count = 0;
  out->passes.count = out->surfaces.count = out->released.count = out->all_images.count = 0;
}

stijl_result sj_encoder_end(sj_encoder *e, k_pass target, bool ok, stijl_message *message) {
  sj_encoded *out = e->out;
  e->target_end = target.end = (uint32_t)out->draws.count;
  ok = ok && (!e->tiles.count || sj_encode_tiles(e, sj_encode_pass, append_kept)) &&
       sj_array_push(e->context, &out->passes, target);
  sj_encode_glyphs_finish(e);
  out->work += e->spender.spent + e->spender.work;
  bool open = sj_budget_check(out->budget, e->spender.work);
  out->beyond = open && e->too_large;
  if (e->too_large)
    return sj_fail(message, STIJL_ERROR_LIMIT, "a filter needs a surface of more than %d pixels a side",
                   SJ_IMAGE_MAX_SIZE);
  if (!ok || !open) return sj_fail_memory(message);
  return STIJL_OK;
}

static stijl_result encode(stijl_context *context, const stijl_scene *scene, stijl_matrix view, stijl_irect region,
                           bool divided, sj_encoded *out, stijl_message *message) {
  sj_encoder *e = sj_encoder_begin(context, scene, out);
  if (!e) return sj_fail_memory(message);
  e->view = view;
  e->divided = divided;
  bool ok = (!out->pool || sj_parts_begin(e)) && sj_encode_pass(e, region);
  // What is divided cannot be the target, which is drawn last and at once.
  k_pass target = {.surface = K_TARGET, .depth = e->depth, .flags = K_PASS_BACKGROUND};
  if (ok && sj_is_divided(e, 0)) {
    ok = sj_divide_level(e, 0, K_PASS_BACKGROUND);
    target.flags = 0;
  }
  return sj_encoder_end(e, target, ok, message);
}

static bool is_made_for(const sj_encoded_for *a, const sj_encoded_for *b) {
  return a->serial == b->serial && memcmp(&a->view, &b->view, sizeof a->view) == 0 &&
         sj_irect_equal(a->region, b->region) && sj_irect_equal(a->canvas, b->canvas) &&
         a->max_surface_bytes == b->max_surface_bytes && a->keep == b->keep;
}

static bool fits(const sj_encoded *e) {
  return !e->max_surface_bytes || sj_encoded_surface_bytes(e) <= e->max_surface_bytes;
}

stijl_result sj_encoded_check(sj_encoded *out, stijl_message *message) {
  if (fits(out)) return STIJL_OK;
  out->beyond = true;
  return sj_fail(message, STIJL_ERROR_LIMIT,
                 "patterns and filters need surfaces of %llu bytes at a time, more than max_layer_bytes (%llu)",
                 (unsigned long long)sj_encoded_surface_bytes(out), (unsigned long long)out->max_surface_bytes);
}

stijl_result sj_encode(stijl_context *context, const stijl_scene *scene, stijl_matrix view, stijl_irect region,
                       sj_encoded *out, stijl_message *message) {
  out->resident = false;
  sj_encoded_for wanted = {scene->serial, view, region, out->canvas, out->max_surface_bytes, out->keep};
  if (scene->serial && is_made_for(&out->made_for, &wanted))
    return sj_budget_check(out->budget, out->work) ? STIJL_OK : sj_budget_spent(message);
  out->made_for.serial = out->work = 0;
  out->number++;
  stijl_result result = encode(context, scene, view, region, false, out, message);
  if (result == STIJL_OK && !fits(out) && !out->keep) result = encode(context, scene, view, region, true, out, message);
  if (result == STIJL_OK) result = sj_encoded_check(out, message);
  if (result == STIJL_OK) out->made_for = wanted;
  return result;
}

void sj_encoded_finish(stijl_context *context, sj_encoded *encoded) {
  encoded->made_for.serial = 0;
  finish_encoder(context, encoded->encoder);
  encoded->encoder = NULL;
  sj_arrays_finish(context, &encoded->draws, &encoded->pictures, &encoded->glyphs, &encoded->instances, &encoded->runs,
                   &encoded->pens, &encoded->paints);
  for (size_t i = 0; i < encoded->plans_made; i++) sj_filter_plan_finish(context, &encoded->plans.data[i]);
  encoded->plans_made = 0;
  sj_arrays_finish(context, &encoded->plans, &encoded->filters, &encoded->passes, &encoded->surfaces,
                   &encoded->released, &encoded->all_images);
}
