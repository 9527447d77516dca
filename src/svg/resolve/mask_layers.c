// Resolves masks of several layers, gradients and images (CSS Masking 1, 7; CSS Backgrounds 3, 3; CSS Images 4, 3).
#include "svg/resolve/mask_layers.h"

#include <math.h>

#include "base/irect.h"
#include "svg/resolve/image.h"
#include "svg/resolve/mask.h"
#include "svg/resolve/resolve.h"
#include "svg/resolve/transforms.h"

// What a mask is made for.
typedef struct context {
  sj_resolver *r;
  const sj_resolve_frame *frame;
  sj_length_base base;
  stijl_rect boxes[SJ_MASK_NO_CLIP + 1];  // by sj_mask_box
} context;

static float width_of(stijl_rect r) { return r.x1 - r.x0; }
static float height_of(stijl_rect r) { return r.y1 - r.y0; }

static float pixels(const context *c, sj_length length, float hundred) {
  return sj_length_pixels(length, &c->base, hundred);
}

// --- sizes and places of images ---

// The size that an image has by itself: 0 where it has none. `ratio` is width by height; 0: none.
typedef struct natural {
  float width, height, ratio;
} natural;

static float natural_side(const sj_document *document, sj_name name, float side) {
  const sj_string *a = sj_document_attribute(document, 0, name);
  sj_length length;
  bool has = a && sj_parse_length(a->text, a->length, &length) && length.unit != SJ_UNIT_PERCENT;
  return has ? side : 0.0f;
}

static natural natural_size(const sj_document *document, float width, float height) {
  natural n = {width, height, width / height};
  if (!document) return n;
  n.width = natural_side(document, SJ_ATTRIBUTE_WIDTH, width);
  n.height = natural_side(document, SJ_ATTRIBUTE_HEIGHT, height);
  bool both = n.width > 0.0f && n.height > 0.0f;
  const sj_string *view_box = sj_document_attribute(document, 0, SJ_ATTRIBUTE_VIEW_BOX);
  sj_view_box box;
  if (!both) n.ratio = 0.0f;
  if (!both && view_box && sj_parse_view_box(view_box->text, view_box->length, &box) && box.height > 0.0f)
    n.ratio = box.width / box.height;
  return n;
}

// Finds the size of an image in an area (CSS Backgrounds 3, 3.9; CSS Images 3, 4.3).
static void find_size(const context *c, const sj_mask_layer *layer, natural n, float area_width, float area_height,
                      float *width, float *height) {
  bool has_width = layer->fit == SJ_MASK_SIZE_GIVEN && !layer->auto_width;
  bool has_height = layer->fit == SJ_MASK_SIZE_GIVEN && !layer->auto_height;
  float w = n.width, h = n.height;
  if (has_width) w = pixels(c, layer->width, area_width);
  if (has_height) h = pixels(c, layer->height, area_height);
  if (has_width != has_height && n.ratio > 0.0f) {
    *width = has_width ? w : h * n.ratio;
    *height = has_height ? h : w / n.ratio;
    return;
  }
  bool fits = layer->fit != SJ_MASK_SIZE_GIVEN, neither = !(w > 0.0f) && !(h > 0.0f) && !has_width && !has_height;
  if (n.ratio > 0.0f && (fits || neither)) {
    bool by_width = (area_width < area_height * n.ratio) != (layer->fit == SJ_MASK_COVER);
    *width = by_width ? area_width : area_height * n.ratio;
    *height = by_width ? area_width / n.ratio : area_height;
    return;
  }
  if (!has_width && !(w > 0.0f)) w = n.ratio > 0.0f ? h * n.ratio : area_width;
  if (!has_height && !(h > 0.0f)) h = n.ratio > 0.0f ? w / n.ratio : area_height;
  *width = fits ? area_width : w;
  *height = fits ? area_height : h;
}

// Rounds a size so that it fits into the area a whole number of times.
static float rounded(float size, float area) {
  float times = floorf(area / size + 0.5f);
  return area / (times < 1.0f ? 1.0f : times);
}

// Places the tile along an axis, and finds how far apart its copies are.
static void place_axis(const context *c, int repeat, sj_css_offset offset, float area, float size, float *at,
                       float *step) {
  *at = sj_css_offset_pixels(&c->base, offset, area - size);
  *step = repeat == SJ_MASK_NO_REPEAT ? 0.0f : size;
  if (repeat != SJ_MASK_SPACE) return;
  float times = floorf(area / size);
  *step = 0.0f;
  if (times < 2.0f) return;
  *at = 0.0f;
  *step = size + (area - times * size) / (times - 1.0f);
}

