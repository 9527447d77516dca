// What draws of a plain SVG document are painted with.
#include <stdio.h>
#include <string.h>

#include "export/svg.h"
#include "image/image.h"

static void put_name(sj_svg_writer *w, const char *before, uint32_t number, const char *after) {
  sj_svg_put(w, before);
  sj_svg_put_count(w, number);
  sj_svg_put(w, after);
}

// Puts a colour in the form of #rrggbb.
static void put_color(sj_svg_writer *w, sj_export_stop c) {
  char text[16];
  snprintf(text, sizeof text, "#%02x%02x%02x", (unsigned)lround(c.r * 255.0), (unsigned)lround(c.g * 255.0),
           (unsigned)lround(c.b * 255.0));
  sj_svg_put(w, text);
}

void sj_svg_put_paint(sj_exporter *x, const sj_draw *draw, const char *property) {
  sj_svg_writer *w = sj_svg_of(x);
  const sj_paint *paint = draw->flags & K_DRAW_SOLID ? NULL : &x->scene->paints.data[draw->paint];
  sj_export_stop color = {0};
  if (!paint)
    color = sj_export_color(draw->paint);
  else if (paint->kind == STIJL_PAINT_SCENE)
    color.a = paint->color / 255.0;
  else
    color.a = 1.0;
  sj_svg_put(w, " ");
  sj_svg_put(w, property);
  sj_svg_put(w, "=\"");
  if (paint)
    put_name(w, "url(#p", draw->paint, ")");
  else
    put_color(w, color);
  sj_svg_put(w, "\"");
  if (color.a >= 1.0) return;
  sj_svg_put(w, " ");
  sj_svg_put(w, property);
  sj_svg_put(w, "-opacity=\"");
  sj_svg_put_number(w, color.a);
  sj_svg_put(w, "\"");
}

static void put_spread(sj_svg_writer *w, uint32_t spread) {
  if (spread == STIJL_SPREAD_REPEAT) sj_svg_put(w, " spreadMethod=\"repeat\"");
  if (spread == STIJL_SPREAD_REFLECT) sj_svg_put(w, " spreadMethod=\"reflect\"");
}

static void put_stops(sj_exporter *x, const sj_paint *paint) {
  sj_svg_writer *w = sj_svg_of(x);
  sj_export_stop *stops = sj_alloc_array(x->context, x->scene->ramps.data[paint->source].count, 2 * sizeof *stops);
  if (!stops) sj_export_fail_memory(x);
  size_t count = stops ? sj_export_stops(x->scene, paint, stops) : 0;
  for (size_t i = 0; i < count; i++) {
    sj_svg_put(w, "<stop");
    sj_svg_put_attribute(w, "offset", stops[i].t);
    sj_svg_put(w, " stop-color=\"");
    put_color(w, stops[i]);
    sj_svg_put(w, "\"");
    if (stops[i].a < 1.0) sj_svg_put_attribute(w, "stop-opacity", stops[i].a);
    sj_svg_put(w, "/>");
  }
  sj_free(x->context, stops);
}

static void put_gradient(sj_exporter *x, uint32_t number, const sj_paint *paint) {
  sj_svg_writer *w = sj_svg_of(x);
  bool linear = paint->kind == STIJL_PAINT_LINEAR;
  sj_svg_put(w, linear ? "<linearGradient" : "<radialGradient");
  put_name(w, " id=\"p", number, "\" gradientUnits=\"userSpaceOnUse\"");
  sj_svg_put_matrix(w, "gradientTransform", &paint->transform);
  const char *const names[2][4] = {{"fx", "fy", "cx", "cy"}, {"x1", "y1", "x2", "y2"}};
  const float values[] = {paint->p0.x, paint->p0.y, paint->p1.x, paint->p1.y};
  for (int i = 0; i < 4; i++) sj_svg_put_attribute(w, names[linear][i], (double)values[i]);
  if (!linear) sj_svg_put_attribute(w, "r", (double)paint->r1);
  if (!linear && paint->r0 > 0.0f) sj_svg_put_attribute(w, "fr", (double)paint->r0);
  put_spread(w, paint->spread_x);
  sj_svg_put(w, ">");
  put_stops(x, paint);
  sj_svg_put(w, linear ? "</linearGradient>\n" : "</radialGradient>\n");
}

