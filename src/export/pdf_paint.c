// What draws of a PDF file are painted with: colours, gradients, images, and tiles that are drawn once.
#include <stdlib.h>
#include <string.h>

#include "export/pdf.h"
#include "image/image.h"

#define STOP_BYTES 256  // of a gradient's stop, about
#define TILE_UNITS 4.0  // of a tile's own space a point: cairo's coordinates are 24.8
#define MOST_TILE_SIDE 32000.0

static void apply_extend(cairo_pattern_t *pattern, uint32_t spread) {
  cairo_pattern_set_extend(pattern, spread == STIJL_SPREAD_REPEAT    ? CAIRO_EXTEND_REPEAT
                                    : spread == STIJL_SPREAD_REFLECT ? CAIRO_EXTEND_REFLECT
                                    : spread == STIJL_SPREAD_PAD     ? CAIRO_EXTEND_PAD
                                                                     : CAIRO_EXTEND_NONE);
}

static void set_color(sj_exporter *x, const sj_draw *draw, uint32_t color, double *opacity) {
  sj_export_stop c = sj_export_color(color);
  // Glyphs may overlap, and what they show is one picture.
  bool apart = draw->op == SJ_DRAW_GLYPHS;
  if (apart) *opacity = c.a;
  cairo_set_source_rgba(sj_pdf_of(x)->cr, c.r, c.g, c.b, apart ? 1.0 : c.a);
}

static sj_pdf_source set_gradient(sj_exporter *x, const sj_draw *draw, const sj_paint *paint, double *opacity) {
  const sj_ramp *ramp = &x->scene->ramps.data[paint->source];
  if (!sj_export_has_extent(paint)) {
    set_color(x, draw, sj_ramp_last(x->scene->ramp_pieces.data + ramp->first, ramp->count), opacity);
    return SJ_PDF_SET;
  }
  if (paint->kind == STIJL_PAINT_SWEEP) return SJ_PDF_UNKNOWN;
  sj_export_stop *stops = sj_alloc_array(x->context, ramp->count, 2 * sizeof *stops);
  if (!stops) sj_export_fail_memory(x);
  if (!stops || !sj_pdf_reserve(x, (size_t)ramp->count * 2 * STOP_BYTES)) {
    sj_free(x->context, stops);
    return SJ_PDF_NOTHING;
  }
  stijl_point p0 = paint->p0, p1 = paint->p1;
  cairo_pattern_t *made = paint->kind == STIJL_PAINT_LINEAR
                              ? cairo_pattern_create_linear((double)p0.x, (double)p0.y, (double)p1.x, (double)p1.y)
                              : cairo_pattern_create_radial((double)p0.x, (double)p0.y, (double)paint->r0, (double)p1.x,
                                                            (double)p1.y, (double)paint->r1);
  size_t count = sj_export_stops(x->scene, paint, stops);
  for (size_t i = 0; i < count; i++)
    cairo_pattern_add_color_stop_rgba(made, stops[i].t, stops[i].r, stops[i].g, stops[i].b, stops[i].a);
  sj_free(x->context, stops);
  apply_extend(made, paint->spread_x);
  cairo_set_source(sj_pdf_of(x)->cr, made);
  cairo_pattern_destroy(made);
  return SJ_PDF_SET;
}

// --- images ---

typedef struct {
  stijl_context *context;
  unsigned char *pixels;
} owned;

static void free_owned(void *user) {
  owned *own = user;
  sj_free(own->context, own->pixels);
  free(own);
}

cairo_surface_t *sj_pdf_image(sj_exporter *x, unsigned char *pixels, int width, int height) {
  static const cairo_user_data_key_t key;
  owned *own = malloc(sizeof *own);
  cairo_surface_t *made = NULL;
  if (own) {
    *own = (owned){x->context, pixels};
    made = cairo_image_surface_create_for_data(pixels, CAIRO_FORMAT_ARGB32, width, height, 4 * width);
  }
  if (own && cairo_surface_set_user_data(made, &key, own, free_owned) == CAIRO_STATUS_SUCCESS) return made;
  if (made) cairo_surface_destroy(made);
  free(own);
  sj_free(x->context, pixels);
  sj_export_fail_memory(x);
  return NULL;
}

