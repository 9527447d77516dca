// Filters of layers. What an feImage shows depends on where the filter is applied, so it is recorded each time.
#include "scene/filter.h"

#include "svg/record/record.h"

// Records the content of an image and gives it to the filter. Where it cannot be drawn, nothing is shown.
static void fill_slot(sj_recorder *r, const sj_place *place, const sj_tree_filter_image *image, stijl_filter *filter) {
  sj_place inner = *place;
  const sj_tree_filter_content *shown = &place->tree->filter_contents.data[image->content];
  stijl_matrix back = stijl_matrix_identity(), content = stijl_matrix_multiply(place->matrix, image->place);
  if (!sj_record_check(r, stijl_scene_create(r->context, NULL, &inner.scene))) return;
  bool placed = stijl_matrix_is_finite(content) && stijl_matrix_invert(place->matrix, &back);
  if (placed && sj_record_count(r, place, place->level) && sj_open_definition(r, place, &shown->of)) {
    sj_place within = sj_place_of_content(&inner, &content);
    within.level++;
    within.depth++;
    sj_record_nodes(r, &within, shown->of.nodes);
    sj_close_definition(r, place, &shown->of);
  }
  stijl_result result = stijl_scene_finish(inner.scene);
  if (result != STIJL_OK)
    sj_record_fail(r, result, "%s", stijl_scene_message(inner.scene));
  else if (sj_filter_fill(filter, image->scene, inner.scene, &back) != STIJL_OK)
    sj_record_fail(r, stijl_filter_status(filter), "%s", stijl_filter_message(filter));
  stijl_scene_destroy(inner.scene);
}

stijl_filter *sj_record_filter(sj_recorder *r, const sj_place *place, uint32_t index) {
  const sj_tree_filter *of = &place->tree->filters.data[index];
  if (of->images.first == of->images.end) return sj_filter_retain(of->filter);
  stijl_filter *filter = sj_filter_copy(of->filter);
  if (!filter) {
    sj_record_fail_memory(r);
    return NULL;
  }
  for (uint32_t i = of->images.first; i < of->images.end && sj_recording(r); i++)
    fill_slot(r, place, &place->tree->filter_images.data[i], filter);
  if (sj_recording(r)) return filter;
  stijl_filter_destroy(filter);
  return NULL;
}
