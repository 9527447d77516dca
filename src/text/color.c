#include "text/color.h"

#include <string.h>

#include "base/budget.h"
#include "libraries/freetype.h"
#include "libraries/harfbuzz.h"

#define MAX_DEPTH 64         // of a graph of paints
#define MAX_PAINTS 4096      // visited, each way to a paint counted
#define MAX_BYTES (1 << 22)  // of a document
#define WORK_PAINT 2000

typedef struct writer {
  sj_face *face;
  stijl_context *context;
  sj_color_document *out;
  const FT_Color *palette;
  uint32_t palette_count, foreground;
  uint32_t paints, ids;
  bool failed;
} writer;

// --- text ---

static void put_bytes(writer *w, const char *text, size_t length) {
  if (w->failed) return;
  if (w->out->count + length > MAX_BYTES) {
    w->failed = true;
  } else if (!sj_array_reserve(w->context, w->out, length)) {
    w->failed = true;
    sj_font_refused(w->face->library);
  } else {
    memcpy(w->out->data + w->out->count, text, length);
    w->out->count += length;
  }
}

static void put(writer *w, const char *text) { put_bytes(w, text, strlen(text)); }

static void put_unsigned(writer *w, uint64_t value, int digits) {
  char text[24];
  int at = sizeof text;
  do {
    text[--at] = (char)('0' + value % 10);
    value /= 10;
    digits--;
  } while (value || digits > 0);
  put_bytes(w, text + at, sizeof text - (size_t)at);
}

// With six decimals and whatever the locale, and a blank behind it.
static void put_number(writer *w, double value) {
  if (value < 0.0) put(w, "-");
  uint64_t millionths = (uint64_t)((value < 0.0 ? -value : value) * 1e6 + 0.5);
  put_unsigned(w, millionths / 1000000, 1);
  if (millionths % 1000000) {
    put(w, ".");
    put_unsigned(w, millionths % 1000000, 6);
  }
  put(w, " ");
}

static double fixed(FT_Fixed value) { return (double)value / 65536.0; }

static void put_attribute(writer *w, const char *name, double value) {
  put(w, " ");
  put(w, name);
  put(w, "=\"");
  put_number(w, value);
  put(w, "\"");
}

static void put_color(writer *w, const char *name, FT_UInt index, double alpha) {
  static const char hex[] = "0123456789abcdef";
  uint32_t rgba = w->foreground;
  if (index != 0xffff && index < w->palette_count) {
    const FT_Color *c = &w->palette[index];
    rgba = (uint32_t)c->red << 24 | (uint32_t)c->green << 16 | (uint32_t)c->blue << 8 | c->alpha;
  }
  char text[] = "#000000";
  for (int i = 0; i < 6; i++) text[1 + i] = hex[rgba >> (28 - 4 * i) & 15];
  put(w, " ");
  put(w, name);
  put(w, "=\"");
  put(w, text);
  put(w, "\" ");
  put(w, strcmp(name, "fill") == 0 ? "fill-opacity" : "stop-opacity");
  put(w, "=\"");
  alpha = alpha < 0.0 ? 0.0 : alpha > 1.0 ? 1.0 : alpha;
  put_number(w, alpha * (double)(rgba & 255) / 255.0);
  put(w, "\"");
}

// The outline as the attribute d, y pointing up as in the font.
static void put_outline(writer *w, uint32_t glyph) {
  static const char letters[] = "MLQCZ";
  static const int counts[] = {1, 1, 2, 3, 0};
  const stijl_matrix identity = STIJL_MATRIX_IDENTITY;
  stijl_path *path;
  put(w, " d=\"");
  if (stijl_path_create(w->context, &path) == STIJL_OK) {
    sj_face_outline(w->face, w->context, glyph, &identity, path);
    if (stijl_path_status(path) == STIJL_ERROR_OUT_OF_MEMORY) w->failed = !sj_font_refused(w->face->library);
    const unsigned char *verbs;
    const stijl_point *p;
    size_t count = stijl_path_verbs(path, &verbs);
    stijl_path_points(path, &p);
    for (size_t i = 0; i < count; i++) {
      put_bytes(w, &letters[verbs[i]], 1);
      for (int k = 0; k < counts[verbs[i]]; k++, p++) {
        put_number(w, (double)p->x);
        put_number(w, (double)p->y);
      }
    }
    stijl_path_destroy(path);
  } else {
    w->failed = !sj_font_refused(w->face->library);
  }
  put(w, "\"");
}

