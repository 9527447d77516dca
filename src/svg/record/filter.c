// Records the filters of layers. What an feImage shows, and what FillPaint is, depends on where the filter is applied,
// so it is recorded each time.
#include "scene/filter.h"

#include "svg/record/record.h"

// Paints the filter's region, for FillPaint and StrokePaint.
static void fill_region(sj_recorder *r, const sj_record_place *place, const sj_tree_filter_image *image) {
  const sj_box *box = &place->tree->nodes.data[image->node].box;
  stijl_paint paint;
  if (!sj_record_paint(r, place, &image->paint, box, image->opacity, &paint)) return;
  stijl_path *path;
  if (!sj_record_check(r, stijl_path_create(r->context, &path))) return;
  const stijl_rect *to = &image->region;
  stijl_path_add_rect(path, to->x0, to->y0, to->x1 - to->x0, to->y1 - to->y0);
  stijl_scene_fill(place->scene, path, STIJL_FILL_NONZERO, &place->matrix, &paint);
  stijl_path_destroy(path);
}

// Records the content of an image and gives it to the filter. If it cannot be drawn, the image is empty.
static void fill_slot(sj_recorder *r, const sj_record_place *place, const sj_tree_filter_image *image,
                      stijl_filter *filter) {
  sj_record_place inner = *place;
  stijl_matrix back = stijl_matrix_identity(), content = stijl_matrix_multiply(place->matrix, image->place);
  if (!sj_record_check(r, stijl_scene_create(r->context, NULL, &inner.scene))) return;
  bool placed = stijl_matrix_is_finite(content) && stijl_matrix_invert(place->matrix, &back);
  const sj_tree_filter_content *shown =
      image->content == SJ_NONE ? NULL : &place->tree->filter_contents.data[image->content];
  if (placed && !shown) {
    fill_region(r, &inner, image);
  } else if (placed && sj_record_count(r, place, place->level) && sj_open_definition(r, place, &shown->of)) {
    sj_record_place within = sj_place_of_content(&inner, &content);
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

stijl_filter *sj_record_filter(sj_recorder *r, const sj_record_place *place, uint32_t index) {
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
