// Clip paths: CSS Masking 1, 6.

#include "svg/clip_shape.h"
#include "svg/convert.h"

void sj_clip_list_finish(sj_convert *c, sj_clip_list *list) {
  for (size_t i = 0; i < list->items.count; i++) sj_convert_give_path(c, list->items.data[i].path);
  sj_array_finish(c->context, &list->items);
}

// A child of a clipPath: a shape, or a use element that refers directly to one.
typedef struct clip_child {
  sj_style use_style, style;
  sj_frame use_frame, frame;  // frame: of the shape
  uint32_t use, element;      // use: SJ_NO_ELEMENT for a shape itself
  stijl_path *path;
} clip_child;

// Enters an element on the way to the shape: computes its style, checks its conditions, applies its transform. False:
// it contributes nothing.
static bool enter(sj_convert *c, const sj_frame *outer, uint32_t element, sj_style *style, sj_frame *frame) {
  if (!sj_convert_count(c, outer->depth)) return false;
  sj_style_compute(&c->styles, element, outer->style, style);
  if (style->display_none || !sj_conditions_hold(c, element)) return false;
  *frame = *outer;
  frame->style = style;
  frame->depth++;
  return sj_apply_transform(c, frame, element, SJ_PROPERTY_TRANSFORM);
}

// Finds the shape of a clipPath's child. False: it adds nothing to the clip path. Otherwise child->path has to be given
// back.
static bool clip_child_open(sj_convert *c, const sj_frame *clip, uint32_t element, clip_child *child) {
  const sj_node *nodes = c->document->nodes.data;
  *child = (clip_child){.use = SJ_NO_ELEMENT, .element = element};
  const sj_frame *outer = clip;
  if (nodes[element].element == SJ_ELEMENT_USE) {
    child->use = element;
    child->element = sj_find_href(c, element);
    if (child->element == SJ_NO_ELEMENT || !enter(c, clip, element, &child->use_style, &child->use_frame)) return false;
    float x = 0.0f, y = 0.0f;
    sj_length_attribute(c, &child->use_frame, element, SJ_ATTRIBUTE_X, SJ_AXIS_X, &x);
    sj_length_attribute(c, &child->use_frame, element, SJ_ATTRIBUTE_Y, SJ_AXIS_Y, &y);
    child->use_frame.matrix = stijl_matrix_multiply(child->use_frame.matrix, stijl_matrix_translate(x, y));
    outer = &child->use_frame;
  }
  bool is_text = nodes[child->element].element == SJ_ELEMENT_TEXT;
  if (!is_text && !sj_element_is_shape((sj_element)nodes[child->element].element)) {
    sj_omit_element(c, outer, child->element);
    return false;
  }
  if (!enter(c, outer, child->element, &child->style, &child->frame)) return false;
  if (child->style.visibility != SJ_VISIBILITY_VISIBLE) return false;
  if (is_text) child->style.clip_rule = STIJL_FILL_NONZERO;  // glyphs are filled as their fonts mean them
  child->path = sj_convert_path(c);
  if (!child->path) return false;
  if (is_text ? sj_text_path(c, &child->frame, child->element, child->path)
              : sj_shape_path(c, &child->frame, child->element, child->path))
    return true;
  sj_convert_give_path(c, child->path);
  return false;
}

// Adds the clips of the child's own clip-path property, and of the use element's.
static bool clip_child_resolve(sj_convert *c, const clip_child *child, sj_clip_list *list) {
  sj_box box = {0}, use_box = {0};
  if (child->style.clip_path.text &&
      !sj_clip_resolve(c, &child->frame, child->element, &child->style.clip_path, &box, list))
    return false;
  return child->use == SJ_NO_ELEMENT || !child->use_style.clip_path.text ||
         sj_clip_resolve(c, &child->use_frame, child->use, &child->use_style.clip_path, &use_box, list);
}

// The frame of a clipPath's children. False: the clip path is empty, and all is clipped away.
static bool clip_frame(sj_convert *c, const sj_frame *user, const sj_box *box, uint32_t clip, sj_style *style,
                       sj_frame *out) {
  *out = *user;
  out->depth++;
  out->context_element = NULL;
  sj_style_in_document(&c->styles, clip, style);
  out->style = style;
  if (!sj_apply_transform(c, out, clip, SJ_PROPERTY_TRANSFORM)) return false;
  if (!sj_units_are_box(sj_document_attribute(c->document, clip, SJ_ATTRIBUTE_CLIP_PATH_UNITS), false)) return true;
  if (!sj_box_has_area(box)) return false;
  out->matrix = stijl_matrix_multiply(out->matrix, sj_box_matrix(box->rect));
  out->width = out->height = 1.0f;
  return stijl_matrix_is_finite(out->matrix);
}

static bool add_item(sj_convert *c, sj_clip_list *list, const sj_clip_item *item) {
  if (sj_array_push(c->context, &list->items, *item)) return true;
  sj_convert_fail_memory(c);
  return false;
}

