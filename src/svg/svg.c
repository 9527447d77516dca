// The public functions for SVG documents: loading, size, scenes, and questions about nodes.

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/budget.h"
#include "base/params.h"
#include "scene/scene.h"
#include "svg/query/query.h"
#include "svg/record/record.h"
#include "svg/resolve/load.h"

// A target has at most this many pixels in a row or a column.
#define MAX_SIDE 2147483648.0f

_Static_assert((int)STIJL_SVG_GROUP == SJ_TREE_GROUP && (int)STIJL_SVG_SHAPE == SJ_TREE_SHAPE &&
                   (int)STIJL_SVG_IMAGE == SJ_TREE_IMAGE && (int)STIJL_SVG_TEXT == SJ_TREE_TEXT,
               "the public kinds are those of the tree");
_Static_assert((int)STIJL_SVG_BOX_OBJECT == SJ_MEASURE_FILL && (int)STIJL_SVG_BOX_STROKE == SJ_MEASURE_INK &&
                   (int)STIJL_SVG_BOX_LAYER == SJ_MEASURE_LAYER && STIJL_SVG_NO_NODE == SJ_NONE,
               "the public boxes are those of the tree");

struct stijl_svg {
  stijl_context *outer;  // the application's; what is loaded is in memory of one that counts for a budget
  stijl_budget *budget;  // bounds the building of scenes; NULL: each scene has one of its own
  uint64_t input_bytes;
  double detail;  // of images in scenes
  sj_loaded *loaded;
  uint32_t omitted;                // what has been warned of, see sj_load_totals
  bool failed;                     // to move to another time: there is no tree
  _Atomic(sj_tree_index *) index;  // NULL until it is asked for
};

static stijl_result load(stijl_context *context, const void *data, size_t bytes, const stijl_svg_params *params,
                         stijl_svg **out, stijl_message *message) {
  stijl_svg *svg = sj_alloc_zero(context, sizeof *svg);
  if (!svg) return sj_fail_memory(message);
  svg->detail = params->detail;
  sj_load_totals totals = {0};
  stijl_result result = sj_load_document(context, data, bytes, params, NULL, &totals, &svg->loaded, message);
  if (result == STIJL_OK) result = sj_load_tree(svg->loaded, &totals, 0, message);
  if (result == STIJL_OK && !sj_budget_look(sj_budget_of(context))) result = sj_budget_spent(message);
  svg->omitted = totals.omitted;
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
  if (!(params->detail > 0.0) || !isfinite(params->detail))
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "detail (%g) is not a positive number", params->detail);
  if (!(params->font_size >= 0.0f) || !isfinite(params->font_size))
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "font_size (%g) is no size", (double)params->font_size);
  if (!(params->time >= 0.0))
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "time (%g) is no number of seconds from 0", params->time);
  if (!(params->limits.max_seconds >= 0.0))
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "max_seconds is no number of seconds");
  context = sj_context(context);
  stijl_budget *budget;
  stijl_result result = sj_budget_begin(context, params->budget, params->limits.max_seconds, &budget, message);
  if (result != STIJL_OK) return result;
  // The budget allows a compressed document as much as if it had eight times its bytes.
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
  sj_budget_end(budget);
  return result;
}

void stijl_svg_destroy(stijl_svg *svg) {
  if (!svg) return;
  stijl_context *context = svg->loaded->context;
  sj_tree_index_destroy(atomic_load(&svg->index));
  sj_loaded_destroy(svg->loaded);
  sj_free(context, svg);
}

void stijl_svg_size(const stijl_svg *svg, float *width, float *height) {
  if (width) *width = svg ? svg->loaded->tree.width : 0.0f;
  if (height) *height = svg ? svg->loaded->tree.height : 0.0f;
}

// --- time ---

// Begins a call that changes the document, whose memory is counted by the budget that it was loaded with.
static stijl_budget *enter(const stijl_svg *svg) {
  stijl_budget *budget = sj_budget_of(svg->loaded->context);
  if (!svg->budget) stijl_budget_restart(budget);
  sj_budget_expect(budget, svg->input_bytes, 0);
  sj_budget_enter(budget);
  return budget;
}

