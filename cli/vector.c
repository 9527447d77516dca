#include "vector.h"


#include "file.h"
#include "stijl/export.h"

static stijl_page page_of(const cli_renderer *r, const cli_drawing *d) {
  stijl_page page = STIJL_PAGE_INIT;
  page.width = d->size.exact_width;
  page.height = d->size.exact_height;
  page.transform = d->transform;
  page.background = d->background;
  page.raster_dpi = r->options->raster_dpi;
  page.budget = r->budget;
  return page;
}

static stijl_result write_pdf(const cli_renderer *r, const cli_drawing *d, cli_output *output, stijl_message *message) {
  stijl_page page = page_of(r, d);
  stijl_pdf_params params = STIJL_PDF_PARAMS_INIT;
  params.threads = r->threads;
  stijl_pdf *pdf = NULL;
  stijl_result result = stijl_pdf_create(r->context, &params, cli_output_write, output, &pdf, message);
  if (result == STIJL_OK) result = stijl_pdf_add_page(pdf, d->scene, &page, message);
  if (result == STIJL_OK) result = stijl_pdf_finish(pdf, message);
  stijl_pdf_destroy(pdf);
  return result;
}

bool cli_write_vector(const cli_renderer *r, const cli_drawing *d, const char *path, cli_failure *failure) {
  cli_output output;
  if (!cli_output_open(&output, path, failure)) return false;
  stijl_message message = {""};
  stijl_page page = page_of(r, d);
  stijl_result result = r->options->format == CLI_FORMAT_PDF
                            ? write_pdf(r, d, &output, &message)
                            : stijl_scene_write_svg(r->context, d->scene, &page, cli_output_write, &output, &message);
  return cli_output_end(&output, result, message.text, failure);
}