// Converts a row of an image to what cairo has.
static void convert_row(const stijl_image *image, const unsigned char *row, unsigned char *out) {
  for (int i = 0; i < image->width; i++, out += 4) {
    bool alpha = image->format == STIJL_FORMAT_A8;
    const unsigned char *p = row + (alpha ? i : 4 * i);
    out[0] = alpha ? 0 : p[2];
    out[1] = alpha ? 0 : p[1];
    out[2] = alpha ? 0 : p[0];
    out[3] = alpha ? p[0] : p[3];
  }
}

static cairo_surface_t *image_of(sj_exporter *x, uint32_t number) {
  cairo_surface_t **kept = &sj_pdf_of(x)->shared->images[number];
  const stijl_image *image = x->scene->images.data[number];
  if (*kept) return *kept;
  size_t stride = (size_t)image->width * 4;
  unsigned char *pixels = sj_alloc_array(x->context, stride, (size_t)image->height);
  uint32_t *row = sj_alloc_array(x->context, (size_t)image->width, sizeof *row);
  if (pixels && row) {
    for (int y = 0; y < image->height; y++)
      convert_row(image, sj_image_row(image, y, row), pixels + (size_t)y * stride);
    *kept = sj_pdf_image(x, pixels, image->width, image->height);
  } else {
    sj_free(x->context, pixels);
    sj_export_fail_memory(x);
  }
  sj_free(x->context, row);
  return *kept;
}

static sj_pdf_source set_image(sj_exporter *x, const sj_draw *draw, const sj_paint *paint, double *opacity) {
  const stijl_image *image = x->scene->images.data[paint->source];
  uint32_t spread = paint->spread_x;
  if (sj_export_within_image(draw, paint, image->width, image->height))
    spread = STIJL_SPREAD_NONE;
  else if (paint->spread_x != paint->spread_y || spread == STIJL_SPREAD_PAD)
    return SJ_PDF_UNKNOWN;
  cairo_surface_t *surface = image_of(x, paint->source);
  if (!surface) return SJ_PDF_NOTHING;
  cairo_pattern_t *made = cairo_pattern_create_for_surface(surface);
  apply_extend(made, spread);
  cairo_pattern_set_filter(made,
                           paint->sampling == STIJL_SAMPLING_NEAREST ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_BILINEAR);
  cairo_set_source(sj_pdf_of(x)->cr, made);
  cairo_pattern_destroy(made);
  *opacity = paint->color / 255.0;
  return SJ_PDF_SET;
}

// --- scenes ---

// Returns the side of a tile in units of its own. `length` is in the paint's space, of which one unit is so many
// points.
static int tile_side(double length, double points) {
  double side = ceil(length * points * TILE_UNITS);
  return side > MOST_TILE_SIDE ? (int)MOST_TILE_SIDE : side < 16.0 ? 16 : (int)side;
}

static void draw_tile(sj_exporter *x, const sj_paint *paint, const sj_pdf_tile *tile, double inch) {
  const sj_subscene *sub = &x->scene->subscenes.data[paint->source];
  double width = (double)paint->p1.x - (double)paint->p0.x, height = (double)paint->p1.y - (double)paint->p0.y;
  sj_pdf_page *outer = sj_pdf_of(x);
  sj_pdf_page page = {
      .cr = cairo_create(tile->surface), .device = {1.0, 0.0, 0.0, 1.0, 0.0, 0.0}, .shared = outer->shared};
  sj_exporter inner = *x;
  inner.user = &page;
  inner.depth++;
  sj_export_set_scale(&inner, tile->width, tile->height, inch, x->scale * 96.0);
  stijl_matrix m =
      stijl_matrix_multiply(stijl_matrix_scale((float)(tile->width / width), (float)(tile->height / height)),
                            stijl_matrix_translate(-paint->p0.x, -paint->p0.y));
  if (sub->blends) cairo_push_group(page.cr);
  sj_export_draws(&inner, sj_array_at(&x->scene->inner, sub->first), sub->count, &m);
  if (sub->blends && sj_exporting(&inner)) {
    cairo_pop_group_to_source(page.cr);
    cairo_paint(page.cr);
  }
  cairo_status_t status = cairo_status(page.cr);
  cairo_destroy(page.cr);
  for (size_t i = 0; i < page.masked.count; i++) cairo_pattern_destroy(page.masked.data[i]);
  sj_arrays_finish(x->context, &page.layers, &page.masked);
  x->result = inner.result;
  if (sj_exporting(x) && status != CAIRO_STATUS_SUCCESS)
    x->result = sj_fail(x->message, STIJL_ERROR_UNSUPPORTED, "cairo: %s", cairo_status_to_string(status));
}

