// Records shapes: fill, stroke and markers, in painting order.
#include <string.h>

#include "svg/record/record.h"

// Returns the scene's number for a glyph's outline, which it adds if needed.
static uint32_t outline_in(stijl_scene *scene, const sj_tree *tree, const sj_tree_outline *outline) {
  uint32_t number;
  if (sj_scene_find_outline(scene, outline->name, &number)) return number;
  stijl_path path = sj_tree_path(tree, outline->geometry);
  return sj_scene_add_glyph(scene, outline->name, outline->size, &path);
}

static void fill_glyphs(sj_recorder *r, const sj_record_place *place, sj_range glyphs, const stijl_paint *paint) {
  r->instances.count = r->matrices.count = r->texts.count = 0;
  bool good = sj_array_reserve(r->context, &r->instances, glyphs.end - glyphs.first) &&
              sj_array_reserve(r->context, &r->texts, glyphs.end - glyphs.first);
  for (uint32_t i = glyphs.first; good && i < glyphs.end; i++) {
    const sj_tree_glyph *glyph = &place->tree->glyphs.data[i];
    stijl_matrix m = glyph->matrix;
    m.e = m.f = 0.0f;
    // Neighbours mostly differ only in their place, and then share a matrix.
    size_t count = r->matrices.count;
    if (!count || memcmp(&r->matrices.data[count - 1], &m, sizeof m) != 0)
      good = sj_array_push(r->context, &r->matrices, m);
    if (!good) break;
    uint32_t outline = outline_in(place->scene, place->tree, &place->tree->outlines.data[glyph->outline]);
    r->instances.data[r->instances.count++] =
        (stijl_instance){outline, (uint32_t)r->matrices.count - 1, glyph->matrix.e, glyph->matrix.f};
    r->texts.data[r->texts.count++] = glyph->text;
  }
  stijl_glyph_run run = {sizeof run, r->instances.data, r->instances.count, r->matrices.data, r->matrices.count};
  if (good)
    sj_scene_fill_text(place->scene, &run, r->texts.data, place->tree->utf8.data, &place->matrix, paint);
  else
    sj_record_fail_memory(r);
}

static void record_fill(sj_recorder *r, const sj_record_place *place, const sj_tree_node *node,
                        const sj_tree_shape *shape, const stijl_path *path) {
  stijl_paint paint;
  stijl_fill_rule rule = (stijl_fill_rule)shape->fill_rule;
  if (!sj_record_paint(r, place, &shape->fill, &node->box, place->opacity * shape->fill_opacity, &paint)) return;
  paint.aliased = shape->aliased;
  const sj_geometry *geometry = &place->tree->geometries.data[shape->geometry];
  if (sj_has_glyphs(geometry))
    fill_glyphs(r, place, geometry->glyphs, &paint);
  else
    stijl_scene_fill(place->scene, path, rule, &place->matrix, &paint);
}

static void record_stroke(sj_recorder *r, const sj_record_place *place, const sj_tree_node *node,
                          const sj_tree_shape *shape, const stijl_path *path) {
  if (shape->stroke == SJ_NONE) return;
  const sj_tree_stroke *of = &place->tree->strokes.data[shape->stroke];
  stijl_stroke stroke = STIJL_STROKE_INIT;
  stroke.width = of->width;
  stroke.cap = (stijl_cap)of->cap;
  stroke.join = (stijl_join)of->join;
  stroke.miter_limit = of->miter_limit;
  stroke.dash_offset = of->dash_offset;
  stroke.dash_count = of->dashes.end - of->dashes.first;
  if (stroke.dash_count) stroke.dashes = place->tree->numbers.data + of->dashes.first;
  // The pen of non-scaling-stroke is round in CSS pixels of the outermost viewport.
  if (of->non_scaling) stroke.pen = &place->host;
  stijl_paint paint;
  if (!sj_record_paint(r, place, &of->paint, &node->box, place->opacity * of->opacity, &paint)) return;
  paint.aliased = shape->aliased;
  if (!sj_has_glyphs(&place->tree->geometries.data[shape->geometry])) {
    stijl_scene_stroke(place->scene, path, &stroke, &place->matrix, &paint);
    return;
  }
  stijl_path glyphs = {.context = r->context};
  sj_tree_glyph_path(place->tree, shape->geometry, &glyphs);
  // What is beyond the range of coordinates is not drawn; if memory was short, the scene fails, too.
  if (stijl_path_status(&glyphs) != STIJL_ERROR_INVALID_ARGUMENT)
    stijl_scene_stroke(place->scene, &glyphs, &stroke, &place->matrix, &paint);
  sj_arrays_finish(r->context, &glyphs.verbs, &glyphs.points);
}

static void record_markers(sj_recorder *r, const sj_record_place *place, const sj_tree_node *node,
                           const sj_tree_shape *shape) {
  const sj_tree *tree = place->tree;
  if (shape->markers.first == shape->markers.end) return;
  const sj_tree_context *of = &tree->contexts.data[node->context];
  sj_context_element context = {.fill = &of->fill, .stroke = &of->stroke, .box = of->box, .place = *place};
  for (uint32_t i = shape->markers.first; i < shape->markers.end && sj_recording(r); i++) {
    const sj_tree_mark *mark = &tree->marks.data[i];
    const sj_definition *marker = &tree->markers.data[mark->marker].of;
    stijl_matrix matrix = stijl_matrix_multiply(place->matrix, mark->place);
    sj_record_place at = sj_place_of_content(place, &matrix);
    at.context = &context;
    // A marker that leads back to itself is not drawn there.
    if (!sj_record_count(r, &at, at.level) || !sj_open_definition(r, place, marker)) continue;
    sj_record_nodes(r, &at, marker->nodes);
    sj_close_definition(r, place, marker);
  }
}

void sj_record_shape(sj_recorder *r, const sj_record_place *place, const sj_tree_node *node) {
  const sj_tree_shape *shape = &place->tree->shapes.data[node->item];
  stijl_path path = sj_tree_path(place->tree, shape->geometry);
  for (int i = 0; i < 3; i++) {
    switch ((sj_paint_layer)shape->paint_order[i]) {
      case SJ_PAINT_FILL: record_fill(r, place, node, shape, &path); break;
      case SJ_PAINT_STROKE: record_stroke(r, place, node, shape, &path); break;
      case SJ_PAINT_MARKERS: record_markers(r, place, node, shape); break;
    }
  }
}
