// PDF files: the public calls.
#include "export/pdf.h"

#include <string.h>

#include "base/params.h"
#include "libraries/freetype.h"

#define POINTS 0.75      // of a CSS pixel
#define PAGE_BYTES 4096  // what cairo takes for a page without content, about

struct stijl_pdf {
  stijl_context *context;
  bool (*write)(void *user, const void *data, size_t bytes);
  void *user;
  bool refused;  // by `write`
  int threads;
  cairo_surface_t *surface;
  stijl_renderer *renderer;
  stijl_result status;  // the first failure
  stijl_message why;
  bool pages, finished;
};

static cairo_status_t write_out(void *user, const unsigned char *data, unsigned bytes) {
  stijl_pdf *pdf = user;
  if (!pdf->refused && !pdf->write(pdf->user, data, bytes)) pdf->refused = true;
  return pdf->refused ? CAIRO_STATUS_WRITE_ERROR : CAIRO_STATUS_SUCCESS;
}

static stijl_result status_of(const stijl_pdf *pdf, cairo_status_t status, stijl_message *message) {
  if (status == CAIRO_STATUS_SUCCESS) return STIJL_OK;
  if (pdf->refused) return sj_fail(message, STIJL_ERROR_IO, "the file was not written");
  if (status == CAIRO_STATUS_NO_MEMORY) return sj_fail_memory(message);
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "cairo: %s", cairo_status_to_string(status));
}

static stijl_result keep(stijl_pdf *pdf, stijl_result result, stijl_message *message) {
  if (result == STIJL_OK || pdf->status != STIJL_OK) return result;
  pdf->status = result;
  if (message) pdf->why = *message;
  return result;
}

static stijl_result again(const stijl_pdf *pdf, stijl_message *message) {
  return sj_fail(message, pdf->status, "%s", pdf->why.text);
}

stijl_result stijl_pdf_create(stijl_context *context, const stijl_pdf_params *params,
                              bool (*write)(void *user, const void *data, size_t bytes), void *user, stijl_pdf **out,
                              stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!out) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no place for the file");
  *out = NULL;
  params = SJ_PARAMS(stijl_pdf_params, STIJL_PDF_PARAMS_INIT, params, message);
  if (!params || !write) return STIJL_ERROR_INVALID_ARGUMENT;
  if (sj_open_cairo(message) != STIJL_OK || sj_open_freetype(message) != STIJL_OK) return STIJL_ERROR_UNSUPPORTED;
  context = sj_context(context);
  stijl_pdf *pdf = sj_alloc_zero(context, sizeof *pdf);
  if (!pdf) return sj_fail_memory(message);
  *pdf = (stijl_pdf){.context = context, .write = write, .user = user, .threads = params->threads};
  pdf->surface = cairo_pdf_surface_create_for_stream(write_out, pdf, 1.0, 1.0);
  if (params->title) cairo_pdf_surface_set_metadata(pdf->surface, CAIRO_PDF_METADATA_TITLE, params->title);
  stijl_result result = status_of(pdf, cairo_surface_status(pdf->surface), message);
  if (result == STIJL_OK)
    *out = pdf;
  else
    stijl_pdf_destroy(pdf);
  return result;
}

// --- pages ---

static bool begin_shared(sj_exporter *x, sj_pdf_shared *s) {
  const stijl_scene *scene = x->scene;
  *s = (sj_pdf_shared){.images = sj_alloc_zero(x->context, (scene->images.count + 1) * sizeof *s->images),
                       .tiles = sj_alloc_zero(x->context, (scene->paints.count + 1) * sizeof *s->tiles),
                       .glyphs = sj_alloc_array(x->context, scene->outlines.count + 1, sizeof *s->glyphs)};
  if (s->images && s->tiles && s->glyphs) return true;
  sj_export_fail_memory(x);
  return false;
}

static void finish_shared(sj_exporter *x, sj_pdf_shared *s) {
  for (size_t i = 0; s->images && i < x->scene->images.count; i++)
    if (s->images[i]) cairo_surface_destroy(s->images[i]);
  for (size_t i = 0; s->tiles && i < x->scene->paints.count; i++)
    if (s->tiles[i].surface) cairo_surface_destroy(s->tiles[i].surface);
  for (size_t i = 0; i < s->fonts.count; i++)
    if (s->fonts.data[i].face) cairo_font_face_destroy(s->fonts.data[i].face);
  sj_array_finish(x->context, &s->fonts);
  sj_free(x->context, s->images);
  sj_free(x->context, s->tiles);
  sj_free(x->context, s->glyphs);
  sj_budget_release(x->context, s->reserved);
}