// Adds the clip that the children of a clipPath are: a path where there is one shape, else a mask that has to be drawn.
static bool resolve_children(sj_convert *c, const sj_frame *user, const sj_frame *inner, const sj_box *box,
                             uint32_t clip, sj_clip_list *list) {
  const sj_node *nodes = c->document->nodes.data;
  clip_child only;
  only.path = NULL;
  for (uint32_t i = nodes[clip].first_child; i != SJ_NO_ELEMENT && c->result == STIJL_OK; i = nodes[i].next_sibling) {
    clip_child child;
    if (!sj_convert_spend(c, SJ_WORK_NODE)) break;
    if (!clip_child_open(c, inner, i, &child)) continue;
    if (only.path) {
      sj_convert_give_path(c, child.path);
      sj_convert_give_path(c, only.path);
      sj_clip_item item = {.element = clip, .frame = *user, .box = *box};
      item.frame.style = NULL;
      return add_item(c, list, &item);
    }
    only = child;
    only.frame.style = &only.style;
    only.use_frame.style = &only.use_style;
  }
  if (!only.path) return false;
  sj_clip_item item = {.path = only.path,
                       .rule = (stijl_fill_rule)only.style.clip_rule,
                       .matrix = only.frame.matrix,
                       .element = SJ_NO_ELEMENT};
  only.path = NULL;
  if (!add_item(c, list, &item)) {
    sj_convert_give_path(c, item.path);
    return false;
  }
  return clip_child_resolve(c, &only, list);
}

// Adds the clip of a basic shape. An invalid value clips nothing.
static bool resolve_shape(sj_convert *c, const sj_frame *frame, uint32_t element, const sj_value_text *value,
                          sj_box *box, sj_clip_list *list) {
  stijl_path *path = sj_convert_path(c);
  if (!path) return false;
  sj_element_box(c, frame, element, box);
  sj_clip_item item = {.path = path, .matrix = frame->matrix, .element = SJ_NO_ELEMENT};
  stijl_rect fill_box = box->empty ? (stijl_rect){0.0f, 0.0f, 0.0f, 0.0f} : box->rect;
  bool valid = sj_clip_shape_path(c, frame, value, fill_box, path, &item.rule);
  if (valid && add_item(c, list, &item)) return true;
  if (!valid && c->result == STIJL_OK) sj_omit(c, SJ_OMIT_CLIP_PATH, value->text, value->length);
  sj_convert_give_path(c, path);
  return c->result == STIJL_OK;
}

bool sj_clip_resolve(sj_convert *c, const sj_frame *frame, uint32_t element, const sj_value_text *value, sj_box *box,
                     sj_clip_list *list) {
  const char *url;
  size_t length;
  if (!sj_parse_url(value->text, value->length, &url, &length, NULL, NULL)) {
    return resolve_shape(c, frame, element, value, box, list);
  }
  uint32_t clip = sj_find_url(c, url, length);
  // A reference to nothing, or to itself in a circle, clips nothing.
  if (clip == SJ_NO_ELEMENT || c->document->nodes.data[clip].element != SJ_ELEMENT_CLIP_PATH) return true;
  if (frame->depth >= c->svg->options.limits.max_depth) {
    sj_convert_fail(c, STIJL_ERROR_LIMIT, "clip paths nested deeper than max_depth (%u)", c->svg->options.limits.max_depth);
    return false;
  }
  if (!sj_convert_open(c, clip)) return c->result == STIJL_OK;
  if (sj_units_are_box(sj_document_attribute(c->document, clip, SJ_ATTRIBUTE_CLIP_PATH_UNITS), false)) {
    sj_element_box(c, frame, element, box);
  }
  sj_style style;
  sj_frame inner;
  bool some = clip_frame(c, frame, box, clip, &style, &inner) && resolve_children(c, frame, &inner, box, clip, list);
  // The clipPath's own clip-path is in the user space of the element that refers to it.
  if (some && style.clip_path.text) {
    sj_frame own = *frame;
    own.depth++;
    sj_box own_box = *box;
    sj_element_box(c, frame, element, &own_box);
    some = sj_clip_resolve(c, &own, element, &style.clip_path, &own_box, list);
  }
  sj_convert_close(c);
  return some;
}

void sj_draw_clip_mask(sj_convert *c, const sj_frame *frame, sj_box *box, uint32_t clip) {
  stijl_scene_push_mask(c->scene, STIJL_MASK_ALPHA);
  sj_style style;
  sj_frame inner;
  const sj_node *nodes = c->document->nodes.data;
  bool open = sj_convert_open(c, clip);
  if (open && clip_frame(c, frame, box, clip, &style, &inner)) {
    stijl_paint white = STIJL_PAINT_INIT;
    white.color = (stijl_color){1.0f, 1.0f, 1.0f, 1.0f};
    for (uint32_t i = nodes[clip].first_child; i != SJ_NO_ELEMENT && c->result == STIJL_OK; i = nodes[i].next_sibling) {
      clip_child child;
      if (!clip_child_open(c, &inner, i, &child)) continue;
      sj_clip_list list = {0};
      if (clip_child_resolve(c, &child, &list)) {
        sj_group group;
        if (sj_group_push_clips(c, &list, &group)) {
          stijl_scene_fill(c->scene, child.path, (stijl_fill_rule)child.style.clip_rule, &child.frame.matrix, &white);
          sj_group_end(c, &group);
        }
      }
      sj_clip_list_finish(c, &list);
      sj_convert_give_path(c, child.path);
    }
  }
  if (open) sj_convert_close(c);
  stijl_scene_pop_mask(c->scene);
}
