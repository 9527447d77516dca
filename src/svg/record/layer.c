// Pushes the layers around a node. A layer of a scene has one opacity, one blend mode, one clip path and one mask; a
// node with more of these gets further layers inside of the first.
#include "svg/record/record.h"

// What a node's layers are made of: clips that are outlines, and clips and masks that have to be drawn. Each layer
// takes at most one of either.
typedef struct clip_path {
  uint32_t geometry;  // SJ_NONE: it is `rect`
  stijl_rect rect;
  stijl_fill_rule rule;
  stijl_matrix matrix;
} clip_path;

typedef struct clip_list {
  SJ_ARRAY(clip_path) paths;
  SJ_ARRAY(sj_pending) masks;
} clip_list;

static bool add_path(sj_recorder *r, clip_list *list, clip_path path) {
  if (sj_array_push(r->context, &list->paths, path)) return true;
  sj_record_fail_memory(r);
  return false;
}

static bool add_mask(sj_recorder *r, clip_list *list, sj_pending pending) {
  if (sj_array_push(r->context, &list->masks, pending)) return true;
  sj_record_fail_memory(r);
  return false;
}

// Finds the matrix from a clip path's content to the scene. Returns false if it cannot be drawn, so that all is clipped
// away.
static bool clip_matrix(const sj_record_place *place, const sj_tree_clip *clip, const sj_box *box, stijl_matrix *out) {
  if (clip->nothing) return false;
  *out = stijl_matrix_multiply(place->matrix, clip->transform);
  if (clip->box_units) {
    if (!sj_box_has_area(box)) return false;
    *out = stijl_matrix_multiply(*out, sj_box_matrix(box->rect));
  }
  return stijl_matrix_is_finite(*out);
}

static bool add_clips(sj_recorder *r, const sj_record_place *place, const sj_tree_layer *layer, clip_list *list);

// Adds a clip path that consists of one shape, and what clips that. Returns false if all is clipped away.
static bool add_single(sj_recorder *r, const sj_record_place *place, uint32_t index, clip_list *list) {
  const sj_tree_node *node = &place->tree->nodes.data[index];
  sj_record_place inner = *place;
  inner.matrix = stijl_matrix_multiply(place->matrix, node->transform);
  bool some = stijl_matrix_is_finite(inner.matrix);
  if (some && node->kind == SJ_TREE_GROUP) some = add_single(r, &inner, index + 1, list);
  if (some && node->kind == SJ_TREE_SHAPE) {
    const sj_tree_shape *shape = &place->tree->shapes.data[node->item];
    some =
        add_path(r, list, (clip_path){.geometry = shape->geometry, .rule = shape->fill_rule, .matrix = inner.matrix});
  }
  return some && (node->layer == SJ_NONE || add_clips(r, &inner, &place->tree->layers.data[node->layer], list));
}

static bool add_clip(sj_recorder *r, const sj_record_place *place, const sj_tree_clip *clip, const sj_box *box,
                     clip_list *list) {
  // A clip path that leads back to itself clips nothing there.
  if (sj_is_open(r, place, &clip->of)) return sj_recording(r);
  stijl_matrix matrix;
  if (!sj_record_count(r, place, place->level) || !clip_matrix(place, clip, box, &matrix)) return false;
  if (!clip->single) return add_mask(r, list, (sj_pending){.clip = clip, .box = box, .matrix = place->matrix});
  if (!sj_open_definition(r, place, &clip->of)) return false;
  sj_record_place inner = sj_place_of_content(place, &matrix);
  inner.level++;
  bool some = add_single(r, &inner, clip->of.nodes.first, list);
  sj_close_definition(r, place, &clip->of);
  return some;
}

// Adds all that clips a layer. Returns false if all is clipped away.
static bool add_clips(sj_recorder *r, const sj_record_place *place, const sj_tree_layer *layer, clip_list *list) {
  const sj_tree *tree = place->tree;
  for (uint32_t i = layer->clips.first; i < layer->clips.end; i++) {
    const sj_tree_clip_use *use = &tree->clip_uses.data[i];
    clip_path path = {.geometry = use->geometry, .rule = use->rule, .matrix = place->matrix};
    if (use->clip == SJ_NONE ? !add_path(r, list, path)
                             : !add_clip(r, place, &tree->clips.data[use->clip], &layer->box, list))
      return false;
  }
  return true;
}