// --- COLR 1 ---

static void put_paint(writer *w, FT_OpaquePaint opaque, int depth);

// All that the clips around it leave.
static void put_everything(writer *w) {
  double em = (double)w->face->metrics.units_per_em;
  put(w, "<rect x=\"");
  put_number(w, -8.0 * em);
  put(w, "\" y=\"");
  put_number(w, -8.0 * em);
  put(w, "\" width=\"");
  put_number(w, 16.0 * em);
  put(w, "\" height=\"");
  put_number(w, 16.0 * em);
  put(w, "\"");
}

static uint32_t begin_id(writer *w) { return w->ids++; }

static void put_id(writer *w, const char *before, uint32_t id, const char *behind) {
  put(w, before);
  put_unsigned(w, id, 1);
  put(w, behind);
}

static void put_stops(writer *w, FT_ColorLine *line) {
  FT_ColorStop stop;
  while (!w->failed && FT_Get_Colorline_Stops(w->face->ft, &stop, &line->color_stop_iterator)) {
    put(w, "<stop offset=\"");
    put_number(w, (double)stop.stop_offset / 16384.0);
    put(w, "\"");
    put_color(w, "stop-color", stop.color.palette_index, (double)stop.color.alpha / 16384.0);
    put(w, "/>");
  }
}

static void put_spread(writer *w, const FT_ColorLine *line) {
  put(w, line->extend == FT_COLR_PAINT_EXTEND_REPEAT    ? " spreadMethod=\"repeat\">"
         : line->extend == FT_COLR_PAINT_EXTEND_REFLECT ? " spreadMethod=\"reflect\">"
                                                        : ">");
}

static void put_gradient_fill(writer *w, uint32_t id) {
  put_everything(w);
  put_id(w, " fill=\"url(#g", id, ")\"/>");
}

static void put_linear(writer *w, FT_PaintLinearGradient *g) {
  // The line is turned so that p0 to p2 has one colour: OpenType, COLR, "Linear gradients".
  double x0 = fixed(g->p0.x), y0 = fixed(g->p0.y), dx = fixed(g->p1.x) - x0, dy = fixed(g->p1.y) - y0;
  double nx = fixed(g->p2.y) - y0, ny = x0 - fixed(g->p2.x), square = nx * nx + ny * ny;
  if (square > 0.0) {
    double along = (dx * nx + dy * ny) / square;
    dx = along * nx;
    dy = along * ny;
  }
  uint32_t id = begin_id(w);
  put_id(w, "<linearGradient gradientUnits=\"userSpaceOnUse\" id=\"g", id, "\"");
  put_attribute(w, "x1", x0);
  put_attribute(w, "y1", y0);
  put_attribute(w, "x2", x0 + dx);
  put_attribute(w, "y2", y0 + dy);
  put_spread(w, &g->colorline);
  put_stops(w, &g->colorline);
  put(w, "</linearGradient>");
  put_gradient_fill(w, id);
}

static void put_radial(writer *w, FT_PaintRadialGradient *g) {
  uint32_t id = begin_id(w);
  put_id(w, "<radialGradient gradientUnits=\"userSpaceOnUse\" id=\"g", id, "\"");
  put_attribute(w, "fx", fixed(g->c0.x));
  put_attribute(w, "fy", fixed(g->c0.y));
  put_attribute(w, "fr", fixed(g->r0));
  put_attribute(w, "cx", fixed(g->c1.x));
  put_attribute(w, "cy", fixed(g->c1.y));
  put_attribute(w, "r", fixed(g->r1));
  put_spread(w, &g->colorline);
  put_stops(w, &g->colorline);
  put(w, "</radialGradient>");
  put_gradient_fill(w, id);
}

