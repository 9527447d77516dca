// What a PDF file says of draws and layers.
#include "export/pdf.h"
#include "kernel/composite.h"
#include "kernel/pen.h"

#define DRAW_BYTES 1024   // what cairo keeps of a draw, about
#define SEGMENT_BYTES 64  // and of a segment of a path
#define FAR_AWAY 1e6      // points: cairo's coordinates are 24.8

bool sj_pdf_reserve(sj_exporter *x, size_t bytes) {
  if (sj_exporting(x) && !sj_budget_reserve(x->context, bytes))
    sj_export_fail_memory(x);
  else if (sj_exporting(x))
    sj_pdf_of(x)->shared->reserved += bytes;
  return sj_exporting(x);
}

static cairo_matrix_t to_cairo(sj_matrix64 m) { return (cairo_matrix_t){m.a, m.b, m.c, m.d, m.e, m.f}; }

bool sj_pdf_set_matrix(sj_exporter *x, const sj_matrix64 *m) {
  sj_matrix64 device = sj_multiply64(sj_pdf_of(x)->device, *m);
  cairo_matrix_t set = to_cairo(device);
  if (!sj_is_regular(&device)) return false;
  cairo_set_matrix(sj_pdf_of(x)->cr, &set);
  return true;
}

// Begins a group, whose pattern is made for the page's own matrix.
static void push_group(sj_exporter *x) {
  cairo_matrix_t device = to_cairo(sj_pdf_of(x)->device);
  cairo_set_matrix(sj_pdf_of(x)->cr, &device);
  cairo_push_group(sj_pdf_of(x)->cr);
}

// --- paths ---

static void move(void *user, double px, double py) { cairo_move_to(user, px, py); }
static void line(void *user, double px, double py) { cairo_line_to(user, px, py); }
static void curve(void *user, const double p[6]) { cairo_curve_to(user, p[0], p[1], p[2], p[3], p[4], p[5]); }
static void close(void *user) { cairo_close_path(user); }
static const sj_pen_ops pen = {move, line, curve, close, NULL, 0.02};

// Makes a draw's path, which is an outline of what its shape is; false: it is beyond what cairo can hold.
static bool make_path(sj_exporter *x, const sj_draw *draw, const stijl_matrix *m) {
  sj_pdf_page *page = sj_pdf_of(x);
  sj_matrix64 to = sj_multiply64(page->device, sj_multiply64(sj_to64(*m), sj_to64(draw->transform)));
  stijl_rect box = stijl_matrix_apply_rect(sj_from64(to), draw->path.box);
  bool empty = draw->op != SJ_DRAW_GLYPHS && !draw->path.segment_count;
  if (!empty && !(fabs((double)box.x0) < FAR_AWAY && fabs((double)box.y0) < FAR_AWAY &&
                  fabs((double)box.x1) < FAR_AWAY && fabs((double)box.y1) < FAR_AWAY))
    return false;
  uint32_t segments = draw->op == SJ_DRAW_GLYPHS ? x->scene->runs.data[draw->run].segments : draw->path.segment_count;
  if (!sj_export_spend(x, (uint64_t)segments * 100) || !sj_pdf_reserve(x, (size_t)segments * SEGMENT_BYTES))
    return true;
  cairo_identity_matrix(page->cr);
  cairo_new_path(page->cr);
  if (draw->op == SJ_DRAW_GLYPHS)
    sj_export_run(x->scene, draw->run, &to, &pen, page->cr);
  else
    sj_export_path(x->scene, &draw->path, &to, draw->op == K_DRAW_STROKE, &pen, page->cr);
  cairo_set_fill_rule(page->cr, draw->flags & K_DRAW_EVENODD ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING);
  return true;
}

// Sets the pen of a stroke. Returns false when it has no width.
static bool set_pen(sj_exporter *x, const sj_draw *draw, const stijl_matrix *m) {
  static const cairo_line_cap_t caps[] = {CAIRO_LINE_CAP_BUTT, CAIRO_LINE_CAP_ROUND, CAIRO_LINE_CAP_SQUARE};
  static const cairo_line_join_t joins[] = {CAIRO_LINE_JOIN_MITER, CAIRO_LINE_JOIN_ROUND, CAIRO_LINE_JOIN_BEVEL,
                                            CAIRO_LINE_JOIN_MITER};
  const sj_stroke *stroke = &x->scene->strokes.data[draw->stroke];
  cairo_t *cr = sj_pdf_of(x)->cr;
  sj_matrix64 space = sj_multiply64(sj_to64(*m), sj_to64(stroke->own_pen ? stroke->pen : draw->transform));
  if (!sj_pdf_set_matrix(x, &space)) return false;
  cairo_set_line_width(cr, 2.0 * (double)stroke->half_width);
  cairo_set_line_cap(cr, caps[stroke->cap]);
  cairo_set_line_join(cr, joins[stroke->join]);
  cairo_set_miter_limit(cr, (double)stroke->miter_limit);
  return true;
}

