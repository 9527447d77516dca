// Draws the graphs of paints of COLR version 1.
#include <math.h>

#include "base/budget.h"
#include "text/color_line.h"
#include "text/color_writer.h"

#define MAX_DEPTH 64     // of a graph
#define MAX_PAINTS 4096  // how many paints are visited; a paint counts as often as it is reached
#define WORK_PAINT 2000

// Modes of compositing. Those from PLUS on blend.
enum {
  CLEAR,
  SRC,
  DEST,
  SRC_OVER,
  DEST_OVER,
  SRC_IN,
  DEST_IN,
  SRC_OUT,
  DEST_OUT,
  SRC_ATOP,
  DEST_ATOP,
  XOR,
  PLUS
};

static void put_paint(sj_color_writer *w, uint32_t paint, int depth);

// Begins the shape that a paint fills: the outline that it is for, or else everything, of which the clip paths around
// it leave a part.
static void begin_shape(sj_color_writer *w) {
  if (w->outlined) {
    sj_color_put(w, "<path");
    sj_color_put_outline(w, w->outline);
    return;
  }
  double em = (double)w->face->metrics.units_per_em;
  sj_color_put(w, "<rect x=\"");
  sj_color_put_number(w, -8.0 * em);
  sj_color_put(w, "\" y=\"");
  sj_color_put_number(w, -8.0 * em);
  sj_color_put(w, "\" width=\"");
  sj_color_put_number(w, 16.0 * em);
  sj_color_put(w, "\" height=\"");
  sj_color_put_number(w, 16.0 * em);
  sj_color_put(w, "\"");
}

static void put_stops(sj_color_writer *w, const sj_color_line *line) {
  for (size_t i = 0; i < line->stops.count && !w->failed; i++) {
    const sj_color_stop *stop = &line->stops.data[i];
    sj_color_put(w, "<stop");
    sj_color_put_attribute(w, "offset", stop->offset);
    sj_color_put(w, " stop-color=\"rgb(");
    for (int k = 0; k < 3; k++) {
      sj_color_put_number(w, stop->color[k]);
      sj_color_put(w, k < 2 ? "," : ")\"");
    }
    sj_color_put_attribute(w, "stop-opacity", stop->color[3] / 255.0);
    sj_color_put(w, "/>");
  }
}

static uint32_t begin_gradient(sj_color_writer *w, const char *element) {
  uint32_t id = sj_color_begin_id(w);
  sj_color_put(w, "<");
  sj_color_put(w, element);
  sj_color_put_id(w, " gradientUnits=\"userSpaceOnUse\" id=\"g", id, "\"");
  return id;
}

// Ends a gradient, and fills a shape with it.
static void end_gradient(sj_color_writer *w, const char *element, uint32_t id, const sj_color_line *line) {
  sj_color_put(w, line->extend == SJ_COLR_REPEAT    ? " spreadMethod=\"repeat\">"
         : line->extend == SJ_COLR_REFLECT ? " spreadMethod=\"reflect\">"
                                           : ">");
  put_stops(w, line);
  sj_color_put(w, "</");
  sj_color_put(w, element);
  sj_color_put(w, ">");
  begin_shape(w);
  sj_color_put_id(w, " fill=\"url(#g", id, ")\"/>");
}

static double between(double from, double to, double offset) { return from + (to - from) * offset; }

static void put_linear(sj_color_writer *w, const double v[6], const sj_color_line *line) {
  // The line is turned so that the colour is the same from p0 to p2 (OpenType, COLR, "Linear gradients").
  double x0 = v[0], y0 = v[1], dx = v[2] - x0, dy = v[3] - y0;
  double nx = v[5] - y0, ny = x0 - v[4], square = nx * nx + ny * ny;
  if (!(square > 0.0)) return;
  double along = (dx * nx + dy * ny) / square;
  dx = along * nx;
  dy = along * ny;
  if (dx == 0.0 && dy == 0.0) return;
  uint32_t id = begin_gradient(w, "linearGradient");
  sj_color_put_attribute(w, "x1", x0 + dx * line->first);
  sj_color_put_attribute(w, "y1", y0 + dy * line->first);
  sj_color_put_attribute(w, "x2", x0 + dx * line->last);
  sj_color_put_attribute(w, "y2", y0 + dy * line->last);
  end_gradient(w, "linearGradient", id, line);
}

