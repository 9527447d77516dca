// Records a render tree as a scene, in one walk over its nodes, with nothing looked up on the way.
#include "svg/record/record.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "scene/scene.h"

// --- failures, limits, pools ---

void sj_record_fail(sj_recorder *r, stijl_result result, const char *format, ...) {
  if (!sj_recording(r)) return;
  char text[sizeof r->message->text];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  r->result = sj_fail(r->message, result, "%s", text);
}

void sj_record_fail_memory(sj_recorder *r) {
  if (sj_recording(r)) r->result = sj_fail_memory(r->message);
}

bool sj_record_check(sj_recorder *r, stijl_result result) {
  if (result == STIJL_OK) return sj_recording(r);
  if (result == STIJL_ERROR_OUT_OF_MEMORY)
    sj_record_fail_memory(r);
  else
    sj_record_fail(r, result, "%s", stijl_result_string(result));
  return false;
}

bool sj_record_count(sj_recorder *r, const sj_record_place *place, uint32_t depth) {
  if (!sj_recording(r)) return false;
  const sj_tree *tree = place->tree;
  if (++r->elements > tree->max_elements)
    sj_record_fail(r, STIJL_ERROR_LIMIT, "more elements drawn than max_elements (%u)", tree->max_elements);
  else if (depth > tree->max_depth)
    sj_record_fail(r, STIJL_ERROR_LIMIT, "elements and references nested deeper than max_depth (%u)", tree->max_depth);
  else if (!sj_context_check(r->context, SJ_WORK_ELEMENT))
    r->result = sj_budget_spent(r->message);
  // A scene that has failed records nothing more.
  else if (place->scene->status != STIJL_OK)
    sj_record_fail(r, place->scene->status, "%s", place->scene->message.text);
  return sj_recording(r);
}

stijl_path *sj_record_take_path(sj_recorder *r) {
  if (r->spare_paths.count) return r->spare_paths.data[--r->spare_paths.count];
  stijl_path *path;
  return sj_record_check(r, stijl_path_create(r->context, &path)) ? path : NULL;
}

void sj_record_give_path(sj_recorder *r, stijl_path *path) {
  if (!path) return;
  stijl_path_clear(path);
  if (!sj_array_push(r->context, &r->spare_paths, path)) stijl_path_destroy(path);
}

sj_recorded_tree *sj_record_source(sj_recorder *r, const sj_tree *tree) {
  while (r->sources.count <= tree->number) {
    if (!sj_array_push(r->context, &r->sources, (sj_recorded_tree){0})) {
      sj_record_fail_memory(r);
      return NULL;
    }
  }
  return &r->sources.data[tree->number];
}

static void finish_source(sj_recorder *r, sj_recorded_tree *source) {
  for (size_t i = 0; i < source->image_count; i++)
    for (int k = 0; k < SJ_MAX_LEVELS; k++) stijl_image_destroy(source->images[i].half[k]);
  sj_free(r->context, source->open);
  sj_free(r->context, source->images);
}

void sj_recorder_finish(sj_recorder *r) {
  for (size_t i = 0; i < r->sources.count; i++) finish_source(r, &r->sources.data[i]);
  for (size_t i = 0; i < r->spare_paths.count; i++) stijl_path_destroy(r->spare_paths.data[i]);
  for (size_t i = 0; i < r->glyphs.count; i++) stijl_scene_destroy(r->glyphs.data[i].scene);
  sj_arrays_finish(r->context, &r->glyphs, &r->sources, &r->spare_paths, &r->instances, &r->matrices, &r->texts,
                   &r->pending);
  sj_finish_tiles(r);
}

// --- the walk ---

static void record_group(sj_recorder *r, const sj_record_place *outer, const sj_record_place *place, uint32_t index) {
  const sj_tree *tree = place->tree;
  const sj_tree_node *node = &tree->nodes.data[index];
  sj_record_place inner = *place;
  sj_context_element context;
  if (node->context != SJ_NONE) {
    const sj_tree_context *of = &tree->contexts.data[node->context];
    context = (sj_context_element){.fill = &of->fill, .stroke = &of->stroke, .box = of->box, .place = *place};
    inner.context = &context;
  }
  bool clips = node->item != SJ_NONE;
  if (clips) sj_push_clip_rect(r, outer, tree->viewports.data[node->item].clip, 1.0f);
  sj_record_nodes(r, &inner, (sj_range){index + 1, node->end});
  if (clips) stijl_scene_pop_layer(place->scene);
}

