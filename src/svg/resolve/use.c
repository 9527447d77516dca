// Resolves use elements (SVG 2, 5.6). What one shows becomes nodes below its own.
#include "svg/resolve/use.h"

#include <string.h>

#include "svg/resolve/attributes.h"
#include "svg/resolve/image.h"
#include "svg/resolve/layer.h"
#include "svg/resolve/omit.h"
#include "svg/resolve/paint.h"
#include "svg/resolve/transforms.h"

// The size that a use element gives what it shows; negative for `auto`.
typedef struct use_size {
  float width, height;
} use_size;

static use_size size_of_use(const sj_resolver *r, const sj_resolve_frame *use, uint32_t element) {
  use_size size = {-1.0f, -1.0f};
  sj_length_attribute(r, use, element, SJ_ATTRIBUTE_WIDTH, SJ_AXIS_X, &size.width);
  sj_length_attribute(r, use, element, SJ_ATTRIBUTE_HEIGHT, SJ_AXIS_Y, &size.height);
  return size;
}

bool sj_translate_use(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, stijl_matrix *matrix) {
  float x = 0.0f, y = 0.0f;
  sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_X, SJ_AXIS_X, &x);
  sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_Y, SJ_AXIS_Y, &y);
  *matrix = stijl_matrix_multiply(*matrix, stijl_matrix_translate(x, y));
  return stijl_matrix_is_finite(*matrix);
}

void sj_resolve_in_viewport(sj_resolver *r, const sj_resolve_frame *outer, uint32_t element,
                            const sj_viewport *viewport) {
  sj_tree *tree = r->job->tree;
  sj_resolve_frame frame = *outer;
  frame.depth++;
  stijl_matrix matrix;
  bool clips;
  stijl_rect clip;
  if (!sj_enter_viewport(r, &frame, element, viewport, &matrix, &clips, &clip)) return;
  uint32_t node = sj_node_begin(r, SJ_TREE_GROUP, &frame, SJ_NONE);
  if (node == SJ_NONE) return;
  tree->nodes.data[node].transform = matrix;
  sj_resolve_children(r, &frame, element);
  if (!sj_resolving(r)) return;
  sj_node_end(r, node);
  if (!clips || sj_content_fits(r, node + 1, &matrix, clip)) return;
  tree->nodes.data[node].item = (uint32_t)tree->viewports.count;
  if (!sj_array_push(tree->context, &tree->viewports, (sj_tree_viewport){clip})) sj_resolve_fail_memory(r);
}

// Resolves a symbol or svg element that a use element shows; `use` is the use element's frame. The size is that of the
// use element, else (for svg) the target's own, else 100% (SVG 2, 5.6.2).
static void resolve_used_viewport(sj_resolver *r, const sj_resolve_frame *use, use_size size, uint32_t target) {
  sj_style style;
  sj_style_compute(&r->styles, use->copy, target, use->style, &style);
  if (style.display_none || !sj_conditions_hold(r, target)) return;
  sj_resolve_frame frame = *use;
  frame.style = &style;
  frame.depth++;
  sj_viewport v = {.width = use->width, .height = use->height};
  sj_length_attribute(r, &frame, target, SJ_ATTRIBUTE_X, SJ_AXIS_X, &v.x);
  sj_length_attribute(r, &frame, target, SJ_ATTRIBUTE_Y, SJ_AXIS_Y, &v.y);
  if (size.width >= 0.0f)
    v.width = size.width;
  else
    sj_length_attribute(r, &frame, target, SJ_ATTRIBUTE_WIDTH, SJ_AXIS_X, &v.width);
  if (size.height >= 0.0f)
    v.height = size.height;
  else
    sj_length_attribute(r, &frame, target, SJ_ATTRIBUTE_HEIGHT, SJ_AXIS_Y, &v.height);
  if (!sj_resolve_count(r, frame.depth)) return;
  uint32_t node = sj_node_begin(r, SJ_TREE_GROUP, &frame, target);
  if (node == SJ_NONE) return;
  sj_tree *tree = r->job->tree;
  tree->nodes.data[node].counts = true;
  bool by_box = sj_transform_needs_box(r, &frame, target);
  stijl_rect reference = sj_view_reference(&frame);
  stijl_matrix matrix = STIJL_MATRIX_IDENTITY;
  bool drawn = by_box || sj_own_transform(r, &frame, target, SJ_PROPERTY_TRANSFORM, reference, &matrix);
  if (drawn) sj_resolve_in_viewport(r, &frame, target, &v);
  if (drawn && by_box && sj_resolving(r)) {
    const sj_box *box = sj_node_box(r, node);
    drawn = sj_own_transform(r, &frame, target, SJ_PROPERTY_TRANSFORM, box->empty ? reference : box->rect, &matrix);
  }
  if (!drawn || !sj_resolving(r)) {
    sj_node_drop(r, node);
    return;
  }
  tree->nodes.data[node].transform = matrix;
  sj_node_end(r, node);
  sj_resolve_layer(r, &frame, node, false);
}

