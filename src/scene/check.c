// Checks scenes that were read from a file. What passes could have been recorded: no code behind it has to doubt.
#include "geometry/path.h"
#include "image/image.h"
#include "kernel/composite.h"
#include "scene/file.h"
#include "scene/filter.h"

#define MAX_NESTING 64

typedef struct {
  stijl_scene *scene;
  stijl_message *message;
  stijl_result result;
  SJ_ARRAY(sj_draw *) open;  // pushes whose layers are open
  uint64_t segments;         // that draws have had so far, and outlines
  uint64_t instances;        // that draws have had so far
} checker;

static bool damaged(checker *c, const char *what, size_t index) {
  c->result = sj_fail(c->message, STIJL_ERROR_MALFORMED, "the saved scene is damaged: %s %zu has values that cannot be",
                      what, index);
  return false;
}

static bool is_finite(float x) { return x - x == 0.0f; }

// Returns whether no colour exceeds its alpha.
static bool is_premultiplied(uint32_t p) {
  uint32_t a = p >> 24;
  return (p & 255) <= a && (p >> 8 & 255) <= a && (p >> 16 & 255) <= a;
}

static bool all_premultiplied(const uint32_t *pixels, size_t count) {
  bool all = true;
  for (size_t i = 0; i < count; i++) all &= is_premultiplied(pixels[i]);
  return all;
}

static bool check_points(checker *c) {
  const stijl_scene *s = c->scene;
  for (size_t i = 0; i < s->points.count; i++) {
    k_vec *p = &s->points.data[i];
    if (!sj_path_coordinate_ok(p->x) || !sj_path_coordinate_ok(p->y)) return damaged(c, "point", i);
    *p = sj_without_subnormals(*p);
  }
  const uint32_t known = K_SEGMENT_KIND | K_SEGMENT_CAP_START | K_SEGMENT_CAP_END | K_SEGMENT_JOIN;
  for (size_t i = 0; i < s->segments.count; i++) {
    const k_segment *segment = &s->segments.data[i];
    uint32_t kind = segment->flags & K_SEGMENT_KIND, last = segment->flags & K_SEGMENT_JOIN ? 1 : 0;
    if (segment->flags & ~known || (uint64_t)segment->point + kind >= s->points.count ||
        (uint64_t)segment->next + last > s->segments.count)
      return damaged(c, "segment", i);
  }
  return true;
}

static bool check_images(checker *c) {
  for (size_t i = 0; i < c->scene->images.count; i++) {
    const stijl_image *image = c->scene->images.data[i];
    const uint32_t *pixels = (const uint32_t *)(const void *)image->pixels;
    size_t count = (size_t)image->width * (size_t)image->height;
    if (image->format == STIJL_FORMAT_RGBA8 && !all_premultiplied(pixels, count)) {
      c->result = sj_fail(c->message, STIJL_ERROR_MALFORMED,
                          "the saved scene is damaged: image %zu has a pixel whose colour is above its alpha", i);
      return false;
    }
  }
  return true;
}

// Finds where the pieces of ramps are, whose numbers were read.
static bool check_ramps(checker *c) {
  stijl_scene *s = c->scene;
  size_t at = 0;
  for (size_t i = 0; i < s->ramps.count; i++) {
    sj_ramp *ramp = &s->ramps.data[i];
    const k_ramp_piece *pieces = sj_array_at(&s->ramp_pieces, at);
    if (ramp->count > s->ramp_pieces.count - at || !sj_ramp_check(pieces, ramp->count)) return damaged(c, "ramp", i);
    ramp->first = (uint32_t)at;
    ramp->color = sj_ramp_alpha(pieces, ramp->count);
    at += ramp->count;
  }
  return at == s->ramp_pieces.count || damaged(c, "ramp", s->ramps.count);
}

