#include "scene/scene.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/blends.h"
#include "base/budget.h"
#include "base/floats.h"
#include "geometry/dash.h"
#include "geometry/path.h"
#include "image/image.h"
#include "kernel/composite.h"
#include "kernel/pen.h"
#include "scene/filter.h"

_Static_assert(K_BLEND_MASK_ALPHA + STIJL_MASK_LUMINANCE == K_BLEND_MASK_LUMINANCE &&
                   K_BLEND_MASK_ALPHA + STIJL_MASK_LUMINANCE_LINEAR == K_BLEND_MASK_LUMINANCE_LINEAR,
               "masks come in the same order");

// Public numbers are copied into the kernel's.
_Static_assert((int)STIJL_CAP_BUTT == K_CAP_BUTT && (int)STIJL_CAP_ROUND == K_CAP_ROUND &&
                   (int)STIJL_CAP_SQUARE == K_CAP_SQUARE,
               "caps");
_Static_assert((int)STIJL_JOIN_MITER == K_JOIN_MITER && (int)STIJL_JOIN_ROUND == K_JOIN_ROUND &&
                   (int)STIJL_JOIN_BEVEL == K_JOIN_BEVEL && (int)STIJL_JOIN_MITER_CLIP == K_JOIN_MITER_CLIP,
               "joins");
_Static_assert((int)STIJL_SPREAD_PAD == K_SPREAD_PAD && (int)STIJL_SPREAD_REPEAT == K_SPREAD_REPEAT &&
                   (int)STIJL_SPREAD_REFLECT == K_SPREAD_REFLECT && (int)STIJL_SPREAD_NONE == K_SPREAD_NONE,
               "spreads");
_Static_assert((int)STIJL_SAMPLING_NEAREST == K_SAMPLING_NEAREST &&
                   (int)STIJL_SAMPLING_BILINEAR == K_SAMPLING_BILINEAR &&
                   (int)STIJL_SAMPLING_BICUBIC == K_SAMPLING_BICUBIC,
               "samplings");
#define SAME(name, lower, css, how) _Static_assert((int)STIJL_BLEND_##name == K_BLEND_##name, css);
#define COUNT(name, lower, css, how) +1
SJ_BLENDS(SAME)
_Static_assert(0 SJ_BLENDS(COUNT) == K_BLEND_MODES && K_BLEND_MODES <= K_BLEND_MASK_ALPHA, "the table has all modes");

#define MASK_LAYER 0x100u  // in `blend` of an open layer: it was pushed by stijl_scene_push_mask

void sj_scene_fail(stijl_scene *scene, stijl_result result, const char *format, ...) {
  if (scene->status != STIJL_OK) return;
  scene->status = result;
  va_list args;
  va_start(args, format);
  vsnprintf(scene->message.text, sizeof scene->message.text, format, args);
  va_end(args);
}

stijl_result stijl_scene_create(stijl_context *context, const stijl_scene_limits *limits, stijl_scene **out) {
  if (!out) return STIJL_ERROR_INVALID_ARGUMENT;
  *out = NULL;
  limits = SJ_PARAMS(stijl_scene_limits, STIJL_SCENE_LIMITS_INIT, limits, NULL);
  if (!limits) return STIJL_ERROR_INVALID_ARGUMENT;
  context = sj_context(context);
  stijl_scene *scene = sj_alloc_zero(context, sizeof *scene);
  if (!scene) return STIJL_ERROR_OUT_OF_MEMORY;
  scene->context = context;
  scene->limits = *limits;
  if (scene->limits.max_segments > UINT32_MAX / 2) scene->limits.max_segments = UINT32_MAX / 2;
  *out = scene;
  return STIJL_OK;
}

