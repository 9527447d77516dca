// Patterns: SVG 2, 14.3. A tile is a scene of its own, which is painted with.

#include <math.h>
#include <string.h>

#include "svg/convert.h"

// A tile is recorded for the size in pixels that it has in the picture the scene is made for, which its images are reduced
// to; no larger than this.
#define MAX_TILE_SIDE 8192.0f
#define MAX_TILE_PIXELS ((float)(1 << 24))
// How many tiles, the newest first, are searched for one that can be used again.
#define TILE_MEMORY 64

struct sj_tile {
  uint32_t pattern;
  int width, height;
  stijl_matrix matrix;
  float viewport_width, viewport_height;
  stijl_scene *scene;
};

void sj_finish_tiles(sj_convert *c) {
  for (size_t i = 0; i < c->tiles.count; i++) stijl_scene_destroy(c->tiles.data[i].scene);
  sj_array_finish(c->context, &c->tiles);
}

static bool is_pattern(sj_element element) { return element == SJ_ELEMENT_PATTERN; }

// Records the children of `source` into a scene; NULL on failure.
static stijl_scene *record_tile(sj_convert *c, uint32_t source, const sj_frame *frame) {
  stijl_scene *outer = c->scene, *scene;
  if (!sj_convert_check(c, stijl_scene_create(c->context, NULL, &scene))) return NULL;
  c->scene = scene;
  sj_convert_children(c, frame, source);
  c->scene = outer;
  stijl_result result = stijl_scene_finish(scene);
  if (c->result == STIJL_OK && result != STIJL_OK) sj_convert_fail(c, result, "%s", stijl_scene_message(scene));
  if (c->result == STIJL_OK) return scene;
  stijl_scene_destroy(scene);
  return NULL;
}

// The scene of a tile: one that was made before, or a new one. NULL on failure.
static const stijl_scene *tile_scene(sj_convert *c, uint32_t source, const sj_frame *frame, const sj_tile *wanted) {
  size_t count = c->tiles.count;
  for (size_t i = count; i-- > 0 && count - i <= TILE_MEMORY;) {
    const sj_tile *tile = &c->tiles.data[i];
    if (tile->pattern == wanted->pattern && tile->width == wanted->width && tile->height == wanted->height &&
        memcmp(&tile->matrix, &wanted->matrix, sizeof tile->matrix) == 0 &&
        tile->viewport_width == wanted->viewport_width && tile->viewport_height == wanted->viewport_height)
      return tile->scene;
  }
  sj_tile tile = *wanted;
  tile.scene = record_tile(c, source, frame);
  if (!tile.scene) return NULL;
  if (!sj_array_push(c->context, &c->tiles, tile)) {
    stijl_scene_destroy(tile.scene);
    sj_convert_fail_memory(c);
    return NULL;
  }
  return tile.scene;
}

static float value(const sj_convert *c, const sj_templates *templates, const sj_frame *frame, sj_name name,
                   sj_axis axis) {
  const sj_attribute *attribute = sj_templates_attribute(c->document, templates, name, NULL);
  sj_length length;
  if (!attribute || !sj_parse_length(attribute->value, attribute->length, &length)) return 0.0f;
  return sj_resolve_length(c, frame, length, axis);
}

static bool has_children(const sj_document *document, uint32_t element) {
  return document->nodes.data[element].first_child != SJ_NO_ELEMENT;
}

static uint32_t template_with(const sj_document *document, const sj_templates *templates, sj_name name,
                              uint32_t fallback) {
  for (int i = 0; i < templates->count; i++) {
    if (sj_document_attribute(document, templates->elements[i], name)) return templates->elements[i];
  }
  return fallback;
}

