// Layers with filters. What such a layer holds is drawn into a surface, in a pass that is encoded on the way; a further
// pass makes another surface of it; and that is painted where the layer would be.
#include "scene/encode_filter.h"

#include "base/irect.h"
#include "image/image.h"
#include "scene/encode_paint.h"
#include "scene/encode_passes.h"
#include "scene/encode_plan.h"
#include "scene/encoder.h"
#include "scene/matrix64.h"
#include "scene/sampled.h"

#define FAR (1 << 28)
// How far from its origin, in pixels, the space of a turned filter may hold the canvas. Lines have places within 32767
// pixels of it, so a space that strong skewing makes larger has larger pixels instead.
#define FARTHEST 16384.0
static const stijl_irect everywhere = {-FAR, -FAR, FAR, FAR}, nothing = {0, 0, 0, 0};

// Returns what is asked of the filter's result so that a part of the pass can be painted with it.
static stijl_irect asked_for(const sj_open_filter *open, stijl_irect part) {
  return open->turned ? sj_sampled(open->to_filter, part) : part;
}

// Plans the filter for a part of its result, whatever the source has, to know what is asked of each step. Returns false
// when memory is out.
static bool plan_boxes(sj_encoder *e, const sj_open_filter *open, stijl_irect wanted, sj_filter_plan *out) {
  sj_filter_target target = open->target;
  target.wanted = wanted;
  target.content = everywhere;
  *out = (sj_filter_plan){.result = SJ_FILTER_NO_STEP};
  if (sj_filter_plan_begin(e->context, open->filter->filter, &target, out) &&
      sj_filter_plan_fit(e->context, &target, false, out) && sj_spend(&e->spender, 64 * (uint64_t)out->steps.count))
    return true;
  sj_filter_plan_finish(e->context, out);
  return false;
}

// Begins the filter's plan, for anything that may be wanted of it. Returns false when memory is out.
static bool begin_plan(sj_encoder *e, sj_open_filter *open) {
  open->shared = sj_find_regions(e, open);
  if (open->shared) return true;
  sj_filter_plan *plan = sj_add_plan(e, &open->plan);
  return plan && sj_filter_plan_begin(e->context, open->filter->filter, &open->target, plan);
}

// Finds the filter's plan for a content and a part of its result. Returns false when memory is out.
static bool find_plan(sj_encoder *e, const sj_open_filter *open, stijl_irect content, stijl_irect wanted, bool executed,
                      sj_filter_use *out) {
  if (open->shared) return sj_find_plan(e, open, content, wanted, executed, out);
  sj_filter_target target = open->target;
  target.content = content;
  target.wanted = wanted;
  *out = (sj_filter_use){.plan = open->plan, .source = SJ_FILTER_NO_STEP};
  return sj_filter_plan_fit(e->context, &target, executed, &e->out->plans.data[open->plan]);
}

// Finds what the filter needs of its source for a part of its result. Returns false when memory is out.
static bool find_source(sj_encoder *e, const sj_open_filter *open, stijl_irect wanted, stijl_irect *out) {
  sj_filter_use use;
  if (!find_plan(e, open, everywhere, wanted, false, &use)) return false;
  const sj_filter_plan *plan = &e->out->plans.data[use.plan];
  *out = sj_filter_placed(plan->source, &use);
  return sj_spend(&e->spender, 64 * (uint64_t)plan->steps.count);
}

// Returns whether a matrix turns or skews pixels, beyond what comes from rounding where filters lie within turned ones:
// less than 1/256 pixel at a distance of 4096.
static bool turns(stijl_matrix m) {
  const double slack = 1.0 / (1 << 20);
  return !(m.a > 0.0f && m.d > 0.0f && fabs((double)m.b) <= (double)m.a * slack &&
           fabs((double)m.c) <= (double)m.d * slack);
}

