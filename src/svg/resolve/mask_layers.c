// Resolves masks of several layers, gradients and images (CSS Masking 1, 7; CSS Backgrounds 3, 3; CSS Images 4, 3).
#include <math.h>

#include "base/power.h"
#include "geometry/trig.h"
#include "svg/resolve/resolve.h"
#include "svg/style/css_image.h"

// What a mask is made for.
typedef struct context {
  sj_resolver *r;
  const sj_frame *frame;
  sj_length_base base;
  stijl_rect boxes[SJ_MASK_NO_CLIP + 1];  // by sj_mask_box
} context;

static float width_of(stijl_rect r) { return r.x1 - r.x0; }
static float height_of(stijl_rect r) { return r.y1 - r.y0; }

static float pixels(const context *c, sj_length length, float hundred) {
  return sj_length_pixels(length, &c->base, hundred);
}

// --- gradients: numbers along a line ---

// A stop of a gradient: how much of the element remains there.
typedef struct point {
  float offset;
  float value;
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

// Returns what of a colour counts, as stijl_mask has it.
static float value_of(stijl_color color, stijl_mask kind) {
  if (kind == STIJL_MASK_ALPHA) return color.a;
  return (0.2125f * color.r + 0.7154f * color.g + 0.0721f * color.b) * color.a;
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
      float at = middle > 0.0 ? b.offset : a.offset, value = middle > 0.0 ? a.value : b.value;
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
          c, &out,
          (point){.offset = (float)((double)a.offset + t * size), .value = a.value + part * (b.value - a.value)});
    }
  }
  sj_array_finish(c->r->job->context, &l->points);
  *l = out;
  return good;
}

// Reads the stops; `length` is that of the line in pixels.
static bool read_line(const context *c, const sj_css_gradient *g, stijl_mask kind, float length, line *out) {
  sj_scan stops = g->stops;
  sj_css_stop stop;
  const stijl_color *current = &c->frame->style->color;
  bool hints = false;
  out->repeats = g->repeats;
  while (sj_css_next_stop(g, &stops, current, &stop)) {
    if (!sj_resolve_spend(c->r, SJ_WORK_NODE)) return false;
    stijl_color color = stop.color_kind == SJ_COLOR_CURRENT ? *current : stop.color;
    point p = {.value = stop.is_hint ? 0.0f : value_of(color, kind), .is_hint = stop.is_hint, .is_set = stop.count > 0};
    hints |= stop.is_hint;
    for (int i = 0; i < (stop.count > 1 ? 2 : 1); i++) {
      if (stop.count > 0) p.offset = length > 0.0f ? pixels(c, stop.at[i], length) / length : 0.0f;
      if (!isfinite(p.offset)) p.offset = 0.0f;
      if (!add_point(c, out, p)) return false;
    }
  }
  if (!out->points.count) return false;
  place_points(out);
  return !hints || expand_hints(c, out);
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
    p[at].value += part * (p[at + 1].value - p[at].value);
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
    stijl_stop stop = {.offset = offset, .color = {1.0f, 1.0f, 1.0f, p[i].value}};
    if (l->repeats && empty) stop.color.a = p[count - 1].value;
    if (tree->stops.count >= SJ_NONE || !sj_array_push(tree->context, &tree->stops, stop)) {
      sj_resolve_fail_memory(c->r);
      return false;
    }
    out->stops.end++;
  }
  return true;
}

// --- gradients: their geometry ---