// --- draws ---

static bool can_say(const sj_exporter *x, const sj_draw *draw) {
  return draw->op != K_DRAW_STROKE || x->scene->strokes.data[draw->stroke].join != K_JOIN_MITER_CLIP;
}

// Paints the draw's shape with the source.
static bool paint_shape(sj_exporter *x, const sj_draw *draw, const stijl_matrix *m, double opacity) {
  cairo_t *cr = sj_pdf_of(x)->cr;
  if (draw->op == K_DRAW_ALL) {
    cairo_paint_with_alpha(cr, opacity);
    return true;
  }
  // What overlaps within the shape must not be seen.
  bool group = opacity < 1.0 && draw->op != K_DRAW_FILL;
  if (group) cairo_push_group(cr);
  bool good = true;
  if (draw->op != SJ_DRAW_GLYPHS || !sj_pdf_text(x, draw, m)) {
    good = make_path(x, draw, m);
    if (good && draw->op == K_DRAW_STROKE) {
      if (set_pen(x, draw, m)) cairo_stroke(cr);
    } else if (good && opacity < 1.0 && !group) {
      cairo_clip(cr);
      cairo_paint_with_alpha(cr, opacity);
    } else if (good) {
      cairo_fill(cr);
    }
    cairo_new_path(cr);
  }
  if (!group) return good;
  cairo_pop_group_to_source(cr);
  if (good) cairo_paint_with_alpha(cr, opacity);
  return good;
}

static bool draw_shape(sj_exporter *x, const sj_draw *draw, const stijl_matrix *m) {
  double opacity = 1.0;
  if (!can_say(x, draw)) return false;
  if (!sj_pdf_reserve(x, DRAW_BYTES)) return true;
  cairo_t *cr = sj_pdf_of(x)->cr;
  cairo_save(cr);
  sj_pdf_source source = sj_pdf_set_source(x, draw, m, &opacity);
  bool said = source == SJ_PDF_NOTHING || (source == SJ_PDF_SET && paint_shape(x, draw, m, opacity));
  cairo_restore(cr);
  return said;
}

// --- layers ---

static cairo_operator_t operator_of(uint32_t blend) {
  static const cairo_operator_t operators[] = {
      [K_BLEND_NORMAL] = CAIRO_OPERATOR_OVER,
      [K_BLEND_MULTIPLY] = CAIRO_OPERATOR_MULTIPLY,
      [K_BLEND_SCREEN] = CAIRO_OPERATOR_SCREEN,
      [K_BLEND_OVERLAY] = CAIRO_OPERATOR_OVERLAY,
      [K_BLEND_DARKEN] = CAIRO_OPERATOR_DARKEN,
      [K_BLEND_LIGHTEN] = CAIRO_OPERATOR_LIGHTEN,
      [K_BLEND_COLOR_DODGE] = CAIRO_OPERATOR_COLOR_DODGE,
      [K_BLEND_COLOR_BURN] = CAIRO_OPERATOR_COLOR_BURN,
      [K_BLEND_HARD_LIGHT] = CAIRO_OPERATOR_HARD_LIGHT,
      [K_BLEND_SOFT_LIGHT] = CAIRO_OPERATOR_SOFT_LIGHT,
      [K_BLEND_DIFFERENCE] = CAIRO_OPERATOR_DIFFERENCE,
      [K_BLEND_EXCLUSION] = CAIRO_OPERATOR_EXCLUSION,
      [K_BLEND_HUE] = CAIRO_OPERATOR_HSL_HUE,
      [K_BLEND_SATURATION] = CAIRO_OPERATOR_HSL_SATURATION,
      [K_BLEND_COLOR] = CAIRO_OPERATOR_HSL_COLOR,
      [K_BLEND_LUMINOSITY] = CAIRO_OPERATOR_HSL_LUMINOSITY,
  };
  _Static_assert(K_BLEND_MODES == 17, "a new mode has an operator here, or needs_below of walk.c refuses it");
  return operators[blend];
}

