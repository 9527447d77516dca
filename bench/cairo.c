// Cairo's image surface as an adapter of the benchmark.
#include <cairo.h>
#include <stdio.h>
#include <stdlib.h>

#include "frames.h"

typedef struct job {
  const dl_list *list;
  cairo_path_t **paths;        // of the list
  cairo_pattern_t **patterns;  // one for each draw
  cairo_surface_t *surface;
  double scale;
} job;

static const cairo_line_cap_t caps[] = {
    [DL_BUTT] = CAIRO_LINE_CAP_BUTT, [DL_ROUND_CAP] = CAIRO_LINE_CAP_ROUND, [DL_SQUARE] = CAIRO_LINE_CAP_SQUARE};
static const cairo_line_join_t joins[] = {
    [DL_MITER] = CAIRO_LINE_JOIN_MITER, [DL_ROUND_JOIN] = CAIRO_LINE_JOIN_ROUND, [DL_BEVEL] = CAIRO_LINE_JOIN_BEVEL};

static void frame(void *user) {
  const job *j = user;
  cairo_t *c = cairo_create(j->surface);
  cairo_set_operator(c, CAIRO_OPERATOR_SOURCE);
  cairo_set_source_rgb(c, 1, 1, 1);
  cairo_paint(c);
  cairo_set_operator(c, CAIRO_OPERATOR_OVER);
  cairo_scale(c, j->scale, j->scale);
  size_t current = SIZE_MAX;
  for (size_t i = 0; i < j->list->draw_count; i++) {
    const dl_draw *d = &j->list->draws[i];
    if (d->path != current) {
      cairo_new_path(c);
      cairo_append_path(c, j->paths[d->path]);
      current = d->path;
    }
    cairo_set_source(c, j->patterns[i]);
    if (d->kind == DL_STROKE) {
      cairo_set_line_width(c, d->width);
      cairo_set_line_cap(c, caps[d->cap]);
      cairo_set_line_join(c, joins[d->join]);
      cairo_set_miter_limit(c, d->miter_limit);
      cairo_stroke_preserve(c);
    } else {
      cairo_set_fill_rule(c, d->even_odd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING);
      cairo_fill_preserve(c);
    }
  }
  cairo_destroy(c);
  cairo_surface_flush(j->surface);
}

static cairo_path_t *build_path(cairo_t *c, const dl_path *source) {
  cairo_new_path(c);
  const float *p = source->points;
  for (size_t i = 0; i < source->command_count; i++) {
    switch (source->commands[i]) {
      case 'M': cairo_move_to(c, p[0], p[1]), p += 2; break;
      case 'L': cairo_line_to(c, p[0], p[1]), p += 2; break;
      case 'C': cairo_curve_to(c, p[0], p[1], p[2], p[3], p[4], p[5]), p += 6; break;
      default: cairo_close_path(c); break;
    }
  }
  return cairo_copy_path(c);
}

static cairo_pattern_t *build_pattern(const dl_paint *p) {
  uint32_t k = p->rgba;
  if (p->kind == DL_SOLID)
    return cairo_pattern_create_rgba(dl_channel(k, 0), dl_channel(k, 1), dl_channel(k, 2), dl_channel(k, 3));
  cairo_pattern_t *pattern = cairo_pattern_create_linear(p->x0, p->y0, p->x1, p->y1);
  for (int i = 0; i < p->stop_count; i++) {
    k = p->stops[i].rgba;
    cairo_pattern_add_color_stop_rgba(pattern, p->stops[i].offset, dl_channel(k, 0), dl_channel(k, 1), dl_channel(k, 2),
                                      dl_channel(k, 3));
  }
  return pattern;
}

int main(int argc, char **argv) {
  bench_options options = bench_read_options(argc, argv);
  const dl_list *list = &options.list;
  for (size_t i = 0; i < list->draw_count; i++) {
    const dl_draw *d = &list->draws[i];
    if (d->kind > DL_STROKE || d->dash_count || d->paint.kind > DL_LINEAR) {
      fprintf(stderr, "cairo: this adapter has solid and linear fills, and strokes without dashes\n");
      return 2;
    }
  }
  job j = {.list = list,
           .paths = calloc(list->path_count + 1, sizeof *j.paths),
           .patterns = calloc(list->draw_count + 1, sizeof *j.patterns),
           .surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, options.size, options.size),
           .scale = (double)options.size / (double)list->width};
  if (!j.paths || !j.patterns) abort();
  cairo_surface_t *none = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, NULL);
  cairo_t *c = cairo_create(none);
  for (size_t i = 0; i < list->path_count; i++) j.paths[i] = build_path(c, &list->paths[i]);
  for (size_t i = 0; i < list->draw_count; i++) j.patterns[i] = build_pattern(&list->draws[i].paint);

  bench_frames("cairo", &options, frame, &j);
  bench_dump(&options, cairo_image_surface_get_data(j.surface), (size_t)cairo_image_surface_get_stride(j.surface), 2, 1,
             0);

  for (size_t i = 0; i < list->path_count; i++) cairo_path_destroy(j.paths[i]);
  for (size_t i = 0; i < list->draw_count; i++) cairo_pattern_destroy(j.patterns[i]);
  free(j.paths);
  free(j.patterns);
  cairo_destroy(c);
  cairo_surface_destroy(none);
  cairo_surface_destroy(j.surface);
  return 0;
}
