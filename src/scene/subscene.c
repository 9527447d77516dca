// Scenes within scenes: what another scene draws is copied into this one's arrays, once however often it is shown, so that
// a scene holds all that it needs.
#include <string.h>

#include "image/image.h"
#include "scene/filter.h"
#include "scene/scene.h"

// How many scenes within, the newest first, are searched for one that is embedded already.
#define SEARCHED 256
// How deep scenes may be nested in one another.
#define MAX_NESTING 64

// Appends all elements of the other's array; false when memory is out.
#define APPEND(scene, name, other)                                                                       \
  (sj_array_reserve((scene)->context, &(scene)->name, (other)->name.count) &&                            \
   ((other)->name.count == 0 || memcpy((scene)->name.data + (scene)->name.count, (other)->name.data,     \
                                       (other)->name.count * sizeof *(other)->name.data)) &&             \
   ((scene)->name.count += (other)->name.count, true))

// Where the copies of another scene's arrays begin.
typedef struct {
  uint32_t points, segments, strokes, outlines, instances, matrices, runs, paints, ramps, images, filters;
  const uint32_t *subscenes;  // for each of the other's, which one it is here
} places;

static bool find(const stijl_scene *scene, uint64_t serial, uint32_t *out) {
  size_t count = scene->subscenes.count, end = count > SEARCHED ? count - SEARCHED : 0;
  for (size_t left = count; left > end; left--)
    if (scene->subscenes.data[left - 1].serial == serial) {
      *out = (uint32_t)left - 1;
      return true;
    }
  return false;
}

static bool check(stijl_scene *scene, const stijl_scene *other) {
  if (!other || other == scene || !other->finished) {
    sj_scene_fail(scene, STIJL_ERROR_INVALID_ARGUMENT, "a scene within a scene has to be another, finished one");
  } else if (other->status != STIJL_OK) {
    sj_scene_fail(scene, other->status, "the scene to add has failed: %s", other->message.text);
  } else if (scene->segments.count + other->segments.count > scene->limits.max_segments ||
             scene->points.count + other->points.count > UINT32_MAX / 2 ||
             scene->instances.count + other->instances.count > UINT32_MAX / 2 ||
             scene->matrices.count + other->matrices.count > UINT32_MAX / 2 ||
             scene->inner.count + other->inner.count + other->draws.count > UINT32_MAX / 2) {
    sj_scene_fail(scene, STIJL_ERROR_LIMIT, "adding a scene exceeds max_segments");
  } else if (other->nesting >= MAX_NESTING) {
    sj_scene_fail(scene, STIJL_ERROR_LIMIT, "scenes are nested deeper than %d", MAX_NESTING);
  }
  return scene->status == STIJL_OK;
}

// Copies the arrays that draws refer to.
static bool copy_arrays(stijl_scene *scene, const stijl_scene *other, places *at) {
  at->points = (uint32_t)scene->points.count;
  at->segments = (uint32_t)scene->segments.count;
  at->strokes = (uint32_t)scene->strokes.count;
  at->outlines = (uint32_t)scene->outlines.count;
  at->instances = (uint32_t)scene->instances.count;
  at->matrices = (uint32_t)scene->matrices.count;
  at->runs = (uint32_t)scene->runs.count;
  at->paints = (uint32_t)scene->paints.count;
  at->ramps = (uint32_t)(scene->ramps.count / K_RAMP_SIZE);
  at->images = (uint32_t)scene->images.count;
  if (!APPEND(scene, images, other)) return false;
  for (size_t i = at->images; i < scene->images.count; i++) sj_image_retain(scene->images.data[i]);
  size_t filter_scenes = scene->filter_scenes.count;
  at->filters = (uint32_t)scene->filters.count;
  if (!APPEND(scene, filters, other)) return false;
  for (size_t i = at->filters; i < scene->filters.count; i++) {
    scene->filters.data[i].scenes += (uint32_t)filter_scenes;
    sj_filter_retain(scene->filters.data[i].filter);
  }
  if (!APPEND(scene, filter_scenes, other)) return false;
  for (size_t i = filter_scenes; i < scene->filter_scenes.count; i++)
    scene->filter_scenes.data[i] = at->subscenes[scene->filter_scenes.data[i]];
  if (!APPEND(scene, points, other) ||
      !APPEND(scene, segments, other) ||
      !APPEND(scene, strokes, other) || !APPEND(scene, outlines, other) || !APPEND(scene, instances, other) ||
      !APPEND(scene, matrices, other) || !APPEND(scene, runs, other) ||
      !APPEND(scene, paints, other) || !APPEND(scene, ramps, other))
    return false;
  for (size_t i = at->segments; i < scene->segments.count; i++) {
    scene->segments.data[i].point += at->points;
    scene->segments.data[i].next += at->segments;
  }
  for (size_t i = at->outlines; i < scene->outlines.count; i++) scene->outlines.data[i].segment += at->segments;
  for (size_t i = at->instances; i < scene->instances.count; i++) scene->instances.data[i].outline += at->outlines;
  for (size_t i = at->runs; i < scene->runs.count; i++) {
    scene->runs.data[i].instance += at->instances;
    scene->runs.data[i].matrix += at->matrices;
  }
  for (size_t i = at->paints; i < scene->paints.count; i++) {
    sj_paint *paint = &scene->paints.data[i];
    if (paint->kind == STIJL_PAINT_IMAGE) paint->source += at->images;
    else if (paint->kind == STIJL_PAINT_SCENE) paint->source = at->subscenes[paint->source];
    else paint->source += at->ramps;
  }
  return true;
}

