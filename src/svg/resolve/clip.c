// Resolves clip paths (CSS Masking 1, 6).
#include "svg/resolve/clip.h"

#include "svg/resolve/attributes.h"
#include "svg/resolve/clip_shape.h"
#include "svg/resolve/definitions.h"
#include "svg/resolve/layer.h"
#include "svg/resolve/omit.h"
#include "svg/resolve/resolve.h"
#include "svg/resolve/shapes.h"
#include "svg/resolve/text.h"
#include "svg/resolve/transforms.h"
#include "svg/resolve/use.h"

static bool add_use(sj_resolver *r, sj_tree_clip_use use) {
  sj_tree *tree = r->job->tree;
  if (tree->clip_uses.count < SJ_NONE && sj_array_push(tree->context, &tree->clip_uses, use)) return true;
  sj_resolve_fail_memory(r);
  return false;
}

// Adds the clip of a basic shape. An invalid value clips nothing.
static void add_shape_clip(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node, const sj_value_text *value) {
  stijl_path *path = sj_take_path(r);
  if (!path) return;
  const sj_box *box = sj_node_box(r, node);
  stijl_rect fill_box = box->empty ? (stijl_rect){0.0f, 0.0f, 0.0f, 0.0f} : box->rect;
  stijl_fill_rule rule = STIJL_FILL_NONZERO;
  if (sj_clip_shape_path(r, frame, value, fill_box, path, &rule)) {
    uint32_t geometry = sj_add_geometry(r, path);
    if (geometry != SJ_NONE)
      add_use(r, (sj_tree_clip_use){.clip = SJ_NONE, .geometry = geometry, .rule = (uint8_t)rule});
  } else if (sj_resolving(r)) {
    sj_omit(r, SJ_OMIT_CLIP_PATH, value->text, value->length);
  }
  sj_give_path(r, path);
}

// Returns the clip path that the element is, in tree->clips; SJ_NONE on failure.
static uint32_t find_clip(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element) {
  sj_tree *tree = r->job->tree;
  bool made;
  sj_known *known = sj_know(r, element, frame->width, frame->height, &made);
  if (!known || !made) return known ? known->index : SJ_NONE;
  uint32_t index = (uint32_t)tree->clips.count;
  known->index = index;
  sj_style style;
  sj_style_in_document(&r->styles, element, &style);
  sj_tree_clip clip = {.has_own = style.clip_path.text != NULL};
  sj_resolve_frame own = *frame;
  own.style = &style;
  clip.nothing = !sj_own_transform(r, &own, element, SJ_PROPERTY_TRANSFORM, sj_view_reference(&own), &clip.transform);
  clip.box_units = sj_units_are_box(sj_document_attribute(r->document, element, SJ_ATTRIBUTE_CLIP_PATH_UNITS), false);
  // Percentages refer to the viewport in either of the units, as in browsers.
  if (!sj_define(r, SJ_CONTENT_CLIP, element, index, own.width, own.height, &clip.of)) return SJ_NONE;
  if (tree->clips.count < SJ_NONE && sj_array_push(tree->context, &tree->clips, clip)) return index;
  sj_resolve_fail_memory(r);
  return SJ_NONE;
}

// A link of the chain of clip paths that lead to the one being resolved. A reference to one of these is a circle.
typedef struct clip_link {
  uint32_t element;
  const struct clip_link *outer;
} clip_link;

static void resolve(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node, const sj_value_text *value,
                    const clip_link *links, bool *needs_box) {
  const char *url;
  size_t length;
  if (!sj_parse_url(value->text, value->length, &url, &length, NULL, NULL)) {
    add_shape_clip(r, frame, node, value);
    return;
  }
  uint32_t element = sj_find_url(r, url, length);
  // A reference to nothing, or to itself in a circle, clips nothing.
  if (element == SJ_NO_ELEMENT || r->document->nodes.data[element].element != SJ_ELEMENT_CLIP_PATH) return;
  for (const clip_link *link = links; link; link = link->outer)
    if (link->element == element) return;
  if (frame->depth >= r->options->limits.max_depth) {
    sj_resolve_fail(r, STIJL_ERROR_LIMIT, "clip paths nested deeper than max_depth (%u)", r->options->limits.max_depth);
    return;
  }
  uint32_t clip = find_clip(r, frame, element);
  if (clip == SJ_NONE || !sj_resolve_spend(r, SJ_WORK_NODE) || !add_use(r, (sj_tree_clip_use){.clip = clip})) return;
  *needs_box |= r->job->tree->clips.data[clip].box_units;
  if (!r->job->tree->clips.data[clip].has_own) return;
  // The clipPath's own clip-path is in the user space of the element that refers to it.
  sj_style style;
  sj_style_in_document(&r->styles, element, &style);
  sj_resolve_frame own = *frame;
  own.depth++;
  resolve(r, &own, node, &style.clip_path, &(clip_link){element, links}, needs_box);
}

void sj_resolve_clip(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node, const sj_value_text *value,
                     bool *needs_box) {
  resolve(r, frame, node, value, NULL, needs_box);
}

