// Plain SVG: the public call, and what writes the text.
#include "export/svg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/params.h"

static void flush(sj_svg_writer *w) {
  if (w->used && sj_exporting(w->x) && !w->write(w->user, w->buffer, w->used))
    w->x->result = sj_fail(w->x->message, STIJL_ERROR_IO, "the file was not written");
  w->used = 0;
}

static void put_bytes(sj_svg_writer *w, const char *text, size_t length) {
  if (sizeof w->buffer - w->used < length) flush(w);
  memcpy(w->buffer + w->used, text, length);
  w->used += length;
}

void sj_svg_put(sj_svg_writer *w, const char *text) { put_bytes(w, text, strlen(text)); }

void sj_svg_put_count(sj_svg_writer *w, uint32_t value) {
  char text[16];
  put_bytes(w, text, (size_t)snprintf(text, sizeof text, "%u", value));
}

// Puts a number with as few digits as say the same float.
void sj_svg_put_number(sj_svg_writer *w, double value) {
  char text[40];
  float exact = (float)value;
  int length = 0;
  for (int digits = 6; digits <= 9; digits++) {
    length = snprintf(text, sizeof text, "%.*g", digits, (double)exact);
    if (strtof(text, NULL) == exact) break;
  }
  // The locale may have another sign in place of the point.
  for (char *c = text; *c; c++)
    if (*c == ',') *c = '.';
  put_bytes(w, text, (size_t)length);
}

void sj_svg_put_attribute(sj_svg_writer *w, const char *name, double value) {
  sj_svg_put(w, " ");
  sj_svg_put(w, name);
  sj_svg_put(w, "=\"");
  sj_svg_put_number(w, value);
  sj_svg_put(w, "\"");
}

void sj_svg_put_matrix(sj_svg_writer *w, const char *name, const stijl_matrix *m) {
  if (m->a == 1.0f && m->b == 0.0f && m->c == 0.0f && m->d == 1.0f && m->e == 0.0f && m->f == 0.0f) return;
  const float numbers[] = {m->a, m->b, m->c, m->d, m->e, m->f};
  sj_svg_put(w, " ");
  sj_svg_put(w, name);
  sj_svg_put(w, "=\"matrix");
  for (int i = 0; i < 6; i++) {
    sj_svg_put(w, i ? " " : "(");
    sj_svg_put_number(w, (double)numbers[i]);
  }
  sj_svg_put(w, ")\"");
}

static void put_four(sj_svg_writer *w, const unsigned char *p, size_t count) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char four[4] = {letters[p[0] >> 2], letters[(p[0] & 3) << 4 | p[1] >> 4], letters[(p[1] & 15) << 2 | p[2] >> 6],
                  letters[p[2] & 63]};
  if (count < 3) four[3] = '=';
  if (count < 2) four[2] = '=';
  put_bytes(w, four, 4);
}

bool sj_svg_put_data(void *writer, const void *data, size_t bytes) {
  sj_svg_writer *w = writer;
  const unsigned char *p = data;
  for (size_t i = 0; i < bytes; i++) {
    w->tail[w->tail_count++] = p[i];
    if (w->tail_count == 3) {
      put_four(w, w->tail, 3);
      w->tail_count = 0;
    }
  }
  if (!bytes && w->tail_count) {
    memset(w->tail + w->tail_count, 0, 3 - w->tail_count);
    put_four(w, w->tail, w->tail_count);
    w->tail_count = 0;
  }
  return sj_exporting(w->x);
}

static void put_document(sj_exporter *x, const stijl_page *page) {
  sj_svg_writer *w = sj_svg_of(x);
  sj_svg_put(w, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
  sj_svg_put_attribute(w, "width", w->width);
  sj_svg_put_attribute(w, "height", w->height);
  sj_svg_put(w, " viewBox=\"0 0 ");
  sj_svg_put_number(w, w->width);
  sj_svg_put(w, " ");
  sj_svg_put_number(w, w->height);
  sj_svg_put(w, "\">\n");
  uint32_t background = sj_premultiplied(page->background, 1.0f);
  if (background >> 24) {
    sj_draw all = {.op = K_DRAW_ALL, .flags = K_DRAW_SOLID, .paint = background, .transform = STIJL_MATRIX_IDENTITY};
    x->format->draw(x, &all, &all.transform);
  }
  sj_export_scene(x, &page->transform);
  sj_svg_put(w, "</svg>\n");
  flush(w);
}

static stijl_result write_svg(sj_exporter *x, const stijl_page *page, sj_svg_writer *w) {
  const stijl_scene *scene = x->scene;
  w->painted = sj_alloc_zero(x->context, (scene->paints.count + 1) * sizeof *w->painted);
  w->shown = sj_alloc_zero(x->context, (scene->images.count + 1) * sizeof *w->shown);
  if (w->painted && w->shown)
    put_document(x, page);
  else
    sj_export_fail_memory(x);
  sj_array_finish(x->context, &w->layers);
  sj_free(x->context, w->painted);
  sj_free(x->context, w->shown);
  return x->result;
}

stijl_result stijl_scene_write_svg(stijl_context *context, const stijl_scene *scene, const stijl_page *page,
                                   bool (*write)(void *user, const void *data, size_t bytes), void *user,
                                   stijl_message *message) {
  if (message) message->text[0] = 0;
  page = SJ_GIVEN(stijl_page, STIJL_PAGE_INIT, page, message);
  if (!page || !write) return STIJL_ERROR_INVALID_ARGUMENT;
  stijl_budget *budget = NULL;
  context = sj_context(context);
  stijl_result result = sj_export_check(scene, page, message);
  if (result == STIJL_OK) result = sj_budget_begin(context, page->budget, 0.0, &budget, message);
  if (result != STIJL_OK) return result;
  sj_budget_expect(budget, scene->input_bytes, (uint64_t)((double)page->width * (double)page->height));
  stijl_renderer *renderer = NULL;
  sj_svg_writer *w = sj_alloc_zero(stijl_budget_context(budget), sizeof *w);
  sj_exporter x = {.context = stijl_budget_context(budget),
                   .renderer = &renderer,
                   .renderer_context = context,
                   .scene = scene,
                   .format = &sj_svg_format,
                   .user = w,
                   .message = message};
  sj_export_set_scale(&x, (double)page->width, (double)page->height, 96.0, (double)page->raster_dpi);
  if (w) {
    *w = (sj_svg_writer){
        .x = &x, .write = write, .user = user, .width = (double)page->width, .height = (double)page->height};
    result = write_svg(&x, page, w);
  } else {
    result = sj_fail_memory(message);
  }
  sj_free(x.context, w);
  result = sj_budget_result(budget, result, message);
  stijl_renderer_destroy(renderer);
  sj_budget_end(budget);
  return result;
}
