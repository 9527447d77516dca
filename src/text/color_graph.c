#include "text/color_graph.h"

#include <math.h>

#include "base/budget.h"
#include "geometry/path.h"
#include "scene/scene.h"
#include "text/color_line.h"

#define MAX_DEPTH 64      // of a graph
#define MAX_PAINTS 4096   // how many paints and layers are visited; one counts as often as it is reached
#define MAX_VERBS 250000  // of all outlines that are drawn
#define MAX_SUMS 16       // how many sums may be nested: each is a scene within a scene
#define WORK_PAINT 2000

// Modes of compositing. Those from PLUS on blend.
enum { CLEAR, SRC, DEST, SRC_OVER, DEST_OVER, SRC_IN, DEST_IN, SRC_OUT, DEST_OUT, SRC_ATOP, DEST_ATOP, XOR, PLUS };

typedef struct recorder {
  sj_face *face;
  stijl_context *context;
  sj_colr *tables;
  stijl_scene *scene;  // what is recorded now
  stijl_path square;   // of sj_color_picture
  stijl_path path;     // is used again for each outline
  uint32_t paints;     // how many paints or layers have been visited
  uint32_t sums;       // how many sums are around
  size_t verbs;        // of the outlines so far
  bool failed;         // nothing more is recorded
  bool too_large;      // that is why
} recorder;

// Where a paint is drawn.
typedef struct place {
  stijl_matrix matrix;  // from font units, or those of the transforms around, to the scene
  bool outlined;        // it fills the outline of `glyph`; else all of the picture
  uint32_t glyph;
  int depth;
} place;

// What is composed: a paint, or the scene that was recorded of one.
typedef struct part {
  uint32_t paint;
  const stijl_scene *scene;
} part;

static void draw_paint(recorder *r, const place *at, uint32_t paint);

// Fails because memory is short, which counts as a refusal of the font library.
static void refuse(recorder *r) {
  r->failed = true;
  sj_font_refused(r->face->library);
}

// --- outlines and layers ---

// Reads the outline of a glyph; y points up as in the font.
static const stijl_path *read_outline(recorder *r, uint32_t glyph) {
  static const stijl_matrix identity = STIJL_MATRIX_IDENTITY;
  stijl_path_clear(&r->path);
  sj_face_outline(r->face, r->context, glyph, &identity, &r->path);
  if (stijl_path_status(&r->path) == STIJL_ERROR_OUT_OF_MEMORY) refuse(r);
  r->verbs += r->path.verbs.count;
  if (r->verbs > MAX_VERBS) r->failed = r->too_large = true;
  if (!sj_context_check(r->context, r->path.verbs.count * SJ_WORK_NODE)) r->failed = true;
  return &r->path;
}

// Draws a paint where the place has it. Everything is the square that pictures of glyphs have.
static void fill(recorder *r, const place *at, stijl_paint *paint) {
  const stijl_path *path = at->outlined ? read_outline(r, at->glyph) : &r->square;
  if (!at->outlined) paint->transform = at->matrix;
  if (!r->failed) stijl_scene_fill(r->scene, path, STIJL_FILL_NONZERO, at->outlined ? &at->matrix : NULL, paint);
}

static void push(recorder *r, stijl_blend blend) {
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.blend = blend;
  layer.clip = &r->square;
  stijl_scene_push_layer(r->scene, &layer);
}

static void push_clip(recorder *r, const stijl_path *clip, const stijl_matrix *matrix) {
  stijl_layer layer = STIJL_LAYER_INIT;
  layer.clip = clip;
  layer.clip_transform = matrix;
  stijl_scene_push_layer(r->scene, &layer);
}

// --- colours and gradients ---

static stijl_color opaque(const double *rgb) {
  return (stijl_color){(float)rgb[0] / 255.0f, (float)rgb[1] / 255.0f, (float)rgb[2] / 255.0f, 1.0f};
}

