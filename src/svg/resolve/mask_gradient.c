// Resolves CSS gradients (CSS Images 3, 3). As masks they are gradients of white, whose alpha is what counts.
#include <math.h>

#include "base/power.h"
#include "geometry/trig.h"
#include "svg/resolve/job.h"
#include "svg/resolve/mask_layers.h"

// What a gradient is made for.
typedef struct context {
  sj_resolver *r;
  const sj_resolve_frame *frame;
  sj_length_base base;
} context;

static float pixels(const context *c, sj_length length, float hundred) {
  return sj_length_pixels(length, &c->base, hundred);
}

// --- numbers along a line ---

// A stop of a gradient, and its colour times its alpha.
typedef struct point {
  float offset;
  stijl_color value;
  bool is_hint, is_set;
} point;

typedef struct line {
  SJ_ARRAY(point) points;
  bool repeats;
} line;

static bool add_point(const context *c, line *l, point p) {
  if (sj_array_push(c->r->job->context, &l->points, p)) return true;
  sj_resolve_fail_memory(c->r);
  return false;
}

// Returns a colour times its alpha, or white with what of it counts, as stijl_mask has it.
static stijl_color value_of(stijl_color color, const stijl_mask *kind) {
  float value = color.a;
  if (!kind) return (stijl_color){color.r * value, color.g * value, color.b * value, value};
  if (*kind != STIJL_MASK_ALPHA) value *= 0.2125f * color.r + 0.7154f * color.g + 0.0721f * color.b;
  return (stijl_color){value, value, value, value};
}

static stijl_color between(stijl_color a, stijl_color b, float part) {
  return (stijl_color){a.r + part * (b.r - a.r), a.g + part * (b.g - a.g), a.b + part * (b.b - a.b),
                       a.a + part * (b.a - a.a)};
}

static float divided(float value, float alpha) { return alpha > 0.0f ? fminf(value / alpha, 1.0f) : 1.0f; }

static stijl_color color_of(stijl_color v) {
  return (stijl_color){divided(v.r, v.a), divided(v.g, v.a), divided(v.b, v.a), v.a};
}

// Gives stops without an offset theirs, and none less than one before it (CSS Images 3, 3.4.3).
static void place_points(line *l) {
  point *p = l->points.data;
  size_t count = l->points.count;
  if (!p[0].is_set) p[0] = (point){.offset = 0.0f, .value = p[0].value, .is_set = true};
  if (!p[count - 1].is_set) p[count - 1] = (point){.offset = 1.0f, .value = p[count - 1].value, .is_set = true};
  float most = p[0].offset;
  for (size_t i = 0; i < count; i++) {
    if (p[i].is_set && p[i].offset < most) p[i].offset = most;
    if (p[i].is_set) most = p[i].offset;
  }
  for (size_t i = 1; i < count; i++) {
    if (p[i].is_set) continue;
    size_t end = i;
    while (!p[end].is_set) end++;
    float from = p[i - 1].offset, step = (p[end].offset - from) / (float)(end - i + 1);
    for (size_t k = i; k < end; k++) {
      p[k].offset = from + step * (float)(k - i + 1);
      p[k].is_set = true;
    }
    i = end;
  }
}

#define HINT_STEPS 16  // so many lines stand for the curve that a hint makes

