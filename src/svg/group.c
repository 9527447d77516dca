// Pushes the layers around an element. One layer of a scene has an opacity, a blend mode, a clip path and a mask; an
// element that has more of these gets further layers inside of the first.

#include "svg/convert.h"

static void push_pending(sj_convert *c, const stijl_layer *layer, const sj_pending *pending) {
  if (!sj_array_push(c->context, &c->pending, *pending)) {
    sj_convert_fail_memory(c);
    return;
  }
  stijl_scene_push_layer(c->scene, layer);
}

static bool add_region(sj_convert *c, const sj_frame *frame, stijl_rect region, sj_clip_list *list) {
  stijl_path *path = sj_convert_path(c);
  if (!path) return false;
  sj_add_rect(path, region);
  sj_clip_item item = {.path = path, .rule = STIJL_FILL_NONZERO, .matrix = frame->matrix, .element = SJ_NO_ELEMENT};
  if (sj_array_push(c->context, &list->items, item)) return true;
  sj_convert_give_path(c, path);
  sj_convert_fail_memory(c);
  return false;
}

// The next item of the list that is a path (or that is not), from *at on; NULL when there is none.
static const sj_clip_item *next_item(const sj_clip_list *list, bool path, size_t *at) {
  while (*at < list->items.count) {
    const sj_clip_item *item = &list->items.data[(*at)++];
    if ((item->path != NULL) == path) return item;
  }
  return NULL;
}

// Pushes the layers that the list and the mask need; `at_least_one` where the first one's values matter too.
static void push_layers(sj_convert *c, bool at_least_one, const stijl_layer *outer, const sj_clip_list *list,
                        uint32_t mask, const sj_frame *frame, const sj_box *box) {
  stijl_layer layer = *outer;
  size_t path_at = 0, element_at = 0;
  while (c->result == STIJL_OK) {
    const sj_clip_item *path = next_item(list, true, &path_at);
    const sj_clip_item *masks = next_item(list, false, &element_at);
    sj_pending pending = {.element = SJ_NO_ELEMENT};
    if (masks) {
      pending = (sj_pending){.element = masks->element, .frame = masks->frame, .box = masks->box};
    } else if (mask != SJ_NO_ELEMENT) {
      pending = (sj_pending){.element = mask, .frame = *frame, .box = *box};
      mask = SJ_NO_ELEMENT;
    }
    if (!at_least_one && !path && pending.element == SJ_NO_ELEMENT) break;
    at_least_one = false;
    if (path) {
      layer.clip = path->path;
      layer.clip_rule = path->rule;
      layer.clip_transform = &path->matrix;
    }
    push_pending(c, &layer, &pending);
    layer = (stijl_layer)STIJL_LAYER_INIT;
  }
}

bool sj_group_push_clips(sj_convert *c, const sj_clip_list *list, sj_group *group) {
  group->first = c->pending.count;
  stijl_layer layer = STIJL_LAYER_INIT;
  push_layers(c, false, &layer, list, SJ_NO_ELEMENT, NULL, NULL);
  return c->result == STIJL_OK;
}

bool sj_group_begin(sj_convert *c, const sj_frame *frame, uint32_t element, float opacity, sj_group *group) {
  sj_box box = {0};
  return sj_group_begin_boxed(c, frame, element, opacity, &box, group);
}

bool sj_group_begin_boxed(sj_convert *c, const sj_frame *frame, uint32_t element, float opacity, sj_box *box,
                          sj_group *group) {
  const sj_style *style = frame->style;
  group->first = c->pending.count;
  if (c->measure) return true;
  if (!(opacity > 0.0f)) return false;
  sj_omit_filter(c, style);
  bool isolates = c->document->has_blend && (style->isolate || style->blend != STIJL_BLEND_NORMAL);
  if (opacity >= 1.0f && !isolates && !style->clip_path.text && !style->mask.text) return true;
  sj_clip_list list = {0};
  uint32_t mask = SJ_NO_ELEMENT;
  stijl_rect region;
  bool visible = !style->clip_path.text || sj_clip_resolve(c, frame, element, &style->clip_path, box, &list);
  if (visible && style->mask.text) {
    sj_mask_use use = sj_mask_resolve(c, frame, element, &style->mask, box, &mask, &region);
    visible = use != SJ_MASK_HIDES_ALL;
    if (use == SJ_MASK_DRAW) visible = add_region(c, frame, region, &list);
  }
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.opacity = opacity;
  layer.blend = (stijl_blend)style->blend;
  if (visible) push_layers(c, opacity < 1.0f || isolates, &layer, &list, mask, frame, box);
  sj_clip_list_finish(c, &list);
  return visible && c->result == STIJL_OK;
}

void sj_group_end(sj_convert *c, const sj_group *group) {
  while (c->pending.count > group->first) {
    sj_pending pending = c->pending.data[--c->pending.count];
    if (pending.element != SJ_NO_ELEMENT) {
      if (c->document->nodes.data[pending.element].element == SJ_ELEMENT_MASK) {
        sj_draw_mask(c, &pending.frame, &pending.box, pending.element);
      } else {
        sj_draw_clip_mask(c, &pending.frame, &pending.box, pending.element);
      }
    }
    stijl_scene_pop_layer(c->scene);
  }
}

void sj_push_clip_rect(sj_convert *c, const sj_frame *frame, stijl_rect rect) {
  stijl_layer layer = STIJL_LAYER_INIT;
  stijl_path *path = sj_convert_path(c);
  if (path) sj_add_rect(path, rect);
  layer.clip = path;
  layer.clip_transform = &frame->matrix;
  stijl_scene_push_layer(c->scene, &layer);
  sj_convert_give_path(c, path);
}