// SVG has no gradient around a point: the first colour stands for it (docs/known-issues.md).
static void put_sweep(writer *w, FT_PaintSweepGradient *g) {
  FT_ColorStop stop;
  if (!FT_Get_Colorline_Stops(w->face->ft, &stop, &g->colorline.color_stop_iterator)) return;
  put_everything(w);
  put_color(w, "fill", stop.color.palette_index, (double)stop.color.alpha / 16384.0);
  put(w, "/>");
}

static void put_clipped(writer *w, uint32_t glyph, FT_OpaquePaint paint, int depth) {
  uint32_t id = begin_id(w);
  put_id(w, "<clipPath id=\"c", id, "\"><path");
  put_outline(w, glyph);
  put(w, "/></clipPath>");
  put_id(w, "<g clip-path=\"url(#c", id, ")\">");
  put_paint(w, paint, depth);
  put(w, "</g>");
}

// Groups of transforms, about a centre where there is one.
static void put_about(writer *w, double x, double y, const char *name, double a, double b, bool two,
                      FT_OpaquePaint paint, int depth) {
  put(w, "<g transform=\"translate(");
  put_number(w, x);
  put_number(w, y);
  put(w, ")");
  put(w, name);
  put(w, "(");
  put_number(w, a);
  if (two) put_number(w, b);
  put(w, ")translate(");
  put_number(w, -x);
  put_number(w, -y);
  put(w, ")\">");
  put_paint(w, paint, depth);
  put(w, "</g>");
}

static void put_skew(writer *w, const FT_PaintSkew *s, int depth) {
  put(w, "<g transform=\"translate(");
  put_number(w, fixed(s->center_x));
  put_number(w, fixed(s->center_y));
  // OpenType's angles turn the other axis' way.
  put(w, ")skewX(");
  put_number(w, -180.0 * fixed(s->x_skew_angle));
  put(w, ")skewY(");
  put_number(w, 180.0 * fixed(s->y_skew_angle));
  put(w, ")translate(");
  put_number(w, -fixed(s->center_x));
  put_number(w, -fixed(s->center_y));
  put(w, ")\">");
  put_paint(w, s->paint, depth);
  put(w, "</g>");
}

static const char *blend_name(FT_Composite_Mode mode) {
  switch (mode) {
    case FT_COLR_COMPOSITE_PLUS: return "plus-lighter";
    case FT_COLR_COMPOSITE_SCREEN: return "screen";
    case FT_COLR_COMPOSITE_OVERLAY: return "overlay";
    case FT_COLR_COMPOSITE_DARKEN: return "darken";
    case FT_COLR_COMPOSITE_LIGHTEN: return "lighten";
    case FT_COLR_COMPOSITE_COLOR_DODGE: return "color-dodge";
    case FT_COLR_COMPOSITE_COLOR_BURN: return "color-burn";
    case FT_COLR_COMPOSITE_HARD_LIGHT: return "hard-light";
    case FT_COLR_COMPOSITE_SOFT_LIGHT: return "soft-light";
    case FT_COLR_COMPOSITE_DIFFERENCE: return "difference";
    case FT_COLR_COMPOSITE_EXCLUSION: return "exclusion";
    case FT_COLR_COMPOSITE_MULTIPLY: return "multiply";
    case FT_COLR_COMPOSITE_HSL_HUE: return "hue";
    case FT_COLR_COMPOSITE_HSL_SATURATION: return "saturation";
    case FT_COLR_COMPOSITE_HSL_COLOR: return "color";
    case FT_COLR_COMPOSITE_HSL_LUMINOSITY: return "luminosity";
    default: return NULL;
  }
}