// --- content: shapes, and use elements that refer directly to one ---

// Begins the node of an element, with its style in *style and *frame its own. Returns SJ_NONE if it contributes
// nothing.
static uint32_t begin(sj_resolver *r, sj_tree_kind kind, const sj_resolve_frame *outer, uint32_t element,
                      sj_style *style, sj_resolve_frame *frame) {
  if (!sj_resolve_count(r, outer->depth)) return SJ_NONE;
  sj_style_compute(&r->styles, outer->copy, element, outer->style, style);
  if (style->display_none || !sj_conditions_hold(r, element)) return SJ_NONE;
  *frame = *outer;
  frame->style = style;
  frame->depth++;
  uint32_t node = sj_node_begin(r, kind, frame, element);
  if (node != SJ_NONE) r->job->tree->nodes.data[node].counts = true;
  return node;
}

// Places the node, whose content is complete, and clips it. Returns false if it contributes nothing.
static bool end(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, uint32_t node, bool is_use) {
  stijl_rect reference = sj_view_reference(frame);
  sj_node_end(r, node);
  if (sj_transform_needs_box(r, frame, element) && !sj_node_box(r, node)->empty) reference = sj_node_box(r, node)->rect;
  stijl_matrix matrix;
  if (!sj_own_transform(r, frame, element, SJ_PROPERTY_TRANSFORM, reference, &matrix) ||
      (is_use && !sj_translate_use(r, frame, element, &matrix)))
    return false;
  r->job->tree->nodes.data[node].transform = matrix;
  sj_resolve_clip_layer(r, frame, node);
  return sj_resolving(r);
}

static uint32_t text_geometry(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element) {
  stijl_path *path = sj_take_path(r);
  uint32_t made = path && sj_text_path(r, frame, element, path) ? sj_add_geometry(r, path) : SJ_NONE;
  sj_give_path(r, path);
  return made;
}

static bool add_shape(sj_resolver *r, const sj_resolve_frame *outer, uint32_t element) {
  sj_tree *tree = r->job->tree;
  if (!sj_element_is((sj_element)r->document->nodes.data[element].element, SJ_IS_SHAPE | SJ_IS_TEXT)) {
    sj_omit_element(r, outer, element);
    return false;
  }
  sj_style style;
  sj_resolve_frame frame;
  uint32_t node = begin(r, SJ_TREE_SHAPE, outer, element, &style, &frame);
  if (node == SJ_NONE) return false;
  sj_tree_shape shape = {.stroke = SJ_NONE, .fill_rule = (uint8_t)style.clip_rule};
  bool text = sj_element_is((sj_element)r->document->nodes.data[element].element, SJ_IS_TEXT);
  if (text) shape.fill_rule = STIJL_FILL_NONZERO;  // fonts mean their glyphs so
  bool added =
      style.visibility == SJ_VISIBILITY_VISIBLE &&
      (shape.geometry = text ? text_geometry(r, &frame, element) : sj_shape_geometry(r, &frame, element)) != SJ_NONE;
  if (added) {
    tree->nodes.data[node].item = (uint32_t)tree->shapes.count;
    added = tree->shapes.count < SJ_NONE && sj_array_push(tree->context, &tree->shapes, shape);
    if (!added) sj_resolve_fail_memory(r);
  }
  added = added && end(r, &frame, element, node, false);
  if (!added) sj_node_drop(r, node);
  return added;
}

static bool add_used_shape(sj_resolver *r, const sj_resolve_frame *outer, uint32_t element) {
  sj_style style;
  sj_resolve_frame frame;
  uint32_t target = sj_find_href(r, element);
  if (target == SJ_NO_ELEMENT) return false;
  uint32_t node = begin(r, SJ_TREE_GROUP, outer, element, &style, &frame);
  if (node == SJ_NONE) return false;
  // The target may be met again, by another use element.
  sj_resolve_frame inner = frame;
  inner.uses = &(sj_use_link){.target = target};
  inner.copy = sj_shown_copy(r, &frame, element, target);
  bool added = add_shape(r, &inner, target) && end(r, &frame, element, node, true);
  if (!added) sj_node_drop(r, node);
  return added;
}

void sj_clip_content(sj_resolver *r, const sj_content *content, const sj_resolve_frame *frame) {
  sj_tree *tree = r->job->tree;
  const sj_node *nodes = r->document->nodes.data;
  const sj_dom *dom = r->document->dom;
  uint32_t shapes = 0;
  for (uint32_t i = dom->first_child.data[content->element]; i != SJ_NO_ELEMENT; i = dom->next.data[i]) {
    if (!sj_resolve_spend(r, SJ_WORK_NODE)) return;
    shapes += nodes[i].element == SJ_ELEMENT_USE ? add_used_shape(r, frame, i) : add_shape(r, frame, i);
  }
  tree->clips.data[content->index].nothing |= shapes == 0;
  tree->clips.data[content->index].single = shapes == 1;
}