static bool begin_layer(sj_exporter *x, const sj_draw *push, const stijl_matrix *m, uint32_t masks) {
  sj_pdf_page *page = sj_pdf_of(x);
  sj_pdf_layer layer = {.opacity = push->opacity / 255.0, .blend = push->blend};
  layer.group = masks || push->opacity < 255 || push->blend != K_BLEND_NORMAL || push->holds_blend;
  if (!sj_pdf_reserve(x, DRAW_BYTES)) return true;
  cairo_save(page->cr);
  if (push->flags & K_DRAW_CLIP) {
    if (!make_path(x, push, m)) {
      cairo_restore(page->cr);
      return false;
    }
    cairo_clip(page->cr);
  }
  if (layer.group) push_group(x);
  if (!sj_array_push(x->context, &page->layers, layer)) sj_export_fail_memory(x);
  return true;
}

static void end_layer(sj_exporter *x) {
  sj_pdf_page *page = sj_pdf_of(x);
  sj_pdf_layer layer = page->layers.data[--page->layers.count];
  if (layer.group) {
    cairo_pop_group_to_source(page->cr);
    cairo_set_operator(page->cr, operator_of(layer.blend));
    cairo_paint_with_alpha(page->cr, layer.opacity);
  }
  cairo_restore(page->cr);
}

// --- masks ---

// Takes what the open layer has so far off, to go on with it as masked.
static bool take_content(sj_exporter *x) {
  sj_pdf_page *page = sj_pdf_of(x);
  if (!sj_pdf_reserve(x, DRAW_BYTES)) return false;
  cairo_pattern_t *content = cairo_pop_group(page->cr);
  if (sj_array_push(x->context, &page->masked, content)) return true;
  cairo_pattern_destroy(content);
  sj_export_fail_memory(x);
  return false;
}

static void put_masked(sj_exporter *x, cairo_pattern_t *mask) {
  sj_pdf_page *page = sj_pdf_of(x);
  cairo_pattern_t *content = page->masked.data[--page->masked.count];
  push_group(x);
  cairo_set_source(page->cr, content);
  if (mask) cairo_mask(page->cr, mask);
  cairo_pattern_destroy(content);
}

static void begin_mask(sj_exporter *x, uint32_t kind) {
  (void)kind;  // by its alpha
  if (take_content(x)) push_group(x);
}

static void end_mask(sj_exporter *x) {
  cairo_pattern_t *mask = cairo_pop_group(sj_pdf_of(x)->cr);
  put_masked(x, mask);
  cairo_pattern_destroy(mask);
}

// --- images ---

// Makes a pattern of a raster, in its place; NULL on failure.
static cairo_pattern_t *raster_pattern(sj_exporter *x, sj_raster *r) {
  cairo_surface_t *image = sj_pdf_image(x, r->pixels, r->box.x1 - r->box.x0, r->box.y1 - r->box.y0);
  if (!image) return NULL;
  cairo_pattern_t *pattern = cairo_pattern_create_for_surface(image);
  cairo_matrix_t place = {x->scale, 0.0, 0.0, x->scale, -r->box.x0, -r->box.y0};
  cairo_pattern_set_matrix(pattern, &place);
  cairo_surface_destroy(image);
  return pattern;
}

static void put_raster(sj_exporter *x, sj_raster *raster, uint32_t blend) {
  static const sj_matrix64 identity = {1.0, 0.0, 0.0, 1.0, 0.0, 0.0};
  cairo_t *cr = sj_pdf_of(x)->cr;
  cairo_pattern_t *pattern = raster_pattern(x, raster);
  if (!pattern) return;
  cairo_save(cr);
  sj_pdf_set_matrix(x, &identity);
  cairo_set_source(cr, pattern);
  cairo_set_operator(cr, operator_of(blend));
  cairo_paint(cr);
  cairo_restore(cr);
  cairo_pattern_destroy(pattern);
}

static void mask_raster(sj_exporter *x, sj_raster *raster) {
  cairo_pattern_t *mask = raster->pixels ? raster_pattern(x, raster) : NULL;
  if (take_content(x)) put_masked(x, mask);
  if (mask) cairo_pattern_destroy(mask);
}

const sj_format sj_pdf_format = {.draw = draw_shape,
                                 .raster = put_raster,
                                 .begin_layer = begin_layer,
                                 .end_layer = end_layer,
                                 .begin_mask = begin_mask,
                                 .end_mask = end_mask,
                                 .mask_raster = mask_raster};