// Moves the ends of a line to where the circles' radii are not negative. SVG has no negative radii, and nothing is
// drawn where they would be.
static void move_circles(sj_color_writer *w, double r0, double r1, sj_color_line *line) {
  double first = between(r0, r1, line->first), last = between(r0, r1, line->last), growth = last - first;
  if (first >= 0.0 && last >= 0.0) return;
  double length = line->last - line->first;
  if (line->extend == SJ_COLR_PAD) {
    double point = -first / growth;  // where the radius is zero
    double lo = growth > 0.0 ? point : point > 0.0 ? 0.0 : point - 1.0;
    double hi = growth < 0.0 ? point : point < 1.0 ? 1.0 : point + 1.0;
    if (!sj_color_line_cut(w->context, line, lo, hi)) sj_color_refused(w);
  } else {
    double turns = ceil((growth > 0.0 ? -first : -last) / fabs(growth));
    if (line->extend == SJ_COLR_REFLECT) turns = 2.0 * ceil(turns / 2.0);
    if (growth < 0.0) turns = -turns;
    line->first += turns * length;
    line->last += turns * length;
  }
}

static void put_radial(sj_color_writer *w, const double v[6], sj_color_line *line) {
  double x0 = v[0], y0 = v[1], r0 = fmax(v[2], 0.0), x1 = v[3], y1 = v[4], r1 = fmax(v[5], 0.0);
  if (x0 == x1 && y0 == y1 && r0 == r1) return;
  move_circles(w, r0, r1, line);
  uint32_t id = begin_gradient(w, "radialGradient");
  sj_color_put_attribute(w, "fx", between(x0, x1, line->first));
  sj_color_put_attribute(w, "fy", between(y0, y1, line->first));
  sj_color_put_attribute(w, "fr", fmax(between(r0, r1, line->first), 0.0));
  sj_color_put_attribute(w, "cx", between(x0, x1, line->last));
  sj_color_put_attribute(w, "cy", between(y0, y1, line->last));
  // With a radius of zero SVG has no gradient.
  sj_color_put_attribute(w, "r", fmax(between(r0, r1, line->last), 0.0001));
  end_gradient(w, "radialGradient", id, line);
}

// Draws a gradient around a centre. It runs counterclockwise from the x axis, wherever its angles begin.
static void put_sweep(sj_color_writer *w, const double v[6], const sj_color_line *line) {
  static const char element[] = "s:sweepGradient";
  double from = 180.0 * (v[2] + 1.0), to = 180.0 * (v[3] + 1.0);
  if (from == to) {
    // The colour changes there, unless the line would have to be repeated.
    if (line->extend != SJ_COLR_PAD) return;
    to = from + 0.001;
  }
  double start = between(from, to, line->first), end = between(from, to, line->last);
  uint32_t id = begin_gradient(w, element);
  sj_color_put_attribute(w, "cx", v[0]);
  sj_color_put_attribute(w, "cy", v[1]);
  sj_color_put_attribute(w, "startAngle", start);
  sj_color_put_attribute(w, "endAngle", end);
  sj_color_put_attribute(w, "leadAngle", end > start ? start : 360.0 - start);
  end_gradient(w, element, id, line);
}

static void put_gradient(sj_color_writer *w, const sj_colr_paint *paint) {
  sj_color_line line;
  if (!sj_color_line_read(w->context, &w->tables, paint, &line)) {
    sj_color_refused(w);
  } else if (line.stops.count && !w->tables.broken) {
    if (paint->kind == SJ_COLR_LINEAR) put_linear(w, paint->values, &line);
    if (paint->kind == SJ_COLR_RADIAL) put_radial(w, paint->values, &line);
    if (paint->kind == SJ_COLR_SWEEP) put_sweep(w, paint->values, &line);
  }
  sj_color_line_finish(w->context, &line);
}

// Draws a paint within a glyph's outline. If the paint is a single fill it fills the outline, and needs no clip path.
static void put_clipped(sj_color_writer *w, uint32_t glyph, uint32_t paint, int depth) {
  sj_colr_paint p;
  if (!sj_colr_read(&w->tables, paint, &p)) w->failed = true;
  if (p.kind == SJ_COLR_SOLID || p.kind == SJ_COLR_LINEAR || p.kind == SJ_COLR_RADIAL || p.kind == SJ_COLR_SWEEP) {
    w->outlined = true;
    w->outline = glyph;
    put_paint(w, paint, depth);
    w->outlined = false;
    return;
  }
  uint32_t id = sj_color_begin_id(w);
  sj_color_put_id(w, "<clipPath id=\"c", id, "\"><path");
  sj_color_put_outline(w, glyph);
  sj_color_put(w, "/></clipPath>");
  sj_color_put_id(w, "<g clip-path=\"url(#c", id, ")\">");
  put_paint(w, paint, depth);
  sj_color_put(w, "</g>");
}

