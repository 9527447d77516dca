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

static dl_paint read_paint(reader *r) {
  dl_paint p = {0};
  if (strcmp(word(r), "solid") == 0) {
    p.rgba = color(r);
    return p;
  }
  p.linear = true;
  p.x0 = number(r), p.y0 = number(r), p.x1 = number(r), p.y1 = number(r);
  p.stop_count = atoi(word(r));
  if (p.stop_count < 0 || p.stop_count > DL_MAX_STOPS) fail(r, "too many stops");
  for (int i = 0; i < p.stop_count; i++) {
    p.stops[i].offset = number(r);
    p.stops[i].rgba = color(r);
  }
  return p;
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
  dl_draw d = {.even_odd = strcmp(word(r), "eo") == 0};
  d.paint = read_paint(r);
  return d;
}

static dl_draw read_stroke(reader *r) {
  dl_draw d = {.stroke = true, .width = number(r)};
  char cap = *word(r), join = *word(r);
  d.cap = cap == 'r' ? DL_ROUND_CAP : cap == 's' ? DL_SQUARE : DL_BUTT;
  d.join = join == 'r' ? DL_ROUND_JOIN : join == 'b' ? DL_BEVEL : DL_MITER;
  d.miter_limit = number(r);
  d.paint = read_paint(r);
  return d;
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
    } else {
      if (list.path_count == 0) fail(&r, "a draw without a path");
      list.draws = grown(list.draws, list.draw_count, sizeof *list.draws);
      dl_draw d = *kind == 'F' ? read_fill(&r) : read_stroke(&r);
      d.path = list.path_count - 1;
      list.draws[list.draw_count++] = d;
    }
  }
  free(line);
  fclose(in);
  if (!(list.width > 0)) fail(&r, "no dl1 line");
  return list;
}