void stijl_scene_destroy(stijl_scene *scene) {
  if (!scene) return;
  stijl_context *context = scene->context;
  for (size_t i = 0; i < scene->images.count; i++) stijl_image_destroy(scene->images.data[i]);
  for (size_t i = 0; i < scene->filters.count; i++) stijl_filter_destroy(scene->filters.data[i].filter);
  sj_arrays_finish(context, &scene->filters, &scene->filter_scenes, &scene->filter_regions, &scene->points,
                   &scene->segments, &scene->draws, &scene->inner, &scene->subscenes, &scene->strokes,
                   &scene->outlines);
  sj_pairs_finish(context, &scene->names);
  sj_pairs_finish(context, &scene->embedded);
  sj_arrays_finish(context, &scene->changes, &scene->free_paints, &scene->outline_glyphs, &scene->texts, &scene->utf8,
                   &scene->instances, &scene->matrices, &scene->runs, &scene->paints, &scene->ramps,
                   &scene->ramp_pieces, &scene->images, &scene->open);
  sj_free(context, scene);
}

void stijl_scene_reset(stijl_scene *scene) {
  if (!scene) return;
  for (size_t i = 0; i < scene->images.count; i++) stijl_image_destroy(scene->images.data[i]);
  for (size_t i = 0; i < scene->filters.count; i++) stijl_filter_destroy(scene->filters.data[i].filter);
  scene->filters.count = scene->filter_scenes.count = scene->filter_regions.count = 0;
  scene->points.count = scene->segments.count = scene->draws.count = scene->strokes.count = scene->paints.count = 0;
  sj_pairs_clear(&scene->names);
  sj_pairs_clear(&scene->embedded);
  scene->outlines.count = scene->instances.count = scene->matrices.count = scene->runs.count = 0;
  scene->outline_glyphs.count = scene->texts.count = scene->utf8.count = 0;
  scene->ramps.count = scene->ramp_pieces.count = 0;
  scene->images.count = scene->open.count = scene->inner.count = scene->subscenes.count = 0;
  scene->status = STIJL_OK;
  scene->message.text[0] = 0;
  scene->finished = false;
  scene->blends = scene->backdrops = false;
  scene->depth = scene->nesting = 0;
  scene->changes.count = scene->free_paints.count = scene->ramps_added = 0;
  scene->drawn = scene->input_bytes = scene->serial = scene->arrays = scene->changes_before = 0;
}

// Returns whether recording may go on. A scene that is finished fails.
bool sj_scene_recording(stijl_scene *scene) {
  if (!scene || scene->status != STIJL_OK) return false;
  if (scene->finished) {
    sj_scene_fail(scene, STIJL_ERROR_INVALID_STATE, "drawing into a finished scene");
    return false;
  }
  return true;
}

static bool check_rule(stijl_scene *scene, stijl_fill_rule rule) {
  if (rule == STIJL_FILL_NONZERO || rule == STIJL_FILL_EVENODD) return true;
  sj_scene_fail(scene, STIJL_ERROR_INVALID_ARGUMENT, "fill rule %d is unknown", (int)rule);
  return false;
}

static bool check_path(stijl_scene *scene, const stijl_path *path) {
  stijl_result status = path ? path->status : STIJL_ERROR_INVALID_ARGUMENT;
  if (status != STIJL_OK) sj_scene_fail(scene, status, "the path to draw is %s", path ? "in error" : "NULL");
  return status == STIJL_OK;
}

static bool check_transform(stijl_scene *scene, const stijl_matrix *transform, stijl_matrix *out) {
  *out = transform ? *transform : (stijl_matrix)STIJL_MATRIX_IDENTITY;
  if (!transform || sj_floats_are_tame(transform, 6) || stijl_matrix_is_finite(*out)) return true;
  sj_scene_fail(scene, STIJL_ERROR_INVALID_ARGUMENT, "transform is not finite");
  return false;
}

// Counts a draw that stands for `drawn` draws. False when they are too many.
static bool count_draws(stijl_scene *scene, uint64_t drawn) {
  scene->drawn += drawn;
  if (scene->drawn <= scene->limits.max_draws) return true;
  sj_scene_fail(scene, STIJL_ERROR_LIMIT, "more than %u draws and layers (max_draws)", scene->limits.max_draws);
  return false;
}