static void draw_solid(recorder *r, const place *at, uint32_t color, double alpha) {
  uint32_t rgba = sj_colr_color(r->tables, color);
  double rgb[] = {(double)(rgba >> 24), (double)(rgba >> 16 & 255), (double)(rgba >> 8 & 255)};
  stijl_paint paint = stijl_paint_solid(opaque(rgb));
  paint.opacity = (float)(fmin(fmax(alpha, 0.0), 1.0) * (double)(rgba & 255) / 255.0);
  if (paint.opacity > 0.0f) fill(r, at, &paint);
}

// Draws a gradient with the colours of a line.
static void draw_stops(recorder *r, const place *at, stijl_paint *paint, const sj_color_line *line) {
  static const stijl_spread spreads[] = {[SJ_COLR_PAD] = STIJL_SPREAD_PAD,
                                         [SJ_COLR_REPEAT] = STIJL_SPREAD_REPEAT,
                                         [SJ_COLR_REFLECT] = STIJL_SPREAD_REFLECT};
  SJ_ARRAY(stijl_stop) stops = {0};
  if (!sj_array_reserve(r->context, &stops, line->stops.count)) {
    refuse(r);
    return;
  }
  for (size_t i = 0; i < line->stops.count; i++) {
    const sj_color_stop *from = &line->stops.data[i];
    stijl_stop stop = {(float)from->offset, opaque(from->color)};
    stop.color.a = (float)(from->color[3] / 255.0);
    // Of several stops at 0 the first has the colour before the gradient's start, so the others are moved a little
    // beyond 0.
    if (stop.offset == 0.0f && i) stop.offset = 1e-6f;
    stops.data[stops.count++] = stop;
  }
  paint->stops = stops.data;
  paint->stop_count = stops.count;
  if (line->extend <= SJ_COLR_REFLECT) paint->spread_x = spreads[line->extend];
  // A single colour is everywhere, also where a gradient of circles leaves out a part of the plane.
  stijl_paint single = stijl_paint_solid(stops.data[0].color);
  fill(r, at, stops.count == 1 ? &single : paint);
  sj_array_finish(r->context, &stops);
}

static double between(double from, double to, double offset) { return from + (to - from) * offset; }

static stijl_point point(double x, double y) { return (stijl_point){(float)x, (float)y}; }

static void draw_linear(recorder *r, const place *at, const double v[6], const sj_color_line *line) {
  // The line is turned so that the colour is the same from p0 to p2 (OpenType, COLR, "Linear gradients").
  double x0 = v[0], y0 = v[1], dx = v[2] - x0, dy = v[3] - y0;
  double nx = v[5] - y0, ny = x0 - v[4], square = nx * nx + ny * ny;
  if (!(square > 0.0)) return;
  double along = (dx * nx + dy * ny) / square;
  dx = along * nx;
  dy = along * ny;
  if (dx == 0.0 && dy == 0.0) return;
  stijl_paint paint = stijl_paint_linear(point(x0 + dx * line->first, y0 + dy * line->first),
                                         point(x0 + dx * line->last, y0 + dy * line->last), NULL, 0);
  draw_stops(r, at, &paint, line);
}

// Moves the ends of a line to where the circles' radii are not negative. Paints have no negative radii, and nothing is
// drawn where they would be.
static void move_circles(recorder *r, double r0, double r1, sj_color_line *line) {
  double first = between(r0, r1, line->first), last = between(r0, r1, line->last), growth = last - first;
  if (first >= 0.0 && last >= 0.0) return;
  double length = line->last - line->first;
  if (line->extend == SJ_COLR_PAD) {
    double zero = -first / growth;  // where the radius is zero
    double lo = growth > 0.0 ? zero : zero > 0.0 ? 0.0 : zero - 1.0;
    double hi = growth < 0.0 ? zero : zero < 1.0 ? 1.0 : zero + 1.0;
    if (!sj_color_line_cut(r->context, line, lo, hi)) refuse(r);
  } else {
    double turns = ceil((growth > 0.0 ? -first : -last) / fabs(growth));
    if (line->extend == SJ_COLR_REFLECT) turns = 2.0 * ceil(turns / 2.0);
    if (growth < 0.0) turns = -turns;
    line->first += turns * length;
    line->last += turns * length;
  }
}