// Replaces hints by stops on their curves.
static bool expand_hints(const context *c, line *l) {
  line out = {.repeats = l->repeats};
  bool good = true;
  for (size_t i = 0; good && i < l->points.count; i++) {
    point p = l->points.data[i];
    if (!p.is_hint) {
      good = add_point(c, &out, p);
      continue;
    }
    point a = l->points.data[i - 1], b = l->points.data[i + 1];
    double size = (double)b.offset - (double)a.offset,
           middle = size > 0.0 ? ((double)p.offset - (double)a.offset) / size : 0.5;
    if (!(middle > 0.0) || !(middle < 1.0)) {  // the colour changes at once, at one of the ends
      float at = middle > 0.0 ? b.offset : a.offset;
      stijl_color value = middle > 0.0 ? a.value : b.value;
      good = add_point(c, &out, (point){.offset = at, .value = value});
      continue;
    }
    // The power that makes the hint the middle of both values.
    double low = 0.0, high = 64.0;
    for (int k = 0; k < 48; k++) {
      double half = 0.5 * (low + high);
      *(sj_power(middle, half) > 0.5 ? &low : &high) = half;
    }
    for (int k = 1; good && k < HINT_STEPS; k++) {
      double t = (double)k / HINT_STEPS;
      float part = (float)sj_power(t, low);
      good = add_point(
          c, &out, (point){.offset = (float)((double)a.offset + t * size), .value = between(a.value, b.value, part)});
    }
  }
  sj_array_finish(c->r->job->context, &l->points);
  *l = out;
  return good;
}

// Adds stops between those whose alpha differs, as renderers do not mix colours times their alpha.
static bool expand_alphas(const context *c, line *l) {
  line out = {.repeats = l->repeats};
  bool good = true;
  for (size_t i = 0; good && i < l->points.count; i++) {
    point b = l->points.data[i], a = i ? l->points.data[i - 1] : b;
    for (int k = 1; good && k < HINT_STEPS && a.value.a != b.value.a && b.offset > a.offset; k++) {
      float part = (float)k / HINT_STEPS;
      good = add_point(
          c, &out,
          (point){.offset = a.offset + part * (b.offset - a.offset), .value = between(a.value, b.value, part)});
    }
    good = good && add_point(c, &out, b);
  }
  sj_array_finish(c->r->job->context, &l->points);
  *l = out;
  return good;
}

// Reads the stops; `length` is that of the line in pixels.
static bool read_line(const context *c, const sj_css_gradient *g, const stijl_mask *kind, float length, line *out) {
  sj_scan stops = g->stops;
  sj_css_stop stop;
  const stijl_color *current = &c->frame->style->color;
  bool hints = false;
  out->repeats = g->repeats;
  while (sj_css_next_stop(g, &stops, current, &stop)) {
    if (!sj_resolve_spend(c->r, SJ_WORK_NODE)) return false;
    stijl_color color = stop.color_kind == SJ_COLOR_CURRENT ? *current : stop.color;
    point p = {.is_hint = stop.is_hint, .is_set = stop.count > 0};
    if (!stop.is_hint) p.value = value_of(color, kind);
    hints |= stop.is_hint;
    for (int i = 0; i < (stop.count > 1 ? 2 : 1); i++) {
      if (stop.count > 0) p.offset = length > 0.0f ? pixels(c, stop.at[i], length) / length : 0.0f;
      if (!isfinite(p.offset)) p.offset = 0.0f;
      if (!add_point(c, out, p)) return false;
    }
  }
  if (!out->points.count) return false;
  place_points(out);
  return (!hints || expand_hints(c, out)) && (kind || expand_alphas(c, out));
}

// Makes all offsets at least 0, for lines on which there is nothing before it.
static void begin_at_zero(line *l) {
  point *p = l->points.data;
  size_t count = l->points.count, at = 0;
  float first = p[0].offset, period = p[count - 1].offset - first;
  if (!(first < 0.0f)) return;
  if (l->repeats && period > 0.0f) {
    float by = ceilf(-first / period) * period;
    for (size_t i = 0; i < count; i++) p[i].offset = fmaxf(0.0f, p[i].offset + by);
    return;
  }
  while (at + 1 < count && p[at + 1].offset < 0.0f) at++;
  if (at + 1 < count) {
    float part = (0.0f - p[at].offset) / (p[at + 1].offset - p[at].offset);
    p[at].value = between(p[at].value, p[at + 1].value, part);
  }
  for (size_t i = 0; i <= at; i++) p[i] = (point){.offset = 0.0f, .value = p[at].value};
}