// Finds the space that the filter works in: that of the pass where user space is only scaled and moved, else one whose
// axes are user space's. It depends on the canvas alone, and on no part of it. `view` becomes the encoder's. Returns
// false when nothing can be drawn.
static bool find_space(sj_encoder *e, sj_open_filter *open, stijl_matrix *view) {
  if (!sj_find_transform(e, &open->filter->transform)) return false;
  stijl_matrix m = e->to_device;
  open->turned = turns(m);
  open->target = (sj_filter_target){.scale_x = m.a, .scale_y = m.d, .x = m.e, .y = m.f};
  *view = e->view;
  if (open->turned) {
    sj_matrix64 to, back;
    if (!sj_invert64(sj_to64(m), &to)) return false;
    double middle_x = 0.5 * e->canvas.x0 + 0.5 * e->canvas.x1, middle_y = 0.5 * e->canvas.y0 + 0.5 * e->canvas.y1;
    double half_x = 0.5 * e->canvas.x1 - 0.5 * e->canvas.x0, half_y = 0.5 * e->canvas.y1 - 0.5 * e->canvas.y0;
    double x = fmin(sqrt((double)m.a * (double)m.a + (double)m.b * (double)m.b),
                    FARTHEST / (fabs(to.a) * half_x + fabs(to.c) * half_y));
    double y = fmin(sqrt((double)m.c * (double)m.c + (double)m.d * (double)m.d),
                    FARTHEST / (fabs(to.b) * half_x + fabs(to.d) * half_y));
    to = sj_multiply64((sj_matrix64){.a = x, .d = y}, to);
    double move_x = -floor(to.a * middle_x + to.c * middle_y + to.e);
    double move_y = -floor(to.b * middle_x + to.d * middle_y + to.f);
    to.e += move_x;
    to.f += move_y;
    if (!sj_invert64(to, &back) || !sj_fits_kernels(to) || !sj_fits_kernels(back)) return false;
    open->to_filter = sj_from64(to);
    open->to_pass = sj_from64(back);
    open->target = (sj_filter_target){.scale_x = (float)x, .scale_y = (float)y, .x = (float)move_x, .y = (float)move_y};
    *view = sj_from64(sj_multiply64(to, sj_to64(e->view)));
    if (!isfinite(open->target.x) || !isfinite(open->target.y) || !stijl_matrix_is_finite(*view)) return false;
  }
  open->target.origin_x = open->filter->x;
  open->target.origin_y = open->filter->y;
  open->of_canvas = asked_for(open, e->canvas);
  return true;
}

bool sj_begin_filter(sj_encoder *e, const sj_draw *push) {
  sj_level level = e->levels.data[e->levels.count - 1];
  const sj_run *run = &e->runs.data[e->runs.count - 1];
  sj_open_filter open = {.filter = &e->scene->filters.data[push->filter - 1],
                         .view = e->view,
                         .depth = e->depth,
                         .canvas = e->canvas,
                         .push = (uint32_t)e->out->draws.count,
                         .plan = SJ_FILTER_NO_STEP,
                         .below = e->below};
  e->below = SJ_FILTER_NO_STEP;
  open.place = run->placed ? stijl_matrix_multiply(run->place, open.filter->transform) : open.filter->transform;
  stijl_irect source = nothing, canvas = nothing;
  stijl_matrix view;
  bool ok = true;
  if (!sj_irect_is_empty(level.limits) && find_space(e, &open, &view)) {
    open.target.wanted = asked_for(&open, level.limits);
    ok = begin_plan(e, &open) && find_source(e, &open, open.target.wanted, &source);
    canvas = source;
    if (ok && !sj_irect_equal(level.limits, e->canvas)) ok = find_source(e, &open, open.of_canvas, &canvas);
    e->view = view;
  }
  e->canvas = canvas;
  e->depth = 0;
  e->transform = NULL;
  e->stroke = NULL;
  level = (sj_level){.limits = source, .push = open.push, .filter = true};
  return ok && sj_array_push(e->context, &e->filters, open) && sj_array_push(e->context, &e->levels, level);
}

// Adds a surface to the pass at work, and tells its number.
static bool add_surface(sj_encoder *e, stijl_irect box, uint32_t *out) {
  sj_tile_part part = {.x = box.x0, .y = box.y0, .width = box.x1 - box.x0, .height = box.y1 - box.y0};
  sj_tile tile = {.part = part, .reader = e->subscene, .filter = true};
  if (part.width > SJ_IMAGE_MAX_SIZE || part.height > SJ_IMAGE_MAX_SIZE) e->too_large = true;
  *out = (uint32_t)e->tiles.count;
  return !e->too_large && sj_array_push(e->context, &e->tiles, tile);
}