static void draw_radial(recorder *r, const place *at, const double v[6], sj_color_line *line) {
  double x0 = v[0], y0 = v[1], r0 = fmax(v[2], 0.0), x1 = v[3], y1 = v[4], r1 = fmax(v[5], 0.0);
  if (x0 == x1 && y0 == y1 && r0 == r1) return;
  move_circles(r, r0, r1, line);
  stijl_point focus = point(between(x0, x1, line->first), between(y0, y1, line->first));
  stijl_point center = point(between(x0, x1, line->last), between(y0, y1, line->last));
  float inner = (float)fmax(between(r0, r1, line->first), 0.0), outer = (float)fmax(between(r0, r1, line->last), 0.0);
  stijl_paint paint = stijl_paint_radial(center, outer, focus, inner, NULL, 0);
  sj_paint_meet_focus(&paint);
  draw_stops(r, at, &paint, line);
}

// Draws a gradient around a centre. It runs counterclockwise from the x axis, wherever its angles begin.
static void draw_sweep(recorder *r, const place *at, const double v[6], const sj_color_line *line) {
  double from = 180.0 * (v[2] + 1.0), to = 180.0 * (v[3] + 1.0);
  if (from == to) {
    // The colour changes there, unless the line would have to be repeated.
    if (line->extend != SJ_COLR_PAD) return;
    to = from + 0.001;
  }
  double start = between(from, to, line->first), end = between(from, to, line->last);
  stijl_paint paint = stijl_paint_sweep(point(v[0], v[1]), (float)start, (float)end, NULL, 0);
  paint.lead_angle = end > start ? start : 360.0 - start;
  draw_stops(r, at, &paint, line);
}

static void draw_gradient(recorder *r, const place *at, const sj_colr_paint *paint) {
  sj_color_line line;
  if (!sj_color_line_read(r->context, r->tables, paint, &line)) {
    refuse(r);
  } else if (line.stops.count && !r->tables->broken) {
    if (paint->kind == SJ_COLR_LINEAR) draw_linear(r, at, paint->values, &line);
    if (paint->kind == SJ_COLR_RADIAL) draw_radial(r, at, paint->values, &line);
    if (paint->kind == SJ_COLR_SWEEP) draw_sweep(r, at, paint->values, &line);
  }
  sj_color_line_finish(r->context, &line);
}

// --- paints of paints ---

// Draws a paint within a glyph's outline. If the paint is a single fill it fills the outline, and needs no clip.
static void draw_clipped(recorder *r, const place *at, uint32_t glyph, uint32_t paint) {
  sj_colr_paint p;
  place inner = *at;
  if (!sj_colr_read(r->tables, paint, &p)) {
    r->failed = true;
  } else if (p.kind == SJ_COLR_SOLID || p.kind == SJ_COLR_LINEAR || p.kind == SJ_COLR_RADIAL ||
             p.kind == SJ_COLR_SWEEP) {
    inner.outlined = true;
    inner.glyph = glyph;
    draw_paint(r, &inner, paint);
  } else {
    push_clip(r, read_outline(r, glyph), &at->matrix);
    draw_paint(r, &inner, paint);
    stijl_scene_pop_layer(r->scene);
  }
}

// Draws a paint with a transform about the centre (x, y).
static void draw_about(recorder *r, const place *at, stijl_matrix transform, double x, double y, uint32_t paint) {
  place inner = *at;
  transform = stijl_matrix_multiply(stijl_matrix_translate((float)x, (float)y), transform);
  transform = stijl_matrix_multiply(transform, stijl_matrix_translate((float)-x, (float)-y));
  inner.matrix = stijl_matrix_multiply(at->matrix, transform);
  if (stijl_matrix_is_finite(inner.matrix)) draw_paint(r, &inner, paint);
}