// Adds a mask and its region. Returns false if it hides everything.
static bool add_masking(sj_recorder *r, const sj_record_place *place, uint32_t index, stijl_mask kind,
                        const sj_box *box, clip_list *list) {
  const sj_tree_mask *mask = &place->tree->masks.data[index];
  bool layered = mask->layers.first < mask->layers.end;
  // A mask that leads back to itself masks nothing there.
  if (!layered && sj_is_open(r, place, &mask->of)) return sj_recording(r);
  if (((mask->box_region || mask->box_content) && !sj_box_has_area(box)) || mask->nothing) return false;
  stijl_rect region = mask->region;
  if (mask->box_region) region = stijl_matrix_apply_rect(sj_box_matrix(box->rect), region);
  return add_path(r, list, (clip_path){.geometry = SJ_NONE, .rect = region, .matrix = place->matrix}) &&
         add_mask(r, list, (sj_pending){.mask = mask, .kind = kind, .box = box, .matrix = place->matrix});
}

static bool add_own_masking(sj_recorder *r, const sj_record_place *place, uint32_t index, const sj_box *box,
                            clip_list *list) {
  return index == SJ_NONE || add_masking(r, place, index, place->tree->masks.data[index].kind, box, list);
}

static void push(sj_recorder *r, const sj_record_place *place, stijl_layer *layer, const clip_path *clip,
                 const sj_pending *pending) {
  if (!sj_array_push(r->context, &r->pending, *pending)) {
    sj_record_fail_memory(r);
    return;
  }
  stijl_path borrowed, *made = NULL;
  if (clip && clip->geometry != SJ_NONE) {
    borrowed = sj_tree_path(place->tree, clip->geometry);
    layer->clip = &borrowed;
  } else if (clip) {
    made = sj_record_take_path(r);
    if (made) sj_add_rect(made, clip->rect);
    layer->clip = made;
  }
  if (clip) {
    layer->clip_rule = clip->rule;
    layer->clip_transform = &clip->matrix;
  }
  stijl_scene_push_layer(place->scene, layer);
  sj_record_give_path(r, made);
}

// Pushes the layers that the list needs; `at_least_one` tells that the values of `first` need a layer, too.
static void push_list(sj_recorder *r, const sj_record_place *place, stijl_layer first, bool at_least_one,
                      const clip_list *list) {
  static const sj_pending nothing = {0};
  size_t count = list->paths.count > list->masks.count ? list->paths.count : list->masks.count;
  if (!count && at_least_one) count = 1;
  stijl_layer layer = first;
  layer.filter = NULL;
  for (size_t i = 0; i < count && sj_recording(r); i++) {
    // Clips and masks act on the result of the filter, so the innermost layer has it.
    if (i + 1 == count) {
      layer.filter = first.filter;
      layer.filter_transform = first.filter_transform;
    }
    push(r, place, &layer, i < list->paths.count ? &list->paths.data[i] : NULL,
         i < list->masks.count ? &list->masks.data[i] : &nothing);
    layer = (stijl_layer)STIJL_LAYER_INIT;
  }
}

bool sj_push_layers(sj_recorder *r, const sj_record_place *place, uint32_t index, float opacity, size_t *first) {
  static const sj_tree_layer plain = {.mask = SJ_NONE, .filter = SJ_NONE};
  const sj_tree_layer *of = index == SJ_NONE ? &plain : &place->tree->layers.data[index];
  *first = r->pending.count;
  clip_list list = {0};
  bool visible = add_clips(r, place, of, &list);
  if (visible) visible = add_own_masking(r, place, of->mask, &of->box, &list);
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.opacity = opacity;
  layer.blend = (stijl_blend)of->blend;
  stijl_filter *filter = visible && of->filter != SJ_NONE ? sj_record_filter(r, place, of->filter) : NULL;
  layer.filter = filter;
  layer.filter_transform = &place->matrix;
  if (visible) push_list(r, place, layer, opacity < 1.0f || of->isolates || filter, &list);
  stijl_filter_destroy(filter);
  sj_arrays_finish(r->context, &list.paths, &list.masks);
  return visible && sj_recording(r);
}

bool sj_push_mask(sj_recorder *r, const sj_record_place *place, uint32_t mask, stijl_mask kind, const sj_box *box,
                  size_t *first) {
  *first = r->pending.count;
  clip_list list = {0};
  bool visible = add_masking(r, place, mask, kind, box, &list);
  if (visible) push_list(r, place, (stijl_layer)STIJL_LAYER_INIT, false, &list);
  sj_arrays_finish(r->context, &list.paths, &list.masks);
  return visible && sj_recording(r);
}