static void put_pattern(sj_exporter *x, uint32_t number, const sj_paint *paint, const stijl_matrix *to) {
  sj_svg_writer *w = sj_svg_of(x);
  const sj_subscene *sub = &x->scene->subscenes.data[paint->source];
  double width = (double)paint->p1.x - (double)paint->p0.x, height = (double)paint->p1.y - (double)paint->p0.y;
  put_name(w, "<pattern id=\"p", number, "\" patternUnits=\"userSpaceOnUse\"");
  sj_svg_put_matrix(w, "patternTransform", &paint->transform);
  sj_svg_put_attribute(w, "x", (double)paint->p0.x);
  sj_svg_put_attribute(w, "y", (double)paint->p0.y);
  sj_svg_put_attribute(w, "width", width);
  sj_svg_put_attribute(w, "height", height);
  // Its content has its corner at the origin, as pages have.
  stijl_matrix corner = stijl_matrix_translate(-paint->p0.x, -paint->p0.y);
  stijl_matrix back = stijl_matrix_translate(paint->p0.x, paint->p0.y);
  sj_svg_put(w, "><g");
  sj_svg_put_matrix(w, "transform", &back);
  sj_svg_put(w, ">\n");
  sj_matrix64 m = sj_multiply64(sj_to64(*to), sj_to64(paint->transform));
  sj_exporter inner = *x;
  inner.depth++;
  sj_export_set_scale(&inner, width, height, 1.0, x->scale * sqrt(fabs(m.a * m.d - m.b * m.c)));
  double page_width = w->width, page_height = w->height;
  w->width = width, w->height = height;
  w->x = &inner;
  sj_export_draws(&inner, sj_array_at(&x->scene->inner, sub->first), sub->count, &corner);
  w->x = x;
  w->width = page_width, w->height = page_height;
  x->result = inner.result;
  sj_svg_put(w, "</g></pattern>\n");
}

bool sj_svg_define_paint(sj_exporter *x, const sj_draw *draw, const stijl_matrix *m) {
  if (draw->flags & K_DRAW_SOLID) return true;
  sj_svg_writer *w = sj_svg_of(x);
  const sj_paint *paint = &x->scene->paints.data[draw->paint];
  bool scene = paint->kind == STIJL_PAINT_SCENE;
  switch ((stijl_paint_kind)paint->kind) {
    case STIJL_PAINT_SWEEP:
    case STIJL_PAINT_IMAGE: return false;
    case STIJL_PAINT_SCENE:
      if (paint->spread_x != STIJL_SPREAD_REPEAT || paint->spread_y != STIJL_SPREAD_REPEAT ||
          x->scene->subscenes.data[paint->source].backdrops)
        return false;
      break;
    case STIJL_PAINT_SOLID:
    case STIJL_PAINT_LINEAR:
    case STIJL_PAINT_RADIAL: break;
  }
  if (w->painted[draw->paint]) return true;
  w->painted[draw->paint] = 1;
  if (scene)
    put_pattern(x, draw->paint, paint, m);
  else
    put_gradient(x, draw->paint, paint);
  return true;
}

// --- images ---

void sj_svg_put_pixels(sj_exporter *x, int width, int height, stijl_format format, const void *pixels, size_t stride) {
  sj_svg_writer *w = sj_svg_of(x);
  stijl_png_params params = STIJL_PNG_PARAMS_INIT;
  sj_svg_put(w, " href=\"data:image/png;base64,");
  stijl_result result =
      stijl_png_encode(x->context, width, height, format, pixels, stride, &params, sj_svg_put_data, w, x->message);
  if (sj_exporting(x)) x->result = result;
  sj_svg_put_data(w, NULL, 0);
  sj_svg_put(w, "\"");
}