static void draw_transformed(recorder *r, const place *at, const sj_colr_paint *p) {
  const double *v = p->values;
  float f[6];
  for (int i = 0; i < 6; i++) f[i] = (float)v[i];
  switch (p->kind) {
    case SJ_COLR_TRANSFORM:
      draw_about(r, at, (stijl_matrix){f[0], f[1], f[2], f[3], f[4], f[5]}, 0.0, 0.0, p->paint);
      break;
    case SJ_COLR_TRANSLATE: draw_about(r, at, stijl_matrix_translate(f[0], f[1]), 0.0, 0.0, p->paint); break;
    case SJ_COLR_SCALE:
    case SJ_COLR_SCALE_ABOUT: draw_about(r, at, stijl_matrix_scale(f[0], f[1]), v[2], v[3], p->paint); break;
    case SJ_COLR_SCALE_UNIFORM:
    case SJ_COLR_SCALE_UNIFORM_ABOUT: draw_about(r, at, stijl_matrix_scale(f[0], f[0]), v[1], v[2], p->paint); break;
    case SJ_COLR_ROTATE:
    case SJ_COLR_ROTATE_ABOUT:
      draw_about(r, at, stijl_matrix_rotate((float)(180.0 * v[0])), v[1], v[2], p->paint);
      break;
    default:  // skews. OpenType's angles along x have the other sign
      draw_about(r, at, stijl_matrix_skew((float)(-180.0 * v[0]), (float)(180.0 * v[1])), v[2], v[3], p->paint);
  }
}

static void draw_part(recorder *r, const place *at, part p) {
  if (p.scene)
    stijl_scene_add_scene(r->scene, p.scene, NULL);
  else
    draw_paint(r, at, p.paint);
}

// Draws `top` where `below` is opaque, or with `inverse` where it is not.
static void draw_masked(recorder *r, const place *at, part top, part below, bool inverse) {
  stijl_paint paint = stijl_paint_solid((stijl_color){1.0f, 1.0f, 1.0f, 1.0f});
  push(r, STIJL_BLEND_NORMAL);
  draw_part(r, at, top);
  stijl_scene_push_mask(r->scene, inverse ? STIJL_MASK_LUMINANCE : STIJL_MASK_ALPHA);
  if (inverse) {
    // The mask is white, but black by as much as the part covers.
    stijl_scene_fill(r->scene, &r->square, STIJL_FILL_NONZERO, NULL, &paint);
    paint.color = (stijl_color){0.0f, 0.0f, 0.0f, 1.0f};
    push(r, STIJL_BLEND_NORMAL);
    stijl_scene_fill(r->scene, &r->square, STIJL_FILL_NONZERO, NULL, &paint);
    stijl_scene_push_mask(r->scene, STIJL_MASK_ALPHA);
    draw_part(r, at, below);
    stijl_scene_pop_mask(r->scene);
    stijl_scene_pop_layer(r->scene);
  } else {
    draw_part(r, at, below);
  }
  stijl_scene_pop_mask(r->scene);
  stijl_scene_pop_layer(r->scene);
}

// Ends a scene. Returns false if it has failed.
static bool finish(recorder *r, stijl_scene *scene) {
  stijl_result result = stijl_scene_finish(scene);
  if (result == STIJL_ERROR_OUT_OF_MEMORY && !r->failed) refuse(r);
  r->failed = r->failed || result != STIJL_OK;
  return !r->failed;
}

// Records a paint as a scene of its own, which is finished.
static stijl_scene *record_apart(recorder *r, const place *at, uint32_t paint) {
  stijl_scene *around = r->scene, *made;
  if (r->failed) return NULL;
  if (stijl_scene_create(r->context, NULL, &made) != STIJL_OK) {
    refuse(r);
    return NULL;
  }
  r->scene = made;
  draw_paint(r, at, paint);
  finish(r, made);
  r->scene = around;
  return made;
}

