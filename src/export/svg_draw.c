// What a plain SVG document says of draws and layers. Elements have their whole transforms; groups have none.
#include "base/blends.h"
#include "export/svg.h"
#include "kernel/composite.h"

// --- paths ---

static void put_points(sj_svg_writer *w, const char *letter, const double *p, int count) {
  sj_svg_put(w, letter);
  for (int i = 0; i < count; i++) {
    if (i) sj_svg_put(w, " ");
    sj_svg_put_number(w, p[i]);
  }
}

static void move(void *w, double px, double py) { put_points(w, "M", (double[]){px, py}, 2); }
static void line(void *w, double px, double py) { put_points(w, "L", (double[]){px, py}, 2); }
static void curve(void *w, const double p[6]) { put_points(w, "C", p, 6); }
static void quad(void *w, const double p[4]) { put_points(w, "Q", p, 4); }
static void close(void *w) { sj_svg_put(w, "Z"); }

void sj_svg_put_path(sj_exporter *x, const sj_draw *draw, const sj_matrix64 *m) {
  static const sj_pen_ops pen = {move, line, curve, close, quad, 0.0};
  sj_svg_writer *w = sj_svg_of(x);
  bool glyphs = draw->op == SJ_DRAW_GLYPHS;
  uint32_t segments = glyphs ? x->scene->runs.data[draw->run].segments : draw->path.segment_count;
  if (!sj_export_spend(x, (uint64_t)segments * 500)) return;
  sj_svg_put(w, " d=\"");
  if (glyphs)
    sj_export_run(x->scene, draw->run, m, &pen, w);
  else
    sj_export_path(x->scene, &draw->path, m, draw->op == K_DRAW_STROKE, &pen, w);
  sj_svg_put(w, "\"");
}

static const sj_matrix64 identity = {1.0, 0.0, 0.0, 1.0, 0.0, 0.0};

// --- draws ---

static void put_stroke(sj_svg_writer *w, const sj_stroke *stroke) {
  static const char *const caps[] = {"butt", "round", "square"};
  static const char *const joins[] = {"miter", "round", "bevel", "miter-clip"};
  sj_svg_put(w, " fill=\"none\"");
  sj_svg_put_attribute(w, "stroke-width", 2.0 * (double)stroke->half_width);
  if (stroke->cap) sj_svg_put(w, " stroke-linecap=\""), sj_svg_put(w, caps[stroke->cap]), sj_svg_put(w, "\"");
  if (stroke->join) sj_svg_put(w, " stroke-linejoin=\""), sj_svg_put(w, joins[stroke->join]), sj_svg_put(w, "\"");
  if (stroke->miter_limit != 4.0f) sj_svg_put_attribute(w, "stroke-miterlimit", (double)stroke->miter_limit);
}

// Draws a stroke. One whose pen has a space of its own is drawn in that space. Returns false when SVG cannot say it.
static bool draw_stroke(sj_exporter *x, const sj_draw *draw, const stijl_matrix *m) {
  const sj_stroke *stroke = &x->scene->strokes.data[draw->stroke];
  stijl_matrix to = stijl_matrix_multiply(*m, draw->transform);
  sj_matrix64 path = identity, back;
  if (stroke->own_pen) {
    if (!(draw->flags & K_DRAW_SOLID) || !sj_invert64(sj_to64(stroke->pen), &back)) return false;
    path = sj_multiply64(back, sj_to64(draw->transform));
    to = stijl_matrix_multiply(*m, stroke->pen);
  }
  sj_svg_writer *w = sj_svg_of(x);
  sj_svg_put(w, "<path");
  sj_svg_put_matrix(w, "transform", &to);
  sj_svg_put_path(x, draw, &path);
  put_stroke(w, stroke);
  if (draw->flags & K_DRAW_ALIASED) sj_svg_put(w, " shape-rendering=\"crispEdges\"");
  sj_svg_put_paint(x, draw, "stroke");
  sj_svg_put(w, "/>\n");
  return true;
}