// Makes a pass of the draws from `first` on, and a surface that has room for the box and for them. They leave the pass
// that is being encoded.
static bool split_off_as(sj_encoder *e, uint32_t first, k_pass pass, stijl_irect box, uint32_t *surface) {
  sj_draw_list *draws = &e->out->draws;
  size_t count = draws->count - first;
  uint32_t to = (uint32_t)e->kept.count;
  if (!sj_array_reserve(e->context, &e->kept, count)) return false;
  for (size_t i = first; i < draws->count; i++) {
    k_draw draw = draws->data[i];
    if (draw.op == K_DRAW_POP) draw.paint = draw.paint - first + to;
    e->kept.data[e->kept.count++] = draw;
    stijl_irect own = {draw.x0, draw.y0, draw.x1, draw.y1};  // of a mask more than what remains
    box = sj_irect_is_empty(box) ? own
                                 : (stijl_irect){k_min(box.x0, own.x0), k_min(box.y0, own.y0), k_max(box.x1, own.x1),
                                                 k_max(box.y1, own.y1)};
  }
  if (!add_surface(e, box, surface)) return false;
  pass.surface = *surface;
  bool ok = sj_add_passes(e, first, to, pass, true);
  draws->count = first;
  return ok;
}

static bool split_off(sj_encoder *e, uint32_t first, uint32_t *surface) {
  return split_off_as(e, first, (k_pass){.depth = e->depth}, nothing, surface);
}

// Encodes the scene that a step of the filter shows. `canvas` is what the step would need of it if all of the canvas
// were wanted, and not a region.
static bool encode_scene(sj_encoder *e, const sj_open_filter *open, sj_filter_step *step, uint32_t within,
                         stijl_irect canvas, bool (*run)(sj_encoder *e, size_t runs)) {
  const sj_subscene *sub = &e->scene->subscenes.data[within];
  uint32_t first = (uint32_t)e->out->draws.count;
  size_t runs = e->runs.count;
  e->canvas = canvas;
  e->depth = 0;
  e->transform = NULL;
  if (!sub->count) return true;
  sj_run made = {.at = e->scene->inner.data + sub->first, .placed = true, .place = open->place};
  made.end = made.at + sub->count;
  if (!sj_array_push(e->context, &e->levels, (sj_level){.limits = step->box, .push = first}) ||
      !sj_array_push(e->context, &e->runs, made) || !run(e, runs))
    return false;
  stijl_irect content = e->levels.data[--e->levels.count].content;
  return sj_irect_is_empty(content) || split_off(e, first, &step->item);
}

static stijl_irect box_of(const sj_encoder *e, uint32_t surface) {
  const sj_tile *tile = &e->tiles.data[surface];
  return (stijl_irect){tile->part.x, tile->part.y, tile->part.x + tile->part.width, tile->part.y + tile->part.height};
}

// Paints the pixels of a box with a surface. The paint's matrix, sampling and corner are given.
static bool paint_with(sj_encoder *e, uint32_t surface, k_paint paint, stijl_irect box) {
  const sj_tile *tile = &e->tiles.data[surface];
  if (sj_irect_is_empty(box)) return true;
  paint.kind = K_PAINT_IMAGE;
  paint.color = 255;
  paint.source = surface + (uint32_t)e->scene->images.count;
  paint.spread_x = paint.spread_y = K_SPREAD_NONE;
  paint.width = tile->part.width;
  paint.height = tile->part.height;
  k_draw draw = {.op = K_DRAW_ALL,
                 .paint = (uint32_t)e->out->paints.count,
                 .x0 = box.x0,
                 .y0 = box.y0,
                 .x1 = box.x1,
                 .y1 = box.y1};
  return sj_array_push(e->context, &e->out->paints, paint) && sj_push_draw(e, &draw);
}

// Paints what of a surface lies within the level, pixel upon pixel.
static bool paint_surface(sj_encoder *e, uint32_t surface) {
  stijl_irect box = box_of(e, surface);
  k_paint paint = {.sampling = K_SAMPLING_NEAREST, .m = {1.0f, 0.0f, 0.0f, 1.0f, (float)-box.x0, (float)-box.y0}};
  return paint_with(e, surface, paint, sj_irect_intersect(box, e->levels.data[e->levels.count - 1].limits));
}

// Does the same as paint_surface, where `m` takes pixels of the pass to those that the surface's box counts.
static bool paint_turned(sj_encoder *e, uint32_t surface, stijl_matrix m) {
  stijl_irect box = box_of(e, surface);
  k_paint paint = {.sampling = K_SAMPLING_BILINEAR, .m = sj_to_k(m), .fx = (float)box.x0, .fy = (float)box.y0};
  return paint_with(e, surface, paint, sj_sampling(m, box, e->levels.data[e->levels.count - 1].limits));
}