static bool linear(const context *c, const sj_css_gradient *g, stijl_mask kind, float width, float height, line *l,
                   sj_tree_server *out) {
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

static float place_along(const context *c, sj_css_offset offset, float space) {
  float at = pixels(c, offset.length, space);
  return offset.from_end ? space - at : at;
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

static bool radial(const context *c, const sj_css_gradient *g, stijl_mask kind, float width, float height, line *l,
                   sj_tree_server *out) {
  float x = place_along(c, g->at.x, width), y = place_along(c, g->at.y, height), rx, ry, first, last;
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

static bool conic(const context *c, const sj_css_gradient *g, stijl_mask kind, float width, float height, line *l,
                  sj_tree_server *out) {
  float first, last;
  if (!read_line(c, g, kind, 1.0f, l)) return false;
  begin_at_zero(l);
  if (!add_stops(c, l, out, &first, &last)) return false;
  out->kind = SJ_TREE_SERVER_SWEEP;
  out->p0 = (stijl_point){place_along(c, g->at.x, width), place_along(c, g->at.y, height)};
  float from = g->angle - 90.0f;  // from the right, as stijl_paint has it
  out->start_angle = from + 360.0f * first;
  out->end_angle = from + 360.0f * last;
  out->lead_angle = 360.0f * first;
  return true;
}

// Makes the server of a gradient in the tile. Returns SJ_NONE if it draws nothing.
static uint32_t add_gradient(const context *c, const sj_css_gradient *g, stijl_mask kind, stijl_rect tile) {
  sj_tree *tree = c->r->job->tree;
  float width = width_of(tile), height = height_of(tile);
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

// --- sizes and places of images ---

// The size that an image has by itself: 0 where it has none. `ratio` is width by height; 0: none.
typedef struct natural {
  float width, height, ratio;
} natural;

static float natural_side(const sj_document *document, sj_name name, float side) {
  const sj_string *a = sj_document_attribute(document, 0, name);
  sj_length length;
  bool has = a && sj_parse_length(a->text, a->length, &length) && length.unit != SJ_UNIT_PERCENT;
  return has ? side : 0.0f;
}

static natural natural_size(const sj_document *document, float width, float height) {
  natural n = {width, height, width / height};
  if (!document) return n;
  n.width = natural_side(document, SJ_ATTRIBUTE_WIDTH, width);
  n.height = natural_side(document, SJ_ATTRIBUTE_HEIGHT, height);
  bool both = n.width > 0.0f && n.height > 0.0f;
  const sj_string *view_box = sj_document_attribute(document, 0, SJ_ATTRIBUTE_VIEW_BOX);
  sj_view_box box;
  if (!both) n.ratio = 0.0f;
  if (!both && view_box && sj_parse_view_box(view_box->text, view_box->length, &box) && box.height > 0.0f)
    n.ratio = box.width / box.height;
  return n;
}

// Finds the size of an image in an area (CSS Backgrounds 3, 3.9; CSS Images 3, 4.3).
static void find_size(const context *c, const sj_mask_layer *layer, natural n, float area_width, float area_height,
                      float *width, float *height) {
  bool has_width = layer->fit == SJ_MASK_SIZE_GIVEN && !layer->auto_width;
  bool has_height = layer->fit == SJ_MASK_SIZE_GIVEN && !layer->auto_height;
  float w = n.width, h = n.height;
  if (has_width) w = pixels(c, layer->width, area_width);
  if (has_height) h = pixels(c, layer->height, area_height);
  if (has_width != has_height && n.ratio > 0.0f) {
    *width = has_width ? w : h * n.ratio;
    *height = has_height ? h : w / n.ratio;
    return;
  }
  bool fits = layer->fit != SJ_MASK_SIZE_GIVEN, neither = !(w > 0.0f) && !(h > 0.0f) && !has_width && !has_height;
  if (n.ratio > 0.0f && (fits || neither)) {
    bool by_width = (area_width < area_height * n.ratio) != (layer->fit == SJ_MASK_COVER);
    *width = by_width ? area_width : area_height * n.ratio;
    *height = by_width ? area_width / n.ratio : area_height;
    return;
  }
  if (!has_width && !(w > 0.0f)) w = n.ratio > 0.0f ? h * n.ratio : area_width;
  if (!has_height && !(h > 0.0f)) h = n.ratio > 0.0f ? w / n.ratio : area_height;
  *width = fits ? area_width : w;
  *height = fits ? area_height : h;
}

// Rounds a size so that it fits into the area a whole number of times.
static float rounded(float size, float area) {
  float times = floorf(area / size + 0.5f);
  return area / (times < 1.0f ? 1.0f : times);
}

// Places the tile along an axis, and finds how far apart its copies are.
static void place_axis(const context *c, int repeat, sj_css_offset offset, float area, float size, float *at,
                       float *step) {
  *at = place_along(c, offset, area - size);
  *step = repeat == SJ_MASK_NO_REPEAT ? 0.0f : size;
  if (repeat != SJ_MASK_SPACE) return;
  float times = floorf(area / size);
  *step = 0.0f;
  if (times < 2.0f) return;
  *at = 0.0f;
  *step = size + (area - times * size) / (times - 1.0f);
}

// Finds where a layer's tile is. Returns false if it is empty.
static bool place_tile(const context *c, const sj_mask_layer *layer, natural n, sj_tree_mask_layer *out) {
  stijl_rect area = c->boxes[layer->origin == SJ_MASK_BORDER_BOX ? SJ_MASK_FILL_BOX : layer->origin];
  float area_width = width_of(area), area_height = height_of(area), width, height, x, y;
  if (!(area_width > 0.0f) || !(area_height > 0.0f)) return false;
  find_size(c, layer, n, area_width, area_height, &width, &height);
  if (!(width > 0.0f) || !(height > 0.0f)) return false;
  float before_x = width, before_y = height;
  if (layer->repeat_x == SJ_MASK_ROUND) width = rounded(width, area_width);
  if (layer->repeat_y == SJ_MASK_ROUND) height = rounded(height, area_height);
  bool given = layer->fit == SJ_MASK_SIZE_GIVEN;
  if (layer->repeat_x == SJ_MASK_ROUND && layer->repeat_y != SJ_MASK_ROUND && given && layer->auto_height)
    height *= width / before_x;
  if (layer->repeat_y == SJ_MASK_ROUND && layer->repeat_x != SJ_MASK_ROUND && given && layer->auto_width)
    width *= height / before_y;
  place_axis(c, layer->repeat_x, layer->position.x, area_width, width, &x, &out->step_x);
  place_axis(c, layer->repeat_y, layer->position.y, area_height, height, &y, &out->step_y);
  out->tile = (stijl_rect){area.x0 + x, area.y0 + y, area.x0 + x + width, area.y0 + y + height};
  return isfinite(out->tile.x0 + out->tile.y0 + out->tile.x1 + out->tile.y1) && out->tile.x1 > out->tile.x0 &&
         out->tile.y1 > out->tile.y0;
}

// --- layers ---

static bool add_image(const context *c, const sj_mask_layer *layer, const char *url, size_t length,
                      sj_tree_mask_layer *out) {
  sj_resolver *r = c->r;
  float width, height;
  uint32_t index = sj_resolve_picture(r, c->frame, url, length, &width, &height);
  if (index == SJ_NONE) return false;
  const sj_document *document = sj_picture_document(r, index);
  if (!place_tile(c, layer, natural_size(document, width, height), out)) return false;
  sj_aspect aspect = {.none = true};
  if (document && sj_document_attribute(document, 0, SJ_ATTRIBUTE_VIEW_BOX)) {
    const sj_string *text = sj_document_attribute(document, 0, SJ_ATTRIBUTE_PRESERVE_ASPECT_RATIO);
    aspect = (sj_aspect)SJ_ASPECT_DEFAULT;
    if (text) sj_parse_aspect(text->text, text->length, &aspect);
  }
  sj_view_box box = {0.0f, 0.0f, width, height};
  out->picture = (sj_tree_picture){.image = index,
                                   .nearest = c->frame->style->image_rendering == SJ_IMAGE_NEAREST,
                                   .clips = true,
                                   .rect = out->tile,
                                   .place = stijl_matrix_multiply(stijl_matrix_translate(out->tile.x0, out->tile.y0),
                                                                  sj_view_box_matrix(&box, &aspect, width_of(out->tile),
                                                                                     height_of(out->tile), NULL))};
  out->is_image = stijl_matrix_is_finite(out->picture.place);
  return out->is_image;
}

// Resolves a layer. Returns false if it is to be left out, as if it had not been said.
static bool add_layer(const context *c, const sj_mask_layer *layer, sj_tree_mask_layer *out) {
  const char *url;
  size_t length;
  sj_css_gradient gradient;
  *out = (sj_tree_mask_layer){.kind = layer->mode == SJ_MASK_MODE_LUMINANCE ? STIJL_MASK_LUMINANCE : STIJL_MASK_ALPHA,
                              .composite = (uint8_t)layer->composite,
                              .mask = SJ_NONE,
                              .server = SJ_NONE,
                              .clip = c->boxes[layer->clip]};
  if (!layer->image.text) return false;  // as in browsers
  if (!sj_parse_url(layer->image.text, layer->image.length, &url, &length, NULL, NULL)) {
    if (!sj_parse_css_gradient(layer->image.text, layer->image.length, &gradient)) return false;
    if (place_tile(c, layer, (natural){0}, out))
      out->server = add_gradient(c, &gradient, (stijl_mask)out->kind, out->tile);
    out->kind = STIJL_MASK_ALPHA;  // what counted has become the alpha
    return true;
  }
  if (sj_mask_is_picture(url, length)) return add_image(c, layer, url, length, out);
  out->mask = sj_resolve_mask_element(c->r, c->frame, url, length);
  if (out->mask == SJ_NONE) return false;
  const sj_tree_mask *mask = &c->r->job->tree->masks.data[out->mask];
  if (layer->mode == SJ_MASK_MATCH) out->kind = (uint8_t)mask->kind;
  // A mask element is where its own region says, whatever the layer does.
  out->clip = mask->region;
  if (mask->box_region) out->clip = stijl_matrix_apply_rect(sj_box_matrix(c->boxes[SJ_MASK_FILL_BOX]), out->clip);
  return true;
}

// Returns whether the layers lie upon each other as pictures do.
static bool are_added(const sj_tree_mask_layer *layers, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (layers[i].mask != SJ_NONE || layers[i].composite != SJ_COMPOSITE_ADD) return false;
    if (count > 1 && layers[i].kind != STIJL_MASK_ALPHA) return false;
  }
  return true;
}

static stijl_rect both(stijl_rect a, stijl_rect b) {
  return (stijl_rect){fminf(a.x0, b.x0), fminf(a.y0, b.y0), fmaxf(a.x1, b.x1), fmaxf(a.y1, b.y1)};
}

// Finds the boxes that layers refer to. Returns false when the node has none.
static bool find_boxes(context *c, uint32_t node) {
  sj_resolver *r = c->r;
  const sj_tree *tree = r->job->tree;
  const sj_box *fill = sj_node_box(r, node);
  sj_box ink = {.known = true, .empty = true};
  c->boxes[SJ_MASK_FILL_BOX] = fill->rect;
  if (fill->empty || !sj_tree_measure_node(tree, r->job->context, node, SJ_MEASURE_INK, &ink)) {
    if (sj_resolve_spend(r, 0) && !fill->empty) sj_resolve_fail_memory(r);
    return false;
  }
  c->boxes[SJ_MASK_STROKE_BOX] = c->boxes[SJ_MASK_BORDER_BOX] = ink.empty ? fill->rect : ink.rect;
  c->boxes[SJ_MASK_VIEW_BOX] = sj_view_reference(c->frame);
  // What is drawn outside of its stroke is that of markers and filters, which are not clipped.
  const float far = 1e6f;
  c->boxes[SJ_MASK_NO_CLIP] = (stijl_rect){-far, -far, far, far};
  return true;
}

// Adds the layers that there are. One that is left out at the bottom leaves nothing for the others to be put together
// with; without such a one the last has nothing to be put together with.
static bool add_layers(const context *c, const sj_mask_list *list, sj_tree_mask *mask) {
  sj_tree *tree = c->r->job->tree;
  mask->layers.first = mask->layers.end = (uint32_t)tree->mask_layers.count;
  for (size_t i = 0; i < list->count; i++) {
    sj_tree_mask_layer layer;
    // Elements may share a list of many layers, so that these count as they do.
    if (!sj_resolve_count(c->r, c->frame->depth) || !sj_resolve_spend(c->r, list->data[i].image.length * SJ_WORK_BYTE))
      return false;
    bool added = add_layer(c, &list->data[i], &layer);
    if (!sj_resolving(c->r)) return false;
    if (!added) continue;
    if (i + 1 == list->count) layer.composite = SJ_COMPOSITE_ADD;
    if (tree->mask_layers.count >= SJ_NONE || !sj_array_push(tree->context, &tree->mask_layers, layer)) {
      sj_resolve_fail_memory(c->r);
      return false;
    }
    mask->region = mask->layers.first == mask->layers.end++ ? layer.clip : both(mask->region, layer.clip);
  }
  return mask->layers.first < mask->layers.end;
}

uint32_t sj_resolve_mask_layers(sj_resolver *r, const sj_frame *frame, uint32_t node, const sj_mask_values *values) {
  sj_tree *tree = r->job->tree;
  context c = {.r = r, .frame = frame, .base = sj_style_base(&r->styles, frame->style)};
  sj_mask_list list = {0};
  sj_tree_mask mask = {.kind = STIJL_MASK_ALPHA, .needs_box = true, .mask = SJ_NONE};
  bool some = false;
  if (find_boxes(&c, node)) {
    if (!sj_mask_list_make(r->job->context, values, &list)) sj_resolve_fail_memory(r);
    some = sj_resolving(r) && add_layers(&c, &list, &mask);
  }
  sj_array_finish(r->job->context, &list);
  if (!some) return SJ_NONE;
  const sj_tree_mask_layer *layers = &tree->mask_layers.data[mask.layers.first];
  uint32_t count = mask.layers.end - mask.layers.first;
  mask.composes = !are_added(layers, count);
  mask.kind = mask.composes ? STIJL_MASK_LUMINANCE : (stijl_mask)layers[0].kind;
  if (tree->masks.count < SJ_NONE && sj_array_push(tree->context, &tree->masks, mask))
    return (uint32_t)tree->masks.count - 1;
  sj_resolve_fail_memory(r);
  return SJ_NONE;
}
