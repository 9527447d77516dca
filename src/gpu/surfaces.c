// What the plan of a frame's surfaces comes to, whichever API dispatches it: the draws of sheets, and the items of
// filters.
#include "gpu/places.h"

// Lists a sheet's draws. Pops, which name their pushes by their numbers in the scene, then do so in the list.
bool sj_sheet_draws(stijl_context *context, const sj_encoded *scene, const sj_places *places, const sj_sheet *sheet,
                    sj_draw_list *draws, sj_origin_list *origins, uint32_t *depth) {
  draws->count = origins->count = 0;
  *depth = 0;
  for (uint32_t i = sheet->first; i < sheet->end; i++) {
    const k_pass *pass = &scene->passes.data[places->sheet_passes.data[i]];
    const sj_place *place = &places->places.data[pass->surface];
    uint32_t count = pass->end - pass->first, before = (uint32_t)draws->count;
    sj_origin origin = {place->box.x0 - (int)place->x, place->box.y0 - (int)place->y};
    if (!sj_array_reserve(context, draws, count) || !sj_array_reserve(context, origins, count)) return false;
    for (uint32_t k = 0; k < count; k++) {
      k_draw draw = scene->draws.data[pass->first + k];
      if (draw.op == K_DRAW_POP) draw.paint = draw.paint - pass->first + before;
      draw.x0 -= origin.x;
      draw.x1 -= origin.x;
      draw.y0 -= origin.y;
      draw.y1 -= origin.y;
      draws->data[draws->count++] = draw;
      origins->data[origins->count++] = origin;
    }
    *depth = k_max(*depth, pass->depth);
  }
  return true;
}

void sj_items_write(const sj_places *places, g_item *out) {
  for (size_t i = 0; i < places->item_order.count; i++) out[i] = places->items.data[places->item_order.data[i]].item;
}