// Makes the stops of the server, whose offsets go from 0 to 1. *first and *last become where these are on the line.
static bool add_stops(const context *c, const line *l, sj_tree_server *out, float *first, float *last) {
  sj_tree *tree = c->r->job->tree;
  const point *p = l->points.data;
  size_t count = l->points.count;
  *first = p[0].offset;
  *last = p[count - 1].offset;
  float size = *last - *first;
  bool empty = !(size > 0.0f) || !isfinite(1.0f / size);
  if (empty) *last = *first + 1.0f;
  out->stops = (sj_range){(uint32_t)tree->stops.count, (uint32_t)tree->stops.count};
  out->spread = l->repeats && !empty ? STIJL_SPREAD_REPEAT : STIJL_SPREAD_PAD;
  for (size_t i = 0; i < count; i++) {
    float offset = empty ? 0.0f : (p[i].offset - *first) / size;
    // As in collect_stops: the first stop has the value before the start.
    if (i > 0 && !(offset > 0.0f)) offset = 1e-6f;
    stijl_stop stop = {.offset = offset, .color = color_of(p[i].value)};
    if (l->repeats && empty) stop.color = color_of(p[count - 1].value);
    if (tree->stops.count >= SJ_NONE || !sj_array_push(tree->context, &tree->stops, stop)) {
      sj_resolve_fail_memory(c->r);
      return false;
    }
    out->stops.end++;
  }
  return true;
}

// --- geometry ---

static bool linear(const context *c, const sj_css_gradient *g, const stijl_mask *kind, float width, float height,
                   line *l, sj_tree_server *out) {
  double w = (double)width, h = (double)height, x, y, first_part;
  if (g->to_x && g->to_y) {  // the line through the middle that both other corners are equally far along
    x = g->to_x * h;
    y = g->to_y * w;
    double size = sqrt(x * x + y * y);
    x /= size;
    y /= size;
  } else if (g->to_x || g->to_y) {
    x = g->to_x;
    y = g->to_y;
  } else {
    sj_sincos_degrees((double)g->angle, &x, &y);
    y = -y;
  }
  double length = fabs(w * x) + fabs(h * y);
  float first, last;
  if (!read_line(c, g, kind, (float)length, l) || !add_stops(c, l, out, &first, &last)) return false;
  out->kind = SJ_TREE_SERVER_LINEAR;
  first_part = ((double)first - 0.5) * length;
  double last_part = ((double)last - 0.5) * length;
  out->p0 = (stijl_point){(float)(0.5 * w + first_part * x), (float)(0.5 * h + first_part * y)};
  out->p1 = (stijl_point){(float)(0.5 * w + last_part * x), (float)(0.5 * h + last_part * y)};
  return true;
}

// Finds the radii of the ending shape (CSS Images 3, 3.2).
static void find_radii(const context *c, const sj_css_gradient *g, float x, float y, float width, float height,
                       float *rx, float *ry) {
  float near_x = fminf(fabsf(x), fabsf(width - x)), far_x = fmaxf(fabsf(x), fabsf(width - x));
  float near_y = fminf(fabsf(y), fabsf(height - y)), far_y = fmaxf(fabsf(y), fabsf(height - y));
  bool closest = g->extent == SJ_CSS_CLOSEST_SIDE || g->extent == SJ_CSS_CLOSEST_CORNER;
  bool corner = g->extent == SJ_CSS_CLOSEST_CORNER || g->extent == SJ_CSS_FARTHEST_CORNER;
  float a = closest ? near_x : far_x, b = closest ? near_y : far_y;
  if (g->extent == SJ_CSS_EXPLICIT) {
    *rx = pixels(c, g->radii[0], width);
    *ry = g->circle ? *rx : pixels(c, g->radii[1], height);
  } else if (g->circle) {
    *rx = *ry = corner ? sqrtf(a * a + b * b) : closest ? fminf(a, b) : fmaxf(a, b);
  } else {
    // Through a corner goes the ellipse that has the proportions of that of the sides.
    *rx = corner ? a * sqrtf(2.0f) : a;
    *ry = corner ? b * sqrtf(2.0f) : b;
  }
}