// Draws a paint with the transform `name` about the centre (x, y). It has the arguments a and, with `two`, b.
static void put_about(sj_color_writer *w, double x, double y, const char *name, double a, double b, bool two,
                      uint32_t paint, int depth) {
  sj_color_put(w, "<g transform=\"translate(");
  sj_color_put_number(w, x);
  sj_color_put_number(w, y);
  sj_color_put(w, ")");
  sj_color_put(w, name);
  sj_color_put(w, "(");
  sj_color_put_number(w, a);
  if (two) sj_color_put_number(w, b);
  sj_color_put(w, ")translate(");
  sj_color_put_number(w, -x);
  sj_color_put_number(w, -y);
  sj_color_put(w, ")\">");
  put_paint(w, paint, depth);
  sj_color_put(w, "</g>");
}

// Draws a paint with a skew about the centre (x, y). It is a property, since the attribute has no skew of both axes at
// once.
static void put_skew(sj_color_writer *w, double x_angle, double y_angle, double x, double y, uint32_t paint,
                     int depth) {
  // OpenType's angles along x have the other sign.
  const double numbers[] = {x, y, -180.0 * x_angle, 180.0 * y_angle, -x, -y};
  static const char *const texts[] = {
      "<g style=\"transform:translate(", "px,", "px)skew(", "deg,", "deg)translate(", "px,"};
  for (int i = 0; i < 6; i++) {
    sj_color_put(w, texts[i]);
    sj_color_put_digits(w, numbers[i]);
  }
  sj_color_put(w, "px)\">");
  put_paint(w, paint, depth);
  sj_color_put(w, "</g>");
}

static const char *blend_name(uint32_t mode) {
  static const char *const names[] = {
      "plus-lighter", "screen",     "overlay",   "darken",   "lighten", "color-dodge", "color-burn", "hard-light",
      "soft-light",   "difference", "exclusion", "multiply", "hue",     "saturation",  "color",      "luminosity"};
  uint32_t at = mode - PLUS;
  return mode >= PLUS && at < sizeof names / sizeof *names ? names[at] : "normal";
}

// Draws `top` where `below` is opaque, or with `inverse` where it is not.
static void put_masked(sj_color_writer *w, uint32_t top, uint32_t below, bool inverse, int depth) {
  double em = (double)w->face->metrics.units_per_em;
  uint32_t id = sj_color_begin_id(w);
  sj_color_put_id(w, "<mask maskUnits=\"userSpaceOnUse\" id=\"m", id, inverse ? "\"" : "\" mask-type=\"alpha\"");
  sj_color_put_attribute(w, "x", -8.0 * em);
  sj_color_put_attribute(w, "y", -8.0 * em);
  sj_color_put_attribute(w, "width", 16.0 * em);
  sj_color_put_attribute(w, "height", 16.0 * em);
  sj_color_put(w, ">");
  if (inverse) {
    // This mask counts by luminance: it is white, but black by as much as the paint covers.
    uint32_t inner = sj_color_begin_id(w);
    begin_shape(w);
    sj_color_put(w, " fill=\"#fff\"/>");
    sj_color_put_id(w, "<mask maskUnits=\"userSpaceOnUse\" mask-type=\"alpha\" id=\"m", inner, "\"");
    sj_color_put_attribute(w, "x", -8.0 * em);
    sj_color_put_attribute(w, "y", -8.0 * em);
    sj_color_put_attribute(w, "width", 16.0 * em);
    sj_color_put_attribute(w, "height", 16.0 * em);
    sj_color_put(w, ">");
    put_paint(w, below, depth);
    sj_color_put(w, "</mask>");
    begin_shape(w);
    sj_color_put_id(w, " fill=\"#000\" mask=\"url(#m", inner, ")\"/>");
  } else {
    put_paint(w, below, depth);
  }
  sj_color_put_id(w, "</mask><g mask=\"url(#m", id, ")\">");
  put_paint(w, top, depth);
  sj_color_put(w, "</g>");
}

// Draws the sum of the source and the backdrop, each of them inside of the other, or outside.
static void put_sum(sj_color_writer *w, const sj_colr_paint *c, bool source_outside, bool backdrop_outside, int depth) {
  put_masked(w, c->backdrop, c->paint, backdrop_outside, depth);
  sj_color_put(w, "<g style=\"mix-blend-mode:plus-lighter\">");
  put_masked(w, c->paint, c->backdrop, source_outside, depth);
  sj_color_put(w, "</g>");
}

