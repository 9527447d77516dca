#include "scene/gather.h"

#include <string.h>

#include "image/image.h"

// The arrays that a scene without filters and scenes within consists of. Indices of one array are in others, so that a
// copy of all differs from the original by one number for each array.
#define ARRAYS(f)                                                                                                 \
  f(points) f(segments) f(strokes) f(outlines) f(instances) f(matrices) f(runs) f(paints) f(ramps) f(ramp_pieces) \
      f(images)

// Where a scene's arrays begin in the one that has all.
typedef struct {
  const stijl_scene *from;
  uint32_t subscene;
  size_t inner;
#define MEMBER(name) size_t name;
  ARRAYS(MEMBER)
#undef MEMBER
} gathered;

typedef struct {
  stijl_scene *to;
  SJ_ARRAY(gathered) scenes;
} gathering;

#define MOST_ELEMENTS (UINT32_MAX / 2)
#define SCENES_AT_ONCE 16

static bool is_plain(const stijl_scene *scene) {
  return scene->finished && scene->status == STIJL_OK && !scene->subscenes.count && !scene->filters.count;
}

static bool no_memory(stijl_scene *scene) {
  sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
  return false;
}

// Finds the plain scenes that are not embedded yet.
static bool find_new(gathering *g, const stijl_scene *const *others, size_t count, uint32_t *out) {
  stijl_scene *to = g->to;
  if (!sj_array_reserve(to->context, &g->scenes, count) || !sj_array_reserve(to->context, &to->subscenes, count))
    return no_memory(to);
  for (size_t i = 0; i < count; i++) {
    uint64_t serial = others[i]->serial;
    if (!is_plain(others[i]) || sj_pairs_find(&to->embedded, serial, 0, &out[i])) continue;
    out[i] = (uint32_t)to->subscenes.count;
    if (!sj_pairs_add(to->context, &to->embedded, serial, 0, out[i])) return no_memory(to);
    to->subscenes.data[to->subscenes.count++] = (sj_subscene){.serial = serial};
    g->scenes.data[g->scenes.count++] = (gathered){.from = others[i], .subscene = out[i]};
  }
  if (g->scenes.count) to->nesting = k_max(to->nesting, 1);
  return true;
}

// Notes how many elements the arrays of some scenes have.
static void count_some(void *user, uint32_t index, int thread) {
  gathering *g = user;
  size_t first = (size_t)index * SCENES_AT_ONCE, end = k_min(first + SCENES_AT_ONCE, g->scenes.count);
  (void)thread;
  for (size_t i = first; i < end; i++) {
    gathered *at = &g->scenes.data[i];
    at->inner = at->from->draws.count;
#define COUNT(name) at->name = at->from->name.count;
    ARRAYS(COUNT)
#undef COUNT
  }
}

// Finds where they go behind what the scene has, and makes room.
static bool lay_out(gathering *g) {
  stijl_scene *to = g->to;
  gathered at = {.inner = to->inner.count};
#define BEGIN(name) at.name = to->name.count;
  ARRAYS(BEGIN)
#undef BEGIN
  for (size_t i = 0; i < g->scenes.count; i++) {
    gathered counts = g->scenes.data[i], *made = &g->scenes.data[i];
    made->inner = at.inner;
    at.inner += counts.inner;
    bool fits = at.inner <= MOST_ELEMENTS;
#define ADD(name)         \
  made->name = at.name;   \
  at.name += counts.name; \
  fits = fits && at.name <= MOST_ELEMENTS;
    ARRAYS(ADD)
#undef ADD
    if (fits && at.segments <= to->limits.max_segments) continue;
    sj_scene_fail(to, STIJL_ERROR_LIMIT, "the scenes are too large together");
    return false;
  }
  bool memory = sj_array_reserve(to->context, &to->inner, at.inner - to->inner.count);
#define RESERVE(name) memory = memory && sj_array_reserve(to->context, &to->name, at.name - to->name.count);
  ARRAYS(RESERVE)
#undef RESERVE
  if (!memory) return no_memory(to);
  to->inner.count = at.inner;
#define SET(name) to->name.count = at.name;
  ARRAYS(SET)
#undef SET
  return true;
}

