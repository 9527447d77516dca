// Cuts a pass to a part of its pixels, for backends that draw it in several.
#include "base/irect.h"
#include "scene/encode.h"

typedef struct {
  stijl_context *context;
  stijl_irect region;
  sj_draw_list *out;
  SJ_ARRAY(uint32_t) open;  // the pushes of layers that are open, as indices into `out`
} cropper;

// Cuts the draw's box. Returns false where nothing is left.
static bool cut(k_draw *draw, stijl_irect region) {
  stijl_irect whole = {draw->x0, draw->y0, draw->x1, draw->y1}, box = sj_irect_intersect(whole, region);
  draw->x0 = box.x0;
  draw->y0 = box.y0;
  draw->x1 = box.x1;
  draw->y1 = box.y1;
  if (!sj_irect_equal(box, whole)) draw->flags |= K_DRAW_CUT;
  return !sj_irect_is_empty(box);
}

static bool crop_draw(cropper *c, k_draw draw) {
  bool seen = cut(&draw, c->region);
  if (draw.op == K_DRAW_PUSH && !sj_array_push(c->context, &c->open, (uint32_t)c->out->count)) return false;
  if (draw.op == K_DRAW_POP) {
    uint32_t push = c->open.data[--c->open.count];
    draw.paint = push;
    if (!seen) c->out->count = push;  // neither is the layer
  }
  if (!seen && draw.op != K_DRAW_PUSH) return true;
  return sj_array_push(c->context, c->out, draw);
}

bool sj_encoded_crop(stijl_context *context, const sj_encoded *encoded, uint32_t first, uint32_t end,
                     stijl_irect region, sj_draw_list *out) {
  cropper c = {.context = context, .region = region, .out = out};
  bool ok = true;
  for (uint32_t i = first; ok && i < end; i++) ok = crop_draw(&c, encoded->draws.data[i]);
  sj_array_finish(context, &c.open);
  return ok;
}