// Gives a step what lies below the layer, turned as the filter is.
static bool encode_below(sj_encoder *e, const sj_open_filter *open, sj_filter_step *step) {
  if (open->below == SJ_FILTER_NO_STEP || !open->turned) {
    step->item = open->below;
    return true;
  }
  uint32_t first = (uint32_t)e->out->draws.count;
  e->depth = 0;
  if (!sj_array_push(e->context, &e->levels, (sj_level){.limits = step->box, .push = first}) ||
      !paint_turned(e, open->below, open->to_pass))
    return false;
  e->levels.count--;
  return e->out->draws.count == first || split_off(e, first, &step->item);
}

// Encodes the pass of a step that shows a scene, or what lies below the layer. `whole` is the plan for all of the
// canvas.
static bool encode_input(sj_encoder *e, const sj_open_filter *open, const sj_filter_plan *whole, sj_filter_step *step,
                         uint32_t index, bool (*run)(sj_encoder *e, size_t runs)) {
  uint32_t item = step->item;
  step->item = SJ_FILTER_NO_STEP;
  if (!step->readers || sj_irect_is_empty(step->box)) return true;
  if (item == SJ_FILTER_BELOW) return encode_below(e, open, step);
  uint32_t within = e->scene->filter_scenes.data[open->filter->scenes + item];
  return encode_scene(e, open, step, within, whole->steps.data[index].box, run);
}

// Encodes the passes of the scenes that the plan reads, and of what lies below the layer.
static bool encode_inputs(sj_encoder *e, const sj_open_filter *open, const sj_filter_plan *plan,
                          bool (*run)(sj_encoder *e, size_t runs)) {
  sj_filter_plan whole = {0};
  bool ok = true;
  for (uint32_t i = 1; ok && i < plan->steps.count; i++) {
    sj_filter_step *step = &plan->steps.data[i];
    if (step->kind != SJ_FILTER_SOURCE) continue;
    ok = (whole.steps.count || plan_boxes(e, open, open->of_canvas, &whole)) &&
         encode_input(e, open, &whole, step, i, run);
  }
  sj_filter_plan_finish(e->context, &whole);
  return ok;
}

// Encodes the passes of all that the plan reads, and its own.
static bool encode_plan(sj_encoder *e, const sj_open_filter *open, sj_filter_use *use, stijl_irect content,
                        bool (*run)(sj_encoder *e, size_t runs), uint32_t *surface) {
  // Encoding what it reads may add further plans, and with them move this one, but not its steps.
  sj_filter_plan plan = e->out->plans.data[use->plan];
  if (!plan.steps.data[0].readers || sj_irect_is_empty(content))
    sj_drop_draws(e, open->push);
  else if (!split_off(e, open->push, &use->source))
    return false;
  if (!open->shared && !encode_inputs(e, open, &plan, run)) return false;
  stijl_irect box = sj_filter_placed(plan.steps.data[plan.result].box, use);
  k_pass pass = {.filter_use = (uint32_t)e->out->filters.count + 1};
  if (!add_surface(e, box, &pass.surface)) return false;
  *surface = pass.surface;
  return sj_array_push(e->context, &e->out->filters, *use) && sj_add_entry(e, pass, e->order++, false);
}

// Paints the surface of the result.
static bool paint_result(sj_encoder *e, const sj_open_filter *open, uint32_t surface) {
  return open->turned ? paint_turned(e, surface, open->to_filter) : paint_surface(e, surface);
}

bool sj_end_filter(sj_encoder *e, bool (*run)(sj_encoder *e, size_t runs)) {
  stijl_irect content = e->levels.data[--e->levels.count].content;
  sj_open_filter open = e->filters.data[--e->filters.count];
  sj_filter_use use;
  bool ok = true, drawn = false;
  if (!sj_irect_is_empty(open.target.wanted)) {
    ok = find_plan(e, &open, content, open.target.wanted, true, &use);
    const sj_filter_plan *plan = ok ? &e->out->plans.data[use.plan] : NULL;
    ok = ok && sj_spend(&e->spender, plan->work);
    drawn = ok && plan->result != SJ_FILTER_NO_STEP;
  }
  uint32_t surface = 0;
  if (drawn)
    ok = encode_plan(e, &open, &use, content, run, &surface);
  else
    sj_drop_draws(e, open.push);
  e->view = open.view;
  e->depth = open.depth;
  e->canvas = open.canvas;
  e->transform = NULL;
  e->stroke = NULL;
  return ok && (!drawn || (paint_result(e, &open, surface) && sj_cut_here(e)));
}