static stijl_result move(stijl_svg *svg, double seconds, stijl_message *message) {
  sj_loaded *loaded = svg->loaded;
  sj_load_totals totals = {.bytes = loaded->document.bytes, .omitted = svg->omitted};
  sj_tree_index_destroy(atomic_exchange(&svg->index, NULL));
  stijl_result result = sj_load_restyle(loaded, seconds, message);
  if (result == STIJL_OK) result = sj_load_tree(loaded, &totals, 0, message);
  if (result == STIJL_OK && !sj_budget_look(sj_budget_of(loaded->context))) result = sj_budget_spent(message);
  svg->omitted = totals.omitted;
  svg->failed = result != STIJL_OK;
  if (svg->failed) sj_load_forget(loaded);
  return result;
}

stijl_result stijl_svg_set_time(stijl_svg *svg, double seconds, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!svg) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no document");
  if (!(seconds >= 0.0))
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "time (%g) is no number of seconds from 0", seconds);
  bool still = seconds == svg->loaded->options.time || !sj_load_is_animated(svg->loaded);
  if (still && !svg->failed) return STIJL_OK;
  stijl_budget *budget = enter(svg);
  stijl_result result = sj_budget_result(budget, move(svg, seconds, message), message);
  sj_budget_leave(budget);
  return result;
}

stijl_result stijl_svg_get_timing(stijl_svg *svg, stijl_svg_timing *out, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!svg || !out) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no document, or no place for its times");
  sj_timeline line = {0};
  stijl_budget *budget = enter(svg);
  stijl_result result = sj_budget_result(budget, sj_load_timeline(svg->loaded, &line, message), message);
  sj_budget_leave(budget);
  if (result != STIJL_OK) return result;
  stijl_svg_timing timing = STIJL_SVG_TIMING_INIT;
  timing.animated = sj_load_is_animated(svg->loaded);
  timing.end = line.end;
  timing.begun = line.begun;
  timing.period = line.period == SJ_NO_PERIOD ? STIJL_SVG_END : (double)line.period * 1e-6;
  if (SJ_WRITE(stijl_svg_timing, out, &timing)) return STIJL_OK;
  return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "the size of *out is not set");
}

// --- scenes ---

static stijl_result record(const stijl_svg *svg, const sj_tree *tree, stijl_context *context, float width, float height,
                           stijl_scene *scene, stijl_message *message) {
  sj_recorder recorder = {.context = context, .message = message, .detail = svg->detail};
  sj_record_place place = {.scene = scene};
  // A document without area draws nothing.
  if (tree->width > 0.0f && tree->height > 0.0f) {
    stijl_matrix host = stijl_matrix_scale(width / tree->width, height / tree->height);
    if (stijl_matrix_is_finite(host)) sj_record_tree(&recorder, &place, tree, &host);
  }
  sj_recorder_finish(&recorder);
  return recorder.result;
}

// Finishes the scene, or destroys it where recording has failed.
static stijl_result finish(stijl_scene *scene, stijl_result result, stijl_scene **out, stijl_message *message) {
  if (result == STIJL_OK) {
    result = stijl_scene_finish(scene);
    if (result != STIJL_OK) sj_fail(message, result, "%s", stijl_scene_message(scene));
  }
  if (result == STIJL_OK)
    *out = scene;
  else
    stijl_scene_destroy(scene);
  return result;
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
    result = record(svg, tree, context, width, height, scene, message);
    if (by_canvas) sj_tree_finish(&other);
  }
  return finish(scene, result, out, message);
}

// Checks what a scene is to be made of, and where it goes.
static stijl_result check_scene(const stijl_svg *svg, float width, float height, stijl_scene **out,
                                stijl_message *message) {
  message->text[0] = 0;
  if (!out) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "out is NULL");
  *out = NULL;
  if (!svg || !(width > 0.0f) || !(height > 0.0f) || !isfinite(width) || !isfinite(height))
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "the size of the scene is not positive");
  return STIJL_OK;
}

