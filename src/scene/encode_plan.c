// Plans of filters. Those of filters that are the same but for where they are, as of a thousand glows, are made once:
// they are planned around a corner of their own, and found again by all that a plan depends on.
#include "scene/encode_plan.h"

#include <string.h>

#include "base/irect.h"
#include "scene/encoder.h"

#define FAR (1 << 28)  // as filter_plan.c
static const stijl_irect everywhere = {-FAR, -FAR, FAR, FAR};

// Numbers below these are moved without reaching what counts as infinitely far, in filters that have a shape.
#define NEAR (1 << 24)
#define NEAR_STEP (1 << 18)

static bool is_near(stijl_irect r) { return r.x0 > -NEAR && r.y0 > -NEAR && r.x1 < NEAR && r.y1 < NEAR; }

static stijl_irect moved(stijl_irect r, int x, int y) {
  return sj_irect_equal(r, everywhere) ? r : (stijl_irect){r.x0 + x, r.y0 + y, r.x1 + x, r.y1 + y};
}

bool sj_find_regions(sj_encoder *e, sj_open_filter *open) {
  const sj_layer_filter *filter = open->filter;
  if (filter->shape == SJ_NO_SHAPE || !is_near(open->target.wanted) || !is_near(open->of_canvas)) return false;
  for (uint32_t i = 0; i < filter->region_count; i++) {
    open->regions[i] = sj_filter_pixels(&open->target, e->scene->filter_regions.data[filter->regions + i]);
    if (!is_near(open->regions[i])) return false;
  }
  return true;
}

// Returns a plan for this frame only, whose memory may be that of another, which no frame needs any more.
sj_filter_plan *sj_add_plan(sj_encoder *e, uint32_t *number) {
  sj_encoded *out = e->out;
  sj_plan_key none;
  memset(&none, 0, sizeof none);
  none.shape = SJ_NO_SHAPE;
  if (!sj_array_reserve(e->context, &out->plans, 1) || !sj_array_push(e->context, &e->keys, none)) return NULL;
  e->plans_of = 0;
  *number = (uint32_t)out->plans.count++;
  sj_filter_plan *plan = &out->plans.data[*number];
  if (*number < out->plans_made) return plan;
  out->plans_made = out->plans.count;
  *plan = (sj_filter_plan){.result = SJ_FILTER_NO_STEP};
  return plan;
}

K_WRAPS static uint32_t *slot_of(sj_encoder *e, const sj_plan_key *key) {
  uint64_t words[sizeof *key / sizeof(uint64_t)], sums[2] = {0};
  memcpy(words, key, sizeof words);
  // Whatever it comes to, no more than two slots are looked at.
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    uint64_t sum = (sums[i & 1] ^ words[i]) * 0x9e3779b97f4a7c15u;
    sums[i & 1] = sum ^ sum >> 32;
  }
  return &e->slots.data[((sums[0] + 3 * sums[1]) * 0x9e3779b97f4a7c15u) >> 53 << 1];
}

static bool reserve_slots(sj_encoder *e) {
  if (e->slots.count) return true;
  if (!sj_array_reserve(e->context, &e->slots, SJ_PLAN_SLOTS)) return false;
  memset(e->slots.data, 0, SJ_PLAN_SLOTS * sizeof *e->slots.data);
  e->slots.count = SJ_PLAN_SLOTS;
  return true;
}

void sj_begin_plans(sj_encoder *e) {
  sj_encoded *out = e->out;
  if (e->plans_of != e->scene->arrays || out->plans.count > SJ_MOST_PLANS) out->plans.count = e->keys.count = 0;
  e->plans_of = e->scene->arrays;
}

// Returns whether the plan can be moved: no offset or radius is so large that it counts as infinite.
static bool is_movable(const sj_filter_plan *plan) {
  for (size_t i = 0; i < plan->steps.count; i++) {
    const sj_filter_step *step = &plan->steps.data[i];
    if (step->x > NEAR_STEP || step->y > NEAR_STEP || step->x < -NEAR_STEP || step->y < -NEAR_STEP) return false;
  }
  return true;
}