bool sj_divide_level(sj_encoder *e, uint32_t first, uint32_t flags) {
  k_pass pass = {.depth = e->depth, .flags = flags};
  uint32_t surface;
  // A background is all over the pass.
  stijl_irect box = flags & K_PASS_BACKGROUND ? e->levels.data[e->levels.count - 1].limits : nothing;
  if (!split_off_as(e, first, pass, box, &surface)) return false;
  return paint_surface(e, surface);
}

// --- What lies below a layer -----------------------------------------------------------------------------------------

// Finds what the filter asks of what lies below it, in pixels of the pass, for a part of its result. Returns false when
// memory is out.
static bool find_below(sj_encoder *e, const sj_open_filter *open, stijl_irect wanted, stijl_irect *out) {
  *out = nothing;
  sj_filter_plan plan;
  if (!plan_boxes(e, open, wanted, &plan)) return false;
  for (size_t i = 1; i < plan.steps.count; i++) {
    const sj_filter_step *step = &plan.steps.data[i];
    if (step->kind != SJ_FILTER_SOURCE || step->item != SJ_FILTER_BELOW || !step->readers) continue;
    *out = sj_irect_unite(*out, open->turned ? sj_sampled(open->to_pass, step->box) : step->box);
  }
  sj_filter_plan_finish(e->context, &plan);
  return true;
}

// Begins a level for what lies below a layer: there, more may be drawn than around it, since the filter asks for it.
static bool begin_gathering(sj_encoder *e, const sj_draw *layer) {
  sj_open_filter open = {.filter = &e->scene->filters.data[layer->filter - 1],
                         .depth = e->depth,
                         .canvas = e->canvas,
                         .push = (uint32_t)e->out->draws.count};
  sj_level level = {.limits = e->levels.data[e->levels.count - 1].limits, .push = open.push, .gathers = true};
  stijl_matrix view;
  if (!sj_irect_is_empty(level.limits) && find_space(e, &open, &view)) {
    stijl_irect of_canvas, of_level;
    if (!find_below(e, &open, open.of_canvas, &of_canvas) ||
        !find_below(e, &open, asked_for(&open, level.limits), &of_level))
      return false;
    e->canvas = sj_irect_unite(e->canvas, of_canvas);
    level.limits = sj_irect_unite(level.limits, of_level);
  }
  e->depth = 0;
  return sj_array_push(e->context, &e->filters, open) && sj_array_push(e->context, &e->levels, level);
}

bool sj_begin_gathering(sj_encoder *e) {
  const sj_run *run = &e->runs.data[e->runs.count - 1];
  SJ_ARRAY(const sj_draw *) layers = {0};
  const sj_draw *draw = run->at;
  bool ok = true;
  for (size_t depth = 0; ok && draw < run->end; draw++) {
    if (draw->op == K_DRAW_POP) {
      if (depth == 0) break;
      depth--;
    }
    if (draw->op != K_DRAW_PUSH) continue;
    if (depth++ == 0 && draw->filter && e->scene->filters.data[draw->filter - 1].filter->reads_backdrop)
      ok = sj_array_push(e->context, &layers, draw);
  }
  ok = ok && sj_spend(&e->spender, (uint64_t)(draw - run->at));
  // All lies below the last, so that its level is the outermost.
  for (size_t left = layers.count; ok && left > 0; left--) ok = begin_gathering(e, layers.data[left - 1]);
  sj_array_finish(e->context, &layers);
  return ok;
}

bool sj_end_gathering(sj_encoder *e) {
  sj_open_filter open = e->filters.data[--e->filters.count];
  e->levels.count--;
  bool drawn = e->out->draws.count > open.push;
  if (drawn && !split_off(e, open.push, &e->below)) return false;
  if (!drawn) e->below = SJ_FILTER_NO_STEP;
  e->depth = open.depth;
  e->canvas = open.canvas;
  e->transform = NULL;
  e->stroke = NULL;
  return !drawn || paint_surface(e, e->below);
}
