#include "display_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
  const char *file;
  size_t line;
  char *rest;  // of the line, cut into words by strtok_r
} reader;

static void fail(const reader *r, const char *why) {
  fprintf(stderr, "%s:%zu: %s\n", r->file, r->line, why);
  exit(1);
}

static const char *word(reader *r) {
  const char *w = strtok_r(NULL, " \n", &r->rest);
  if (!w) fail(r, "line too short");
  return w;
}

static float number(reader *r) { return strtof(word(r), NULL); }

static uint32_t color(reader *r) { return (uint32_t)strtoul(word(r), NULL, 16); }

static void *grown(void *data, size_t count, size_t element) {
  if (count & (count - 1)) return data;  // grows at 0, 1, 2, 4, ...
  data = realloc(data, (count ? 2 * count : 1) * element);
  if (!data) abort();
  return data;
}

static int choice(reader *r, const char *const names[]) {
  const char *w = word(r);
  for (int i = 0; names[i]; i++)
    if (strcmp(names[i], w) == 0) return i;
  fail(r, "unknown word");
  return 0;
}

static dl_paint read_paint(reader *r) {
  dl_paint p = {.kind = (dl_paint_kind)choice(r, (const char *const[]){"solid", "lin", "rad", "swp", "img", NULL})};
  if (p.kind == DL_SOLID) {
    p.rgba = color(r);
    return p;
  }
  if (p.kind == DL_IMAGE) {
    p.image = (size_t)atoi(word(r));
    p.sampling = (dl_sampling)choice(r, (const char *const[]){"nearest", "bilinear", "bicubic", NULL});
    for (int i = 0; i < 6; i++) p.matrix[i] = number(r);
    return p;
  }
  p.x0 = number(r), p.y0 = number(r);
  if (p.kind != DL_SWEEP) p.x1 = number(r);
  if (p.kind == DL_LINEAR) p.y1 = number(r);
  p.stop_count = atoi(word(r));
  if (p.stop_count < 0 || p.stop_count > DL_MAX_STOPS) fail(r, "too many stops");
  for (int i = 0; i < p.stop_count; i++) {
    p.stops[i].offset = number(r);
    p.stops[i].rgba = color(r);
  }
  return p;
}

static dl_image read_image(reader *r) {
  dl_image image = {.width = atoi(word(r)), .height = atoi(word(r))};
  if (image.width < 1 || image.height < 1) fail(r, "an image without pixels");
  uint8_t *p = image.pixels = malloc((size_t)image.width * (size_t)image.height * 4);
  if (!p) abort();
  for (int y = 0; y < image.height; y++) {
    for (int x = 0; x < image.width; x++, p += 4) {
      p[0] = (uint8_t)(x * 3 + y);
      p[1] = (uint8_t)((x ^ y) * 5);
      p[2] = (uint8_t)(x * y >> 4);
      p[3] = 255;
    }
  }
  return image;
}

static dl_path read_path(reader *r) {
  size_t room = strlen(r->rest) / 2 + 1;
  dl_path p = {.commands = malloc(room), .points = malloc(room * sizeof(float))};
  if (!p.commands || !p.points) abort();
  size_t floats = 0;
  for (const char *w; (w = strtok_r(NULL, " \n", &r->rest));) {
    if (strchr("MLCZ", *w))
      p.commands[p.command_count++] = *w;
    else
      p.points[floats++] = strtof(w, NULL);
  }
  return p;
}

static dl_draw read_fill(reader *r) {
  dl_draw d = {.kind = DL_FILL, .even_odd = strcmp(word(r), "eo") == 0};
  d.paint = read_paint(r);
  return d;
}

static dl_draw read_stroke(reader *r) {
  dl_draw d = {.kind = DL_STROKE, .width = number(r)};
  char cap = *word(r), join = *word(r);
  d.cap = cap == 'r' ? DL_ROUND_CAP : cap == 's' ? DL_SQUARE : DL_BUTT;
  d.join = join == 'r' ? DL_ROUND_JOIN : join == 'b' ? DL_BEVEL : DL_MITER;
  d.miter_limit = number(r);
  d.paint = read_paint(r);
  const char *w = strtok_r(NULL, " \n", &r->rest);
  if (!w) return d;
  if (strcmp(w, "dash") != 0) fail(r, "unknown word");
  d.dash_count = atoi(word(r));
  if (d.dash_count < 0 || d.dash_count > DL_MAX_DASHES) fail(r, "too many dashes");
  for (int i = 0; i < d.dash_count; i++) d.dashes[i] = number(r);
  return d;
}

static dl_draw read_layer(reader *r) {
  dl_draw d = {.kind = DL_LAYER, .opacity = number(r)};
  d.blend = strdup(word(r));
  if (!d.blend) abort();
  return d;
}

static dl_draw read_draw(reader *r, char kind) {
  switch (kind) {
    case 'F': return read_fill(r);
    case 'S': return read_stroke(r);
    case 'C': return (dl_draw){.kind = DL_CLIP, .even_odd = strcmp(word(r), "eo") == 0};
    case 'L': return read_layer(r);
    case 'E': return (dl_draw){.kind = DL_POP};
  }
  fail(r, "unknown record");
  return (dl_draw){0};
}

dl_list dl_load(const char *file) {
  FILE *in = fopen(file, "r");
  if (!in) {
    perror(file);
    exit(1);
  }
  reader r = {.file = file};
  dl_list list = {0};
  char *line = NULL;
  size_t capacity = 0;
  while (getline(&line, &capacity, in) > 0) {
    r.line++;
    const char *kind = strtok_r(line, " \n", &r.rest);
    if (!kind) continue;
    if (strcmp(kind, "dl1") == 0) {
      list.width = number(&r), list.height = number(&r);
    } else if (*kind == 'P') {
      list.paths = grown(list.paths, list.path_count, sizeof *list.paths);
      list.paths[list.path_count++] = read_path(&r);
    } else if (*kind == 'I') {
      list.images = grown(list.images, list.image_count, sizeof *list.images);
      list.images[list.image_count++] = read_image(&r);
    } else {
      if (list.path_count == 0) fail(&r, "a draw without a path");
      list.draws = grown(list.draws, list.draw_count, sizeof *list.draws);
      dl_draw d = read_draw(&r, *kind);
      d.path = list.path_count - 1;
      list.draws[list.draw_count++] = d;
    }
  }
  free(line);
  fclose(in);
  if (!(list.width > 0)) fail(&r, "no dl1 line");
  return list;
}