// Returns the tile of a paint, whose space `to` takes to the page; it is drawn for the first of its draws.
static const sj_pdf_tile *tile_of(sj_exporter *x, uint32_t number, const sj_paint *paint, sj_matrix64 to) {
  sj_pdf_tile *tile = &sj_pdf_of(x)->shared->tiles[number];
  if (tile->surface) return tile;
  to = sj_multiply64(sj_pdf_of(x)->device, to);
  double width = (double)paint->p1.x - (double)paint->p0.x, height = (double)paint->p1.y - (double)paint->p0.y;
  tile->width = tile_side(width, sqrt(to.a * to.a + to.b * to.b));
  tile->height = tile_side(height, sqrt(to.c * to.c + to.d * to.d));
  cairo_rectangle_t extents = {0.0, 0.0, tile->width, tile->height};
  tile->surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, &extents);
  draw_tile(x, paint, tile, 72.0 * TILE_UNITS);
  return sj_exporting(x) ? tile : NULL;
}

static sj_pdf_source set_scene(sj_exporter *x, const sj_draw *draw, const sj_paint *paint, const sj_matrix64 *to,
                               double *opacity) {
  if (paint->spread_x != paint->spread_y || paint->spread_x == STIJL_SPREAD_PAD) return SJ_PDF_UNKNOWN;
  const sj_subscene *sub = &x->scene->subscenes.data[paint->source];
  if (sub->backdrops) return SJ_PDF_UNKNOWN;
  const sj_pdf_tile *tile = tile_of(x, draw->paint, paint, *to);
  if (!tile) return SJ_PDF_NOTHING;
  double width = (double)paint->p1.x - (double)paint->p0.x, height = (double)paint->p1.y - (double)paint->p0.y;
  cairo_pattern_t *made = cairo_pattern_create_for_surface(tile->surface);
  cairo_matrix_t m = {tile->width / width,
                      0.0,
                      0.0,
                      tile->height / height,
                      -(double)paint->p0.x * tile->width / width,
                      -(double)paint->p0.y * tile->height / height};
  cairo_pattern_set_matrix(made, &m);
  apply_extend(made, paint->spread_x);
  sj_pdf_set_matrix(x, to);
  cairo_set_source(sj_pdf_of(x)->cr, made);
  cairo_pattern_destroy(made);
  *opacity = paint->color / 255.0;
  return SJ_PDF_SET;
}

sj_pdf_source sj_pdf_set_source(sj_exporter *x, const sj_draw *draw, const stijl_matrix *m, double *opacity) {
  if (draw->flags & K_DRAW_SOLID) {
    set_color(x, draw, draw->paint, opacity);
    return SJ_PDF_SET;
  }
  const sj_paint *paint = &x->scene->paints.data[draw->paint];
  sj_matrix64 to = sj_multiply64(sj_multiply64(sj_to64(*m), sj_to64(draw->transform)), sj_to64(paint->transform));
  if (!sj_pdf_set_matrix(x, &to)) return SJ_PDF_NOTHING;
  switch ((stijl_paint_kind)paint->kind) {
    case STIJL_PAINT_IMAGE: return set_image(x, draw, paint, opacity);
    case STIJL_PAINT_SCENE: return set_scene(x, draw, paint, &to, opacity);
    case STIJL_PAINT_SOLID:
    case STIJL_PAINT_LINEAR:
    case STIJL_PAINT_RADIAL:
    case STIJL_PAINT_SWEEP: break;
  }
  return set_gradient(x, draw, paint, opacity);
}