// `top` where `below` is, or is not, opaque.
static void put_masked(writer *w, FT_OpaquePaint top, FT_OpaquePaint below, bool inverse, int depth) {
  double em = (double)w->face->metrics.units_per_em;
  uint32_t id = begin_id(w);
  put_id(w, "<mask maskUnits=\"userSpaceOnUse\" id=\"m", id, inverse ? "\"" : "\" mask-type=\"alpha\"");
  put_attribute(w, "x", -8.0 * em);
  put_attribute(w, "y", -8.0 * em);
  put_attribute(w, "width", 16.0 * em);
  put_attribute(w, "height", 16.0 * em);
  put(w, ">");
  if (inverse) {
    // By luminance: white, but black where the paint's alpha is.
    uint32_t inner = begin_id(w);
    put_everything(w);
    put(w, " fill=\"#fff\"/>");
    put_id(w, "<mask maskUnits=\"userSpaceOnUse\" mask-type=\"alpha\" id=\"m", inner, "\"");
    put_attribute(w, "x", -8.0 * em);
    put_attribute(w, "y", -8.0 * em);
    put_attribute(w, "width", 16.0 * em);
    put_attribute(w, "height", 16.0 * em);
    put(w, ">");
    put_paint(w, below, depth);
    put(w, "</mask>");
    put_everything(w);
    put_id(w, " fill=\"#000\" mask=\"url(#m", inner, ")\"/>");
  } else {
    put_paint(w, below, depth);
  }
  put_id(w, "</mask><g mask=\"url(#m", id, ")\">");
  put_paint(w, top, depth);
  put(w, "</g>");
}

static void put_composite(writer *w, const FT_PaintComposite *c, int depth) {
  FT_OpaquePaint source = c->source_paint, backdrop = c->backdrop_paint;
  put(w, "<g style=\"isolation:isolate\">");
  switch (c->composite_mode) {
    case FT_COLR_COMPOSITE_CLEAR: break;
    case FT_COLR_COMPOSITE_SRC: put_paint(w, source, depth); break;
    case FT_COLR_COMPOSITE_DEST: put_paint(w, backdrop, depth); break;
    case FT_COLR_COMPOSITE_DEST_OVER:
      put_paint(w, source, depth);
      put_paint(w, backdrop, depth);
      break;
    case FT_COLR_COMPOSITE_SRC_IN: put_masked(w, source, backdrop, false, depth); break;
    case FT_COLR_COMPOSITE_DEST_IN: put_masked(w, backdrop, source, false, depth); break;
    case FT_COLR_COMPOSITE_SRC_OUT: put_masked(w, source, backdrop, true, depth); break;
    case FT_COLR_COMPOSITE_DEST_OUT: put_masked(w, backdrop, source, true, depth); break;
    case FT_COLR_COMPOSITE_SRC_ATOP:
      put_paint(w, backdrop, depth);
      put_masked(w, source, backdrop, false, depth);
      break;
    case FT_COLR_COMPOSITE_DEST_ATOP:
      put_paint(w, source, depth);
      put_masked(w, backdrop, source, false, depth);
      break;
    case FT_COLR_COMPOSITE_XOR:
      put_masked(w, backdrop, source, true, depth);
      put_masked(w, source, backdrop, true, depth);
      break;
    default: {
      const char *blend = blend_name(c->composite_mode);
      put_paint(w, backdrop, depth);
      put(w, "<g style=\"mix-blend-mode:");
      put(w, blend ? blend : "normal");
      put(w, "\">");
      put_paint(w, source, depth);
      put(w, "</g>");
    }
  }
  put(w, "</g>");
}