static void resolve_target(sj_resolver *r, const sj_resolve_frame *frame, use_size size, uint32_t target) {
  sj_element kind = (sj_element)r->document->nodes.data[target].element;
  if (kind == SJ_ELEMENT_SYMBOL || kind == SJ_ELEMENT_SVG)
    resolve_used_viewport(r, frame, size, target);
  else
    sj_resolve_element(r, frame, target);
}

uint32_t sj_shown_copy(const sj_resolver *r, const sj_resolve_frame *frame, uint32_t use, uint32_t target) {
  uint32_t copy = sj_document_node(r->document, frame->copy, use)->copy;
  // An animation may have changed what it shows.
  return copy != SJ_NO_COPY && r->document->copies.data[copy].target == target ? copy : SJ_NO_COPY;
}

// Keeps whose the references are that an element of another document inherits.
static void own_references(sj_resolver *r, sj_style *style) {
  sj_paint_value *paints[] = {&style->fill, &style->stroke};
  sj_reference *markers[] = {&style->marker_start, &style->marker_mid, &style->marker_end};
  sj_resolve_job *job = r->job;
  if (!r->owner && job->owners.count < UINT16_MAX && sj_array_push(job->context, &job->owners, r))
    r->owner = (uint16_t)job->owners.count;
  if (!r->owner) sj_resolve_fail_memory(r);
  for (int i = 0; i < 2; i++)
    if (!paints[i]->owner) paints[i]->owner = r->owner;
  for (int i = 0; i < 3; i++)
    if (!markers[i]->owner) markers[i]->owner = r->owner;
}

// Resolves an element of another file, or the whole file, which is read by the rules of images. The element inherits
// from the use element; its own references are within its document, and those that it inherits within that of the use
// element.
static void resolve_external(sj_resolver *r, const sj_resolve_frame *outer, uint32_t element, uint32_t node) {
  const sj_string *href = sj_document_attribute(r->document, element, SJ_ATTRIBUTE_HREF);
  if (!href || !href->length || *href->text == '#') return;
  const char *fragment = memchr(href->text, '#', href->length);
  size_t length = fragment ? (size_t)(fragment - href->text) : href->length;
  static const sj_string nothing = {"", 0, 0};
  uint32_t handed;
  bool hands = sj_pairs_find(&r->document->handers, outer->copy, element, &handed);
  sj_load_given given = {hands ? r->document->handed.data[handed] : nothing, fragment != NULL};
  sj_resolver *inner = sj_external_resolver(r, href->text, length, &given);
  if (!inner) return;  // the warning was given where the file was read
  uint32_t target = 0;
  if (fragment) target = sj_document_by_url(inner->document, fragment, href->length - length);
  if (target == SJ_NO_ELEMENT) {
    sj_omit(r, SJ_OMIT_ABSENT, href->text, href->length);
    return;
  }
  use_size size = size_of_use(r, outer, element);
  sj_resolve_frame frame = *outer;
  frame.uses = NULL;
  frame.copy = SJ_NO_COPY;
  frame.depth++;
  sj_style style = *outer->style;
  own_references(r, &style);
  frame.style = &style;
  resolve_target(inner, &frame, size, target);
  if (r->job->met_context) sj_add_context(r, outer, node);
}

void sj_resolve_use(sj_resolver *r, const sj_resolve_frame *outer, uint32_t element) {
  uint32_t target = sj_document_by_href(r->document, element);
  uint32_t node = (uint32_t)r->job->tree->nodes.count - 1;
  if (target == SJ_NO_ELEMENT) {
    resolve_external(r, outer, element, node);
    return;
  }
  if (sj_document_is_ancestor_or_self(r->document, target, element)) return;
  for (const sj_use_link *link = outer->uses; link; link = link->outer)
    if (link->target == target) return;  // the references form a circle
  sj_use_link link = {.target = target, .outer = outer->uses};
  sj_resolve_frame frame = *outer;
  frame.uses = &link;
  frame.copy = sj_shown_copy(r, outer, element, target);
  frame.depth++;
  resolve_target(r, &frame, size_of_use(r, outer, element), target);
  if (r->job->met_context) sj_add_context(r, outer, node);
}