// Draws the sum of the source and the backdrop, each of them inside of the other, or outside. Both are drawn twice, and
// so recorded as scenes.
static void draw_sum(recorder *r, const place *at, const sj_colr_paint *c, bool source_outside, bool backdrop_outside) {
  if (r->sums == MAX_SUMS) {
    r->failed = true;
    return;
  }
  r->sums++;
  stijl_scene *first = record_apart(r, at, c->paint), *second = record_apart(r, at, c->backdrop);
  part source = {.scene = first}, backdrop = {.scene = second};
  r->sums--;
  if (!r->failed) {
    push(r, STIJL_BLEND_NORMAL);
    draw_masked(r, at, backdrop, source, backdrop_outside);
    push(r, STIJL_BLEND_PLUS_LIGHTER);
    draw_masked(r, at, source, backdrop, source_outside);
    stijl_scene_pop_layer(r->scene);
    stijl_scene_pop_layer(r->scene);
  }
  stijl_scene_destroy(first);
  stijl_scene_destroy(second);
}

// Draws the source on the backdrop, blended with it.
static void draw_blended(recorder *r, const place *at, const sj_colr_paint *c) {
  static const stijl_blend blends[] = {
      STIJL_BLEND_PLUS_LIGHTER, STIJL_BLEND_SCREEN,      STIJL_BLEND_OVERLAY,    STIJL_BLEND_DARKEN,
      STIJL_BLEND_LIGHTEN,      STIJL_BLEND_COLOR_DODGE, STIJL_BLEND_COLOR_BURN, STIJL_BLEND_HARD_LIGHT,
      STIJL_BLEND_SOFT_LIGHT,   STIJL_BLEND_DIFFERENCE,  STIJL_BLEND_EXCLUSION,  STIJL_BLEND_MULTIPLY,
      STIJL_BLEND_HUE,          STIJL_BLEND_SATURATION,  STIJL_BLEND_COLOR,      STIJL_BLEND_LUMINOSITY};
  bool blends_with = c->mode >= PLUS && c->mode - PLUS < sizeof blends / sizeof *blends;
  if (blends_with) push(r, STIJL_BLEND_NORMAL);
  draw_paint(r, at, c->backdrop);
  if (blends_with) push(r, blends[c->mode - PLUS]);
  draw_paint(r, at, c->paint);
  if (blends_with) stijl_scene_pop_layer(r->scene);
  if (blends_with) stijl_scene_pop_layer(r->scene);
}

static void draw_composite(recorder *r, const place *at, const sj_colr_paint *c) {
  part source = {.paint = c->paint}, backdrop = {.paint = c->backdrop};
  switch (c->mode) {
    case CLEAR: break;
    case SRC: draw_part(r, at, source); break;
    case DEST: draw_part(r, at, backdrop); break;
    case DEST_OVER:
      draw_part(r, at, source);
      draw_part(r, at, backdrop);
      break;
    case SRC_IN: draw_masked(r, at, source, backdrop, false); break;
    case DEST_IN: draw_masked(r, at, backdrop, source, false); break;
    case SRC_OUT: draw_masked(r, at, source, backdrop, true); break;
    case DEST_OUT: draw_masked(r, at, backdrop, source, true); break;
    case SRC_ATOP: draw_sum(r, at, c, false, true); break;
    case DEST_ATOP: draw_sum(r, at, c, true, false); break;
    case XOR: draw_sum(r, at, c, true, true); break;
    default: draw_blended(r, at, c); break;
  }
}

// Draws the graph of a glyph, clipped by its box. Returns false when it has none.
static bool draw_glyph(recorder *r, const place *at, uint32_t glyph) {
  double box[4];
  uint32_t paint = sj_colr_find(r->tables, glyph);
  if (!paint) return false;
  bool clipped = sj_colr_clip(r->tables, glyph, box);
  if (clipped) {
    stijl_path_clear(&r->path);
    // Where a box is turned inside out nothing is left.
    if (box[2] > box[0] && box[3] > box[1])
      stijl_path_add_rect(&r->path, (float)box[0], (float)box[1], (float)(box[2] - box[0]), (float)(box[3] - box[1]));
    push_clip(r, &r->path, &at->matrix);
  }
  draw_paint(r, at, paint);
  if (clipped) stijl_scene_pop_layer(r->scene);
  return true;
}

