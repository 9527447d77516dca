#include "vector.h"

#include <stdlib.h>
#include <string.h>

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

// --- several pages ---

static stijl_result begin_pages(const cli_renderer *r, cli_pages *pages, stijl_message *message) {
  stijl_pdf_params params = STIJL_PDF_PARAMS_INIT;
  params.threads = r->threads;
  return stijl_pdf_create(r->context, &params, cli_output_write, &pages->output, &pages->pdf, message);
}

bool cli_pages_add(const cli_renderer *r, const cli_drawing *d, const char *path, cli_failure *failure) {
  cli_pages *pages = r->pages;
  stijl_message message = {""};
  stijl_result result = STIJL_OK;
  if (pages->broken_by)
    return cli_fail(failure, "no page can follow that of %.200s, which is not whole", pages->broken_by);
  if (!pages->pdf) {
    if (!cli_output_open(&pages->output, path, failure)) return false;
    result = begin_pages(r, pages, &message);
    if (result != STIJL_OK) cli_output_abort(&pages->output);
  }
  stijl_page page = page_of(r, d);
  if (result == STIJL_OK) {
    result = stijl_pdf_add_page(pages->pdf, d->scene, &page, &message);
    if (result == STIJL_OK) pages->count++;
    // What is no page at all has not begun one.
    if (result != STIJL_OK && result != STIJL_ERROR_INVALID_ARGUMENT) pages->broken_by = strdup(r->subject);
  }
  if (result == STIJL_ERROR_IO) return cli_output_fail(&pages->output, failure);
  return result == STIJL_OK || cli_fail_with_advice(failure, result, message.text);
}

bool cli_pages_finish(cli_pages *pages, cli_failure *failure) {
  if (!pages->pdf) return true;
  stijl_message message = {""};
  bool whole = pages->count && !pages->broken_by;
  stijl_result result = whole ? stijl_pdf_finish(pages->pdf, &message) : STIJL_OK;
  stijl_pdf_destroy(pages->pdf);
  bool good = true;
  if (whole) {
    good = cli_output_end(&pages->output, result, message.text, failure);
  } else {
    cli_output_abort(&pages->output);
    if (pages->broken_by)
      good = cli_fail(failure, "no file is written: the page of %.200s is not whole (leave it out)", pages->broken_by);
  }
  free(pages->broken_by);
  *pages = (cli_pages){0};
  return good;
}