static void draw_page(sj_exporter *x, const stijl_page *page) {
  cairo_t *cr = sj_pdf_of(x)->cr;
  if (page->background.a > 0.0f) {
    stijl_color c = page->background;
    cairo_set_source_rgba(cr, (double)c.r, (double)c.g, (double)c.b, (double)c.a);
    cairo_paint(cr);
  }
  // What blends with the page does so with the background alone, and not with what a viewer puts below it.
  if (x->scene->blends) cairo_push_group(cr);  // under cairo's first matrix
  sj_export_scene(x, &page->transform);
  if (!x->scene->blends || !sj_exporting(x)) return;
  cairo_pop_group_to_source(cr);
  cairo_paint(cr);
}

static stijl_result add_page(stijl_pdf *pdf, const stijl_scene *scene, const stijl_page *page, stijl_budget *budget,
                             stijl_message *message) {
  sj_pdf_shared shared;
  sj_pdf_page at = {.device = {POINTS, 0.0, 0.0, POINTS, 0.0, 0.0}, .shared = &shared};
  stijl_context *context = stijl_budget_context(budget);
  sj_exporter x = {.context = context,
                   .renderer = &pdf->renderer,
                   .renderer_context = pdf->context,
                   .threads = pdf->threads,
                   .scene = scene,
                   .format = &sj_pdf_format,
                   .user = &at,
                   .message = message};
  double width = (double)page->width, height = (double)page->height;
  sj_export_set_scale(&x, width, height, 96.0, (double)page->raster_dpi);
  if (begin_shared(&x, &shared) && sj_pdf_reserve(&x, PAGE_BYTES)) {
    cairo_pdf_surface_set_size(pdf->surface, width * POINTS, height * POINTS);
    cairo_surface_set_fallback_resolution(pdf->surface, x.scale * 96.0, x.scale * 96.0);
    at.cr = cairo_create(pdf->surface);
    draw_page(&x, page);
    if (sj_exporting(&x)) x.result = status_of(pdf, cairo_status(at.cr), message);
    if (sj_exporting(&x)) cairo_surface_show_page(pdf->surface);
    cairo_destroy(at.cr);
    for (size_t i = 0; i < at.masked.count; i++) cairo_pattern_destroy(at.masked.data[i]);
    if (sj_exporting(&x)) x.result = status_of(pdf, cairo_surface_status(pdf->surface), message);
  }
  sj_arrays_finish(context, &at.layers, &at.masked);
  finish_shared(&x, &shared);
  return x.result;
}

stijl_result stijl_pdf_add_page(stijl_pdf *pdf, const stijl_scene *scene, const stijl_page *page,
                                stijl_message *message) {
  stijl_message own = {""};
  if (!message) message = &own;
  message->text[0] = 0;
  if (!pdf) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no file to add a page to");
  if (pdf->status != STIJL_OK) return again(pdf, message);
  if (pdf->finished) return sj_fail(message, STIJL_ERROR_INVALID_STATE, "the file is finished");
  page = SJ_GIVEN(stijl_page, STIJL_PAGE_INIT, page, message);
  if (!page) return STIJL_ERROR_INVALID_ARGUMENT;
  stijl_budget *budget = NULL;
  stijl_result result = sj_export_check(scene, page, message);
  if (result == STIJL_OK) result = sj_budget_begin(pdf->context, page->budget, 0.0, &budget, message);
  if (result != STIJL_OK) return result;
  sj_budget_expect(budget, scene->input_bytes, (uint64_t)((double)page->width * (double)page->height));
  result = sj_budget_result(budget, add_page(pdf, scene, page, budget, message), message);
  sj_budget_end(budget);
  pdf->pages = true;
  return keep(pdf, result, message);
}

stijl_result stijl_pdf_finish(stijl_pdf *pdf, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!pdf) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no file to finish");
  if (pdf->status != STIJL_OK) return again(pdf, message);
  if (!pdf->pages) return sj_fail(message, STIJL_ERROR_INVALID_STATE, "a PDF file has at least one page");
  if (!pdf->finished) cairo_surface_finish(pdf->surface);
  pdf->finished = true;
  return keep(pdf, status_of(pdf, cairo_surface_status(pdf->surface), message), message);
}

void stijl_pdf_destroy(stijl_pdf *pdf) {
  if (!pdf) return;
  // cairo writes the rest of a file even of one that has failed; nobody gets it.
  if (!pdf->finished) pdf->refused = true;
  cairo_surface_finish(pdf->surface);
  cairo_surface_destroy(pdf->surface);
  stijl_renderer_destroy(pdf->renderer);
  sj_free(pdf->context, pdf);
}