static bool check_gradient(const stijl_scene *s, sj_paint *p) {
  if (p->source >= s->ramps.count || p->spread_x == STIJL_SPREAD_NONE) return false;
  p->color = s->ramps.data[p->source].color;
  p->opaque = p->color == 256;
  return true;
}

static bool check_paint(const stijl_scene *s, sj_paint *p) {
  float sum = p->p0.x + p->p0.y + p->p1.x + p->p1.y + p->r0 + p->r1 + p->start_angle + p->end_angle + p->lead_angle;
  if (!is_finite(sum) || !stijl_matrix_is_finite(p->transform) || p->r0 < 0.0f || p->r1 < 0.0f ||
      p->spread_x > STIJL_SPREAD_NONE || p->spread_y > STIJL_SPREAD_NONE || p->sampling > STIJL_SAMPLING_BICUBIC)
    return false;
  switch ((stijl_paint_kind)p->kind) {
    case STIJL_PAINT_LINEAR:
    case STIJL_PAINT_RADIAL:
    case STIJL_PAINT_SWEEP: return check_gradient(s, p);
    case STIJL_PAINT_IMAGE:
      if (p->source >= s->images.count || p->color > 255) return false;
      p->opaque = sj_image_paint_is_opaque(p, s->images.data[p->source]);
      return true;
    case STIJL_PAINT_SCENE:
      return p->source < s->subscenes.count && p->color <= 255 && p->p1.x > p->p0.x && p->p1.y > p->p0.y;
    case STIJL_PAINT_SOLID: break;  // no entry of a table
  }
  return false;
}

static bool check_paints(checker *c) {
  const stijl_scene *s = c->scene;
  for (size_t i = 0; i < s->filters.count; i++) {
    const sj_layer_filter *filter = &s->filters.data[i];
    if (!stijl_matrix_is_finite(filter->transform) || !sj_filter_check(filter->filter)) return damaged(c, "filter", i);
  }
  for (size_t i = 0; i < s->paints.count; i++)
    if (!check_paint(s, &s->paints.data[i])) return damaged(c, "paint", i);
  for (size_t i = 0; i < s->strokes.count; i++) {
    const sj_stroke *k = &s->strokes.data[i];
    if (!is_finite(k->half_width) || !(k->half_width > 0.0f) || !is_finite(k->miter_limit) ||
        !(k->miter_limit >= 1.0f) || k->cap > STIJL_CAP_SQUARE || k->join > STIJL_JOIN_MITER_CLIP ||
        !stijl_matrix_is_finite(k->pen))
      return damaged(c, "stroke", i);
  }
  return true;
}

// Returns whether a path is a rectangle, drawn once around, or less.
static bool is_rect(const stijl_scene *s, const sj_path_range *path) {
  if (path->segment_count > 4) return false;
  for (uint32_t i = 0; i < path->segment_count; i++) {
    const k_segment *segment = &s->segments.data[path->segment + i];
    const k_vec *p = &s->points.data[segment->point];
    stijl_rect b = path->box;
    bool corners = (p[0].x == b.x0 || p[0].x == b.x1) && (p[0].y == b.y0 || p[0].y == b.y1);
    if ((segment->flags & K_SEGMENT_KIND) != K_SEGMENT_LINE || !corners || (p[0].x != p[1].x && p[0].y != p[1].y))
      return false;
  }
  return true;
}

static bool same(k_vec a, k_vec b) { return a.x == b.x && a.y == b.y; }

// Returns whether the segments are contours of a fill: the points of each follow one another, and the last is the first
// again.
static bool is_fill(const stijl_scene *s, const sj_path_range *path) {
  const k_segment *segments = sj_array_at(&s->segments, path->segment);
  const k_vec *points = s->points.data;
  uint32_t start = 0, end = 0;  // of the contour
  for (uint32_t i = 0; i < path->segment_count; i++) {
    uint32_t kind = segments[i].flags & K_SEGMENT_KIND, at = segments[i].point;
    if (segments[i].flags != kind || kind == K_SEGMENT_DOT) return false;
    if (i == 0 || at != end) {
      if (i && (at < end || !same(points[start], points[end]))) return false;
      start = at;
    }
    end = at + kind;
  }
  return path->segment_count == 0 || same(points[start], points[end]);
}

