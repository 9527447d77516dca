// Scenes within scenes: what another scene draws is copied into this one's arrays, once however often it is shown, so that
// a scene holds all that it needs.
#include <string.h>

#include "image/image.h"
#include "scene/filter.h"
#include "scene/scene.h"

// How deep scenes may be nested in one another.
#define MAX_NESTING 64

// Where in this scene the copies of another's strokes, paints, ... are; NONE: nowhere yet.
#define NONE UINT32_MAX
typedef struct {
  stijl_scene *to;
  const stijl_scene *from;
  const uint32_t *subscenes;  // for each of the other's, which one it is here
  uint32_t *strokes, *paints, *ramps, *images, *filters, *outlines, *runs;
  uint32_t matrix, matrix_count, matrices;  // the matrices of the last run in the other scene, and here
  SJ_ARRAY(uint32_t) open;                  // the copies of the draws that pushed the layers that are open
} copier;

static bool find(const stijl_scene *scene, uint64_t serial, uint32_t *out) {
  return sj_pairs_find(&scene->embedded, serial, 0, out);
}

static bool check(stijl_scene *scene, const stijl_scene *other) {
  if (!other || other == scene || !other->finished)
    sj_scene_fail(scene, STIJL_ERROR_INVALID_ARGUMENT, "a scene within a scene has to be another, finished one");
  else if (other->status != STIJL_OK)
    sj_scene_fail(scene, other->status, "the scene to add has failed: %s", other->message.text);
  else if (other->nesting >= MAX_NESTING)
    sj_scene_fail(scene, STIJL_ERROR_LIMIT, "scenes are nested deeper than %d", MAX_NESTING);
  return scene->status == STIJL_OK;
}

static bool no_memory(stijl_scene *scene) {
  sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
  return false;
}

// Makes room for so many more. Fails where there would be more than `most`.
#define ROOM(c, name, count_, most)                                                 \
  ((uint64_t)(c)->to->name.count + (count_) > (most)            ? too_many((c)->to) \
   : sj_array_reserve((c)->to->context, &(c)->to->name, count_) ? true              \
                                                                : no_memory((c)->to))

static bool too_many(stijl_scene *scene) {
  sj_scene_fail(scene, STIJL_ERROR_LIMIT, "adding a scene exceeds max_segments");
  return false;
}

// Copies the segments of a draw or an outline, and their points.
static bool copy_path(copier *c, sj_path_range *path) {
  stijl_scene *to = c->to;
  uint32_t first = path->segment, count = path->segment_count, here = (uint32_t)to->segments.count, end = 0;
  uint64_t points = 0;
  const k_segment *segments = sj_array_at(&c->from->segments, first);
  for (uint32_t i = 0; i < count; i++) points += (segments[i].flags & K_SEGMENT_KIND) + 1;
  if (!ROOM(c, segments, count, to->limits.max_segments) || !ROOM(c, points, points, UINT32_MAX / 2)) return false;
  for (uint32_t i = 0; i < count; i++) {
    k_segment segment = segments[i];
    uint32_t kind = segment.flags & K_SEGMENT_KIND;
    // The last point of a segment is the first of the next.
    bool follows = i && segment.point == end;
    const k_vec *p = c->from->points.data + segment.point;
    end = segment.point + kind;
    segment.point = (uint32_t)to->points.count - follows;
    if (segment.flags & K_SEGMENT_JOIN) segment.next = here + (segment.next - first);
    for (uint32_t k = follows; k <= kind; k++) to->points.data[to->points.count++] = p[k];
    to->segments.data[to->segments.count++] = segment;
  }
  path->segment = here;
  return true;
}

static bool copy_stroke(copier *c, uint32_t *stroke) {
  uint32_t *here = &c->strokes[*stroke];
  if (*here == NONE) {
    *here = (uint32_t)c->to->strokes.count;
    if (!sj_array_push(c->to->context, &c->to->strokes, c->from->strokes.data[*stroke])) return no_memory(c->to);
  }
  *stroke = *here;
  return true;
}

static bool copy_ramp(copier *c, uint32_t *ramp) {
  uint32_t *here = &c->ramps[*ramp];
  if (*here == NONE) {
    stijl_scene *to = c->to;
    sj_ramp made = c->from->ramps.data[*ramp];
    const k_ramp_piece *pieces = c->from->ramp_pieces.data + made.first;
    made.first = (uint32_t)to->ramp_pieces.count;
    *here = (uint32_t)to->ramps.count;
    if (!sj_array_reserve(to->context, &to->ramp_pieces, made.count) || !sj_array_push(to->context, &to->ramps, made))
      return no_memory(to);
    memcpy(to->ramp_pieces.data + made.first, pieces, made.count * sizeof *pieces);
    to->ramp_pieces.count += made.count;
  }
  *ramp = *here;
  return true;
}