// Returns the place behind the last draw, or NULL when memory is out. What is made there needs no copy when it is
// counted.
static sj_draw *next_draw(stijl_scene *scene, uint32_t op) {
  if (!sj_array_reserve(scene->context, &scene->draws, 1)) {
    sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
    return NULL;
  }
  sj_draw *draw = &scene->draws.data[scene->draws.count];
  *draw = (sj_draw){.op = op};
  return draw;
}

static bool add_draws(stijl_scene *scene, const sj_draw *draw, uint64_t drawn) {
  if (!count_draws(scene, drawn)) return false;
  if (!sj_array_push(scene->context, &scene->draws, *draw)) {
    sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
    return false;
  }
  return true;
}

bool sj_scene_add_draw(stijl_scene *scene, const sj_draw *draw) { return add_draws(scene, draw, 1); }

// Does the same as sj_scene_add_shape, for several paths, which all get the same direction.
static bool add_fill_paths(stijl_scene *scene, const stijl_path *const *paths, size_t count, uint32_t flags,
                           const stijl_matrix *transform, sj_path_range *out) {
  *out = (sj_path_range){.segment = (uint32_t)scene->segments.count};
  for (size_t i = 0; i < count; i++) {
    sj_path_range one;
    if (!sj_scene_add_shape(scene, paths[i], flags, transform, &one)) return false;
    sj_scene_turn_forwards(scene, &one);
    out->segment_count += one.segment_count;
  }
  sj_scene_measure_path(scene, out);
  return true;
}

void stijl_scene_fill(stijl_scene *scene, const stijl_path *path, stijl_fill_rule rule, const stijl_matrix *transform,
                      const stijl_paint *paint) {
  if (!sj_scene_recording(scene) || !check_rule(scene, rule) || !check_path(scene, path)) return;
  sj_draw *draw = next_draw(scene, K_DRAW_FILL);
  if (!draw || !check_transform(scene, transform, &draw->transform)) return;
  if (rule == STIJL_FILL_EVENODD) draw->flags = K_DRAW_EVENODD;
  if (!sj_scene_add_paint(scene, paint, draw) ||
      !sj_scene_add_shape(scene, path, draw->flags, &draw->transform, &draw->path))
    return;
  if (draw->path.segment_count && count_draws(scene, 1)) scene->draws.count++;
}

void stijl_scene_fill_paths(stijl_scene *scene, const stijl_path *const *paths, size_t count, stijl_fill_rule rule,
                            const stijl_matrix *transform, const stijl_paint *paint) {
  if (!sj_scene_recording(scene) || !check_rule(scene, rule)) return;
  for (size_t i = 0; i < count; i++)
    if (!check_path(scene, paths ? paths[i] : NULL)) return;
  sj_draw draw = {.op = K_DRAW_FILL, .flags = rule == STIJL_FILL_EVENODD ? K_DRAW_EVENODD : 0};
  if (!check_transform(scene, transform, &draw.transform) || !sj_scene_add_paint(scene, paint, &draw)) return;
  if (!add_fill_paths(scene, paths, count, draw.flags, &draw.transform, &draw.path)) return;
  if (draw.path.segment_count) sj_scene_add_draw(scene, &draw);
}

static bool check_stroke(stijl_scene *scene, const stijl_stroke *s) {
  bool ok = s->width - s->width == 0.0f && s->miter_limit - s->miter_limit == 0.0f &&
            s->dash_offset - s->dash_offset == 0.0f && (unsigned)s->cap <= STIJL_CAP_SQUARE &&
            (unsigned)s->join <= STIJL_JOIN_MITER_CLIP && (!s->dash_count || s->dashes) &&
            (!s->pen || stijl_matrix_is_finite(*s->pen));
  for (size_t i = 0; ok && i < s->dash_count; i++) ok = s->dashes[i] - s->dashes[i] == 0.0f;
  if (!ok) sj_scene_fail(scene, STIJL_ERROR_INVALID_ARGUMENT, "stroke has a value that is not finite or out of range");
  return ok;
}