static void record_node(sj_recorder *r, const sj_record_place *outer, uint32_t index) {
  const sj_tree_node *node = &outer->tree->nodes.data[index];
  if (node->invisible || (node->counts && !sj_record_count(r, outer, outer->depth + node->depth))) return;
  // An element that is a single draw applies its opacity in that draw, and a group of one node passes its opacity on to
  // that. The picture is the same as with a layer.
  sj_record_place place = *outer;
  float opacity = outer->opacity * node->opacity, of_layer = node->folds ? 1.0f : opacity;
  place.opacity = node->folds ? opacity : 1.0f;
  place.matrix = stijl_matrix_multiply(outer->matrix, node->transform);
  place.level = outer->depth + node->depth;
  size_t layers = 0;
  bool layered = node->layer != SJ_NONE || of_layer < 1.0f;
  if (!(opacity > 0.0f) || !stijl_matrix_is_finite(place.matrix) ||
      (layered && !sj_push_layers(r, &place, node->layer, of_layer, &layers)))
    return;
  switch ((sj_tree_kind)node->kind) {
    case SJ_TREE_GROUP: record_group(r, outer, &place, index); break;
    case SJ_TREE_SHAPE: sj_record_shape(r, &place, node); break;
    case SJ_TREE_IMAGE: sj_record_image(r, &place, node); break;
    case SJ_TREE_TEXT: sj_record_nodes(r, &place, (sj_range){index + 1, node->end}); break;
  }
  if (layered) sj_pop_layers(r, &place, layers);
}

void sj_record_nodes(sj_recorder *r, const sj_record_place *place, sj_range nodes) {
  for (uint32_t i = nodes.first; i < nodes.end && sj_recording(r); i = place->tree->nodes.data[i].end)
    record_node(r, place, i);
}

bool sj_is_open(sj_recorder *r, const sj_record_place *place, const sj_definition *definition) {
  const sj_recorded_tree *source = sj_record_source(r, place->tree);
  return source && source->open && source->open[definition->identity];
}

bool sj_open_definition(sj_recorder *r, const sj_record_place *place, const sj_definition *definition) {
  sj_recorded_tree *source = sj_record_source(r, place->tree);
  if (!source) return false;
  if (!source->open) source->open = sj_alloc_zero(r->context, place->tree->identities * sizeof *source->open);
  if (!source->open) {
    sj_record_fail_memory(r);
    return false;
  }
  bool *open = &source->open[definition->identity], was_open = *open;
  *open = true;
  return !was_open;
}

void sj_close_definition(sj_recorder *r, const sj_record_place *place, const sj_definition *definition) {
  r->sources.data[place->tree->number].open[definition->identity] = false;
}

sj_record_place sj_place_of_content(const sj_record_place *place, const stijl_matrix *matrix) {
  sj_record_place content = *place;
  content.matrix = *matrix;
  content.context = NULL;
  content.opacity = 1.0f;
  content.depth = content.level = place->level;
  return content;
}

static void draw_background(sj_recorder *r, const sj_record_place *place) {
  const sj_tree *tree = place->tree;
  if (!(tree->background.a > 0.0f)) return;
  stijl_path *path = sj_record_take_path(r);
  if (!path) return;
  stijl_path_add_rect(path, 0.0f, 0.0f, tree->width, tree->height);
  stijl_paint paint = stijl_paint_solid(tree->background);
  stijl_scene_fill(place->scene, path, STIJL_FILL_NONZERO, &place->matrix, &paint);
  sj_record_give_path(r, path);
}

void sj_record_tree(sj_recorder *r, const sj_record_place *outer, const sj_tree *tree, const stijl_matrix *host) {
  sj_record_place place = *outer;
  place.tree = tree;
  place.depth = outer->level;
  place.host = place.matrix = *host;
  place.context = NULL;
  place.opacity = 1.0f;
  draw_background(r, &place);
  place.matrix = stijl_matrix_multiply(*host, stijl_matrix_translate(-tree->left, -tree->top));
  sj_record_nodes(r, &place, tree->picture);
}

void sj_record_alone(sj_recorder *r, stijl_scene *scene, const sj_tree *tree, uint32_t node, const stijl_matrix *outer,
                     const stijl_matrix *host) {
  sj_record_place place = {.tree = tree, .scene = scene, .host = *host, .matrix = *outer, .opacity = 1.0f};
  sj_record_nodes(r, &place, (sj_range){node, tree->nodes.data[node].end});
}