// Draws a paint. Graphs may have circles, and many more ways through them than paints, so both depth and visits are
// limited.
static void draw_paint(recorder *r, const place *at, uint32_t paint) {
  sj_colr_paint p;
  place inner = *at;
  if (r->failed) return;
  r->failed = inner.depth++ > MAX_DEPTH || ++r->paints > MAX_PAINTS || !sj_context_check(r->context, WORK_PAINT) ||
              !sj_colr_read(r->tables, paint, &p);
  if (r->failed) return;
  switch (p.kind) {
    case SJ_COLR_LAYERS:
      for (uint32_t i = 0; i < p.count && !r->failed; i++)
        draw_paint(r, &inner, sj_colr_layer_paint(r->tables, p.index + i));
      break;
    case SJ_COLR_SOLID: draw_solid(r, &inner, p.index, p.values[0]); break;
    case SJ_COLR_LINEAR:
    case SJ_COLR_RADIAL:
    case SJ_COLR_SWEEP: draw_gradient(r, &inner, &p); break;
    case SJ_COLR_GLYPH: draw_clipped(r, &inner, p.index, p.paint); break;
    case SJ_COLR_COLR_GLYPH: draw_glyph(r, &inner, p.index); break;
    case SJ_COLR_COMPOSITE: draw_composite(r, &inner, &p); break;
    default: draw_transformed(r, &inner, &p); break;
  }
  r->failed = r->failed || r->tables->broken;
}

// --- glyphs ---

// Draws the layers of version 0. Returns false when the glyph has none.
static bool draw_layers(recorder *r, const place *at, uint32_t glyph) {
  uint32_t first, count = sj_colr_layers(r->tables, glyph, &first);
  place layer = *at;
  layer.outlined = true;
  for (uint32_t i = 0; i < count && !r->failed; i++) {
    sj_colr_layer of = sj_colr_layer_at(r->tables, first + i);
    layer.glyph = of.glyph;
    r->failed = ++r->paints > MAX_PAINTS || r->tables->broken;
    if (!r->failed) draw_solid(r, &layer, of.color, 1.0);
  }
  return count > 0;
}

// Returns whether all of a scene lies within the square.
static bool is_within(const stijl_scene *scene, float size) {
  stijl_rect box;
  stijl_extent extent = stijl_scene_bounds(scene, &box);
  return extent == STIJL_EXTENT_EMPTY ||
         (extent == STIJL_EXTENT_BOUNDED && box.x0 >= 0.0f && box.y0 >= 0.0f && box.x1 <= size && box.y1 <= size);
}

// Records the scene again, within the square. Returns NULL when memory is short.
static stijl_scene *cut(recorder *r, stijl_scene *scene, stijl_context *memory) {
  r->scene = NULL;
  if (stijl_scene_create(memory, NULL, &r->scene) == STIJL_OK) {
    push(r, STIJL_BLEND_NORMAL);
    stijl_scene_add_scene(r->scene, scene, NULL);
    stijl_scene_pop_layer(r->scene);
    finish(r, r->scene);
  } else {
    refuse(r);
  }
  stijl_scene_destroy(scene);
  return r->scene;
}

stijl_scene *sj_color_graph(sj_face *face, stijl_context *context, stijl_context *memory, sj_colr *tables,
                            uint32_t glyph, bool *too_large) {
  recorder r = {
      .face = face, .context = context, .tables = tables, .square = {.context = context}, .path = {.context = context}};
  float em = (float)face->metrics.units_per_em, size = 4.0f * em;
  place at = {.matrix = {1.0f, 0.0f, 0.0f, -1.0f, em, 2.0f * em}};
  stijl_path_add_rect(&r.square, 0.0f, 0.0f, size, size);
  if (stijl_scene_create(memory, NULL, &r.scene) != STIJL_OK) refuse(&r);
  stijl_scene *scene = r.scene;
  bool any = draw_glyph(&r, &at, glyph) || draw_layers(&r, &at, glyph);
  if (any && finish(&r, scene) && !is_within(scene, size)) scene = cut(&r, scene, memory);
  sj_arrays_finish(context, &r.square.verbs, &r.square.points, &r.path.verbs, &r.path.points);
  *too_large = r.too_large;
  if (any && !r.failed) return scene;
  stijl_scene_destroy(scene);
  return NULL;
}