// Makes the path's dashes, in a path of their own; *out stays NULL where the stroke is solid. Lengths are measured in
// the pen's space. Returns false when there is nothing to draw, or the scene has failed.
static bool dash(stijl_scene *scene, const stijl_path *path, const stijl_stroke *stroke, stijl_matrix transform,
                 stijl_path **out) {
  stijl_matrix measure, back;
  bool own = stroke->pen != NULL;
  if (own) {
    if (!stijl_matrix_invert(*stroke->pen, &back)) return false;  // the pen has no width: nothing to draw
    measure = stijl_matrix_multiply(back, transform);
  }
  stijl_result result = stijl_path_create(scene->context, out);
  if (result == STIJL_OK)
    result = sj_path_dash(path, stroke->dashes, stroke->dash_count, stroke->dash_offset, own ? &measure : NULL,
                          scene->limits.max_segments, *out);
  if (result == STIJL_OK) return true;
  stijl_path_destroy(*out);
  *out = NULL;
  // Where there would be more dashes than the limit, they are too fine to be seen as dashes.
  if (result == STIJL_ERROR_LIMIT)
    sj_log(scene->context, STIJL_LOG_WARNING, "a stroke of more than %llu dashes is drawn solid",
           (unsigned long long)scene->limits.max_segments);
  else
    sj_scene_fail(scene, result, "dashing a path: %s", stijl_result_string(result));
  return result == STIJL_ERROR_LIMIT;
}

// Returns whether a stroke that turns back looks there as if it ended: a miter is never so long, and so it is cut off.
static bool turns_as_caps(const stijl_stroke *s) {
  return s->join == STIJL_JOIN_ROUND ? s->cap == STIJL_CAP_ROUND : s->cap == STIJL_CAP_BUTT;
}

// Finds the outline of what a stroke covers, or one that has its corners once. Returns false where the stroke overlaps
// itself nowhere that is seen, or the scene has failed.
static bool find_outline(stijl_scene *scene, const stijl_path *path, const stijl_stroke *stroke, bool unfolds,
                         const stijl_matrix *transform, sj_outline *out) {
  if (sj_scene_stroke_overlaps(scene, path, stroke, unfolds) &&
      sj_unite_stroke(scene, path, stroke, unfolds, transform, out))
    return true;
  return sj_scene_stroke_has_spikes(scene, path, stroke) && sj_cut_corners(scene, path, stroke, transform, out);
}

// Records that outline in place of the stroke itself, whose points begin at `points`. Returns false where there is
// none.
static bool add_outline(stijl_scene *scene, const stijl_path *path, const stijl_stroke *stroke, bool unfolds,
                        size_t points, sj_draw *draw) {
  sj_outline united;
  if (draw->flags & K_DRAW_ALIASED || draw->path.segment_count < 2 ||
      !find_outline(scene, path, stroke, unfolds, &draw->transform, &united))
    return false;
  scene->segments.count = draw->path.segment;
  scene->points.count = points;
  draw->op = K_DRAW_FILL;
  bool added = sj_scene_add_fill_path(scene, united.path, &draw->path);
  stijl_path_destroy(united.own);
  return added;
}

