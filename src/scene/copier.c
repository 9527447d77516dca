#include "scene/copier.h"

#include <string.h>

#include "image/image.h"
#include "scene/filter.h"

bool sj_copy_no_memory(stijl_scene *scene) {
  sj_scene_fail(scene, STIJL_ERROR_OUT_OF_MEMORY, "out of memory");
  return false;
}

bool sj_copy_too_many(stijl_scene *scene) {
  sj_scene_fail(scene, STIJL_ERROR_LIMIT, "adding a scene exceeds max_segments");
  return false;
}

bool sj_copier_begin(sj_copier *c, stijl_scene *to, const stijl_scene *from) {
  *c = (sj_copier){.to = to, .from = from, .matrix = SJ_NOT_COPIED};
  uint32_t **maps[] = {&c->subscenes, &c->strokes, &c->paints,   &c->ramps,
                       &c->images,    &c->filters, &c->outlines, &c->runs};
  const size_t counts[] = {from->subscenes.count, from->strokes.count, from->paints.count,   from->ramps.count,
                           from->images.count,    from->filters.count, from->outlines.count, from->runs.count};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) c->map_count += counts[i];
  uint32_t *next = sj_alloc_array(to->context, c->map_count + 1, sizeof *next);
  if (!next) return sj_copy_no_memory(to);
  memset(next, 0xff, (c->map_count + 1) * sizeof *next);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    *maps[i] = next;
    next += counts[i];
  }
  return true;
}

void sj_copier_reset(sj_copier *c) {
  for (size_t i = 0; i < c->touched.count; i++) *c->touched.data[i] = SJ_NOT_COPIED;
  c->touched.count = c->open.count = 0;
  c->matrix = SJ_NOT_COPIED;
}

void sj_copier_finish(sj_copier *c) {
  if (!c->to) return;
  sj_arrays_finish(c->to->context, &c->open, &c->touched);
  sj_free(c->to->context, c->subscenes);
  *c = (sj_copier){0};
}

static bool note(sj_copier *c, uint32_t *here, size_t number) {
  *here = (uint32_t)number;
  return sj_array_push(c->to->context, &c->touched, here) || sj_copy_no_memory(c->to);
}

static k_vec seen_from(k_vec p, double x, double y) {
  if (x == 0.0 && y == 0.0) return p;
  return sj_without_subnormals(k_vec_make((float)((double)p.x - x), (float)((double)p.y - y)));
}

bool sj_copy_path(sj_copier *c, sj_path_range *path, double x, double y) {
  stijl_scene *to = c->to;
  uint32_t first = path->segment, count = path->segment_count, here = (uint32_t)to->segments.count, end = 0;
  uint64_t points = 0;
  const k_segment *segments = sj_array_at(&c->from->segments, first);
  for (uint32_t i = 0; i < count; i++) points += (segments[i].flags & K_SEGMENT_KIND) + 1;
  if (!SJ_COPY_ROOM(c, segments, count, to->limits.max_segments) || !SJ_COPY_ROOM(c, points, points, UINT32_MAX / 2))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    k_segment segment = segments[i];
    uint32_t kind = segment.flags & K_SEGMENT_KIND;
    // The last point of a segment is the first of the next.
    bool follows = i && segment.point == end;
    const k_vec *p = c->from->points.data + segment.point;
    end = segment.point + kind;
    segment.point = (uint32_t)to->points.count - follows;
    if (segment.flags & K_SEGMENT_JOIN) segment.next = here + (segment.next - first);
    for (uint32_t k = follows; k <= kind; k++) to->points.data[to->points.count++] = seen_from(p[k], x, y);
    to->segments.data[to->segments.count++] = segment;
  }
  path->segment = here;
  return true;
}

bool sj_copy_stroke(sj_copier *c, uint32_t *stroke) {
  uint32_t *here = &c->strokes[*stroke];
  if (*here == SJ_NOT_COPIED) {
    if (!note(c, here, c->to->strokes.count)) return false;
    if (!sj_array_push(c->to->context, &c->to->strokes, c->from->strokes.data[*stroke]))
      return sj_copy_no_memory(c->to);
  }
  *stroke = *here;
  return true;
}