// Returns whether the segments are subpaths of a stroke: dots, open ones with a cap at either end, and closed ones,
// whose last segment is joined to the first.
static bool is_stroke(const stijl_scene *s, const sj_path_range *path) {
  const k_segment *segments = s->segments.data;
  const k_vec *points = s->points.data;
  uint32_t start = path->segment, end = start + path->segment_count;
  for (uint32_t i = start; i < end; i++) {
    uint32_t flags = segments[i].flags, kind = flags & K_SEGMENT_KIND, last = segments[i].point + kind;
    bool first = i == start, open = segments[start].flags & K_SEGMENT_CAP_START;
    if (i > path->segment && segments[i].point < segments[i - 1].point) return false;
    if (kind == K_SEGMENT_DOT) {
      if (!first || flags) return false;
      start = i + 1;
      continue;
    }
    if (!first && (flags & K_SEGMENT_CAP_START)) return false;
    if (!(flags & K_SEGMENT_JOIN)) {
      if (!open || !(flags & K_SEGMENT_CAP_END)) return false;
      start = i + 1;
      continue;
    }
    uint32_t next = segments[i].next;
    if (flags & K_SEGMENT_CAP_END || next >= end || !same(points[last], points[segments[next].point])) return false;
    if (next == start && !open)
      start = i + 1;
    else if (next != i + 1)
      return false;
  }
  return start == end;
}

// Returns whether a path's segments are there. Each draw and each outline has segments of its own, so that checking all
// of them takes no more time than reading the file did.
static bool has_segments(checker *c, const sj_path_range *path) {
  size_t count = c->scene->segments.count;
  c->segments += path->segment_count;
  return (uint64_t)path->segment + path->segment_count <= count && c->segments <= count;
}

// Finds the path's box and its lines, and whether it is one that the draw can have.
static bool check_path(checker *c, sj_draw *d) {
  const stijl_scene *s = c->scene;
  sj_path_range *path = &d->path;
  if (!has_segments(c, path)) return false;
  sj_scene_measure_path(s, path);
  return d->op == K_DRAW_STROKE ? is_stroke(s, path) : is_fill(s, path);
}

static bool check_outlines(checker *c) {
  const stijl_scene *s = c->scene;
  for (size_t i = 0; i < s->outlines.count; i++) {
    sj_path_range *outline = &s->outlines.data[i];
    if (!has_segments(c, outline)) return damaged(c, "outline", i);
    sj_scene_measure_path(s, outline);
    if (!is_fill(s, outline)) return damaged(c, "outline", i);
  }
  for (size_t i = 0; i < s->matrices.count; i++)
    if (!stijl_matrix_is_finite(s->matrices.data[i])) return damaged(c, "matrix", i);
  for (size_t i = 0; i < s->runs.count; i++) {
    const sj_glyph_run *glyphs = &s->runs.data[i];
    if ((uint64_t)glyphs->instance + glyphs->instance_count > s->instances.count ||
        (uint64_t)glyphs->matrix + glyphs->matrix_count > s->matrices.count)
      return damaged(c, "glyph run", i);
  }
  return true;
}

// What a run of draws shows: the scene, or one within it.
typedef struct {
  uint32_t scenes;  // those that come before, and may be within
  uint32_t depth, nesting;
  uint64_t drawn;
  bool blends, backdrops;
} run;

static bool check_use(checker *c, run *r, uint32_t number, bool as_paint) {
  if (number >= r->scenes) return false;
  const sj_subscene *sub = &c->scene->subscenes.data[number];
  if (sub->nesting > r->nesting) r->nesting = sub->nesting;
  if (as_paint) return true;
  uint32_t depth = (uint32_t)c->open.count + sub->depth;
  if (depth > r->depth) r->depth = depth;
  r->drawn += sub->drawn;
  if (sub->blends && c->open.count)
    c->open.data[c->open.count - 1]->holds_blend = true;
  else if (sub->blends)
    r->blends = true;
  return true;
}