// Puts what a fill of everything shows of the page, as it is seen from the space of the draws.
static bool put_page(sj_exporter *x, const stijl_matrix *m) {
  sj_svg_writer *w = sj_svg_of(x);
  sj_matrix64 back;
  if (!sj_invert64(sj_to64(*m), &back)) return false;
  const double corners[4][2] = {{0.0, 0.0}, {w->width, 0.0}, {w->width, w->height}, {0.0, w->height}};
  sj_svg_put(w, " d=\"");
  for (int i = 0; i < 4; i++) {
    double px = corners[i][0], py = corners[i][1];
    (i ? line : move)(w, back.a * px + back.c * py + back.e, back.b * px + back.d * py + back.f);
  }
  sj_svg_put(w, "Z\"");
  return true;
}

static bool draw_shape(sj_exporter *x, const sj_draw *draw, const stijl_matrix *m) {
  sj_svg_writer *w = sj_svg_of(x);
  stijl_matrix to = stijl_matrix_multiply(*m, draw->transform);
  if (!(draw->flags & K_DRAW_SOLID) && x->scene->paints.data[draw->paint].kind == STIJL_PAINT_IMAGE)
    return sj_svg_put_image(x, draw, m);
  if (!sj_svg_define_paint(x, draw, &to)) return false;
  if (draw->op == K_DRAW_STROKE) return draw_stroke(x, draw, m);
  sj_svg_put(w, "<path");
  sj_svg_put_matrix(w, "transform", &to);
  if (draw->op != K_DRAW_ALL)
    sj_svg_put_path(x, draw, &identity);
  else if (!put_page(x, m))
    sj_svg_put(w, " d=\"\"");
  if (draw->flags & K_DRAW_EVENODD) sj_svg_put(w, " fill-rule=\"evenodd\"");
  if (draw->flags & K_DRAW_ALIASED) sj_svg_put(w, " shape-rendering=\"crispEdges\"");
  sj_svg_put_paint(x, draw, "fill");
  sj_svg_put(w, "/>\n");
  return true;
}

// --- layers ---

static void put_reference(sj_svg_writer *w, const char *name, char kind, uint32_t number) {
  sj_svg_put(w, " ");
  sj_svg_put(w, name);
  sj_svg_put(w, "=\"url(#");
  sj_svg_put(w, (char[]){kind, 0});
  sj_svg_put_count(w, number);
  sj_svg_put(w, ")\"");
}

static void put_clip(sj_exporter *x, const sj_draw *push, const stijl_matrix *m, uint32_t number) {
  sj_svg_writer *w = sj_svg_of(x);
  stijl_matrix to = stijl_matrix_multiply(*m, push->transform);
  sj_svg_put(w, "<clipPath id=\"c");
  sj_svg_put_count(w, number);
  sj_svg_put(w, "\"><path");
  sj_svg_put_matrix(w, "transform", &to);
  sj_svg_put_path(x, push, &identity);
  if (push->flags & K_DRAW_EVENODD) sj_svg_put(w, " clip-rule=\"evenodd\"");
  sj_svg_put(w, "/></clipPath>\n");
}

static void put_group(sj_svg_writer *w, uint32_t opacity, uint32_t blend, bool isolated) {
#define NAME(name, lower, css, how) css,
  static const char *const blends[] = {SJ_BLENDS(NAME)};
#undef NAME
  if (opacity < 255) sj_svg_put_attribute(w, "opacity", opacity / 255.0);
  if (blend != K_BLEND_NORMAL)
    sj_svg_put(w, " style=\"mix-blend-mode:"), sj_svg_put(w, blends[blend]), sj_svg_put(w, "\"");
  else if (isolated)
    sj_svg_put(w, " style=\"isolation:isolate\"");
}