// Graphs may have circles, and more ways through them than there are paints: both are bounded.
static void put_paint(writer *w, FT_OpaquePaint opaque, int depth) {
  FT_COLR_Paint paint;
  if (w->failed) return;
  w->failed = depth > MAX_DEPTH || ++w->paints > MAX_PAINTS || !sj_context_check(w->context, WORK_PAINT) ||
              !FT_Get_Paint(w->face->ft, opaque, &paint);
  if (w->failed) return;
  depth++;
  switch (paint.format) {
    case FT_COLR_PAINTFORMAT_COLR_LAYERS: {
      FT_OpaquePaint layer = {NULL, 0};
      while (!w->failed && FT_Get_Paint_Layers(w->face->ft, &paint.u.colr_layers.layer_iterator, &layer))
        put_paint(w, layer, depth);
      break;
    }
    case FT_COLR_PAINTFORMAT_SOLID:
      put_everything(w);
      put_color(w, "fill", paint.u.solid.color.palette_index, (double)paint.u.solid.color.alpha / 16384.0);
      put(w, "/>");
      break;
    case FT_COLR_PAINTFORMAT_LINEAR_GRADIENT: put_linear(w, &paint.u.linear_gradient); break;
    case FT_COLR_PAINTFORMAT_RADIAL_GRADIENT: put_radial(w, &paint.u.radial_gradient); break;
    case FT_COLR_PAINTFORMAT_SWEEP_GRADIENT: put_sweep(w, &paint.u.sweep_gradient); break;
    case FT_COLR_PAINTFORMAT_GLYPH: put_clipped(w, paint.u.glyph.glyphID, paint.u.glyph.paint, depth); break;
    case FT_COLR_PAINTFORMAT_COLR_GLYPH: {
      FT_OpaquePaint inner = {NULL, 0};
      if (FT_Get_Color_Glyph_Paint(w->face->ft, paint.u.colr_glyph.glyphID, FT_COLOR_NO_ROOT_TRANSFORM, &inner))
        put_paint(w, inner, depth);
      break;
    }
    case FT_COLR_PAINTFORMAT_TRANSFORM: {
      const FT_Affine23 *m = &paint.u.transform.affine;
      put(w, "<g transform=\"matrix(");
      put_number(w, fixed(m->xx));
      put_number(w, fixed(m->yx));
      put_number(w, fixed(m->xy));
      put_number(w, fixed(m->yy));
      put_number(w, fixed(m->dx));
      put_number(w, fixed(m->dy));
      put(w, ")\">");
      put_paint(w, paint.u.transform.paint, depth);
      put(w, "</g>");
      break;
    }
    case FT_COLR_PAINTFORMAT_TRANSLATE:
      put_about(w, 0.0, 0.0, "translate", fixed(paint.u.translate.dx), fixed(paint.u.translate.dy), true,
                paint.u.translate.paint, depth);
      break;
    case FT_COLR_PAINTFORMAT_SCALE:
      put_about(w, fixed(paint.u.scale.center_x), fixed(paint.u.scale.center_y), "scale", fixed(paint.u.scale.scale_x),
                fixed(paint.u.scale.scale_y), true, paint.u.scale.paint, depth);
      break;
    case FT_COLR_PAINTFORMAT_ROTATE:
      put_about(w, fixed(paint.u.rotate.center_x), fixed(paint.u.rotate.center_y), "rotate",
                180.0 * fixed(paint.u.rotate.angle), 0.0, false, paint.u.rotate.paint, depth);
      break;
    case FT_COLR_PAINTFORMAT_SKEW: put_skew(w, &paint.u.skew, depth); break;
    case FT_COLR_PAINTFORMAT_COMPOSITE: put_composite(w, &paint.u.composite, depth); break;
    default: w->failed = true; break;
  }
}

// --- the kinds of colour glyphs; the lock is held ---

static bool put_layers(writer *w, uint32_t glyph) {
  FT_LayerIterator iterator = {.p = NULL};
  FT_UInt layer, color;
  bool any = false;
  while (!w->failed && FT_Get_Color_Glyph_Layer(w->face->ft, glyph, &layer, &color, &iterator)) {
    w->failed = ++w->paints > MAX_PAINTS;
    put(w, "<path");
    put_outline(w, layer);
    put_color(w, "fill", color, 1.0);
    put(w, "/>");
    any = true;
  }
  return any;
}

static bool put_graph(writer *w, uint32_t glyph) {
  FT_OpaquePaint paint = {NULL, 0};
  if (!FT_Get_Color_Glyph_Paint(w->face->ft, glyph, FT_COLOR_NO_ROOT_TRANSFORM, &paint)) return false;
  put_paint(w, paint, 0);
  return true;
}