// Finds how far a glyph run reaches. Each draw has instances of its own.
static bool check_glyphs(checker *c, sj_draw *d) {
  const stijl_scene *s = c->scene;
  if (d->run >= s->runs.count || d->path.segment_count || d->path.segment > s->segments.count) return false;
  sj_glyph_run *glyphs = &s->runs.data[d->run];
  c->instances += glyphs->instance_count;
  return c->instances <= s->instances.count && sj_scene_measure_run(s, glyphs, &d->path.box) && glyphs->segments &&
         glyphs->segments <= s->limits.max_segments;
}

static bool check_shape(checker *c, run *r, sj_draw *d) {
  const stijl_scene *s = c->scene;
  uint32_t known = K_DRAW_SOLID | K_DRAW_HIDDEN;
  if (d->op != K_DRAW_ALL) known |= K_DRAW_ALIASED;
  if (d->op == K_DRAW_FILL) known |= K_DRAW_EVENODD;
  r->drawn++;
  if (d->flags & ~known || d->clip_is_rect || d->blend || d->opacity || d->filter) return false;
  bool glyphs = d->op == SJ_DRAW_GLYPHS, has_path = d->op == K_DRAW_FILL || d->op == K_DRAW_STROKE;
  if (has_path != (d->path.segment_count != 0)) return false;
  if (d->op == K_DRAW_STROKE ? d->stroke >= s->strokes.count : !glyphs && d->stroke != 0) return false;
  if (d->op == K_DRAW_STROKE && s->strokes.data[d->stroke].aliased != ((d->flags & K_DRAW_ALIASED) != 0)) return false;
  if (glyphs ? !check_glyphs(c, d) : !check_path(c, d)) return false;
  if (d->flags & K_DRAW_SOLID) return is_premultiplied(d->paint);
  if (d->paint >= s->paints.count) return false;
  const sj_paint *paint = &s->paints.data[d->paint];
  return paint->kind != STIJL_PAINT_SCENE || check_use(c, r, paint->source, true);
}

// Checks the filter of a layer, which draws scenes that come before.
static bool check_filter(checker *c, run *r, uint32_t number) {
  const stijl_scene *s = c->scene;
  if (number > s->filters.count) return false;
  const sj_layer_filter *filter = &s->filters.data[number - 1];
  size_t scenes = filter->filter->scenes.count;
  if ((uint64_t)filter->scenes + scenes > s->filter_scenes.count) return false;
  for (size_t i = 0; i < scenes; i++)
    if (!check_use(c, r, s->filter_scenes.data[filter->scenes + i], true)) return false;
  return true;
}

static bool check_push(checker *c, run *r, sj_draw *d) {
  bool mask = d->blend >= K_BLEND_MASK_ALPHA;
  if (d->filter && (mask || !check_filter(c, r, d->filter))) return false;
  if (d->flags & ~(K_DRAW_CLIP | K_DRAW_EVENODD | K_DRAW_HIDDEN) || (d->blend >= K_BLEND_MODES && !mask) ||
      d->opacity > 255 || d->blend > K_BLEND_MASK_LUMINANCE_LINEAR || d->stroke || d->paint)
    return false;
  if (mask && (d->flags || d->opacity != 255 || !c->open.count)) return false;
  if (!(d->flags & K_DRAW_CLIP) && (d->path.segment_count || d->clip_is_rect)) return false;
  if (!check_path(c, d) || (d->clip_is_rect && !is_rect(c->scene, &d->path))) return false;
  r->drawn++;
  sj_draw *outer = c->open.count ? c->open.data[c->open.count - 1] : NULL;
  if (mask)
    outer->holds_mask = true;
  else if (d->blend != K_BLEND_NORMAL && outer)
    outer->holds_blend = true;
  else if (d->blend != K_BLEND_NORMAL)
    r->blends = true;
  if (d->filter && c->scene->filters.data[d->filter - 1].filter->reads_backdrop) {
    if (!outer)
      r->backdrops = true;
    else if (outer->holds_mask)
      return false;
    else
      outer->holds_backdrop = true;
  }
  if (!sj_array_push(c->scene->context, &c->open, d)) {
    c->result = sj_fail_memory(c->message);
    return false;
  }
  if (c->open.count > r->depth) r->depth = (uint32_t)c->open.count;
  return true;
}