static bool copy_ramp(sj_copier *c, uint32_t *ramp) {
  uint32_t *here = &c->ramps[*ramp];
  if (*here == SJ_NOT_COPIED) {
    stijl_scene *to = c->to;
    sj_ramp made = c->from->ramps.data[*ramp];
    const k_ramp_piece *pieces = c->from->ramp_pieces.data + made.first;
    made.first = (uint32_t)to->ramp_pieces.count;
    if (!note(c, here, to->ramps.count)) return false;
    if (!sj_array_reserve(to->context, &to->ramp_pieces, made.count) || !sj_array_push(to->context, &to->ramps, made))
      return sj_copy_no_memory(to);
    memcpy(to->ramp_pieces.data + made.first, pieces, made.count * sizeof *pieces);
    to->ramp_pieces.count += made.count;
  }
  *ramp = *here;
  return true;
}

static bool copy_image(sj_copier *c, uint32_t *image) {
  uint32_t *here = &c->images[*image];
  if (*here == SJ_NOT_COPIED) {
    if (!note(c, here, c->to->images.count)) return false;
    if (!sj_array_push(c->to->context, &c->to->images, c->from->images.data[*image])) return sj_copy_no_memory(c->to);
    sj_image_retain(c->from->images.data[*image]);
  }
  *image = *here;
  return true;
}

bool sj_copy_source(sj_copier *c, sj_paint *paint) {
  if (paint->kind != STIJL_PAINT_SCENE)
    return paint->kind == STIJL_PAINT_IMAGE ? copy_image(c, &paint->source) : copy_ramp(c, &paint->source);
  paint->source = c->subscenes[paint->source];
  return true;
}

static bool copy_paint(sj_copier *c, uint32_t *paint) {
  uint32_t *here = &c->paints[*paint];
  if (*here == SJ_NOT_COPIED) {
    sj_paint made = c->from->paints.data[*paint];
    if (!sj_copy_source(c, &made) || !note(c, here, c->to->paints.count)) return false;
    if (!sj_array_push(c->to->context, &c->to->paints, made)) return sj_copy_no_memory(c->to);
  }
  *paint = *here;
  return true;
}

bool sj_copy_filter(sj_copier *c, sj_layer_filter filter, const uint32_t *scenes, bool made, uint32_t *out) {
  stijl_scene *to = c->to;
  size_t count = filter.filter->scenes.count;
  if (!c->shapes) filter.region_count = 0;
  const stijl_rect *regions = sj_array_at(&c->from->filter_regions, filter.regions);
  filter.scenes = (uint32_t)to->filter_scenes.count;
  filter.regions = (uint32_t)to->filter_regions.count;
  if (!sj_array_reserve(to->context, &to->filter_scenes, count) ||
      !sj_array_reserve(to->context, &to->filter_regions, filter.region_count))
    return sj_copy_no_memory(to);
  for (size_t i = 0; i < count; i++)
    to->filter_scenes.data[to->filter_scenes.count++] = made ? scenes[i] : c->subscenes[scenes[i]];
  for (uint32_t i = 0; i < filter.region_count; i++) to->filter_regions.data[to->filter_regions.count++] = regions[i];
  if (!sj_array_push(to->context, &to->filters, filter)) return sj_copy_no_memory(to);
  sj_filter_retain(filter.filter);
  *out = (uint32_t)to->filters.count;
  return true;
}

// Copies a filter as it is. Draws name it by 1 + its number.
static bool copy_filter(sj_copier *c, uint32_t *filter) {
  uint32_t *here = &c->filters[*filter - 1], made;
  if (*here == SJ_NOT_COPIED) {
    sj_layer_filter from = c->from->filters.data[*filter - 1];
    if (!sj_copy_filter(c, from, sj_array_at(&c->from->filter_scenes, from.scenes), false, &made) ||
        !note(c, here, made))
      return false;
  }
  *filter = *here;
  return true;
}

bool sj_copy_outline(sj_copier *c, uint32_t *outline) {
  uint32_t *here = &c->outlines[*outline];
  if (*here == SJ_NOT_COPIED) {
    sj_path_range made = c->from->outlines.data[*outline];
    if (!sj_copy_path(c, &made, 0.0, 0.0) || !note(c, here, c->to->outlines.count)) return false;
    if (!sj_array_push(c->to->context, &c->to->outlines, made)) return sj_copy_no_memory(c->to);
    if (*outline < c->from->outline_glyphs.count &&
        !sj_scene_name_outline(c->to, *here, &c->from->outline_glyphs.data[*outline]))
      return sj_copy_no_memory(c->to);
  }
  *outline = *here;
  return true;
}