// Finds where a layer's tile is. Returns false if it is empty.
static bool place_tile(const context *c, const sj_mask_layer *layer, natural n, stijl_rect area,
                       sj_tree_mask_layer *out) {
  float area_width = width_of(area), area_height = height_of(area), width, height, x, y;
  find_size(c, layer, n, area_width, area_height, &width, &height);
  if (!(width > 0.0f) || !(height > 0.0f)) return false;
  float before_x = width, before_y = height;
  if (layer->repeat_x == SJ_MASK_ROUND) width = rounded(width, area_width);
  if (layer->repeat_y == SJ_MASK_ROUND) height = rounded(height, area_height);
  bool given = layer->fit == SJ_MASK_SIZE_GIVEN;
  if (layer->repeat_x == SJ_MASK_ROUND && layer->repeat_y != SJ_MASK_ROUND && given && layer->auto_height)
    height *= width / before_x;
  if (layer->repeat_y == SJ_MASK_ROUND && layer->repeat_x != SJ_MASK_ROUND && given && layer->auto_width)
    width *= height / before_y;
  place_axis(c, layer->repeat_x, layer->position.x, area_width, width, &x, &out->step_x);
  place_axis(c, layer->repeat_y, layer->position.y, area_height, height, &y, &out->step_y);
  out->tile = (stijl_rect){area.x0 + x, area.y0 + y, area.x0 + x + width, area.y0 + y + height};
  return isfinite(out->tile.x0 + out->tile.y0 + out->tile.x1 + out->tile.y1) && out->tile.x1 > out->tile.x0 &&
         out->tile.y1 > out->tile.y0;
}

// --- layers ---

static bool add_image(const context *c, const sj_mask_layer *layer, const char *url, size_t length, stijl_rect area,
                      sj_tree_mask_layer *out) {
  sj_resolver *r = c->r;
  float width, height;
  uint32_t index = sj_resolve_picture(r, c->frame, url, length, &width, &height);
  if (index == SJ_NONE) return false;
  const sj_document *document = sj_picture_document(r, index);
  if (!place_tile(c, layer, natural_size(document, width, height), area, out)) return false;
  sj_aspect aspect = {.none = true};
  if (document && sj_document_attribute(document, 0, SJ_ATTRIBUTE_VIEW_BOX)) {
    const sj_string *text = sj_document_attribute(document, 0, SJ_ATTRIBUTE_PRESERVE_ASPECT_RATIO);
    aspect = (sj_aspect)SJ_ASPECT_DEFAULT;
    if (text) sj_parse_aspect(text->text, text->length, &aspect);
  }
  sj_view_box box = {0.0f, 0.0f, width, height};
  out->picture = (sj_tree_picture){.image = index,
                                   .nearest = c->frame->style->image_rendering == SJ_IMAGE_NEAREST,
                                   .clips = true,
                                   .rect = out->tile,
                                   .place = stijl_matrix_multiply(stijl_matrix_translate(out->tile.x0, out->tile.y0),
                                                                  sj_view_box_matrix(&box, &aspect, width_of(out->tile),
                                                                                     height_of(out->tile), NULL))};
  out->is_image = stijl_matrix_is_finite(out->picture.place);
  return out->is_image;
}

// Resolves a layer. Returns false if it is to be left out, as if it had not been said.
static bool add_layer(const context *c, const sj_mask_layer *layer, sj_tree_mask_layer *out) {
  const char *url;
  size_t length;
  sj_css_gradient gradient;
  *out = (sj_tree_mask_layer){.kind = layer->mode == SJ_MASK_MODE_LUMINANCE ? STIJL_MASK_LUMINANCE : STIJL_MASK_ALPHA,
                              .composite = (uint8_t)layer->composite,
                              .mask = SJ_NONE,
                              .server = SJ_NONE,
                              .clip = c->boxes[layer->clip]};
  stijl_rect area = c->boxes[layer->origin == SJ_MASK_BORDER_BOX ? SJ_MASK_FILL_BOX : layer->origin];
  if (!layer->image.text) return false;  // as in browsers
  if (!sj_parse_url(layer->image.text, layer->image.length, &url, &length, NULL, NULL)) {
    if (!sj_parse_css_gradient(layer->image.text, layer->image.length, &gradient)) return false;
    stijl_mask kind = (stijl_mask)out->kind;
    if (place_tile(c, layer, (natural){0}, area, out))
      out->server = sj_resolve_css_gradient(c->r, c->frame, &gradient, &kind, out->tile);
    out->kind = STIJL_MASK_ALPHA;  // what counted has become the alpha
    return true;
  }
  if (sj_mask_is_picture(url, length)) return add_image(c, layer, url, length, area, out);
  out->mask = sj_resolve_mask_element(c->r, c->frame, url, length);
  if (out->mask == SJ_NONE) return false;
  const sj_tree_mask *mask = &c->r->job->tree->masks.data[out->mask];
  if (layer->mode == SJ_MASK_MATCH) out->kind = (uint8_t)mask->kind;
  // A mask element is where its own region says, whatever the layer does.
  out->clip = mask->region;
  if (mask->box_region) out->clip = stijl_matrix_apply_rect(sj_box_matrix(c->boxes[SJ_MASK_FILL_BOX]), out->clip);
  return true;
}

