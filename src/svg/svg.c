// The public interface: loading, size, scene.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/params.h"
#include "scene/scene.h"
#include "svg/style/animate.h"
#include "svg/convert.h"
#include "svg/style/sheets.h"

// The viewport of a document without width, height and viewBox, as long as nothing better is known.
#define FALLBACK_SIZE 100.0f

// The most pixels that a target has in a row or a column.
#define MAX_SIDE 32767.0f

// Width and height; one of them that is missing follows from the viewBox. A document that gives no size at all has that
// of its content with its strokes, as in librsvg.
static void resolve_size(stijl_svg *svg) {
  const sj_document *document = &svg->document;
  sj_style style;
  sj_style_context styles = {.document = document, .font_size = svg->options.font_size};
  // Relative to the default viewport.
  styles.base = (sj_length_base){
      .dpi = svg->options.dpi, .root_font_size = 0.0f, .viewport_width = FALLBACK_SIZE, .viewport_height = FALLBACK_SIZE};
  sj_style_compute(&styles, 0, NULL, &style);
  styles.base.root_font_size = style.font_size;
  sj_view_box box;
  const sj_attribute *view_box = sj_document_attribute(document, 0, SJ_ATTRIBUTE_VIEW_BOX);
  bool has_box = view_box && sj_parse_view_box(view_box->value, view_box->length, &box);
  has_box = has_box && box.width > 0.0f && box.height > 0.0f;
  sj_length_base base = sj_style_base(&styles, &style);
  float size[2];
  bool given[2];
  for (int axis = 0; axis < 2; axis++) {
    sj_length length;
    const char *text;
    size_t text_length;
    // A negative size is in error, as if absent. A percentage is of what holds the document, and nothing is known of
    // that.
    given[axis] =
        sj_document_geometry(document, 0, axis ? SJ_ATTRIBUTE_HEIGHT : SJ_ATTRIBUTE_WIDTH, &text, &text_length) &&
        sj_parse_length(text, text_length, &length) && length.unit != SJ_UNIT_PERCENT &&
        (size[axis] = sj_length_pixels(length, &base, 0.0f)) >= 0.0f;
    // calc() may hold percentages.
    if (given[axis]) given[axis] = size[axis] == sj_length_pixels(length, &base, FALLBACK_SIZE);
    if (!given[axis]) size[axis] = FALLBACK_SIZE;
  }
  stijl_rect content;
  bool by_content = false;
  if (has_box && !(given[0] && given[1])) {
    if (given[0])
      size[1] = size[0] / box.width * box.height;
    else
      size[0] = given[1] ? size[1] / box.height * box.width : box.width;
    if (!given[0] && !given[1]) size[1] = box.height;
  } else if (!has_box && !(given[0] && given[1]) && sj_convert_measure(svg, FALLBACK_SIZE, FALLBACK_SIZE, &content)) {
    by_content = true;
    svg->left = content.x0;
    svg->top = content.y0;
    size[0] = content.x1 - content.x0;
    size[1] = content.y1 - content.y0;
  }
  svg->width = size[0];
  svg->height = size[1];
  svg->viewport_width = by_content ? FALLBACK_SIZE : size[0];
  svg->viewport_height = by_content ? FALLBACK_SIZE : size[1];
}

static stijl_result load(stijl_context *context, const void *data, size_t bytes, const stijl_svg_params *params,
                         uint32_t nesting, stijl_svg **out, stijl_message *message) {
  stijl_svg *svg = sj_alloc_zero(context, sizeof *svg);
  if (!svg) return sj_fail_memory(message);
  svg->context = context;
  svg->options.limits = params->limits;
  if (svg->options.limits.max_depth > SJ_MAX_DEPTH) svg->options.limits.max_depth = SJ_MAX_DEPTH;
  svg->options.image_limits = params->image_limits;
  svg->options.allow_all_files = params->allow_all_files;
  svg->options.dpi = params->dpi;
  svg->options.fonts = params->fonts;
  svg->options.font_size = params->font_size;
  svg->nesting = nesting;
  const char *language = params->language ? params->language : "";
  svg->options.language = sj_strndup(context, language, strlen(language));
  bool memory = svg->options.language != NULL;
  if (memory && params->base_folder) {
    svg->options.base_folder = sj_strndup(context, params->base_folder, strlen(params->base_folder));
    memory = svg->options.base_folder != NULL;
  }
  stijl_result result =
      memory ? sj_document_parse(&svg->document, context, data, bytes, &svg->options.limits, message) : sj_fail_memory(message);
  if (result == STIJL_OK) {
    result = sj_svg_apply_sheets(&svg->document, &svg->options, params->style_sheet, message);
    if (result == STIJL_OK) sj_document_check_values(&svg->document);
    if (result == STIJL_OK) result = sj_document_animate(&svg->document, message);
    if (result != STIJL_OK) sj_document_finish(&svg->document);
  }
  if (result != STIJL_OK) {
    sj_free(context, svg->options.language);
    sj_free(context, svg->options.base_folder);
    sj_free(context, svg);
    return result;
  }
  resolve_size(svg);
  // The content may have been measured.
  if (!sj_budget_look(sj_budget_of(context))) {
    stijl_svg_destroy(svg);
    return sj_budget_spent(message);
  }
  *out = svg;
  return STIJL_OK;
}