static bool check_draw(checker *c, run *r, sj_draw *d) {
  if (!stijl_matrix_is_finite(d->transform)) return false;
  switch (d->op) {
    case K_DRAW_FILL:
    case K_DRAW_STROKE:
    case SJ_DRAW_GLYPHS:
    case K_DRAW_ALL: return check_shape(c, r, d);
    case K_DRAW_PUSH: return check_push(c, r, d);
    case K_DRAW_POP:
      if (!c->open.count) return false;
      *d = *c->open.data[--c->open.count];
      d->op = K_DRAW_POP;
      r->drawn++;
      return true;
    case SJ_DRAW_SCENE:
      return !(d->flags & ~K_DRAW_HIDDEN) && !d->filter && !d->path.segment_count && check_use(c, r, d->paint, false);
    default: return false;
  }
}

static bool check_run(checker *c, run *r, sj_draw *draws, size_t count, const char *what) {
  const stijl_scene_limits *limits = &c->scene->limits;
  c->open.count = 0;
  for (size_t i = 0; i < count; i++)
    if (!check_draw(c, r, &draws[i])) return c->result == STIJL_OK ? damaged(c, what, i) : false;
  if (c->open.count) return damaged(c, "the last layer before", count);
  if (r->drawn > limits->max_draws || r->depth > limits->max_layers || r->nesting > MAX_NESTING) {
    c->result =
        sj_fail(c->message, STIJL_ERROR_LIMIT,
                "the saved scene has more than max_draws (%u) or max_layers (%u), or %d scenes within each other",
                limits->max_draws, limits->max_layers, MAX_NESTING);
    return false;
  }
  return true;
}

static bool check_draws(checker *c) {
  stijl_scene *s = c->scene;
  for (size_t i = 0; i < s->subscenes.count; i++) {
    sj_subscene *sub = &s->subscenes.data[i];
    if ((uint64_t)sub->first + sub->count > s->inner.count) return damaged(c, "scene within", i);
    run r = {.scenes = (uint32_t)i};
    sj_draw *draws = sj_array_at(&s->inner, sub->first);
    if (!check_run(c, &r, draws, sub->count, "inner draw")) return false;
    sub->depth = r.depth;
    sub->nesting = r.nesting + 1;
    sub->drawn = r.drawn;
    sub->blends = r.blends;
    sub->backdrops = r.backdrops;
    sub->serial = sj_scene_next_serial();
    sub->extent = (uint32_t)sj_scene_extent(s, draws, sub->count, &sub->box);
  }
  run r = {.scenes = (uint32_t)s->subscenes.count};
  if (!check_run(c, &r, s->draws.data, s->draws.count, "draw")) return false;
  s->depth = r.depth;
  s->nesting = r.nesting;
  s->drawn = r.drawn;
  s->blends = r.blends;
  s->backdrops = r.backdrops;
  return true;
}

stijl_result sj_scene_check(stijl_scene *scene, stijl_message *message) {
  checker c = {.scene = scene, .message = message, .result = STIJL_OK};
  if (check_points(&c) && check_images(&c) && check_ramps(&c) && check_paints(&c) && check_outlines(&c))
    check_draws(&c);
  sj_array_finish(scene->context, &c.open);
  return c.result;
}