static void put_composite(sj_color_writer *w, const sj_colr_paint *c, int depth) {
  uint32_t source = c->paint, backdrop = c->backdrop;
  sj_color_put(w, "<g style=\"isolation:isolate\">");
  switch (c->mode) {
    case CLEAR: break;
    case SRC: put_paint(w, source, depth); break;
    case DEST: put_paint(w, backdrop, depth); break;
    case DEST_OVER:
      put_paint(w, source, depth);
      put_paint(w, backdrop, depth);
      break;
    case SRC_IN: put_masked(w, source, backdrop, false, depth); break;
    case DEST_IN: put_masked(w, backdrop, source, false, depth); break;
    case SRC_OUT: put_masked(w, source, backdrop, true, depth); break;
    case DEST_OUT: put_masked(w, backdrop, source, true, depth); break;
    case SRC_ATOP: put_sum(w, c, false, true, depth); break;
    case DEST_ATOP: put_sum(w, c, true, false, depth); break;
    case XOR: put_sum(w, c, true, true, depth); break;
    default: {
      put_paint(w, backdrop, depth);
      sj_color_put(w, "<g style=\"mix-blend-mode:");
      sj_color_put(w, blend_name(c->mode));
      sj_color_put(w, "\">");
      put_paint(w, source, depth);
      sj_color_put(w, "</g>");
    }
  }
  sj_color_put(w, "</g>");
}

// Draws the graph of a glyph, clipped by its box. False: it has none.
static bool put_glyph(sj_color_writer *w, uint32_t glyph, int depth) {
  double box[4];
  uint32_t paint = sj_colr_find(&w->tables, glyph);
  if (!paint) return false;
  bool clipped = sj_colr_clip(&w->tables, glyph, box);
  if (clipped) {
    uint32_t id = sj_color_begin_id(w);
    sj_color_put_id(w, "<clipPath id=\"c", id, "\"><rect");
    sj_color_put_attribute(w, "x", box[0]);
    sj_color_put_attribute(w, "y", box[1]);
    sj_color_put_attribute(w, "width", fmax(box[2] - box[0], 0.0));
    sj_color_put_attribute(w, "height", fmax(box[3] - box[1], 0.0));
    sj_color_put_id(w, "/></clipPath><g clip-path=\"url(#c", id, ")\">");
  }
  put_paint(w, paint, depth);
  if (clipped) sj_color_put(w, "</g>");
  return true;
}

// Graphs may have circles, and many more ways through them than paints, so both depth and visits are limited.
static void put_paint(sj_color_writer *w, uint32_t at, int depth) {
  sj_colr_paint p;
  const double *v = p.values;
  if (w->failed) return;
  w->failed = depth > MAX_DEPTH || ++w->paints > MAX_PAINTS || !sj_context_check(w->context, WORK_PAINT) ||
              !sj_colr_read(&w->tables, at, &p);
  if (w->failed) return;
  depth++;
  switch (p.kind) {
    case SJ_COLR_LAYERS:
      for (uint32_t i = 0; i < p.count && !w->failed; i++)
        put_paint(w, sj_colr_layer_paint(&w->tables, p.index + i), depth);
      break;
    case SJ_COLR_SOLID:
      begin_shape(w);
      sj_color_put_fill(w, p.index, v[0]);
      sj_color_put(w, "/>");
      break;
    case SJ_COLR_LINEAR:
    case SJ_COLR_RADIAL:
    case SJ_COLR_SWEEP: put_gradient(w, &p); break;
    case SJ_COLR_GLYPH: put_clipped(w, p.index, p.paint, depth); break;
    case SJ_COLR_COLR_GLYPH: put_glyph(w, p.index, depth); break;
    case SJ_COLR_TRANSFORM:
      sj_color_put(w, "<g transform=\"matrix(");
      for (int i = 0; i < 6; i++) sj_color_put_number(w, v[i]);
      sj_color_put(w, ")\">");
      put_paint(w, p.paint, depth);
      sj_color_put(w, "</g>");
      break;
    case SJ_COLR_TRANSLATE: put_about(w, 0.0, 0.0, "translate", v[0], v[1], true, p.paint, depth); break;
    case SJ_COLR_SCALE:
    case SJ_COLR_SCALE_ABOUT: put_about(w, v[2], v[3], "scale", v[0], v[1], true, p.paint, depth); break;
    case SJ_COLR_SCALE_UNIFORM:
    case SJ_COLR_SCALE_UNIFORM_ABOUT: put_about(w, v[1], v[2], "scale", v[0], v[0], true, p.paint, depth); break;
    case SJ_COLR_ROTATE:
    case SJ_COLR_ROTATE_ABOUT: put_about(w, v[1], v[2], "rotate", 180.0 * v[0], 0.0, false, p.paint, depth); break;
    case SJ_COLR_SKEW:
    case SJ_COLR_SKEW_ABOUT: put_skew(w, v[0], v[1], v[2], v[3], p.paint, depth); break;
    default: put_composite(w, &p, depth); break;
  }
  w->failed = w->failed || w->tables.broken;
}

bool sj_color_put_graph(sj_color_writer *w, uint32_t glyph) { return put_glyph(w, glyph, 0); }