void stijl_scene_stroke(stijl_scene *scene, const stijl_path *path, const stijl_stroke *stroke,
                        const stijl_matrix *transform, const stijl_paint *paint) {
  if (!sj_scene_recording(scene)) return;
  sj_draw draw = {.op = K_DRAW_STROKE};
  stroke = SJ_GIVEN(stijl_stroke, STIJL_STROKE_INIT, stroke, &scene->message);
  if (!stroke) {
    sj_scene_refuse(scene);
    return;
  }
  if (!check_path(scene, path) || !check_transform(scene, transform, &draw.transform) || !check_stroke(scene, stroke))
    return;
  if (!(stroke->width > 0.0f)) return;
  if (!sj_scene_add_paint(scene, paint, &draw)) return;
  stijl_path *dashed = NULL;
  if (stroke->dash_count && !dash(scene, path, stroke, draw.transform, &dashed)) return;
  const stijl_path *drawn = dashed ? dashed : path;
  bool unfolds = turns_as_caps(stroke);
  size_t points = scene->points.count;
  bool ok = sj_scene_add_stroke_path(scene, drawn, stroke->pen ? 0.0f : stroke->width, unfolds, &draw.path);
  bool outlined = ok && add_outline(scene, drawn, stroke, unfolds, points, &draw);
  stijl_path_destroy(dashed);
  if (!ok || !sj_scene_recording(scene) || !draw.path.segment_count) return;
  if (outlined) {
    sj_scene_add_draw(scene, &draw);
    return;
  }
  sj_stroke made = {.half_width = 0.5f * stroke->width,
                    .miter_limit = stroke->miter_limit > 1.0f ? stroke->miter_limit : 1.0f,
                    .cap = stroke->cap,
                    .join = stroke->join,
                    .aliased = draw.flags & K_DRAW_ALIASED,
                    .own_pen = stroke->pen != NULL,
                    .pen = stroke->pen ? *stroke->pen : stijl_matrix_identity()};
  if (!sj_array_push(scene->context, &scene->strokes, made)) {
    sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
    return;
  }
  draw.stroke = (uint32_t)scene->strokes.count - 1;
  sj_scene_add_draw(scene, &draw);
}

void stijl_scene_image(stijl_scene *scene, const stijl_image *image, stijl_sampling sampling, float opacity,
                       const stijl_matrix *transform) {
  if (!sj_scene_recording(scene)) return;
  stijl_paint paint = stijl_paint_image(image, sampling);
  paint.opacity = opacity;
  stijl_path *path = NULL;
  stijl_result result = image ? stijl_path_create(scene->context, &path) : STIJL_ERROR_INVALID_ARGUMENT;
  if (result != STIJL_OK) {
    sj_scene_fail(scene, result, "drawing an image: %s", stijl_result_string(result));
    return;
  }
  stijl_path_add_rect(path, 0.0f, 0.0f, (float)stijl_image_width(image), (float)stijl_image_height(image));
  stijl_scene_fill(scene, path, STIJL_FILL_NONZERO, transform, &paint);
  stijl_path_destroy(path);
}

void stijl_scene_fill_all(stijl_scene *scene, const stijl_paint *paint) {
  if (!sj_scene_recording(scene)) return;
  sj_draw draw = {.op = K_DRAW_ALL, .transform = STIJL_MATRIX_IDENTITY};
  if (sj_scene_add_paint(scene, paint, &draw)) sj_scene_add_draw(scene, &draw);
}

// Returns whether a path is an axis-aligned rectangle, drawn once around.
static bool is_rect(const stijl_path *path) {
  const unsigned char *verbs;
  const stijl_point *p;
  size_t count = stijl_path_verbs(path, &verbs), points = stijl_path_points(path, &p);
  if (points < 4 || points > 5 || count < 4 || count > 6 || verbs[0] != STIJL_PATH_MOVE) return false;
  for (size_t i = 1; i < count; i++)
    if (verbs[i] != (i < points ? STIJL_PATH_LINE : STIJL_PATH_CLOSE)) return false;
  if (points == 5 && (p[4].x != p[0].x || p[4].y != p[0].y)) return false;
  return (p[0].y == p[1].y && p[1].x == p[2].x && p[2].y == p[3].y && p[3].x == p[0].x) ||
         (p[0].x == p[1].x && p[1].y == p[2].y && p[2].x == p[3].x && p[3].y == p[0].y);
}

// Returns the push of the innermost open layer, or NULL outside all.
static sj_draw *top(stijl_scene *scene) {
  return scene->open.count ? &scene->draws.data[scene->open.data[scene->open.count - 1]] : NULL;
}