static bool copy_image(copier *c, uint32_t *image) {
  uint32_t *here = &c->images[*image];
  if (*here == NONE) {
    *here = (uint32_t)c->to->images.count;
    if (!sj_array_push(c->to->context, &c->to->images, c->from->images.data[*image])) return no_memory(c->to);
    sj_image_retain(c->from->images.data[*image]);
  }
  *image = *here;
  return true;
}

static bool copy_paint(copier *c, uint32_t *paint) {
  uint32_t *here = &c->paints[*paint];
  if (*here == NONE) {
    sj_paint made = c->from->paints.data[*paint];
    if (made.kind == STIJL_PAINT_SCENE)
      made.source = c->subscenes[made.source];
    else if (!(made.kind == STIJL_PAINT_IMAGE ? copy_image(c, &made.source) : copy_ramp(c, &made.source)))
      return false;
    *here = (uint32_t)c->to->paints.count;
    if (!sj_array_push(c->to->context, &c->to->paints, made)) return no_memory(c->to);
  }
  *paint = *here;
  return true;
}

// A filter, which draws name by 1 + its number.
static bool copy_filter(copier *c, uint32_t *filter) {
  uint32_t *here = &c->filters[*filter - 1];
  if (*here == NONE) {
    stijl_scene *to = c->to;
    sj_layer_filter made = c->from->filters.data[*filter - 1];
    const uint32_t *scenes = sj_array_at(&c->from->filter_scenes, made.scenes);
    size_t count = made.filter->scenes.count;
    made.scenes = (uint32_t)to->filter_scenes.count;
    if (!sj_array_reserve(to->context, &to->filter_scenes, count)) return no_memory(to);
    for (size_t i = 0; i < count; i++) to->filter_scenes.data[to->filter_scenes.count++] = c->subscenes[scenes[i]];
    *here = (uint32_t)to->filters.count + 1;
    if (!sj_array_push(to->context, &to->filters, made)) return no_memory(to);
    sj_filter_retain(made.filter);
  }
  *filter = *here;
  return true;
}

static bool copy_outline(copier *c, uint32_t *outline) {
  uint32_t *here = &c->outlines[*outline];
  if (*here == NONE) {
    sj_path_range made = c->from->outlines.data[*outline];
    if (!copy_path(c, &made)) return false;
    *here = (uint32_t)c->to->outlines.count;
    if (!sj_array_push(c->to->context, &c->to->outlines, made)) return no_memory(c->to);
  }
  *outline = *here;
  return true;
}

// Copies the matrices of a glyph run, which mostly are those of the run before.
static bool copy_matrices(copier *c, sj_glyph_run *run) {
  if (c->matrix != run->matrix || c->matrix_count != run->matrix_count) {
    stijl_scene *to = c->to;
    if (!ROOM(c, matrices, run->matrix_count, UINT32_MAX / 2)) return false;
    c->matrix = run->matrix;
    c->matrix_count = run->matrix_count;
    c->matrices = (uint32_t)to->matrices.count;
    for (uint32_t i = 0; i < run->matrix_count; i++)
      to->matrices.data[to->matrices.count++] = c->from->matrices.data[run->matrix + i];
  }
  run->matrix = c->matrices;
  return true;
}

static bool copy_run(copier *c, uint32_t *number) {
  uint32_t *here = &c->runs[*number];
  if (*here == NONE) {
    stijl_scene *to = c->to;
    sj_glyph_run run = c->from->runs.data[*number];
    const stijl_instance *instances = sj_array_at(&c->from->instances, run.instance);
    if (!copy_matrices(c, &run) || !ROOM(c, instances, run.instance_count, UINT32_MAX / 2)) return false;
    run.instance = (uint32_t)to->instances.count;
    for (uint32_t i = 0; i < run.instance_count; i++) {
      stijl_instance made = instances[i];
      if (!copy_outline(c, &made.outline)) return false;
      to->instances.data[to->instances.count++] = made;
    }
    *here = (uint32_t)to->runs.count;
    if (!sj_array_push(to->context, &to->runs, run)) return no_memory(to);
  }
  *number = *here;
  return true;
}