bool sj_resolve_layer_image(sj_resolver *r, const sj_resolve_frame *frame, const sj_mask_layer *layer, stijl_rect area,
                            sj_tree_mask_layer *out) {
  context c = {.r = r, .frame = frame, .base = sj_style_base(&r->styles, frame->style)};
  const char *url;
  size_t length;
  sj_css_gradient gradient;
  *out = (sj_tree_mask_layer){.mask = SJ_NONE, .server = SJ_NONE};
  if (!layer->image.text) return false;
  if (sj_parse_url(layer->image.text, layer->image.length, &url, &length, NULL, NULL))
    return add_image(&c, layer, url, length, area, out);
  if (!sj_parse_css_gradient(layer->image.text, layer->image.length, &gradient)) return false;
  if (place_tile(&c, layer, (natural){0}, area, out))
    out->server = sj_resolve_css_gradient(r, frame, &gradient, NULL, out->tile);
  return out->server != SJ_NONE;
}

// Returns whether the layers lie upon each other as pictures do.
static bool are_added(const sj_tree_mask_layer *layers, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (layers[i].mask != SJ_NONE || layers[i].composite != SJ_COMPOSITE_ADD) return false;
    if (count > 1 && layers[i].kind != STIJL_MASK_ALPHA) return false;
  }
  return true;
}

// Finds the boxes that layers refer to. Returns false when the node has none.
static bool find_boxes(context *c, uint32_t node) {
  sj_resolver *r = c->r;
  const sj_tree *tree = r->job->tree;
  const sj_box *fill = sj_node_box(r, node);
  sj_box ink = {.known = true, .empty = true};
  c->boxes[SJ_MASK_FILL_BOX] = fill->rect;
  if (fill->empty || !sj_tree_measure_node(tree, r->job->context, node, SJ_MEASURE_INK, &ink)) {
    if (sj_resolve_spend(r, 0) && !fill->empty) sj_resolve_fail_memory(r);
    return false;
  }
  c->boxes[SJ_MASK_STROKE_BOX] = c->boxes[SJ_MASK_BORDER_BOX] = ink.empty ? fill->rect : ink.rect;
  c->boxes[SJ_MASK_VIEW_BOX] = sj_view_reference(c->frame);
  // What is drawn outside of its stroke is that of markers and filters, which are not clipped.
  const float far = 1e6f;
  c->boxes[SJ_MASK_NO_CLIP] = (stijl_rect){-far, -far, far, far};
  return true;
}

// Adds the layers that there are. One that is left out at the bottom leaves nothing for the others to be put together
// with; without such a one the last has nothing to be put together with.
static bool add_layers(const context *c, const sj_mask_list *list, sj_tree_mask *mask) {
  sj_tree *tree = c->r->job->tree;
  mask->layers.first = mask->layers.end = (uint32_t)tree->mask_layers.count;
  for (size_t i = 0; i < list->count; i++) {
    sj_tree_mask_layer layer;
    // Elements may share a list of many layers, so that these count as they do.
    if (!sj_resolve_count(c->r, c->frame->depth) || !sj_resolve_spend(c->r, list->data[i].image.length * SJ_WORK_BYTE))
      return false;
    bool added = add_layer(c, &list->data[i], &layer);
    if (!sj_resolving(c->r)) return false;
    if (!added) continue;
    if (i + 1 == list->count) layer.composite = SJ_COMPOSITE_ADD;
    if (tree->mask_layers.count >= SJ_NONE || !sj_array_push(tree->context, &tree->mask_layers, layer)) {
      sj_resolve_fail_memory(c->r);
      return false;
    }
    mask->region = mask->layers.first == mask->layers.end++ ? layer.clip : sj_rect_unite(mask->region, layer.clip);
  }
  return mask->layers.first < mask->layers.end;
}

uint32_t sj_resolve_mask_layers(sj_resolver *r, const sj_resolve_frame *frame, uint32_t node,
                                const sj_mask_values *values) {
  sj_tree *tree = r->job->tree;
  context c = {.r = r, .frame = frame, .base = sj_style_base(&r->styles, frame->style)};
  sj_mask_list list = {0};
  sj_tree_mask mask = {.kind = STIJL_MASK_ALPHA, .needs_box = true, .mask = SJ_NONE};
  bool some = false;
  if (find_boxes(&c, node)) {
    if (!sj_mask_list_make(r->job->context, values, &list)) sj_resolve_fail_memory(r);
    some = sj_resolving(r) && add_layers(&c, &list, &mask);
  }
  sj_array_finish(r->job->context, &list);
  if (!some) return SJ_NONE;
  const sj_tree_mask_layer *layers = &tree->mask_layers.data[mask.layers.first];
  uint32_t count = mask.layers.end - mask.layers.first;
  mask.composes = !are_added(layers, count);
  mask.kind = mask.composes ? STIJL_MASK_LUMINANCE : (stijl_mask)layers[0].kind;
  if (tree->masks.count < SJ_NONE && sj_array_push(tree->context, &tree->masks, mask))
    return (uint32_t)tree->masks.count - 1;
  sj_resolve_fail_memory(r);
  return SJ_NONE;
}