// Notes that a layer with a blend mode other than normal begins.
static void note_blend(stijl_scene *scene) {
  if (scene->open.count)
    top(scene)->holds_blend = true;
  else
    scene->blends = true;
}

// Notes that a layer whose filter reads what is below it begins. False when the scene has failed.
static bool note_backdrop(stijl_scene *scene) {
  if (!scene->open.count) {
    scene->backdrops = true;
    return true;
  }
  top(scene)->holds_backdrop = true;
  if (!top(scene)->holds_mask) return true;
  sj_scene_fail(scene, STIJL_ERROR_INVALID_STATE,
                "a layer whose filter reads the backdrop comes before the masks of the layer around it");
  return false;
}

// Embeds the scenes that a filter draws. False when the scene has failed.
static bool embed_filter_scenes(stijl_scene *scene, const stijl_filter *filter, uint32_t *first) {
  size_t count = filter->scenes.count;
  uint32_t *within = count ? sj_alloc_array(scene->context, count, sizeof *within) : NULL;
  bool ok = within || !count, embedded = true;
  // Embedding one adds what belongs to those within it to the list, so that it is added to at the end.
  for (size_t i = 0; ok && embedded && i < count; i++)
    embedded = sj_scene_embed(scene, filter->scenes.data[i].scene, &within[i]);
  *first = (uint32_t)scene->filter_scenes.count;
  for (size_t i = 0; ok && embedded && i < count; i++)
    ok = sj_array_push(scene->context, &scene->filter_scenes, within[i]);
  sj_free(scene->context, within);
  if (!ok) sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
  return ok && embedded;
}

// Gives the layer its filter. False when the scene has failed.
static bool add_filter(stijl_scene *scene, const stijl_layer *layer, sj_draw *draw) {
  sj_layer_filter made = {0};
  const stijl_filter *filter = layer->filter;
  if (stijl_filter_status(filter) != STIJL_OK) {
    sj_scene_fail(scene, stijl_filter_status(filter), "the filter of a layer has failed: %s",
                  stijl_filter_message(filter));
    return false;
  }
  if (!check_transform(scene, layer->filter_transform, &made.transform) ||
      !embed_filter_scenes(scene, filter, &made.scenes))
    return false;
  if (!sj_array_reserve(scene->context, &scene->filters, 1)) {
    sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
    return false;
  }
  made.filter = sj_filter_retain(filter);
  scene->filters.data[scene->filters.count++] = made;
  draw->filter = (uint32_t)scene->filters.count;
  return true;
}

static void push(stijl_scene *scene, const sj_draw *draw) {
  if (scene->open.count >= scene->limits.max_layers) {
    sj_scene_fail(scene, STIJL_ERROR_LIMIT, "layers nested deeper than %u (max_layers)", scene->limits.max_layers);
    return;
  }
  if (!sj_array_push(scene->context, &scene->open, (uint32_t)scene->draws.count)) {
    sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
    return;
  }
  if (scene->open.count > scene->depth) scene->depth = (uint32_t)scene->open.count;
  sj_scene_add_draw(scene, draw);
}

void stijl_scene_push_layer(stijl_scene *scene, const stijl_layer *layer) {
  if (!sj_scene_recording(scene)) return;
  layer = SJ_GIVEN(stijl_layer, STIJL_LAYER_INIT, layer, &scene->message);
  if (!layer) {
    sj_scene_refuse(scene);
    return;
  }
  if (layer->opacity != layer->opacity || (unsigned)layer->blend >= K_BLEND_MODES) {
    sj_scene_fail(scene, STIJL_ERROR_INVALID_ARGUMENT, "layer has a value out of range");
    return;
  }
  float opacity = layer->opacity > 0.0f ? (layer->opacity < 1.0f ? layer->opacity : 1.0f) : 0.0f;
  sj_draw draw = {.op = K_DRAW_PUSH, .blend = layer->blend, .opacity = (uint32_t)(opacity * 255.0f + 0.5f)};
  if (!check_transform(scene, layer->clip_transform, &draw.transform)) return;
  if (layer->clip && !check_rule(scene, layer->clip_rule)) return;
  if (layer->clip) {
    draw.flags = K_DRAW_CLIP | (layer->clip_rule == STIJL_FILL_EVENODD ? K_DRAW_EVENODD : 0);
    if (!check_path(scene, layer->clip) ||
        !sj_scene_add_shape(scene, layer->clip, draw.flags, &draw.transform, &draw.path))
      return;
    draw.clip_is_rect = is_rect(layer->clip);
  }
  if (layer->filter && !add_filter(scene, layer, &draw)) return;
  if (draw.blend != K_BLEND_NORMAL) note_blend(scene);
  if (layer->filter && layer->filter->reads_backdrop && !note_backdrop(scene)) return;
  push(scene, &draw);
}

