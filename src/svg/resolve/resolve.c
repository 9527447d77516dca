// Walks through a document, and makes one node of the render tree, or a few, for each element that is drawn.
#include "svg/resolve/resolve.h"

#include "svg/parse/html_names.h"
#include "svg/resolve/attributes.h"
#include "svg/resolve/foreign.h"
#include "svg/resolve/image.h"
#include "svg/resolve/layer.h"
#include "svg/resolve/omit.h"
#include "svg/resolve/shapes.h"
#include "svg/resolve/text.h"
#include "svg/resolve/transforms.h"
#include "svg/resolve/use.h"

// --- nodes ---

uint32_t sj_node_begin(sj_resolver *r, sj_tree_kind kind, const sj_resolve_frame *frame, uint32_t element) {
  sj_tree *tree = r->job->tree;
  uint32_t index = (uint32_t)tree->nodes.count;
  sj_tree_node node = {.kind = (uint8_t)kind,
                       .depth = (uint16_t)frame->depth,
                       .end = index + 1,
                       .element = r->own ? element : SJ_NONE,
                       .item = SJ_NONE,
                       .layer = SJ_NONE,
                       .context = SJ_NONE,
                       .opacity = 1.0f,
                       .transform = STIJL_MATRIX_IDENTITY};
  if (tree->nodes.count < SJ_NONE - 1 && sj_array_push(tree->context, &tree->nodes, node)) return index;
  sj_resolve_fail_memory(r);
  return SJ_NONE;
}

void sj_node_end(sj_resolver *r, uint32_t node) {
  sj_tree *tree = r->job->tree;
  tree->nodes.data[node].end = (uint32_t)tree->nodes.count;
}

void sj_node_drop(sj_resolver *r, uint32_t node) { r->job->tree->nodes.count = node; }

const sj_box *sj_node_box(sj_resolver *r, uint32_t node) {
  sj_tree *tree = r->job->tree;
  static const sj_box nothing = {.known = true, .empty = true};
  if (!tree->nodes.data[node].box.known) {
    sj_node_end(r, node);
    sj_box box = {.known = true, .empty = true};
    if (!sj_tree_measure_node(tree, r->job->context, node, SJ_MEASURE_FILL, &box)) {
      if (sj_resolve_spend(r, 0)) sj_resolve_fail_memory(r);
      return &nothing;
    }
    tree->nodes.data[node].box = box;
  }
  return &tree->nodes.data[node].box;
}

// At most this many nodes are measured to find out whether a clip is needed.
#define MAX_FITTED 64

bool sj_content_fits(sj_resolver *r, uint32_t first, const stijl_matrix *matrix, stijl_rect rect) {
  const sj_tree *tree = r->job->tree;
  sj_range nodes = {first, (uint32_t)tree->nodes.count};
  if (nodes.end - nodes.first > MAX_FITTED) return false;
  sj_box box = {.known = true, .empty = true};
  if (!sj_tree_measure(tree, r->job->context, nodes, matrix, SJ_MEASURE_BOUND, &box)) return false;
  if (box.empty) return true;
  // Rounding may move an edge that coincides with the clip a little outside.
  float slack_x = 1e-4f * (rect.x1 - rect.x0), slack_y = 1e-4f * (rect.y1 - rect.y0);
  return box.rect.x0 >= rect.x0 - slack_x && box.rect.y0 >= rect.y0 - slack_y && box.rect.x1 <= rect.x1 + slack_x &&
         box.rect.y1 <= rect.y1 + slack_y;
}

// --- elements ---

void sj_resolve_children(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element) {
  const sj_dom *dom = r->document->dom;
  uint32_t children = 0;
  for (uint32_t i = dom->first_child.data[element]; i != SJ_NO_ELEMENT && sj_resolving(r); i = dom->next.data[i]) {
    if (++children % 64 == 0 && !sj_resolve_spend(r, 64 * SJ_WORK_NODE)) return;
    sj_resolve_element(r, frame, i);
  }
}

// Resolves a switch: it shows the first child of a kind that can be drawn and whose conditions hold (SVG 2, 5.8.2),
// whatever its `display` is.
static void resolve_switch(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element) {
  const sj_node *nodes = r->document->nodes.data;
  const sj_dom *dom = r->document->dom;
  for (uint32_t i = dom->first_child.data[element]; i != SJ_NO_ELEMENT; i = dom->next.data[i]) {
    if (!sj_element_is((sj_element)nodes[i].element, SJ_IS_DRAWN)) {
      sj_omit_element(r, frame, i);
    } else if (sj_conditions_hold(r, i)) {
      sj_resolve_element(r, frame, i);
      return;
    }
  }
}