stijl_result sj_svg_load(stijl_context *context, const void *data, size_t bytes, const stijl_svg_params *params,
                         uint32_t nesting, stijl_svg **out, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!out) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "out is NULL");
  *out = NULL;
  params = SJ_PARAMS(stijl_svg_params, STIJL_SVG_PARAMS_INIT, params, message);
  if (!params) return STIJL_ERROR_INVALID_ARGUMENT;
  if (!data && bytes) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "data is NULL");
  if (!(params->dpi > 0.0f) || !isfinite(params->dpi))
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "dpi (%g) is not a positive number", (double)params->dpi);
  if (!(params->font_size >= 0.0f) || !isfinite(params->font_size))
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "font_size (%g) is no size", (double)params->font_size);
  if (!(params->limits.max_seconds >= 0.0))
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "max_seconds is no number of seconds");
  context = sj_context(context);
  stijl_budget *budget;
  stijl_result result = sj_budget_begin(context, params->budget, params->limits.max_seconds, &budget, message);
  if (result != STIJL_OK) return result;
  // A compressed document may count for eight times its bytes; one within another counts for nothing.
  const unsigned char *head = data;
  uint64_t input = bytes >= 2 && head[0] == 0x1f && head[1] == 0x8b ? (uint64_t)bytes * 8 : bytes;
  if (nesting == 0) sj_budget_add_input(budget, input);
  result = load(stijl_budget_context(budget), data, bytes, params, nesting, out, message);
  if (result == STIJL_OK) {
    (*out)->outer = context;
    (*out)->budget = params->budget || context->budget ? budget : NULL;
    (*out)->input_bytes = input;
  }
  result = sj_budget_result(budget, result, message);
  stijl_budget_destroy(budget);
  return result;
}

stijl_result stijl_svg_load(stijl_context *context, const void *data, size_t bytes, const stijl_svg_params *params,
                            stijl_svg **out, stijl_message *message) {
  return sj_svg_load(context, data, bytes, params, 0, out, message);
}

void stijl_svg_destroy(stijl_svg *svg) {
  if (!svg) return;
  sj_document_finish(&svg->document);
  sj_free(svg->context, svg->options.language);
  sj_free(svg->context, svg->options.base_folder);
  sj_free(svg->context, svg);
}

void stijl_svg_size(const stijl_svg *svg, float *width, float *height) {
  if (width) *width = svg ? svg->width : 0.0f;
  if (height) *height = svg ? svg->height : 0.0f;
}

static stijl_result build(const stijl_svg *svg, stijl_context *context, float width, float height, stijl_scene **out,
                          stijl_message *message) {
  stijl_scene *scene;
  stijl_result result = stijl_scene_create(context, NULL, &scene);
  if (result != STIJL_OK) return sj_fail_memory(message);
  scene->input_bytes = svg->input_bytes;
  sj_convert c;
  sj_convert_init(&c, context, svg, scene, message);
  c.canvas_width = width;
  c.canvas_height = height;
  // A document without area draws nothing.
  if (svg->width > 0.0f && svg->height > 0.0f) {
    stijl_matrix host = stijl_matrix_scale(width / svg->width, height / svg->height);
    if (stijl_matrix_is_finite(host)) sj_convert_document(&c, &host, 0);
  }
  result = c.result;
  sj_convert_finish(&c);
  if (result == STIJL_OK) {
    result = stijl_scene_finish(scene);
    if (result != STIJL_OK) sj_fail(message, result, "%s", stijl_scene_message(scene));
  }
  if (result != STIJL_OK) {
    stijl_scene_destroy(scene);
    return result;
  }
  *out = scene;
  return STIJL_OK;
}

stijl_result stijl_svg_scene(const stijl_svg *svg, float width, float height, stijl_scene **out,
                             stijl_message *message) {
  stijl_message unused;
  if (!message) message = &unused;
  message->text[0] = 0;
  if (!out) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "out is NULL");
  *out = NULL;
  if (!svg || !(width > 0.0f) || !(height > 0.0f) || !isfinite(width) || !isfinite(height)) {
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "the size of the scene is not positive");
  }
  stijl_budget *budget;
  stijl_result result = sj_budget_begin(svg->outer, svg->budget, svg->options.limits.max_seconds, &budget, message);
  if (result != STIJL_OK) return result;
  sj_budget_expect(budget, svg->input_bytes, (uint64_t)(double)(fminf(width, MAX_SIDE) * fminf(height, MAX_SIDE)));
  result = sj_budget_result(budget, build(svg, stijl_budget_context(budget), width, height, out, message), message);
  stijl_budget_destroy(budget);
  return result;
}