// The document of the SVG table, from its root element on; only the glyph's own element is shown.
static bool put_svg(writer *w, uint32_t glyph) {
  hb_blob_t *blob =
      hb_ot_color_has_svg(w->face->hb_face) ? hb_ot_color_glyph_reference_svg(w->face->hb_face, glyph) : NULL;
  unsigned length = 0;
  const char *data = blob ? hb_blob_get_data(blob, &length) : NULL, *root = NULL;
  for (unsigned i = 0; i + 4 < length && !root; i++)
    if (memcmp(data + i, "<svg", 4) == 0) root = data + i;
  if (root) {
    put(w, "<style>svg>svg{overflow:visible!important}");
    put_id(w, "svg>svg:not(#glyph", glyph, ")>:not(#glyph");
    put_id(w, "", glyph, "):not(defs):not(style){display:none}</style>");
    put_bytes(w, root, length - (size_t)(root - data));
  }
  hb_blob_destroy(blob);
  return root != NULL;
}

static void put_base64(writer *w, const unsigned char *data, unsigned length) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (unsigned i = 0; i < length && !w->failed; i += 3) {
    uint32_t bits = (uint32_t)data[i] << 16 | (i + 1 < length ? (uint32_t)data[i + 1] << 8 : 0) |
                    (i + 2 < length ? data[i + 2] : 0);
    char four[4] = {letters[bits >> 18], letters[bits >> 12 & 63], i + 1 < length ? letters[bits >> 6 & 63] : '=',
                    i + 2 < length ? letters[bits & 63] : '='};
    put_bytes(w, four, 4);
  }
}

static bool put_bitmap(writer *w, uint32_t glyph) {
  hb_glyph_extents_t box;
  if (!hb_ot_color_has_png(w->face->hb_face) || !hb_font_get_glyph_extents(w->face->hb, glyph, &box) || !box.width ||
      !box.height)
    return false;
  hb_blob_t *blob = hb_ot_color_glyph_reference_png(w->face->hb, glyph);
  unsigned length;
  const char *data = hb_blob_get_data(blob, &length);
  if (length) {
    put(w, "<image preserveAspectRatio=\"none\"");
    put_attribute(w, "x", box.x_bearing);
    put_attribute(w, "y", -(double)box.y_bearing);
    put_attribute(w, "width", box.width);
    put_attribute(w, "height", -(double)box.height);
    put(w, " href=\"data:image/png;base64,");
    put_base64(w, (const unsigned char *)data, length);
    put(w, "\"/>");
  }
  hb_blob_destroy(blob);
  return length > 0;
}

bool sj_color_glyph(sj_face *face, stijl_context *context, uint32_t glyph, uint32_t foreground,
                    sj_color_document *out) {
  writer w = {.face = face, .context = context, .out = out, .foreground = foreground};
  double em = (double)face->metrics.units_per_em;
  *out = (sj_color_document){0};
  put(&w, "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" viewBox=\"");
  put_number(&w, -em);
  put_number(&w, -2.0 * em);
  put_number(&w, 4.0 * em);
  put_number(&w, 4.0 * em);
  put(&w, "\"");
  put_attribute(&w, "width", 4.0 * em);
  put_attribute(&w, "height", 4.0 * em);
  put(&w, ">");
  bool any = put_svg(&w, glyph) || put_bitmap(&w, glyph);
  if (!any) {
    pthread_mutex_lock(&face->library->lock);
    FT_Palette_Data data;
    FT_Color *palette = NULL;
    if (!FT_Palette_Data_Get(face->ft, &data) && !FT_Palette_Select(face->ft, 0, &palette) && palette) {
      w.palette = palette;
      w.palette_count = data.num_palette_entries;
    }
    put(&w, "<g transform=\"scale(1 -1)\">");
    any = put_graph(&w, glyph) || put_layers(&w, glyph);
    put(&w, "</g>");
    pthread_mutex_unlock(&face->library->lock);
  }
  put(&w, "</svg>");
  if (any && !w.failed) return true;
  sj_array_finish(context, out);
  return false;
}