static void resolve_nested_svg(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element) {
  sj_viewport v = {.width = frame->width, .height = frame->height};
  sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_X, SJ_AXIS_X, &v.x);
  sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_Y, SJ_AXIS_Y, &v.y);
  sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_WIDTH, SJ_AXIS_X, &v.width);
  sj_length_attribute(r, frame, element, SJ_ATTRIBUTE_HEIGHT, SJ_AXIS_Y, &v.height);
  sj_resolve_in_viewport(r, frame, element, &v);
}

// Adds what the element of a group shows.
static void resolve_content(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element) {
  sj_resolve_frame inner = *frame;
  inner.depth++;
  switch ((sj_element)r->document->nodes.data[element].element) {
    case SJ_ELEMENT_SWITCH: resolve_switch(r, &inner, element); break;
    case SJ_ELEMENT_SVG: resolve_nested_svg(r, frame, element); break;
    case SJ_ELEMENT_USE: sj_resolve_use(r, frame, element); break;
    case SJ_ELEMENT_FOREIGN_OBJECT: sj_resolve_foreign(r, frame, element); break;
    default: sj_resolve_children(r, &inner, element); break;
  }
}

// Returns whether an element is a group with exactly one child that can draw.
static bool has_one_child(const sj_resolver *r, uint32_t element) {
  const sj_node *nodes = r->document->nodes.data;
  const sj_dom *dom = r->document->dom;
  if (nodes[element].element != SJ_ELEMENT_G && nodes[element].element != SJ_ELEMENT_A) return false;
  int count = 0;
  for (uint32_t i = dom->first_child.data[element]; i != SJ_NO_ELEMENT && count < 2; i = dom->next.data[i])
    count += sj_element_is((sj_element)nodes[i].element, SJ_IS_DRAWN);
  return count == 1;
}

// Sets the node's transform, with what a use element adds. Returns false if it draws nothing.
static bool place_node(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, uint32_t node,
                       stijl_rect reference) {
  stijl_matrix matrix;
  if (!sj_own_transform(r, frame, element, SJ_PROPERTY_TRANSFORM, reference, &matrix)) return false;
  if (r->document->nodes.data[element].element == SJ_ELEMENT_USE && !sj_translate_use(r, frame, element, &matrix))
    return false;
  r->job->tree->nodes.data[node].transform = matrix;
  return true;
}

void sj_resolve_element(sj_resolver *r, const sj_resolve_frame *outer, uint32_t element) {
  sj_element kind = (sj_element)r->document->nodes.data[element].element;
  if (!sj_element_is(kind, SJ_IS_DRAWN)) {
    sj_omit_element(r, outer, element);
    return;
  }
  if (!sj_resolve_count(r, outer->depth)) return;
  sj_style style;
  sj_style_compute(&r->styles, outer->copy, element, outer->style, &style);
  if (style.display_none || !sj_conditions_hold(r, element)) return;
  sj_resolve_frame frame = *outer;
  frame.style = &style;
  bool shape = sj_element_is(kind, SJ_IS_SHAPE), image = kind == SJ_ELEMENT_IMAGE;
  bool text = sj_element_is(kind, SJ_IS_TEXT);
  uint32_t node = sj_node_begin(r,
                                shape   ? SJ_TREE_SHAPE
                                : image ? SJ_TREE_IMAGE
                                : text  ? SJ_TREE_TEXT
                                        : SJ_TREE_GROUP,
                                &frame, element);
  if (node == SJ_NONE) return;
  r->job->tree->nodes.data[node].counts = true;
  // A transform that is relative to the box waits until everything in the box is there.
  bool by_box = sj_transform_needs_box(r, &frame, element);
  bool drawn = by_box || place_node(r, &frame, element, node, sj_view_reference(&frame));
  if (drawn && shape)
    drawn = sj_resolve_shape(r, &frame, element, node);
  else if (drawn && image)
    drawn = sj_resolve_image(r, &frame, element, node, NULL);
  else if (drawn && text)
    drawn = sj_resolve_text(r, &frame, element, node);
  else if (drawn)
    resolve_content(r, &frame, element);
  if (drawn && by_box && sj_resolving(r)) {
    const sj_box *box = sj_node_box(r, node);
    drawn = place_node(r, &frame, element, node, box->empty ? sj_view_reference(&frame) : box->rect);
  }
  if (!drawn || !sj_resolving(r)) {
    sj_node_drop(r, node);
    return;
  }
  sj_node_end(r, node);
  bool single = image || (shape ? sj_shape_is_single_draw(r, &frame, element)
                                : !r->document->has_blend && has_one_child(r, element));
  sj_resolve_layer(r, &frame, node, single);
}

// --- viewports ---