static bool radial(const context *c, const sj_css_gradient *g, const stijl_mask *kind, float width, float height,
                   line *l, sj_tree_server *out) {
  float x = sj_css_offset_pixels(&c->base, g->at.x, width), y = sj_css_offset_pixels(&c->base, g->at.y, height), rx, ry,
        first, last;
  find_radii(c, g, x, y, width, height, &rx, &ry);
  if (!read_line(c, g, kind, rx, l)) return false;
  begin_at_zero(l);
  if (!add_stops(c, l, out, &first, &last)) return false;
  out->kind = SJ_TREE_SERVER_RADIAL;
  out->r0 = first * rx;
  out->r1 = last * rx;
  out->transform = (stijl_matrix){1.0f, 0.0f, 0.0f, ry / rx, x, y};
  // A shape without an area leaves the last value everywhere.
  if (!(rx > 0.0f) || !(ry > 0.0f) || !(out->r1 > 0.0f)) {
    out->kind = SJ_TREE_SERVER_COLOR;
    out->color = c->r->job->tree->stops.data[out->stops.end - 1].color;
  }
  return true;
}

static bool conic(const context *c, const sj_css_gradient *g, const stijl_mask *kind, float width, float height,
                  line *l, sj_tree_server *out) {
  float first, last;
  if (!read_line(c, g, kind, 1.0f, l)) return false;
  begin_at_zero(l);
  if (!add_stops(c, l, out, &first, &last)) return false;
  out->kind = SJ_TREE_SERVER_SWEEP;
  out->p0 =
      (stijl_point){sj_css_offset_pixels(&c->base, g->at.x, width), sj_css_offset_pixels(&c->base, g->at.y, height)};
  float from = g->angle - 90.0f;  // from the right, as stijl_paint has it
  out->start_angle = from + 360.0f * first;
  out->end_angle = from + 360.0f * last;
  out->lead_angle = 360.0f * first;
  return true;
}

uint32_t sj_resolve_css_gradient(sj_resolver *r, const sj_resolve_frame *frame, const sj_css_gradient *g,
                                 const stijl_mask *kind, stijl_rect tile) {
  sj_tree *tree = r->job->tree;
  const context own = {r, frame, sj_style_base(&r->styles, frame->style)}, *c = &own;
  float width = tile.x1 - tile.x0, height = tile.y1 - tile.y0;
  line l = {0};
  sj_tree_server server = {.transform = STIJL_MATRIX_IDENTITY};
  bool good = g->kind == SJ_CSS_LINEAR   ? linear(c, g, kind, width, height, &l, &server)
              : g->kind == SJ_CSS_RADIAL ? radial(c, g, kind, width, height, &l, &server)
                                         : conic(c, g, kind, width, height, &l, &server);
  sj_array_finish(c->r->job->context, &l.points);
  if (!good) return SJ_NONE;
  server.transform = stijl_matrix_multiply(stijl_matrix_translate(tile.x0, tile.y0), server.transform);
  if (server.kind == SJ_TREE_SERVER_COLOR) server.transform = stijl_matrix_identity();
  if (!isfinite(server.p0.x + server.p0.y + server.p1.x + server.p1.y + server.r0 + server.r1 + server.start_angle +
                server.end_angle) ||
      !stijl_matrix_is_finite(server.transform))
    return SJ_NONE;
  if (tree->servers.count < SJ_NONE && sj_array_push(tree->context, &tree->servers, server))
    return (uint32_t)tree->servers.count - 1;
  sj_resolve_fail_memory(c->r);
  return SJ_NONE;
}