// Copies what a draw refers to. The end of a layer has the path of its beginning.
static bool copy_draw(copier *c, sj_draw *draw) {
  stijl_scene *to = c->to;
  bool shape = draw->op <= K_DRAW_ALL || draw->op == SJ_DRAW_GLYPHS;
  if (draw->op == SJ_DRAW_SCENE) draw->paint = c->subscenes[draw->paint];
  if (draw->op == K_DRAW_POP) draw->path = to->inner.data[c->open.data[--c->open.count]].path;
  if (draw->op == K_DRAW_PUSH && !sj_array_push(to->context, &c->open, (uint32_t)to->inner.count)) return no_memory(to);
  return (draw->op == K_DRAW_POP || copy_path(c, &draw->path)) &&
         (draw->op != K_DRAW_STROKE || copy_stroke(c, &draw->stroke)) &&
         (draw->op != SJ_DRAW_GLYPHS || copy_run(c, &draw->run)) && (!draw->filter || copy_filter(c, &draw->filter)) &&
         (!shape || (draw->flags & K_DRAW_SOLID) || copy_paint(c, &draw->paint));
}

// Adds a scene within whose draws are these of the other scene.
static bool add_subscene(copier *c, sj_subscene made, const sj_draw *draws) {
  stijl_scene *to = c->to;
  made.first = (uint32_t)to->inner.count;
  if (!ROOM(c, inner, made.count, UINT32_MAX / 2)) return false;
  for (uint32_t i = 0; i < made.count; i++) {
    sj_draw draw = draws[i];
    if (!copy_draw(c, &draw)) return false;
    to->inner.data[to->inner.count++] = draw;
  }
  return (sj_pairs_add(to->context, &to->embedded, made.serial, 0, (uint32_t)to->subscenes.count) &&
          sj_array_push(to->context, &to->subscenes, made)) ||
         no_memory(to);
}

// Which of the scenes within each of the other's is here: one that is embedded already, or one that will be.
static void map_subscenes(const stijl_scene *scene, const stijl_scene *other, uint32_t *map) {
  uint32_t next = (uint32_t)scene->subscenes.count;
  for (size_t i = 0; i < other->subscenes.count; i++)
    if (!find(scene, other->subscenes.data[i].serial, &map[i])) map[i] = next++;
}

static bool embed(copier *c) {
  const stijl_scene *other = c->from;
  size_t before = c->to->subscenes.count;
  for (size_t i = 0; i < other->subscenes.count; i++) {
    const sj_subscene *sub = &other->subscenes.data[i];
    if (c->subscenes[i] >= before && !add_subscene(c, *sub, sj_array_at(&other->inner, sub->first))) return false;
  }
  sj_subscene made = {.serial = other->serial,
                      .count = (uint32_t)other->draws.count,
                      .depth = other->depth,
                      .nesting = other->nesting + 1,
                      .drawn = other->drawn,
                      .blends = other->blends,
                      .backdrops = other->backdrops};
  made.extent = (uint32_t)stijl_scene_bounds(other, &made.box);
  if (made.nesting > c->to->nesting) c->to->nesting = made.nesting;
  return add_subscene(c, made, other->draws.data);
}

bool sj_scene_embed(stijl_scene *scene, const stijl_scene *other, uint32_t *out) {
  if (!check(scene, other)) return false;
  if (find(scene, other->serial, out)) return true;
  copier c = {.to = scene, .from = other, .matrix = NONE};
  uint32_t **maps[] = {&c.strokes, &c.paints, &c.ramps, &c.images, &c.filters, &c.outlines, &c.runs};
  const size_t counts[] = {other->strokes.count, other->paints.count,  other->ramps.count,
                           other->images.count,  other->filters.count, other->outlines.count,
                           other->runs.count};
  size_t count = other->subscenes.count;
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) count += counts[i];
  uint32_t *all = sj_alloc_array(scene->context, count + 1, sizeof *all);
  if (!all) return no_memory(scene);
  memset(all, 0xff, (count + 1) * sizeof *all);
  map_subscenes(scene, other, all);
  c.subscenes = all;
  uint32_t *next = all + other->subscenes.count;
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    *maps[i] = next;
    next += counts[i];
  }
  bool made = embed(&c);
  sj_array_finish(scene->context, &c.open);
  sj_free(scene->context, all);
  if (made) *out = (uint32_t)scene->subscenes.count - 1;
  return made;
}