static stijl_result begin_scene(const stijl_svg *svg, float width, float height, stijl_budget **out,
                                stijl_message *message) {
  stijl_result result = sj_budget_begin(svg->outer, svg->budget, svg->loaded->options.limits.max_seconds, out, message);
  if (result != STIJL_OK) return result;
  sj_budget_expect(*out, svg->input_bytes, (uint64_t)(double)(fminf(width, MAX_SIDE) * fminf(height, MAX_SIDE)));
  return STIJL_OK;
}

stijl_result stijl_svg_scene(const stijl_svg *svg, float width, float height, stijl_scene **out,
                             stijl_message *message) {
  stijl_message unused;
  if (!message) message = &unused;
  stijl_budget *budget;
  stijl_result result = check_scene(svg, width, height, out, message);
  if (result == STIJL_OK) result = begin_scene(svg, width, height, &budget, message);
  if (result != STIJL_OK) return result;
  result = sj_budget_result(budget, build(svg, stijl_budget_context(budget), width, height, out, message), message);
  sj_budget_end(budget);
  return result;
}

// --- the render tree ---

// Finds the index, and makes it when it is first asked for. Threads that ask at the same time may each make one; all
// but one of these are destroyed.
static stijl_result find_index(const stijl_svg *svg, const sj_tree_index **out, stijl_message *message) {
  stijl_svg *own = (stijl_svg *)(uintptr_t)svg;
  *out = atomic_load(&own->index);
  if (*out) return STIJL_OK;
  stijl_budget *budget;
  stijl_result result =
      sj_budget_begin(svg->outer, svg->budget, svg->loaded->options.limits.max_seconds, &budget, message);
  if (result != STIJL_OK) return result;
  sj_budget_expect(budget, svg->input_bytes, 0);
  sj_tree_index *made = sj_tree_index_create(&svg->loaded->tree, stijl_budget_context(budget)), *before = NULL;
  if (!made) result = sj_budget_result(budget, sj_fail_memory(message), message);
  if (made && !atomic_compare_exchange_strong(&own->index, &before, made)) {
    sj_tree_index_destroy(made);
    made = before;
  }
  *out = made;
  sj_budget_end(budget);
  return result;
}

uint32_t stijl_svg_nodes(const stijl_svg *svg) { return svg ? svg->loaded->tree.picture.end : 0; }

stijl_result stijl_svg_get_node(const stijl_svg *svg, uint32_t node, stijl_svg_node *out) {
  const sj_tree_index *index;
  if (!out || node >= stijl_svg_nodes(svg)) return STIJL_ERROR_INVALID_ARGUMENT;
  stijl_result result = find_index(svg, &index, NULL);
  if (result != STIJL_OK) return result;
  const sj_document *document = &svg->loaded->document;
  const sj_tree_node *of = &svg->loaded->tree.nodes.data[node];
  stijl_svg_node found = STIJL_SVG_NODE_INIT;
  found.kind = (stijl_svg_kind)of->kind;
  found.end = of->end;
  found.parent = index->parents[node];
  found.transform = of->transform;
  found.to_canvas = index->to_canvas[node];
  if (found.parent == SJ_NONE) found.transform = found.to_canvas;
  if (of->element != SJ_NONE) {
    const sj_string *id = sj_document_attribute(document, of->element, SJ_ATTRIBUTE_ID);
    found.element = sj_document_local(document, of->element);
    found.offset = document->nodes.data[of->element].offset;
    if (id) found.id = id->text;
  }
  return SJ_WRITE(stijl_svg_node, out, &found) ? STIJL_OK : STIJL_ERROR_INVALID_ARGUMENT;
}

uint32_t stijl_svg_find(const stijl_svg *svg, const char *id) {
  if (!svg || !id) return STIJL_SVG_NO_NODE;
  const sj_tree *tree = &svg->loaded->tree;
  uint32_t element = sj_document_by_id(&svg->loaded->document, id, strlen(id));
  for (uint32_t i = 0; element != SJ_NO_ELEMENT && i < tree->picture.end; i++)
    if (tree->nodes.data[i].element == element) return i;
  return STIJL_SVG_NO_NODE;
}

