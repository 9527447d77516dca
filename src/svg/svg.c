// The public interface: loading, size, scene.

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/params.h"
#include "scene/scene.h"
#include "svg/record/record.h"
#include "svg/resolve/load.h"

// The most pixels that a target has in a row or a column.
#define MAX_SIDE 32767.0f

struct stijl_svg {
  stijl_context *outer;  // the application's; what is loaded takes its memory from one that counts for a budget
  stijl_budget *budget;  // bounds the building of scenes; NULL: each scene has one of its own
  uint64_t input_bytes;
  sj_loaded *loaded;
};

static stijl_result load(stijl_context *context, const void *data, size_t bytes, const stijl_svg_params *params,
                         stijl_svg **out, stijl_message *message) {
  stijl_svg *svg = sj_alloc_zero(context, sizeof *svg);
  if (!svg) return sj_fail_memory(message);
  sj_load_totals totals = {0};
  stijl_result result = sj_load_document(context, data, bytes, params, &totals, &svg->loaded, message);
  if (result == STIJL_OK) result = sj_load_tree(svg->loaded, &totals, 0, message);
  if (result == STIJL_OK && !sj_budget_look(sj_budget_of(context))) result = sj_budget_spent(message);
  if (result == STIJL_OK) {
    *out = svg;
  } else {
    sj_loaded_destroy(svg->loaded);
    sj_free(context, svg);
  }
  return result;
}

stijl_result stijl_svg_load(stijl_context *context, const void *data, size_t bytes, const stijl_svg_params *params,
                            stijl_svg **out, stijl_message *message) {
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
  // A compressed document may count for eight times its bytes.
  const unsigned char *head = data;
  uint64_t input = bytes >= 2 && head[0] == 0x1f && head[1] == 0x8b ? (uint64_t)bytes * 8 : bytes;
  sj_budget_add_input(budget, input);
  result = load(stijl_budget_context(budget), data, bytes, params, out, message);
  if (result == STIJL_OK) {
    (*out)->outer = context;
    (*out)->budget = params->budget || context->budget ? budget : NULL;
    (*out)->input_bytes = input;
  }
  result = sj_budget_result(budget, result, message);
  stijl_budget_destroy(budget);
  return result;
}

void stijl_svg_destroy(stijl_svg *svg) {
  if (!svg) return;
  stijl_context *context = svg->loaded->context;
  sj_loaded_destroy(svg->loaded);
  sj_free(context, svg);
}

void stijl_svg_size(const stijl_svg *svg, float *width, float *height) {
  if (width) *width = svg ? svg->loaded->tree.width : 0.0f;
  if (height) *height = svg ? svg->loaded->tree.height : 0.0f;
}

static stijl_result record(const sj_tree *tree, stijl_context *context, float width, float height, stijl_scene *scene,
                           stijl_message *message) {
  sj_recorder recorder = {.context = context, .message = message};
  sj_place place = {.scene = scene};
  // A document without area draws nothing.
  if (tree->width > 0.0f && tree->height > 0.0f) {
    stijl_matrix host = stijl_matrix_scale(width / tree->width, height / tree->height);
    if (stijl_matrix_is_finite(host)) sj_record_tree(&recorder, &place, tree, &host);
  }
  sj_recorder_finish(&recorder);
  return recorder.result;
}

static stijl_result build(const stijl_svg *svg, stijl_context *context, float width, float height, stijl_scene **out,
                          stijl_message *message) {
  stijl_scene *scene;
  stijl_result result = stijl_scene_create(context, NULL, &scene);
  if (result != STIJL_OK) return sj_fail_memory(message);
  scene->input_bytes = svg->input_bytes;
  const sj_tree *tree = &svg->loaded->tree;
  sj_tree other;
  bool by_canvas = tree->by_canvas && (width != tree->width || height != tree->height);
  if (by_canvas) {
    result = sj_load_tree_for(svg->loaded, context, width, height, &other, message);
    tree = &other;
  }
  if (result == STIJL_OK) {
    result = record(tree, context, width, height, scene, message);
    if (by_canvas) sj_tree_finish(&other);
  }
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
  stijl_result result = sj_budget_begin(svg->outer, svg->budget, svg->loaded->options.limits.max_seconds, &budget, message);
  if (result != STIJL_OK) return result;
  sj_budget_expect(budget, svg->input_bytes, (uint64_t)(double)(fminf(width, MAX_SIDE) * fminf(height, MAX_SIDE)));
  result = sj_budget_result(budget, build(svg, stijl_budget_context(budget), width, height, out, message), message);
  stijl_budget_destroy(budget);
  return result;
}