bool sj_copy_matrices(sj_copier *c, sj_glyph_run *run) {
  if (c->matrix != run->matrix || c->matrix_count != run->matrix_count) {
    stijl_scene *to = c->to;
    if (!SJ_COPY_ROOM(c, matrices, run->matrix_count, UINT32_MAX / 2)) return false;
    c->matrix = run->matrix;
    c->matrix_count = run->matrix_count;
    c->matrices = (uint32_t)to->matrices.count;
    for (uint32_t i = 0; i < run->matrix_count; i++)
      to->matrices.data[to->matrices.count++] = c->from->matrices.data[run->matrix + i];
  }
  run->matrix = c->matrices;
  return true;
}

static bool copy_run(sj_copier *c, uint32_t *number) {
  uint32_t *here = &c->runs[*number];
  if (*here == SJ_NOT_COPIED) {
    stijl_scene *to = c->to;
    sj_glyph_run run = c->from->runs.data[*number];
    const stijl_instance *instances = sj_array_at(&c->from->instances, run.instance);
    if (!sj_copy_matrices(c, &run) || !SJ_COPY_ROOM(c, instances, run.instance_count, UINT32_MAX / 2)) return false;
    uint32_t first = (uint32_t)to->instances.count, said = run.instance + run.instance_count;
    if (said <= c->from->texts.count &&
        !sj_scene_note_text(to, first, c->from->texts.data + run.instance, run.instance_count, c->from->utf8.data))
      return sj_copy_no_memory(to);
    run.instance = first;
    for (uint32_t i = 0; i < run.instance_count; i++) {
      stijl_instance made = instances[i];
      if (!sj_copy_outline(c, &made.outline)) return false;
      to->instances.data[to->instances.count++] = made;
    }
    if (!note(c, here, to->runs.count)) return false;
    if (!sj_array_push(to->context, &to->runs, run)) return sj_copy_no_memory(to);
  }
  *number = *here;
  return true;
}

// Copies what a draw refers to. The end of a layer has the path of its beginning.
static bool copy_draw(sj_copier *c, sj_draw *draw) {
  stijl_scene *to = c->to;
  bool shape = draw->op <= K_DRAW_ALL || draw->op == SJ_DRAW_GLYPHS;
  if (draw->op == SJ_DRAW_SCENE) draw->paint = c->subscenes[draw->paint];
  if (draw->op == K_DRAW_POP) draw->path = to->inner.data[c->open.data[--c->open.count]].path;
  if (draw->op == K_DRAW_PUSH && !sj_array_push(to->context, &c->open, (uint32_t)to->inner.count))
    return sj_copy_no_memory(to);
  return (draw->op == K_DRAW_POP || sj_copy_path(c, &draw->path, 0.0, 0.0)) &&
         (draw->op != K_DRAW_STROKE || sj_copy_stroke(c, &draw->stroke)) &&
         (draw->op != SJ_DRAW_GLYPHS || copy_run(c, &draw->run)) && (!draw->filter || copy_filter(c, &draw->filter)) &&
         (!shape || (draw->flags & K_DRAW_SOLID) || copy_paint(c, &draw->paint));
}

bool sj_copy_subscene(sj_copier *c, sj_subscene sub, const sj_draw *draws) {
  stijl_scene *to = c->to;
  sub.first = (uint32_t)to->inner.count;
  if (!SJ_COPY_ROOM(c, inner, sub.count, UINT32_MAX / 2)) return false;
  for (uint32_t i = 0; i < sub.count; i++) {
    sj_draw draw = draws[i];
    if (!copy_draw(c, &draw)) return false;
    to->inner.data[to->inner.count++] = draw;
  }
  return (sj_pairs_add(to->context, &to->embedded, sub.serial, 0, (uint32_t)to->subscenes.count) &&
          sj_array_push(to->context, &to->subscenes, sub)) ||
         sj_copy_no_memory(to);
}
