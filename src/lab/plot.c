#include "lab/plot.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 880, NAME = 300, ROW = 26, BAR = 18, VALUE = 110, TOP = 30 };
enum { LEFT = 90, RIGHT = 130, LINES_HEIGHT = 320, BOTTOM = 40 };
static const char *const colours[] = {"#2166ac", "#d6604d", "#4d9221", "#8e44ad", "#b8860b", "#117a8b"};
#define COLOURS (sizeof colours / sizeof *colours)

static void begin(sj_lab_text *out, int height) {
  sj_lab_add(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
             "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
             WIDTH, height, WIDTH, height, WIDTH, height);
}

static void end(sj_lab_text *out) { sj_lab_add_all(out, "</svg>\n"); }

static void put_text(sj_lab_text *out, double x, double y, const char *anchor, const char *colour, const char *text) {
  sj_lab_add(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">", x, y, anchor, colour);
  sj_lab_add_xml(out, text);
  sj_lab_add_all(out, "</text>\n");
}

static void put_line(sj_lab_text *out, double x1, double y1, double x2, double y2, const char *colour,
                     const char *dashes) {
  sj_lab_add(out, "<path d=\"M%.1f %.1fL%.1f %.1f\" fill=\"none\" stroke=\"%s\" stroke-width=\"1\"%s/>\n", x1, y1, x2,
             y2, colour, dashes);
}

void sj_lab_bars(sj_lab_text *out, sj_lab_unit unit, const sj_lab_bar *bars, uint32_t count, const sj_lab_mark *marks,
                 uint32_t mark_count) {
  double most = 0;
  for (uint32_t i = 0; i < count; i++)
    if (isfinite(bars[i].value)) most = fmax(most, bars[i].value);
  for (uint32_t i = 0; i < mark_count; i++)
    if (isfinite(marks[i].value)) most = fmax(most, marks[i].value);
  double scale = most > 0 ? (WIDTH - NAME - VALUE) / most : 0;
  begin(out, TOP + (int)count * ROW + 10);
  for (uint32_t i = 0; i < count; i++) {
    double y = TOP + (double)i * ROW, width = isfinite(bars[i].value) ? bars[i].value * scale : 0;
    char value[64];
    sj_lab_format(value, sizeof value, unit, bars[i].value);
    sj_lab_add(out, "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", NAME, y, width, BAR,
               colours[0]);
    put_text(out, NAME - 8, y + 14, "end", "#222222", bars[i].name);
    put_text(out, NAME + width + 6, y + 14, "start", "#222222", value);
  }
  for (uint32_t i = 0; i < mark_count; i++) {
    if (!isfinite(marks[i].value)) continue;
    double x = NAME + marks[i].value * scale;
    put_line(out, x, TOP - 8, x, TOP + (double)count * ROW, colours[1 + i % (COLOURS - 1)],
             " stroke-dasharray=\"5 3\"");
    put_text(out, x, TOP - 12, "middle", colours[1 + i % (COLOURS - 1)], marks[i].name);
  }
  end(out);
}

// Returns the smallest of 1, 2, 5 times a power of ten that divides `most` into at most 6 steps.
static double step_of(double most) {
  if (!(most > 0)) return 1;
  double power = pow(10, floor(log10(most / 6)));
  double factors[] = {1, 2, 5, 10};
  for (int i = 0; i < 4; i++)
    if (most / (power * factors[i]) <= 6) return power * factors[i];
  return power * 10;
}

void sj_lab_lines(sj_lab_text *out, sj_lab_unit x_unit, const double *x, uint32_t count, sj_lab_unit y_unit,
                  const sj_lab_series *series, uint32_t series_count) {
  double most = 0;
  for (uint32_t s = 0; s < series_count; s++)
    for (uint32_t i = 0; i < count; i++)
      if (isfinite(series[s].y[i])) most = fmax(most, series[s].y[i]);
  double step = step_of(most), top = ceil(most / step) * step;
  double first = log2(x[0]), span = log2(x[count - 1]) - first;
  double width = WIDTH - LEFT - RIGHT, height = LINES_HEIGHT - TOP - BOTTOM;
  if (!(span > 0)) span = 1;
  if (!(top > 0)) top = 1;
  char label[64];
  begin(out, LINES_HEIGHT);
  for (double y = 0; y <= top * 1.001; y += step) {
    double at = TOP + height - y / top * height;
    put_line(out, LEFT, at, LEFT + width, at, "#dddddd", "");
    sj_lab_format(label, sizeof label, y_unit, y);
    put_text(out, LEFT - 8, at + 4, "end", "#222222", label);
  }
  for (uint32_t i = 0; i<count; i += count> 9 ? 2 : 1) {
    double at = LEFT + (log2(x[i]) - first) / span * width;
    put_line(out, at, TOP + height, at, TOP + height + 5, "#888888", "");
    sj_lab_format(label, sizeof label, x_unit, x[i]);
    put_text(out, at, TOP + height + 20, "middle", "#222222", label);
  }
  for (uint32_t s = 0; s < series_count; s++) {
    const char *colour = colours[s % COLOURS];
    double last = NAN;
    bool drawn = false;
    for (uint32_t i = 0; i < count; i++) {
      if (!isfinite(series[s].y[i])) continue;
      double at = LEFT + (log2(x[i]) - first) / span * width;
      last = TOP + height - series[s].y[i] / top * height;
      sj_lab_add(out, "%s%.1f %.1f", drawn ? "L" : "<path d=\"M", at, last);
      drawn = true;
    }
    if (!drawn) continue;
    sj_lab_add(out, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n", colour);
    put_text(out, LEFT + width + 8, last + 4, "start", colour, series[s].name);
  }
  end(out);
}