static void copy_draws(const gathered *g, sj_draw *out) {
  for (size_t i = 0; i < g->from->draws.count; i++) {
    sj_draw draw = g->from->draws.data[i];
    bool shape = draw.op <= K_DRAW_ALL || draw.op == SJ_DRAW_GLYPHS;
    draw.path.segment += (uint32_t)g->segments;
    if (draw.op == K_DRAW_STROKE) draw.stroke += (uint32_t)g->strokes;
    if (draw.op == SJ_DRAW_GLYPHS) draw.run += (uint32_t)g->runs;
    if (shape && !(draw.flags & K_DRAW_SOLID)) draw.paint += (uint32_t)g->paints;
    out[i] = draw;
  }
}

#define COPY(name) \
  if (from->name.count) memcpy(to->name.data + g->name, from->name.data, from->name.count * sizeof *from->name.data);

static void copy_scene(stijl_scene *to, const gathered *g) {
  const stijl_scene *from = g->from;
  ARRAYS(COPY)
  copy_draws(g, sj_array_at(&to->inner, g->inner));
  for (size_t i = 0; i < from->segments.count; i++) {
    k_segment *segment = &to->segments.data[g->segments + i];
    segment->point += (uint32_t)g->points;
    if (segment->flags & K_SEGMENT_JOIN) segment->next += (uint32_t)g->segments;
  }
  for (size_t i = 0; i < from->outlines.count; i++) to->outlines.data[g->outlines + i].segment += (uint32_t)g->segments;
  for (size_t i = 0; i < from->instances.count; i++)
    to->instances.data[g->instances + i].outline += (uint32_t)g->outlines;
  for (size_t i = 0; i < from->runs.count; i++) {
    sj_glyph_run *run = &to->runs.data[g->runs + i];
    run->instance += (uint32_t)g->instances;
    run->matrix += (uint32_t)g->matrices;
  }
  for (size_t i = 0; i < from->paints.count; i++) {
    sj_paint *paint = &to->paints.data[g->paints + i];
    paint->source += (uint32_t)(paint->kind == STIJL_PAINT_IMAGE ? g->images : g->ramps);
  }
  for (size_t i = 0; i < from->ramps.count; i++) to->ramps.data[g->ramps + i].first += (uint32_t)g->ramp_pieces;
  for (size_t i = 0; i < from->images.count; i++) sj_image_retain(from->images.data[i]);
  sj_subscene *made = &to->subscenes.data[g->subscene];
  made->first = (uint32_t)g->inner;
  made->count = (uint32_t)from->draws.count;
  made->depth = from->depth;
  made->nesting = 1;
  made->drawn = from->drawn;
  made->blends = from->blends;
  made->backdrops = from->backdrops;
  made->extent = (uint32_t)stijl_scene_bounds(from, &made->box);
}

static void copy_some(void *user, uint32_t index, int thread) {
  const gathering *g = user;
  size_t first = (size_t)index * SCENES_AT_ONCE, end = k_min(first + SCENES_AT_ONCE, g->scenes.count);
  (void)thread;
  for (size_t i = first; i < end; i++) copy_scene(g->to, &g->scenes.data[i]);
}

bool sj_scene_gather(stijl_scene *scene, const stijl_scene *const *others, size_t count, sj_pool *pool, uint32_t *out) {
  gathering g = {.to = scene};
  bool made = find_new(&g, others, count, out);
  uint32_t parts = (uint32_t)((g.scenes.count + SCENES_AT_ONCE - 1) / SCENES_AT_ONCE);
  if (made) sj_pool_run(pool, parts, count_some, &g);
  made = made && lay_out(&g);
  if (made) sj_pool_run(pool, parts, copy_some, &g);
  sj_array_finish(scene->context, &g.scenes);
  for (size_t i = 0; made && i < count; i++)
    if (!is_plain(others[i])) made = sj_scene_embed(scene, others[i], &out[i]);
  return made;
}
