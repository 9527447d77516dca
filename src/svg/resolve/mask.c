// Resolves masks (CSS Masking 1, 7 and 8).
#include "svg/resolve/mask.h"

#include <string.h>

#include "svg/resolve/attributes.h"
#include "svg/resolve/definitions.h"
#include "svg/resolve/mask_layers.h"
#include "svg/resolve/omit.h"

// Reads the region of a mask, in units of the box or in user space.
static void read_region(sj_resolver *r, const sj_resolve_frame *units, uint32_t element, sj_tree_mask *out) {
  sj_length minus_ten = {.value = -10.0f, .unit = SJ_UNIT_PERCENT}, all = {.value = 120.0f, .unit = SJ_UNIT_PERCENT};
  float x = sj_resolve_length(r, units, minus_ten, SJ_AXIS_X), y = sj_resolve_length(r, units, minus_ten, SJ_AXIS_Y);
  float width = sj_resolve_length(r, units, all, SJ_AXIS_X), height = sj_resolve_length(r, units, all, SJ_AXIS_Y);
  sj_length_attribute(r, units, element, SJ_ATTRIBUTE_X, SJ_AXIS_X, &x);
  sj_length_attribute(r, units, element, SJ_ATTRIBUTE_Y, SJ_AXIS_Y, &y);
  sj_length_attribute(r, units, element, SJ_ATTRIBUTE_WIDTH, SJ_AXIS_X, &width);
  sj_length_attribute(r, units, element, SJ_ATTRIBUTE_HEIGHT, SJ_AXIS_Y, &height);
  out->nothing = !(width > 0.0f) || !(height > 0.0f);
  out->region = (stijl_rect){x, y, x + width, y + height};
}

// Makes the mask at tree->masks[index]. The entry exists already, since masks may refer to one another in a circle.
static void make_mask(sj_resolver *r, const sj_resolve_frame *frame, uint32_t element, uint32_t index) {
  sj_tree *tree = r->job->tree;
  const sj_document *document = r->document;
  sj_style style;
  sj_style_in_document(&r->styles, element, &style);
  sj_tree_mask mask = {.kind = (stijl_mask)style.mask_type, .mask = SJ_NONE};
  if (mask.kind == STIJL_MASK_LUMINANCE && style.color_interpolation == SJ_INTERPOLATION_LINEAR)
    mask.kind = STIJL_MASK_LUMINANCE_LINEAR;
  mask.box_region = sj_units_are_box(sj_document_attribute(document, element, SJ_ATTRIBUTE_MASK_UNITS), true);
  mask.box_content = sj_units_are_box(sj_document_attribute(document, element, SJ_ATTRIBUTE_MASK_CONTENT_UNITS), false);
  // This mask needs the box, or perhaps a mask on it.
  mask.needs_box = mask.box_region || mask.box_content || sj_has_mask(&style);
  sj_resolve_frame units = *frame;
  units.style = &style;
  units.copy = SJ_NO_COPY;
  if (mask.box_region) units.width = units.height = 1.0f;
  read_region(r, &units, element, &mask);
  // Percentages in the content refer to the viewport in either of its units, as in browsers.
  if (!sj_define(r, SJ_CONTENT_MASK, element, index, frame->width, frame->height, &mask.of)) return;
  // A mask on the mask element masks its content; its other properties have no meaning here.
  if (sj_has_mask(&style)) {
    sj_resolve_frame inner = *frame;
    inner.depth++;
    if (inner.depth > r->options->limits.max_depth) {
      sj_resolve_fail(r, STIJL_ERROR_LIMIT, "masks nested deeper than max_depth (%u)", r->options->limits.max_depth);
      return;
    }
    mask.mask = sj_resolve_mask(r, &inner, SJ_NONE, &style.mask);
  }
  tree->masks.data[index] = mask;
}

uint32_t sj_resolve_mask_element(sj_resolver *r, const sj_resolve_frame *frame, const char *url, size_t length) {
  sj_tree *tree = r->job->tree;
  uint32_t element = sj_find_url(r, url, length);
  // A reference to nothing masks nothing.
  if (element == SJ_NO_ELEMENT || r->document->nodes.data[element].element != SJ_ELEMENT_MASK) return SJ_NONE;
  bool made;
  sj_known *known = sj_know(r, element, frame->width, frame->height, &made);
  if (!known || !made) return known ? known->index : SJ_NONE;
  uint32_t index = (uint32_t)tree->masks.count;
  known->index = index;
  sj_tree_mask empty = {.nothing = true, .needs_box = true, .mask = SJ_NONE};
  if (tree->masks.count >= SJ_NONE || !sj_array_push(tree->context, &tree->masks, empty)) {
    sj_resolve_fail_memory(r);
    return SJ_NONE;
  }
  make_mask(r, frame, element, index);
  return index;
}

bool sj_mask_is_picture(const char *url, size_t length) {
  return (length > 5 && sj_is_keyword(url, 5, "data:")) || !memchr(url, '#', length);
}

uint32_t sj_resolve_mask(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node, const sj_mask_values *values) {
  sj_value_text image = {0};
  const char *url;
  size_t length;
  if (sj_mask_only_image(values, &image) && sj_parse_url(image.text, image.length, &url, &length, NULL, NULL) &&
      !sj_mask_is_picture(url, length))
    return sj_resolve_mask_element(r, frame, url, length);
  if (node != SJ_NONE) return sj_resolve_mask_layers(r, frame, node, values);
  if (!sj_is_keyword(image.text, image.length, "none")) sj_omit(r, SJ_OMIT_MASK, image.text, image.length);
  return SJ_NONE;
}