// Returns all pixels of an image, which the caller frees; NULL on failure.
static unsigned char *pixels_of(sj_exporter *x, const stijl_image *image) {
  size_t stride = (size_t)image->width * stijl_format_bytes(image->format);
  unsigned char *pixels = sj_alloc_array(x->context, stride, (size_t)image->height);
  uint32_t *row = sj_alloc_array(x->context, (size_t)image->width, sizeof *row);
  for (int y = 0; pixels && row && y < image->height; y++)
    memcpy(pixels + (size_t)y * stride, sj_image_row(image, y, row), stride);
  if (!pixels || !row) {
    sj_free(x->context, pixels);
    pixels = NULL;
    sj_export_fail_memory(x);
  }
  sj_free(x->context, row);
  return pixels;
}

// Defines an image, which is written once.
static void define_image(sj_exporter *x, uint32_t number, const sj_paint *paint) {
  sj_svg_writer *w = sj_svg_of(x);
  const stijl_image *image = x->scene->images.data[number];
  bool nearest = paint->sampling == STIJL_SAMPLING_NEAREST;
  uint32_t known = nearest ? 2 : 1;
  if (w->shown[number] & known) return;
  w->shown[number] |= known;
  unsigned char *pixels = pixels_of(x, image);
  if (!pixels) return;
  put_name(w, nearest ? "<defs><image id=\"n" : "<defs><image id=\"i", number, "\"");
  sj_svg_put_attribute(w, "width", image->width);
  sj_svg_put_attribute(w, "height", image->height);
  if (nearest) sj_svg_put(w, " image-rendering=\"optimizeSpeed\"");
  sj_svg_put_pixels(x, image->width, image->height, image->format, pixels,
                    (size_t)image->width * stijl_format_bytes(image->format));
  sj_svg_put(w, "/></defs>\n");
  sj_free(x->context, pixels);
}

// Returns whether a fill is just the image.
static bool is_whole(const sj_draw *draw, const sj_paint *paint, const stijl_image *image) {
  stijl_rect box = draw->path.box;
  stijl_matrix m = paint->transform;
  return draw->path.segment_count == 4 && m.a == 1.0f && m.b == 0.0f && m.c == 0.0f && m.d == 1.0f && m.e == 0.0f &&
         m.f == 0.0f && box.x0 == 0.0f && box.y0 == 0.0f && box.x1 == (float)image->width &&
         box.y1 == (float)image->height;
}

bool sj_svg_put_image(sj_exporter *x, const sj_draw *draw, const stijl_matrix *m) {
  sj_svg_writer *w = sj_svg_of(x);
  const sj_paint *paint = &x->scene->paints.data[draw->paint];
  const stijl_image *image = x->scene->images.data[paint->source];
  stijl_matrix path = stijl_matrix_multiply(*m, draw->transform), to = stijl_matrix_multiply(path, paint->transform);
  if (!sj_export_within_image(draw, paint, image->width, image->height)) return false;
  define_image(x, paint->source, paint);
  bool whole = is_whole(draw, paint, image);
  uint32_t clip = w->next++;
  if (!whole) {
    put_name(w, "<clipPath id=\"c", clip, "\"><path");
    sj_svg_put_matrix(w, "transform", &path);
    sj_svg_put_path(x, draw, &(sj_matrix64){1.0, 0.0, 0.0, 1.0, 0.0, 0.0});
    if (draw->flags & K_DRAW_EVENODD) sj_svg_put(w, " clip-rule=\"evenodd\"");
    sj_svg_put(w, "/></clipPath>\n");
    put_name(w, "<g clip-path=\"url(#c", clip, ")\">");
  }
  put_name(w, paint->sampling == STIJL_SAMPLING_NEAREST ? "<use href=\"#n" : "<use href=\"#i", paint->source, "\"");
  sj_svg_put_matrix(w, "transform", &to);
  if (paint->color < 255) sj_svg_put_attribute(w, "opacity", paint->color / 255.0);
  sj_svg_put(w, whole ? "/>\n" : "/></g>\n");
  return true;
}