bool sj_enter_viewport(sj_resolver *r, sj_resolve_frame *frame, uint32_t element, const sj_viewport *viewport,
                       stijl_matrix *matrix, bool *clips, stijl_rect *clip) {
  *clips = false;
  if (!(viewport->width > 0.0f) || !(viewport->height > 0.0f)) return false;
  const sj_document *document = r->document;
  const sj_string *view_box = sj_document_attribute(document, element, SJ_ATTRIBUTE_VIEW_BOX);
  const sj_string *aspect_text = sj_document_attribute(document, element, SJ_ATTRIBUTE_PRESERVE_ASPECT_RATIO);
  sj_aspect aspect = SJ_ASPECT_DEFAULT;
  sj_understood(r, SJ_ATTRIBUTE_PRESERVE_ASPECT_RATIO, aspect_text,
                aspect_text && sj_parse_aspect(aspect_text->text, aspect_text->length, &aspect));
  *clips = frame->style->overflow != SJ_OVERFLOW_VISIBLE;
  *clip = (stijl_rect){viewport->x, viewport->y, viewport->x + viewport->width, viewport->y + viewport->height};
  *matrix = stijl_matrix_translate(viewport->x, viewport->y);
  sj_view_box box;
  bool has_box = view_box && sj_parse_view_box(view_box->text, view_box->length, &box);
  if (sj_understood(r, SJ_ATTRIBUTE_VIEW_BOX, view_box, has_box)) {
    if (!(box.width > 0.0f) || !(box.height > 0.0f)) return false;
    stijl_matrix fit = sj_view_box_matrix(&box, &aspect, viewport->width, viewport->height, NULL);
    *matrix = stijl_matrix_multiply(*matrix, fit);
    frame->width = box.width;
    frame->height = box.height;
  } else {
    frame->width = viewport->width;
    frame->height = viewport->height;
  }
  return stijl_matrix_is_finite(*matrix);
}

// Returns whether the root is declared to have a box of its own, but for bounds of its size.
static bool has_box(const sj_resolver *r) {
  sj_cascade cascade = sj_cascade_of(r->document, &r->document->nodes.data[0]);
  for (const sj_declared *d; (d = sj_cascade_next(&cascade));) {
    bool bounds = (d->name >= SJ_HTML_MAX_BLOCK_SIZE && d->name <= SJ_HTML_MAX_WIDTH) ||
                  (d->name >= SJ_HTML_MIN_BLOCK_SIZE && d->name <= SJ_HTML_MIN_WIDTH);
    // A background of one colour is the canvas's.
    if (d->name == SJ_PROPERTY_BACKGROUND && memchr(d->value, '(', d->length)) return true;
    if (d->name > SJ_HTML_BEFORE_FIRST_ && !bounds) return true;
  }
  return false;
}

void sj_resolve_root(sj_resolver *r, float width, float height) {
  sj_tree *tree = r->job->tree;
  sj_style style;
  sj_style_compute(&r->styles, SJ_NO_COPY, 0, NULL, &style);
  r->styles.base.root_font_size = style.font_size;
  sj_resolve_frame frame = {.style = &style, .width = width, .height = height};
  if (style.display_none || !sj_resolve_count(r, 0) || !sj_conditions_hold(r, 0)) return;
  sj_omit_document(r);
  style.isolate = true;  // what is below the picture is not blended with (Compositing 1, 3.2)
  tree->background = style.background_kind == SJ_COLOR_CURRENT ? style.color : style.background;
  uint32_t node = sj_node_begin(r, SJ_TREE_GROUP, &frame, 0);
  if (node == SJ_NONE) return;
  tree->nodes.data[node].counts = true;
  bool by_box = sj_transform_needs_box(r, &frame, 0);
  bool drawn = by_box || place_node(r, &frame, 0, node, sj_view_reference(&frame));
  sj_resolve_frame inner = frame;
  stijl_matrix matrix;
  bool clips;
  stijl_rect clip;
  sj_viewport viewport = {.width = width, .height = height};
  bool boxed = drawn && has_box(r);
  if (boxed) sj_resolve_root_box(r, &frame, &viewport, false);
  // The canvas, or the image that holds this document, clips.
  drawn = drawn && sj_enter_viewport(r, &inner, 0, &viewport, &matrix, &clips, &clip);
  inner.depth++;
  uint32_t content = drawn ? sj_node_begin(r, SJ_TREE_GROUP, &inner, SJ_NONE) : SJ_NONE;
  if (content != SJ_NONE) {
    tree->nodes.data[content].transform = matrix;
    sj_resolve_children(r, &inner, 0);
    sj_node_end(r, content);
  }
  if (boxed && sj_resolving(r)) sj_resolve_root_box(r, &frame, &viewport, true);
  if (content != SJ_NONE && by_box && sj_resolving(r)) {
    const sj_box *box = sj_node_box(r, node);
    drawn = place_node(r, &frame, 0, node, box->empty ? sj_view_reference(&frame) : box->rect);
  }
  if (!drawn || !sj_resolving(r)) {
    sj_node_drop(r, node);
    return;
  }
  sj_node_end(r, node);
  sj_resolve_layer(r, &frame, node, false);
}