void stijl_scene_push_mask(stijl_scene *scene, stijl_mask mask) {
  if (!sj_scene_recording(scene)) return;
  if ((unsigned)mask > STIJL_MASK_LUMINANCE_LINEAR || !scene->open.count) {
    sj_scene_fail(scene, STIJL_ERROR_INVALID_STATE, "a mask belongs inside a layer");
    return;
  }
  uint32_t blend = K_BLEND_MASK_ALPHA + (uint32_t)mask;
  top(scene)->holds_mask = true;
  push(scene,
       &(sj_draw){.op = K_DRAW_PUSH, .blend = blend | MASK_LAYER, .opacity = 255, .transform = STIJL_MATRIX_IDENTITY});
}

static void pop(stijl_scene *scene, bool mask) {
  if (!sj_scene_recording(scene)) return;
  sj_draw *opened = top(scene);
  if (!opened || ((opened->blend & MASK_LAYER) != 0) != mask) {
    sj_scene_fail(scene, STIJL_ERROR_INVALID_STATE, "pop_%s without its push", mask ? "mask" : "layer");
    return;
  }
  opened->blend &= ~MASK_LAYER;
  scene->open.count--;
  // The pop has all that a backend needs of the layer.
  sj_draw draw = *opened;
  draw.op = K_DRAW_POP;
  sj_scene_add_draw(scene, &draw);
}

void stijl_scene_pop_layer(stijl_scene *scene) { pop(scene, false); }
void stijl_scene_pop_mask(stijl_scene *scene) { pop(scene, true); }

void stijl_scene_add_scene(stijl_scene *scene, const stijl_scene *other, const stijl_matrix *transform) {
  if (!sj_scene_recording(scene)) return;
  sj_draw draw = {.op = SJ_DRAW_SCENE};
  if (!check_transform(scene, transform, &draw.transform) || !sj_scene_embed(scene, other, &draw.paint)) return;
  const sj_subscene *sub = &scene->subscenes.data[draw.paint];
  if (scene->open.count + sub->depth > scene->limits.max_layers) {
    sj_scene_fail(scene, STIJL_ERROR_LIMIT, "adding a scene nests layers deeper than %u (max_layers)",
                  scene->limits.max_layers);
    return;
  }
  uint32_t depth = (uint32_t)scene->open.count + sub->depth;
  if (depth > scene->depth) scene->depth = depth;
  if (sub->blends) note_blend(scene);
  if (sub->count) add_draws(scene, &draw, sub->drawn);
}

uint64_t stijl_scene_bytes(const stijl_scene *scene) {
  if (!scene) return 0;
#define BYTES(name) scene->name.capacity * sizeof *scene->name.data
  return sizeof *scene + BYTES(points) + BYTES(segments) + BYTES(draws) + BYTES(inner) + BYTES(subscenes) +
         BYTES(strokes) + BYTES(outlines) + BYTES(names.entries) + BYTES(names.chains) + BYTES(embedded.entries) +
         BYTES(embedded.chains) + BYTES(outline_glyphs) + BYTES(texts) + BYTES(utf8) + BYTES(instances) +
         BYTES(matrices) + BYTES(runs) + BYTES(paints) + BYTES(ramps) + BYTES(ramp_pieces) + BYTES(images) +
         BYTES(filters) + BYTES(filter_scenes) + BYTES(filter_regions) + BYTES(open) + BYTES(changes) +
         BYTES(free_paints);
#undef BYTES
}