static bool begin_layer(sj_exporter *x, const sj_draw *push, const stijl_matrix *m, uint32_t masks) {
  sj_svg_writer *w = sj_svg_of(x);
  uint32_t clip = w->next++;
  sj_svg_layer layer = {masks, w->next};
  w->next += masks;
  if (!sj_array_push(x->context, &w->layers, layer)) sj_export_fail_memory(x);
  if (push->flags & K_DRAW_CLIP) put_clip(x, push, m, clip);
  sj_svg_put(w, "<g");
  put_group(w, push->opacity, push->blend, push->holds_blend);
  if (push->flags & K_DRAW_CLIP) put_reference(w, "clip-path", 'c', clip);
  sj_svg_put(w, ">\n");
  // The first mask acts on what comes before it alone, and so is the innermost.
  for (uint32_t i = masks; i > 0; i--) {
    sj_svg_put(w, "<g");
    put_reference(w, "mask", 'm', layer.mask + i - 1);
    sj_svg_put(w, ">\n");
  }
  return true;
}

static void end_layer(sj_exporter *x) {
  sj_svg_writer *w = sj_svg_of(x);
  w->layers.count--;
  sj_svg_put(w, "</g>\n");
}

// --- masks ---

static void put_page_box(sj_svg_writer *w) {
  sj_svg_put(w, " x=\"0\" y=\"0\"");
  sj_svg_put_attribute(w, "width", w->width);
  sj_svg_put_attribute(w, "height", w->height);
}

static void begin_mask(sj_exporter *x, uint32_t kind) {
  sj_svg_writer *w = sj_svg_of(x);
  sj_svg_layer *layer = &w->layers.data[w->layers.count - 1];
  sj_svg_put(w, "</g>\n<mask id=\"m");
  sj_svg_put_count(w, layer->mask++);
  sj_svg_put(w, "\" maskUnits=\"userSpaceOnUse\"");
  put_page_box(w);
  if (kind == K_BLEND_MASK_ALPHA) sj_svg_put(w, " style=\"mask-type:alpha\"");
  if (kind == K_BLEND_MASK_LUMINANCE_LINEAR) sj_svg_put(w, " color-interpolation=\"linearRGB\"");
  sj_svg_put(w, ">\n");
  // What is in it has layers of its own.
  if (!sj_array_push(x->context, &w->layers, (sj_svg_layer){0, 0})) sj_export_fail_memory(x);
}

static void end_mask(sj_exporter *x) {
  sj_svg_writer *w = sj_svg_of(x);
  w->layers.count--;
  sj_svg_put(w, "</mask>\n");
}

// --- images ---

static void put_raster(sj_exporter *x, sj_raster *r, uint32_t blend) {
  sj_svg_writer *w = sj_svg_of(x);
  int width = r->box.x1 - r->box.x0, height = r->box.y1 - r->box.y0;
  sj_svg_put(w, "<image");
  put_group(w, 255, blend, false);
  sj_svg_put_attribute(w, "x", r->box.x0 / x->scale);
  sj_svg_put_attribute(w, "y", r->box.y0 / x->scale);
  sj_svg_put_attribute(w, "width", width / x->scale);
  sj_svg_put_attribute(w, "height", height / x->scale);
  sj_svg_put(w, " preserveAspectRatio=\"none\"");
  sj_svg_put_pixels(x, width, height, STIJL_FORMAT_BGRA8, r->pixels, (size_t)width * 4);
  sj_svg_put(w, "/>\n");
  sj_free(x->context, r->pixels);
}

static void mask_raster(sj_exporter *x, sj_raster *raster) {
  begin_mask(x, K_BLEND_MASK_ALPHA);
  if (raster->pixels) put_raster(x, raster, K_BLEND_NORMAL);
  end_mask(x);
}

const sj_format sj_svg_format = {.blends_plus_lighter = true,
                                 .masks_luminance = true,
                                 .draw = draw_shape,
                                 .raster = put_raster,
                                 .begin_layer = begin_layer,
                                 .end_layer = end_layer,
                                 .begin_mask = begin_mask,
                                 .end_mask = end_mask,
                                 .mask_raster = mask_raster};