void sj_push_clip_rect(sj_recorder *r, const sj_record_place *place, stijl_rect rect, float opacity) {
  stijl_layer layer = STIJL_LAYER_INIT;
  stijl_path *path = sj_record_take_path(r);
  if (path) sj_add_rect(path, rect);
  layer.opacity = opacity;
  layer.clip = path;
  layer.clip_transform = &place->matrix;
  stijl_scene_push_layer(place->scene, &layer);
  sj_record_give_path(r, path);
}

// --- the content of clip paths and masks ---

// Draws the shapes of a clip path in white.
static void draw_clip_nodes(sj_recorder *r, const sj_record_place *outer, sj_range nodes) {
  stijl_paint white = stijl_paint_solid((stijl_color){1.0f, 1.0f, 1.0f, 1.0f});
  for (uint32_t i = nodes.first; i < nodes.end && sj_recording(r); i = outer->tree->nodes.data[i].end) {
    const sj_tree_node *node = &outer->tree->nodes.data[i];
    if (!sj_record_count(r, outer, outer->depth + node->depth)) return;
    sj_record_place place = *outer;
    place.matrix = stijl_matrix_multiply(outer->matrix, node->transform);
    place.level = outer->depth + node->depth;
    size_t layers = r->pending.count;
    if (!stijl_matrix_is_finite(place.matrix) ||
        (node->layer != SJ_NONE && !sj_push_layers(r, &place, node->layer, 1.0f, &layers)))
      continue;
    if (node->kind == SJ_TREE_SHAPE) {
      const sj_tree_shape *shape = &place.tree->shapes.data[node->item];
      stijl_path path = sj_tree_path(place.tree, shape->geometry);
      stijl_scene_fill(place.scene, &path, (stijl_fill_rule)shape->fill_rule, &place.matrix, &white);
    } else {
      draw_clip_nodes(r, &place, (sj_range){i + 1, node->end});
    }
    sj_pop_layers(r, &place, layers);
  }
}

static void draw_clip(sj_recorder *r, const sj_record_place *place, const sj_tree_clip *clip, const sj_box *box) {
  stijl_matrix matrix;
  stijl_scene_push_mask(place->scene, STIJL_MASK_ALPHA);
  if (clip_matrix(place, clip, box, &matrix) && sj_open_definition(r, place, &clip->of)) {
    sj_record_place content = sj_place_of_content(place, &matrix);
    draw_clip_nodes(r, &content, clip->of.nodes);
    sj_close_definition(r, place, &clip->of);
  }
  stijl_scene_pop_mask(place->scene);
}

static void draw_mask_content(sj_recorder *r, const sj_record_place *place, const sj_tree_mask *mask,
                              const sj_box *box) {
  if (!sj_record_count(r, place, place->level) || !sj_open_definition(r, place, &mask->of)) return;
  stijl_matrix matrix = place->matrix;
  if (mask->box_content) matrix = stijl_matrix_multiply(matrix, sj_box_matrix(box->rect));
  sj_record_place content = sj_place_of_content(place, &matrix);
  size_t layers = r->pending.count;
  clip_list list = {0};
  stijl_layer layer = STIJL_LAYER_INIT;
  bool visible = add_own_masking(r, place, mask->mask, box, &list);
  if (visible) push_list(r, place, layer, false, &list);
  sj_arrays_finish(r->context, &list.paths, &list.masks);
  if (visible) sj_record_nodes(r, &content, mask->of.nodes);
  sj_pop_layers(r, place, layers);
  sj_close_definition(r, place, &mask->of);
}

void sj_pop_layers(sj_recorder *r, const sj_record_place *place, size_t first) {
  while (r->pending.count > first) {
    sj_pending pending = r->pending.data[--r->pending.count];
    sj_record_place user = *place;
    user.matrix = pending.matrix;
    user.context = NULL;
    user.level++;
    if (pending.clip) draw_clip(r, &user, pending.clip, pending.box);
    if (pending.mask) {
      stijl_scene_push_mask(place->scene, pending.kind);
      if (pending.mask->layers.first < pending.mask->layers.end)
        sj_record_mask_layers(r, &user, pending.mask, pending.box);
      else
        draw_mask_content(r, &user, pending.mask, pending.box);
      stijl_scene_pop_mask(place->scene);
    }
    stijl_scene_pop_layer(place->scene);
  }
}