uint64_t sj_scene_next_serial(void) {
  static _Atomic uint64_t last;
  return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

stijl_result stijl_scene_finish(stijl_scene *scene) {
  if (!scene) return STIJL_ERROR_INVALID_ARGUMENT;
  if (scene->status == STIJL_OK && scene->open.count)
    sj_scene_fail(scene, STIJL_ERROR_INVALID_STATE, "%zu layers are still open", scene->open.count);
  if (!scene->finished) sj_scene_find_shapes(scene);
  scene->finished = true;
  if (!scene->serial) scene->serial = scene->arrays = sj_scene_next_serial();
  return scene->status;
}

uint32_t stijl_scene_draw_count(const stijl_scene *scene) { return scene ? (uint32_t)scene->draws.count : 0; }

const char *stijl_scene_message(const stijl_scene *scene) { return scene ? scene->message.text : ""; }

stijl_extent sj_scene_draw_extent(const stijl_scene *scene, const sj_draw *draw, stijl_rect *box) {
  if (draw->flags & K_DRAW_HIDDEN) return STIJL_EXTENT_EMPTY;
  if (draw->op == K_DRAW_ALL || (draw->op == K_DRAW_PUSH && draw->filter)) return STIJL_EXTENT_INFINITE;
  if (draw->op == SJ_DRAW_SCENE) {
    const sj_subscene *sub = &scene->subscenes.data[draw->paint];
    *box = stijl_matrix_apply_rect(draw->transform, sub->box);
    return (stijl_extent)sub->extent;
  }
  if (draw->op > K_DRAW_STROKE && draw->op != SJ_DRAW_GLYPHS) return STIJL_EXTENT_EMPTY;
  *box = stijl_matrix_apply_rect(draw->transform, draw->path.box);
  if (draw->op != K_DRAW_STROKE) return STIJL_EXTENT_BOUNDED;
  const sj_stroke *stroke = &scene->strokes.data[draw->stroke];
  float reach = stroke->half_width * sj_stroke_reach(stroke);
  stijl_matrix pen = stroke->own_pen ? stroke->pen : draw->transform;
  pen.e = pen.f = 0.0f;
  stijl_rect around = stijl_matrix_apply_rect(pen, (stijl_rect){-reach, -reach, reach, reach});
  *box = (stijl_rect){box->x0 + around.x0, box->y0 + around.y0, box->x1 + around.x1, box->y1 + around.y1};
  return STIJL_EXTENT_BOUNDED;
}

stijl_extent sj_scene_extent(const stijl_scene *scene, const sj_draw *draws, size_t count, stijl_rect *out) {
  stijl_rect all = {0}, box;
  *out = all;
  bool any = false;
  for (size_t i = 0; i < count; i++) {
    stijl_extent extent = sj_scene_draw_extent(scene, &draws[i], &box);
    if (extent == STIJL_EXTENT_INFINITE) return extent;
    if (extent == STIJL_EXTENT_EMPTY) continue;
    if (!any)
      all = box;
    else
      all = (stijl_rect){box.x0 < all.x0 ? box.x0 : all.x0, box.y0 < all.y0 ? box.y0 : all.y0,
                         box.x1 > all.x1 ? box.x1 : all.x1, box.y1 > all.y1 ? box.y1 : all.y1};
    any = true;
  }
  *out = all;
  return any ? STIJL_EXTENT_BOUNDED : STIJL_EXTENT_EMPTY;
}

stijl_extent stijl_scene_bounds(const stijl_scene *scene, stijl_rect *out) {
  stijl_rect unused;
  if (!out) out = &unused;
  *out = (stijl_rect){0};
  return scene ? sj_scene_extent(scene, scene->draws.data, scene->draws.count, out) : STIJL_EXTENT_EMPTY;
}
