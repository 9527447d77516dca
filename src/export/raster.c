// Draws what a format cannot say, by the library's own renderer.
#include <string.h>

#include "export/export.h"
#include "scene/index.h"

void sj_export_set_scale(sj_exporter *x, double width, double height, double inch, double dpi) {
  double scale = dpi / inch, most = sqrt(SJ_EXPORT_PIXELS / (width * height));
  x->scale = scale < most ? scale : most;
  // A page's last pixels may lie in part outside of it.
  x->width = (int)ceil(width * x->scale);
  x->height = (int)ceil(height * x->scale);
}

// Returns the pixels that draws can touch, within the page.
static stijl_irect find_box(sj_exporter *x, const sj_draw *draws, uint32_t count, const stijl_matrix *m) {
  stijl_irect all = {0, 0, x->width, x->height};
  sj_index index;
  if (!sj_index_build(x->context, x->scene, draws, count, NULL, &index)) {
    sj_export_fail_memory(x);
    return (stijl_irect){0};
  }
  sj_matrix64 scaled = sj_to64(*m);
  double *values[] = {&scaled.a, &scaled.b, &scaled.c, &scaled.d, &scaled.e, &scaled.f};
  for (int i = 0; i < 6; i++) *values[i] *= x->scale;
  stijl_irect box = sj_index_pixels(&index, scaled, all);
  sj_index_finish(x->context, &index);
  return box;
}

static bool blank(const unsigned char *row, size_t bytes) { return !row[0] && !memcmp(row, row + 1, bytes - 1); }

// Leaves out rows and columns at the border in which nothing is.
static void trim(sj_raster *r) {
  size_t stride = (size_t)(r->box.x1 - r->box.x0) * 4, rows = (size_t)(r->box.y1 - r->box.y0), first = 0, left = stride,
         right = 0;
  while (first < rows && blank(r->pixels + first * stride, stride)) first++;
  while (rows > first && blank(r->pixels + (rows - 1) * stride, stride)) rows--;
  for (size_t y = first; y < rows; y++) {
    const unsigned char *row = r->pixels + y * stride;
    size_t from = 0, to = stride;
    while (from < left && !(row[from] | row[from + 1] | row[from + 2] | row[from + 3])) from += 4;
    while (to > right && !(row[to - 4] | row[to - 3] | row[to - 2] | row[to - 1])) to -= 4;
    if (from < left) left = from;
    if (to > right) right = to;
  }
  if (right < left) right = left;
  for (size_t y = first; y < rows; y++)
    memmove(r->pixels + (y - first) * (right - left), r->pixels + y * stride + left, right - left);
  r->box = (stijl_irect){r->box.x0 + (int)(left / 4), r->box.y0 + (int)first, r->box.x0 + (int)(right / 4),
                         r->box.y0 + (int)rows};
}

// Returns a scene with these draws, and whatever they refer to of the whole scene, which owns it.
static stijl_scene part_of(const stijl_scene *scene, sj_draw *draws, uint32_t count) {
  stijl_scene part = *scene;
  part.draws.data = draws;
  part.draws.count = part.draws.capacity = count;
  part.serial = sj_scene_next_serial();
  part.depth = scene->depth + 2;
  part.drawn = scene->drawn + count;
  return part;
}

static bool render(sj_exporter *x, const stijl_scene *part, const stijl_matrix *m, sj_raster *r) {
  if (!*x->renderer) {
    stijl_renderer_params params = STIJL_RENDERER_PARAMS_INIT;
    params.backend = STIJL_BACKEND_CPU;
    params.threads = x->threads;
    x->result = stijl_renderer_create(x->renderer_context, &params, x->renderer, x->message);
    if (!sj_exporting(x)) return false;
  }
  float scale = (float)x->scale;
  stijl_render_params params = STIJL_RENDER_PARAMS_INIT;
  params.transform = stijl_matrix_multiply(stijl_matrix_scale(scale, scale), *m);
  params.budget = sj_budget_of(x->context);
  params.reads = true;
  stijl_target target = STIJL_TARGET_INIT;
  target.width = x->width;
  target.height = x->height;
  target.region = r->box;
  target.format = STIJL_FORMAT_BGRA8;
  target.pixels = r->pixels;
  target.stride = (size_t)(r->box.x1 - r->box.x0) * 4;
  x->result = stijl_render(*x->renderer, part, &target, &params, x->message);
  return sj_exporting(x);
}

void sj_export_raster(sj_exporter *x, const sj_draw *draws, uint32_t count, const stijl_matrix *m, bool mask,
                      sj_raster *out) {
  // A mask acts on a white layer.
  sj_draw layer = {.op = K_DRAW_PUSH, .opacity = 255, .transform = STIJL_MATRIX_IDENTITY, .holds_mask = true};
  sj_draw white = {.op = K_DRAW_ALL, .flags = K_DRAW_SOLID, .paint = 0xffffffff, .transform = STIJL_MATRIX_IDENTITY};
  uint32_t extra = mask ? 3 : 0;
  *out = (sj_raster){.box = mask ? (stijl_irect){0, 0, x->width, x->height} : find_box(x, draws, count, m)};
  if (out->box.x0 >= out->box.x1 || out->box.y0 >= out->box.y1) return;
  sj_draw *list = sj_alloc_array(x->context, count + extra, sizeof *list);
  out->pixels =
      sj_alloc_array(x->context, (size_t)(out->box.x1 - out->box.x0) * 4, (size_t)(out->box.y1 - out->box.y0));
  if (list && out->pixels) {
    uint32_t at = mask ? 2 : 0;
    memcpy(list + at, draws, count * sizeof *list);
    if (mask) {
      list[0] = layer;
      list[1] = white;
      layer.op = K_DRAW_POP;
      list[count + 2] = layer;
    } else if (draws->op == K_DRAW_PUSH) {  // how the layer blends is for the format to say
      list[0].blend = list[count - 1].blend = K_BLEND_NORMAL;
    }
    stijl_scene part = part_of(x->scene, list, count + extra);
    if (render(x, &part, m, out)) trim(out);
  } else {
    sj_export_fail_memory(x);
  }
  sj_free(x->context, list);
  if (sj_exporting(x) && out->box.x0 < out->box.x1 && out->box.y0 < out->box.y1) return;
  sj_free(x->context, out->pixels);
  out->pixels = NULL;
}
