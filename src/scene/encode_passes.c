// The draws of the passes that are being encoded, and what passes they become.
#include "scene/encode_passes.h"

#include "base/irect.h"

static bool spend(sj_encoder *e, const k_draw *draw) {
  uint64_t pixels = (uint64_t)(draw->x1 - draw->x0) * (uint64_t)(draw->y1 - draw->y0);
  uint64_t segments =
      (uint64_t)draw->segment_count * (draw->op == K_DRAW_STROKE ? SJ_WORK_STROKE_SEGMENT : SJ_WORK_SEGMENT);
  return sj_spend(&e->spender, SJ_WORK_DRAW + segments + pixels / SJ_PIXELS_A_STEP);
}

k_draw *sj_next_draw(sj_encoder *e, uint32_t op) {
  if (!sj_array_reserve(e->context, &e->out->draws, 1)) return NULL;
  k_draw *draw = &e->out->draws.data[e->out->draws.count];
  *draw = (k_draw){.op = op};
  return draw;
}

bool sj_count_draw(sj_encoder *e) {
  const k_draw *draw = &e->out->draws.data[e->out->draws.count];
  if (!spend(e, draw)) return false;
  sj_level *top = &e->levels.data[e->levels.count - 1];
  top->content = sj_irect_unite(top->content, (stijl_irect){draw->x0, draw->y0, draw->x1, draw->y1});
  e->out->draws.count++;
  return true;
}

bool sj_push_draw(sj_encoder *e, const k_draw *draw) {
  if (!sj_array_reserve(e->context, &e->out->draws, 1)) return false;
  e->out->draws.data[e->out->draws.count] = *draw;
  return sj_count_draw(e);
}

bool sj_add_entry(sj_encoder *e, k_pass pass, uint32_t order, bool kept) {
  sj_entry made = {.pass = pass, .subscene = e->subscene, .order = order, .kept = kept};
  return sj_array_push(e->context, &e->entries, made);
}

void sj_drop_draws(sj_encoder *e, size_t count) {
  e->out->draws.count = count;
  while (e->cuts.count && e->cuts.data[e->cuts.count - 1].end > count) e->cuts.count--;
}

bool sj_add_passes(sj_encoder *e, uint32_t first, uint32_t draws_at, k_pass pass, bool kept) {
  uint32_t end = (uint32_t)e->out->draws.count, begun = first;
  size_t cut = e->cuts.count, left = cut;
  while (cut > 0 && e->cuts.data[cut - 1].end > first) cut--;
  for (size_t i = cut; i < left; i++) {
    uint32_t to = e->cuts.data[i].end;
    if (to == begun || to == end) continue;
    pass.first = begun - first + draws_at;
    pass.end = to - first + draws_at;
    pass.flags |= K_PASS_CONTINUED;
    if (!sj_add_entry(e, pass, e->cuts.data[i].order, kept)) return false;
    pass.flags = K_PASS_CONTINUES;
    begun = to;
  }
  e->cuts.count = cut;
  pass.first = begun - first + draws_at;
  pass.end = end - first + draws_at;
  return sj_add_entry(e, pass, e->order++, kept);
}

bool sj_cut_here(sj_encoder *e) {
  sj_cut cut = {(uint32_t)e->out->draws.count, e->order++};
  return !e->divided || sj_array_push(e->context, &e->cuts, cut);
}

bool sj_is_divided(const sj_encoder *e, uint32_t first) {
  return e->cuts.count && e->cuts.data[e->cuts.count - 1].end > first;
}