stijl_result stijl_svg_get_box(const stijl_svg *svg, uint32_t node, stijl_svg_box which, bool on_canvas,
                               stijl_rect *out, bool *empty) {
  const sj_tree_index *index;
  if (!out || !empty || node >= stijl_svg_nodes(svg) || (unsigned)which > STIJL_SVG_BOX_LAYER)
    return STIJL_ERROR_INVALID_ARGUMENT;
  stijl_result result = find_index(svg, &index, NULL);
  if (result != STIJL_OK) return result;
  sj_box box = index->boxes[node].of[which];
  const stijl_matrix *matrix = &index->to_canvas[node];
  // Under a rotation or a skew, the box of the content on the canvas is smaller than the box around its turned box. So
  // the content is measured anew.
  if (on_canvas && (matrix->b != 0.0f || matrix->c != 0.0f)) {
    box = (sj_box){.known = true, .empty = true};
    if (!sj_tree_measure_in(&svg->loaded->tree, svg->outer, node, matrix, (sj_measure)which, index->boxes, &box))
      return STIJL_ERROR_OUT_OF_MEMORY;
  } else if (on_canvas && !box.empty) {
    stijl_rect rect = stijl_matrix_apply_rect(*matrix, box.rect);
    box.empty = true;
    sj_box_add(&box, rect);
  }
  *empty = box.empty;
  if (!box.empty) *out = box.rect;
  return STIJL_OK;
}

uint32_t stijl_svg_hit(const stijl_svg *svg, float x, float y) {
  return svg ? sj_tree_hit(&svg->loaded->tree, (stijl_point){x, y}) : STIJL_SVG_NO_NODE;
}

static stijl_result build_alone(const stijl_svg *svg, stijl_context *context, uint32_t node, stijl_rect box,
                                float width, float height, stijl_scene **out, stijl_message *message) {
  const sj_tree *tree = &svg->loaded->tree;
  const sj_tree_index *index = atomic_load(&((stijl_svg *)(uintptr_t)svg)->index);
  uint32_t parent = index->parents[node];
  stijl_matrix host = stijl_matrix_multiply(stijl_matrix_scale(width / (box.x1 - box.x0), height / (box.y1 - box.y0)),
                                            stijl_matrix_translate(-box.x0, -box.y0));
  stijl_matrix begin = stijl_matrix_translate(-tree->left, -tree->top);
  stijl_matrix outer = stijl_matrix_multiply(host, parent == SJ_NONE ? begin : index->to_canvas[parent]);
  stijl_scene *scene;
  if (!stijl_matrix_is_finite(outer))
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "the node is too small or too large to be drawn");
  if (stijl_scene_create(context, NULL, &scene) != STIJL_OK) return sj_fail_memory(message);
  scene->input_bytes = svg->input_bytes;
  sj_recorder recorder = {.context = context, .message = message, .detail = svg->detail};
  sj_record_alone(&recorder, scene, tree, node, &outer, &host);
  sj_recorder_finish(&recorder);
  return finish(scene, recorder.result, out, message);
}

stijl_result stijl_svg_node_scene(const stijl_svg *svg, uint32_t node, float width, float height, stijl_scene **out,
                                  stijl_message *message) {
  stijl_message unused;
  if (!message) message = &unused;
  stijl_result result = check_scene(svg, width, height, out, message);
  if (result != STIJL_OK) return result;
  stijl_rect box;
  bool empty;
  result = stijl_svg_get_box(svg, node, STIJL_SVG_BOX_LAYER, true, &box, &empty);
  if (result != STIJL_OK) return sj_fail(message, result, "%s", stijl_result_string(result));
  if (empty || !(box.x1 > box.x0) || !(box.y1 > box.y0))
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "the node draws nothing");
  stijl_budget *budget;
  result = begin_scene(svg, width, height, &budget, message);
  if (result != STIJL_OK) return result;
  result = build_alone(svg, stijl_budget_context(budget), node, box, width, height, out, message);
  result = sj_budget_result(budget, result, message);
  sj_budget_end(budget);
  return result;
}