// Adds a scene within whose draws are these of another scene.
static bool add_subscene(stijl_scene *scene, sj_subscene made, const sj_draw *draws, const places *at) {
  uint32_t count = made.count;
  made.first = (uint32_t)scene->inner.count;
  if (!sj_array_reserve(scene->context, &scene->inner, count)) return false;
  for (uint32_t i = 0; i < count; i++) {
    sj_draw draw = draws[i];
    draw.path.segment += at->segments;
    if (draw.op == K_DRAW_STROKE) draw.stroke += at->strokes;
    if (draw.filter) draw.filter += at->filters;
    if (draw.op == SJ_DRAW_GLYPHS) draw.run += at->runs;
    if (draw.op == SJ_DRAW_SCENE) draw.paint = at->subscenes[draw.paint];
    else if ((draw.op <= K_DRAW_ALL || draw.op == SJ_DRAW_GLYPHS) && !(draw.flags & K_DRAW_SOLID)) draw.paint += at->paints;
    scene->inner.data[scene->inner.count++] = draw;
  }
  return sj_array_push(scene->context, &scene->subscenes, made);
}

// Which of the scenes within each of the other's is here: one that is embedded already, or one that will be.
static void map_subscenes(const stijl_scene *scene, const stijl_scene *other, uint32_t *map) {
  uint32_t next = (uint32_t)scene->subscenes.count;
  for (size_t i = 0; i < other->subscenes.count; i++)
    if (!find(scene, other->subscenes.data[i].serial, &map[i])) map[i] = next++;
}

static bool embed(stijl_scene *scene, const stijl_scene *other, uint32_t *map) {
  size_t before = scene->subscenes.count;
  places at = {.subscenes = map};
  map_subscenes(scene, other, map);
  if (!copy_arrays(scene, other, &at)) return false;
  for (size_t i = 0; i < other->subscenes.count; i++) {
    const sj_subscene *sub = &other->subscenes.data[i];
    if (map[i] >= before && !add_subscene(scene, *sub, sj_array_at(&other->inner, sub->first), &at)) return false;
  }
  sj_subscene made = {.serial = other->serial,
                      .count = (uint32_t)other->draws.count,
                      .depth = other->depth,
                      .nesting = other->nesting + 1,
                      .drawn = other->drawn,
                      .blends = other->blends};
  made.extent = (uint32_t)stijl_scene_bounds(other, &made.box);
  if (made.nesting > scene->nesting) scene->nesting = made.nesting;
  return add_subscene(scene, made, other->draws.data, &at);
}

bool sj_scene_embed(stijl_scene *scene, const stijl_scene *other, uint32_t *out) {
  if (!check(scene, other)) return false;
  if (find(scene, other->serial, out)) return true;
  uint32_t *map = sj_alloc_array(scene->context, other->subscenes.count + 1, sizeof *map);
  bool made = map && embed(scene, other, map);
  sj_free(scene->context, map);
  if (!made) sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
  if (made) *out = (uint32_t)scene->subscenes.count - 1;
  return made;
}