sj_server_result sj_prepare_pattern(sj_convert *c, uint32_t pattern, const sj_frame *frame, uint32_t element,
                                    sj_box *box, const sj_frame *target, sj_prepared *out) {
  const sj_document *document = c->document;
  sj_templates templates;
  sj_templates_collect(c, pattern, is_pattern, &templates);
  if (!sj_templates_spend(c, &templates)) return SJ_SERVER_NONE;
  int with_children = 0;
  while (with_children < templates.count && !has_children(document, templates.elements[with_children])) with_children++;
  if (with_children == templates.count) return SJ_SERVER_INVALID;
  uint32_t source = templates.elements[with_children];
  bool box_units =
      sj_units_are_box(sj_templates_attribute(document, &templates, SJ_ATTRIBUTE_PATTERN_UNITS, NULL), true);
  bool box_content =
      sj_units_are_box(sj_templates_attribute(document, &templates, SJ_ATTRIBUTE_PATTERN_CONTENT_UNITS, NULL), false);
  const sj_attribute *view_box_text = sj_templates_attribute(document, &templates, SJ_ATTRIBUTE_VIEW_BOX, NULL);
  sj_view_box view_box;
  bool has_view_box = view_box_text && sj_parse_view_box(view_box_text->value, view_box_text->length, &view_box);
  if (has_view_box && (!(view_box.width > 0.0f) || !(view_box.height > 0.0f))) return SJ_SERVER_INVALID;
  if (has_view_box) box_content = false;
  if ((box_units || box_content) && !sj_box_has_area(sj_element_box(c, frame, element, box))) return SJ_SERVER_INVALID;

  sj_style pattern_style, style;
  sj_style_in_document(&c->styles, pattern, &pattern_style);
  sj_frame units = *frame;
  units.style = &pattern_style;
  units.matrix = stijl_matrix_identity();
  uint32_t transformed = template_with(document, &templates, SJ_ATTRIBUTE_PATTERN_TRANSFORM, pattern);
  if (box_units) units.width = units.height = 1.0f;
  float x = value(c, &templates, &units, SJ_ATTRIBUTE_X, SJ_AXIS_X);
  float y = value(c, &templates, &units, SJ_ATTRIBUTE_Y, SJ_AXIS_Y);
  float width = value(c, &templates, &units, SJ_ATTRIBUTE_WIDTH, SJ_AXIS_X);
  float height = value(c, &templates, &units, SJ_ATTRIBUTE_HEIGHT, SJ_AXIS_Y);
  if (!(width > 0.0f) || !(height > 0.0f)) return SJ_SERVER_INVALID;
  if (box_units) {
    stijl_rect rect = stijl_matrix_apply_rect(sj_box_matrix(box->rect), (stijl_rect){x, y, x + width, y + height});
    x = rect.x0, y = rect.y0, width = rect.x1 - rect.x0, height = rect.y1 - rect.y0;
  }
  // What transform-origin refers to: the box whose units are used, or the viewport.
  stijl_rect reference = {0.0f, 0.0f, frame->width, frame->height};
  if (box_units) reference = box->rect;
  if (!sj_apply_transform_in(c, &units, transformed, SJ_ATTRIBUTE_PATTERN_TRANSFORM, reference))
    return SJ_SERVER_INVALID;

  // The tile in pixels of the scene.
  stijl_matrix seen = stijl_matrix_multiply(frame->matrix, units.matrix);
  float scale_x = sqrtf(seen.a * seen.a + seen.b * seen.b), scale_y = sqrtf(seen.c * seen.c + seen.d * seen.d);
  float pixels_x = width * scale_x, pixels_y = height * scale_y;
  if (!(pixels_x > 0.0f) || !(pixels_y > 0.0f) || !isfinite(pixels_x) || !isfinite(pixels_y)) return SJ_SERVER_NONE;
  if (pixels_x > MAX_TILE_SIDE) pixels_x = MAX_TILE_SIDE;
  if (pixels_y > MAX_TILE_SIDE) pixels_y = MAX_TILE_SIDE;
  if (pixels_x * pixels_y > MAX_TILE_PIXELS) {
    float shrink = sqrtf(MAX_TILE_PIXELS / (pixels_x * pixels_y));
    pixels_x *= shrink;
    pixels_y *= shrink;
  }
  // A size just above a whole number comes from rounding, and does not need another pixel.
  sj_tile tile = {.pattern = source,
                  .width = (int)ceilf(pixels_x - 0.01f),
                  .height = (int)ceilf(pixels_y - 0.01f),
                  .viewport_width = frame->width,
                  .viewport_height = frame->height};
  if (tile.width < 1) tile.width = 1;
  if (tile.height < 1) tile.height = 1;
  float to_x = (float)tile.width / width, to_y = (float)tile.height / height;

  sj_frame content = *frame;
  sj_style_in_document(&c->styles, source, &style);
  content.style = &style;
  content.context_element = NULL;
  content.depth = target->depth + 1;
  // The content's origin is the tile's corner, as in all implementations.
  content.matrix = stijl_matrix_scale(to_x, to_y);
  if (has_view_box) {
    const sj_attribute *aspect_text =
        sj_templates_attribute(document, &templates, SJ_ATTRIBUTE_PRESERVE_ASPECT_RATIO, NULL);
    sj_aspect aspect = SJ_ASPECT_DEFAULT;
    if (aspect_text) sj_parse_aspect(aspect_text->value, aspect_text->length, &aspect);
    stijl_matrix fit = sj_view_box_matrix(&view_box, &aspect, width, height, NULL);
    content.matrix = stijl_matrix_multiply(stijl_matrix_scale(to_x, to_y), fit);
    content.width = view_box.width;
    content.height = view_box.height;
  } else if (box_content) {
    content.matrix = stijl_matrix_multiply(
        content.matrix, stijl_matrix_scale(box->rect.x1 - box->rect.x0, box->rect.y1 - box->rect.y0));
    content.width = content.height = 1.0f;
  }
  tile.matrix = content.matrix;
  stijl_matrix place = stijl_matrix_multiply(
      units.matrix, stijl_matrix_multiply(stijl_matrix_translate(x, y), stijl_matrix_scale(1.0f / to_x, 1.0f / to_y)));
  if (!stijl_matrix_is_finite(tile.matrix) || !stijl_matrix_is_finite(place)) return SJ_SERVER_NONE;
  if (!sj_convert_count(c, content.depth)) return SJ_SERVER_NONE;
  // A pattern that leads back to itself paints nothing there.
  if (!sj_convert_open(c, source)) return SJ_SERVER_NONE;
  const stijl_scene *scene = tile_scene(c, source, &content, &tile);
  sj_convert_close(c);
  if (!scene) return SJ_SERVER_NONE;
  float opacity = out->paint.opacity;
  out->paint = stijl_paint_scene(scene, (stijl_rect){0.0f, 0.0f, (float)tile.width, (float)tile.height});
  out->paint.opacity = opacity;
  out->paint.transform = place;
  return SJ_SERVER_PAINTS;
}
