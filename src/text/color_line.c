#include "text/color_line.h"

#include "base/sort.h"

static int compare_stops(const void *a, const void *b) {
  const sj_color_stop *p = a, *q = b;
  return p->offset < q->offset ? -1 : p->offset > q->offset;
}

bool sj_color_line_read(stijl_context *context, sj_colr *t, const sj_colr_paint *paint, sj_color_line *out) {
  *out = (sj_color_line){.last = 1.0};
  uint32_t given = sj_colr_stops(t, paint->line, &out->extend);
  for (uint32_t i = 0; i < given && !t->broken; i++) {
    sj_colr_stop read = sj_colr_stop_at(t, paint->line, paint->line_varies, i);
    uint32_t rgba = sj_colr_color(t, read.color);
    sj_color_stop stop = {.offset = read.offset};
    for (int k = 0; k < 4; k++) stop.color[k] = (double)(rgba >> (24 - 8 * k) & 255);
    stop.color[3] *= read.alpha < 0.0 ? 0.0 : read.alpha > 1.0 ? 1.0 : read.alpha;
    if (!sj_array_push(context, &out->stops, stop)) return false;
  }
  size_t count = out->stops.count;
  sj_color_stop *stops = out->stops.data;
  if (!count) return true;
  if (!sj_sort(context, stops, count, sizeof *stops, compare_stops)) return false;
  // Where all stops have one offset, the colour changes there, and any length will do.
  out->first = stops[0].offset;
  double length = stops[count - 1].offset - out->first;
  if (!(length > 0.0)) length = 1.0;
  out->last = out->first + length;
  for (size_t i = 0; i < count; i++) stops[i].offset = (stops[i].offset - out->first) / length;
  return true;
}

void sj_color_line_finish(stijl_context *context, sj_color_line *line) { sj_array_finish(context, &line->stops); }

// Returns the colour at an offset. If several stops are there, it is the colour of the last of them, or of the first.
static sj_color_stop color_at(const sj_color_line *line, double offset, bool last) {
  const sj_color_stop *stops = line->stops.data;
  size_t after = 0, count = line->stops.count;
  while (after < count && (last ? stops[after].offset <= offset : stops[after].offset < offset)) after++;
  sj_color_stop made = stops[after ? after - 1 : 0];
  if (after && after < count) {
    const sj_color_stop *next = &stops[after];
    double part = (offset - made.offset) / (next->offset - made.offset);
    for (int i = 0; i < 4; i++) made.color[i] += (next->color[i] - made.color[i]) * part;
  }
  made.offset = offset;
  return made;
}

bool sj_color_line_cut(stijl_context *context, sj_color_line *line, double lo, double hi) {
  double length = line->last - line->first;
  sj_color_stop from = color_at(line, lo, true), to = color_at(line, hi, false);
  size_t kept = 0, count = line->stops.count;
  for (size_t i = 0; i < count; i++) {
    double offset = line->stops.data[i].offset;
    if (offset > lo && offset < hi) line->stops.data[kept++] = line->stops.data[i];
  }
  line->stops.count = kept;
  if (!sj_array_reserve(context, &line->stops, 2)) return false;
  sj_color_stop *stops = line->stops.data;
  for (size_t i = kept; i > 0; i--) stops[i] = stops[i - 1];
  stops[0] = from;
  stops[kept + 1] = to;
  line->stops.count = kept + 2;
  for (size_t i = 0; i < kept + 2; i++) stops[i].offset = (stops[i].offset - lo) / (hi - lo);
  line->last = line->first + hi * length;
  line->first += lo * length;
  return true;
}