static bool begin_plan(sj_encoder *e, const sj_open_filter *open, stijl_irect content, stijl_irect wanted,
                       bool executed, sj_filter_plan *plan) {
  sj_filter_target target = open->target;
  target.content = content;
  target.wanted = wanted;
  if (!sj_filter_plan_begin(e->context, open->filter->filter, &target, plan) ||
      !sj_filter_plan_fit(e->context, &target, false, plan))
    return false;
  // A plan whose result is infinitely large is only asked for its boxes, and never executed.
  bool ends = plan->result == SJ_FILTER_NO_STEP || is_near(plan->steps.data[plan->result].box);
  return !executed || !ends || sj_filter_plan_fit(e->context, &target, true, plan);
}

// Finds the plan for this content and this part of the result, or makes it.
static bool find_plan(sj_encoder *e, const sj_open_filter *open, stijl_irect content, stijl_irect wanted, bool executed,
                      sj_filter_use *out) {
  bool all = sj_irect_equal(content, everywhere);
  uint32_t count = open->filter->region_count;
  int x = count ? open->regions[0].x0 : all ? 0 : content.x0, y = count ? open->regions[0].y0 : all ? 0 : content.y0;
  sj_plan_key key;
  memset(&key, 0, sizeof key);
  key.shape = open->filter->shape;
  key.executed = executed;
  key.scale_x = open->target.scale_x;
  key.scale_y = open->target.scale_y;
  key.content = moved(content, -x, -y);
  key.wanted = moved(wanted, -x, -y);
  for (uint32_t i = 0; i < count; i++) key.regions[i] = moved(open->regions[i], -x, -y);
  if (!reserve_slots(e)) return false;
  uint32_t *slot = slot_of(e, &key);
  *out = (sj_filter_use){slot[0], x, y, SJ_FILTER_NO_STEP};
  for (int i = 0; i < 2; i++) {
    out->plan = slot[i];
    if (out->plan < e->keys.count && memcmp(&e->keys.data[out->plan], &key, sizeof key) == 0) return true;
  }
  uint64_t plans_of = e->plans_of;
  sj_filter_plan *plan = sj_add_plan(e, &out->plan);
  if (!plan || !begin_plan(e, open, content, wanted, executed, plan)) return false;
  if (!is_movable(plan)) {
    out->x = out->y = 0;
    return true;
  }
  sj_filter_plan_move(plan, -x, -y);
  e->keys.data[out->plan] = key;
  e->plans_of = plans_of;  // later frames may have it as well
  slot[1] = slot[0];
  slot[0] = out->plan;
  return true;
}

static bool holds(stijl_irect outer, stijl_irect inner) {
  return outer.x0 <= inner.x0 && outer.y0 <= inner.y0 && outer.x1 >= inner.x1 && outer.y1 >= inner.y1;
}

bool sj_find_plan(sj_encoder *e, const sj_open_filter *open, stijl_irect content, stijl_irect wanted, bool executed,
                  sj_filter_use *out) {
  // Most filters are wanted as a whole, wherever they are.
  uint32_t bounds = open->filter->result_region;
  if (bounds) {
    stijl_irect region = open->regions[bounds - 1];
    return find_plan(e, open, content, holds(wanted, region) ? everywhere : sj_irect_intersect(wanted, region),
                     executed, out);
  }
  if (!sj_irect_equal(content, everywhere)) {
    if (!find_plan(e, open, content, everywhere, executed, out)) return false;
    const sj_filter_plan *whole = &e->out->plans.data[out->plan];
    if (whole->result == SJ_FILTER_NO_STEP ||
        holds(wanted, moved(whole->steps.data[whole->result].box, out->x, out->y)))
      return true;
  }
  return find_plan(e, open, content, wanted, executed, out);
}

bool sj_encoded_plan(stijl_context *context, const sj_encoded *encoded, const k_pass *pass, sj_filter_steps *steps,
                     sj_filter_plan *out) {
  const sj_filter_use *use = &encoded->filters.data[pass->filter_use - 1];
  const sj_filter_plan *plan = &encoded->plans.data[use->plan];
  steps->count = 0;
  if (!sj_array_reserve(context, steps, plan->steps.count)) return false;
  memcpy(steps->data, plan->steps.data, plan->steps.count * sizeof *steps->data);
  steps->count = plan->steps.count;
  *out = *plan;
  out->steps = *steps;
  if (use->x || use->y) sj_filter_plan_move(out, use->x, use->y);
  steps->data[0].item = use->source;
  return true;
}
