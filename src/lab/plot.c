#include "lab/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 880, ROW = 26, BAR = 18, TOP = 12, MARK_ROW = 18, MOST_NAME = 440, GAP = 8 };
enum { LEFT = 90, MOST_RIGHT = 300, LINES_HEIGHT = 320, BOTTOM = 40, LABEL = 16 };
enum { CARD_WIDTH = 330, CARD_ROW = 42, CARD_BAR = 14 };
// Okabe and Ito's colours, which those who see few colours can tell apart ("Color Universal Design", 2008), darker
// where text has to be read in them.
static const char *const colours[] = {"#0072b2", "#c44e00", "#007f5f", "#a9487f", "#9a6a00", "#2a7fb8"};
#define COLOURS (sizeof colours / sizeof *colours)
// Lines differ in their dashes, too.
static const char *const dashes[] = {"", "8 3", "2 3", "10 3 2 3", "5 5", "14 4"};

static void begin(sj_lab_text *out, int width, int height) {
  sj_lab_add(out,
             "<svg class=\"plot\" xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
             "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"13\">\n"
             "<rect class=\"back\" width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
             width, height, width, height, width, height);
}

static void end(sj_lab_text *out) { sj_lab_add_all(out, "</svg>\n"); }

// Returns an estimate that is rather too wide, since fonts differ: letters of 13 pixels in common sans-serif fonts.
static double width_of(const char *text) {
  double width = 0;
  for (; *text; text++) width += strchr("iljtfrI.,:;'| ()", *text) ? 4.6 : strchr("mwMW@%", *text) ? 12 : 8;
  return width;
}

// Puts a text. Its class is "ink", or that of a series, whose colour the text then has.
static void put_text(sj_lab_text *out, double x, double y, const char *anchor, int series, const char *text) {
  char name[8] = "ink";
  if (series >= 0) snprintf(name, sizeof name, "s%d", series % (int)COLOURS);
  sj_lab_add(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">", name, x, y, anchor,
             series >= 0 ? colours[series % (int)COLOURS] : "#222222");
  sj_lab_add_xml(out, text);
  sj_lab_add_all(out, "</text>\n");
}

// Puts a text that ends in "..." where it would be wider than there is room; a tooltip then has all of it.
static void put_name(sj_lab_text *out, double x, double y, const char *anchor, double room, const char *text) {
  char shown[128];
  size_t length = strlen(text);
  if (length >= sizeof shown) length = sizeof shown - 1;
  memcpy(shown, text, length);
  shown[length] = 0;
  bool whole = width_of(text) <= room && !text[length];
  while (!whole && length > 4 && width_of(shown) + 14 > room) {
    shown[--length] = 0;
    while (length && ((unsigned char)shown[length - 1] & 0xc0) == 0x80) shown[--length] = 0;
  }
  if (!whole) {
    snprintf(shown + (length < sizeof shown - 4 ? length : sizeof shown - 4), 4, "...");
    sj_lab_add_all(out, "<g><title>");
    sj_lab_add_xml(out, text);
    sj_lab_add_all(out, "</title>");
  }
  put_text(out, x, y, anchor, -1, shown);
  if (!whole) sj_lab_add_all(out, "</g>\n");
}

static void put_line(sj_lab_text *out, const char *name, double x1, double y1, double x2, double y2, const char *colour,
                     const char *dash) {
  sj_lab_add(out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\" fill=\"none\" stroke=\"%s\" stroke-width=\"1\"%s/>\n",
             name, x1, y1, x2, y2, colour, dash);
}

static void put_bar(sj_lab_text *out, double x, double y, double width, int height, int series) {
  sj_lab_add(out, "<rect class=\"s%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", series, x,
             y, width, height, colours[series]);
}

static double most_of(const sj_lab_bar *bars, uint32_t count) {
  double most = 0;
  for (uint32_t i = 0; i < count; i++)
    if (isfinite(bars[i].value)) most = fmax(most, bars[i].value);
  return most;
}

static double widest_value(sj_lab_unit unit, const sj_lab_bar *bars, uint32_t count) {
  double widest = 0;
  char value[64];
  for (uint32_t i = 0; i < count; i++) {
    sj_lab_format(value, sizeof value, unit, bars[i].value);
    widest = fmax(widest, width_of(value));
  }
  return widest;
}

// --- Bars ---

// Places the names of marks above the bars, within the plot. Those that would stand on one another get rows of their
// own. Returns how many rows there are.
static uint32_t place_marks(const sj_lab_mark *marks, uint32_t count, double left, double scale, double *at,
                            uint32_t *row) {
  uint32_t rows = 0;
  for (uint32_t i = 0; i < count; i++) {
    double half = width_of(marks[i].name) / 2;
    at[i] = fmin(fmax(left + marks[i].value * scale, half + 2), WIDTH - half - 2);
    row[i] = 0;
    for (uint32_t k = 0; k < i; k++)
      if (isfinite(marks[k].value) && row[k] >= row[i] &&
          fabs(at[k] - at[i]) < half + width_of(marks[k].name) / 2 + GAP)
        row[i] = row[k] + 1;
    if (isfinite(marks[i].value) && row[i] + 1 > rows) rows = row[i] + 1;
  }
  return rows;
}

void sj_lab_bars(sj_lab_text *out, sj_lab_unit unit, const sj_lab_bar *bars, uint32_t count, const sj_lab_mark *marks,
                 uint32_t mark_count) {
  enum { MOST_MARKS = 8 };
  double most = most_of(bars, count), name = 60, at[MOST_MARKS];
  uint32_t row[MOST_MARKS];
  if (mark_count > MOST_MARKS) mark_count = MOST_MARKS;
  for (uint32_t i = 0; i < mark_count; i++)
    if (isfinite(marks[i].value)) most = fmax(most, marks[i].value);
  for (uint32_t i = 0; i < count; i++) name = fmax(name, width_of(bars[i].name) + GAP);
  name = fmin(name, MOST_NAME);
  double scale = most > 0 ? (WIDTH - name - widest_value(unit, bars, count) - 2 * GAP) / most : 0;
  uint32_t rows = place_marks(marks, mark_count, name, scale, at, row);
  double top = TOP + rows * MARK_ROW;
  begin(out, WIDTH, (int)top + (int)count * ROW + 10);
  for (uint32_t i = 0; i < mark_count; i++) {
    if (!isfinite(marks[i].value)) continue;
    int series = 1 + (int)(i % (COLOURS - 1));
    char class[8];
    snprintf(class, sizeof class, "s%d", series);
    double x = name + marks[i].value * scale;
    put_line(out, class, x, TOP + row[i] * MARK_ROW + 6, x, top + (double)count * ROW, colours[series],
             " stroke-dasharray=\"5 3\"");
    put_text(out, at[i], TOP + row[i] * MARK_ROW + 2, "middle", series, marks[i].name);
  }
  for (uint32_t i = 0; i < count; i++) {
    double y = top + (double)i * ROW, width = isfinite(bars[i].value) ? bars[i].value * scale : 0;
    char value[64];
    sj_lab_format(value, sizeof value, unit, bars[i].value);
    put_bar(out, name, y, width, BAR, 0);
    put_name(out, name - GAP, y + 14, "end", name - GAP, bars[i].name);
    put_text(out, name + width + 6, y + 14, "start", -1, value);
  }
  end(out);
}

void sj_lab_small_bars(sj_lab_text *out, sj_lab_unit unit, const sj_lab_bar *bars, uint32_t count) {
  double most = most_of(bars, count);
  double scale = most > 0 ? (CARD_WIDTH - widest_value(unit, bars, count) - 2 * GAP) / most : 0;
  begin(out, CARD_WIDTH, (int)count * CARD_ROW);
  for (uint32_t i = 0; i < count; i++) {
    double y = (double)i * CARD_ROW, width = isfinite(bars[i].value) ? bars[i].value * scale : 0;
    char value[64];
    sj_lab_format(value, sizeof value, unit, bars[i].value);
    put_name(out, 0, y + 14, "start", CARD_WIDTH, bars[i].name);
    put_bar(out, 0, y + 20, width, CARD_BAR, 0);
    put_text(out, width + 6, y + 32, "start", -1, value);
  }
  end(out);
}

void sj_lab_card(sj_lab_page *page, sj_lab_unit unit, const sj_lab_bar *bars, uint32_t count) {
  sj_lab_text plot = {.context = page->context};
  sj_lab_small_bars(&plot, unit, bars, count);
  sj_lab_card_picture(page, &plot);
  sj_lab_text_finish(&plot);
}

// --- Lines ---

// Returns the smallest of 1, 2, 5 times a power of ten that divides `most` into at most 6 steps.
static double step_of(double most) {
  if (!(most > 0)) return 1;
  double power = pow(10, floor(log10(most / 6)));
  double factors[] = {1, 2, 5, 10};
  for (int i = 0; i < 4; i++)
    if (most / (power * factors[i]) <= 6) return power * factors[i];
  return power * 10;
}

// Places the names of series where their lines end, but not on one another.
static void place_labels(double *y, uint32_t count, double top, double bottom) {
  uint32_t order[16], n = 0;
  for (uint32_t i = 0; i < count && n < 16; i++)
    if (isfinite(y[i])) {
      uint32_t k = n++;
      for (; k > 0 && y[order[k - 1]] > y[i]; k--) order[k] = order[k - 1];
      order[k] = i;
    }
  for (uint32_t k = 1; k < n; k++) y[order[k]] = fmax(y[order[k]], y[order[k - 1]] + LABEL);
  if (n && y[order[n - 1]] > bottom) y[order[n - 1]] = bottom;
  for (uint32_t k = n; k-- > 1;) y[order[k - 1]] = fmin(y[order[k - 1]], y[order[k]] - LABEL);
  for (uint32_t k = 0; k < n; k++) y[order[k]] = fmax(y[order[k]], top + k * LABEL);
}

// Returns how many labels of the x axis there are to each one that is shown, so that those fit beside each other.
static uint32_t label_step(sj_lab_unit unit, const double *x, uint32_t count, double width) {
  double widest = 1;
  char label[64];
  for (uint32_t i = 0; i < count; i++) {
    sj_lab_format(label, sizeof label, unit, x[i]);
    widest = fmax(widest, width_of(label) + GAP);
  }
  double fit = floor(width / widest);
  return fit >= count ? 1 : (uint32_t)ceil(count / fmax(fit, 1));
}

void sj_lab_lines(sj_lab_text *out, sj_lab_unit x_unit, const double *x, uint32_t count, sj_lab_unit y_unit,
                  const sj_lab_series *series, uint32_t series_count) {
  enum { MOST_SERIES = 16 };
  double most = 0, right = 60, ends[MOST_SERIES], labels[MOST_SERIES];
  if (series_count > MOST_SERIES) series_count = MOST_SERIES;
  for (uint32_t s = 0; s < series_count; s++) {
    for (uint32_t i = 0; i < count; i++)
      if (isfinite(series[s].y[i])) most = fmax(most, series[s].y[i]);
    right = fmax(right, width_of(series[s].name) + 24);
  }
  right = fmin(right, MOST_RIGHT);
  double step = step_of(most), top = ceil(most / step) * step;
  double first = log2(x[0]), span = log2(x[count - 1]) - first;
  double width = WIDTH - LEFT - right, height = LINES_HEIGHT - TOP - BOTTOM;
  if (!(span > 0)) span = 1;
  if (!(top > 0)) top = 1;
  char label[64];
  begin(out, WIDTH, LINES_HEIGHT);
  for (double y = 0; y <= top * 1.001; y += step) {
    double at = TOP + height - y / top * height;
    put_line(out, "grid", LEFT, at, LEFT + width, at, "#dddddd", "");
    sj_lab_format(label, sizeof label, y_unit, y);
    put_text(out, LEFT - GAP, at + 4, "end", -1, label);
  }
  uint32_t apart = label_step(x_unit, x, count, width);
  for (uint32_t i = 0; i < count; i += apart) {
    double at = LEFT + (log2(x[i]) - first) / span * width;
    put_line(out, "grid", at, TOP + height, at, TOP + height + 5, "#888888", "");
    sj_lab_format(label, sizeof label, x_unit, x[i]);
    put_text(out, at, TOP + height + 20, "middle", -1, label);
  }
  for (uint32_t s = 0; s < series_count; s++) {
    bool drawn = false;
    ends[s] = labels[s] = NAN;
    for (uint32_t i = 0; i < count; i++) {
      if (!isfinite(series[s].y[i])) continue;
      double at = LEFT + (log2(x[i]) - first) / span * width;
      labels[s] = ends[s] = TOP + height - series[s].y[i] / top * height;
      if (!drawn) sj_lab_add(out, "<path class=\"s%u\" d=\"M", s % (uint32_t)COLOURS);
      sj_lab_add(out, "%s%.1f %.1f", drawn ? "L" : "", at, ends[s]);
      drawn = true;
    }
    if (drawn)
      sj_lab_add(out, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\"/>\n",
                 colours[s % COLOURS], *dashes[s % COLOURS] ? dashes[s % COLOURS] : "none");
  }
  place_labels(labels, series_count, TOP, TOP + height);
  for (uint32_t s = 0; s < series_count; s++) {
    if (!isfinite(labels[s])) continue;
    put_line(out, "grid", LEFT + width + 2, ends[s], LEFT + width + 14, labels[s], "#888888", "");
    put_text(out, LEFT + width + 18, labels[s] + 4, "start", (int)s, series[s].name);
  }
  end(out);
}

// --- Ceilings ---

typedef struct axes {
  double x0, x1, y0, y1;  // powers of two
} axes;

static double roof_x(const axes *a, double x) {
  return LEFT + (log2(x) - a->x0) / (a->x1 - a->x0) * (WIDTH - LEFT - 30);
}
static double roof_y(const axes *a, double y) {
  return LINES_HEIGHT - BOTTOM - GAP - (log2(y) - a->y0) / (a->y1 - a->y0) * (LINES_HEIGHT - TOP - BOTTOM - GAP - 20);
}

// Puts a line of so many bytes a second up to the arithmetic's, with its name along the beginning.
static void put_slope(sj_lab_text *out, const axes *a, double rate, double arithmetic, int series, const char *name) {
  double start = exp2(a->x0), ridge = arithmetic / rate, x = roof_x(a, start), y = roof_y(a, start * rate);
  char value[64], text[128];
  sj_lab_add(out,
             "<path class=\"s%d\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1f\" fill=\"none\" stroke=\"%s\" "
             "stroke-width=\"2\"/>\n",
             series, x, y, roof_x(a, ridge), roof_y(a, arithmetic), roof_x(a, exp2(a->x1)), roof_y(a, arithmetic),
             colours[series]);
  sj_lab_format(value, sizeof value, SJ_LAB_RATE, rate);
  snprintf(text, sizeof text, "%s: %s", name, value);
  double end_x = roof_x(a, ridge), end_y = roof_y(a, arithmetic), along = 0.42;
  double at_x = x + (end_x - x) * along + 14, at_y = y + (end_y - y) * along + (series ? 18 : -14);
  put_text(out, at_x, at_y, series ? "start" : "end", series, text);
  snprintf(text, sizeof text, "%.3g", ridge);
  put_line(out, "grid", end_x, end_y, end_x, LINES_HEIGHT - BOTTOM - GAP, "#888888", " stroke-dasharray=\"2 3\"");
  put_text(out, end_x, LINES_HEIGHT - BOTTOM + 10, "middle", series, text);
}

void sj_lab_roof(sj_lab_text *out, double memory, double cache, double arithmetic) {
  bool cached = cache > memory * 1.1;
  double ridge = log2(arithmetic / memory);
  axes a = {fmin(log2(arithmetic / (cached ? cache : memory)), ridge) - 5, ridge + 3, 0, log2(arithmetic) + 0.5};
  a.y0 = a.x0 + log2(memory) - 0.5;
  char text[128], value[64];
  begin(out, WIDTH, LINES_HEIGHT);
  put_line(out, "grid", LEFT, LINES_HEIGHT - BOTTOM - GAP, WIDTH - 30, LINES_HEIGHT - BOTTOM - GAP, "#888888", "");
  put_line(out, "grid", LEFT, TOP, LEFT, LINES_HEIGHT - BOTTOM - GAP, "#888888", "");
  for (int third = (int)ceil(a.y0 / log2(10) * 3); third <= (int)floor(a.y1 / log2(10) * 3); third++) {
    static const double steps[] = {1, 2, 5};
    double y = pow(10, floor(third / 3.0)) * steps[(third % 3 + 3) % 3];
    if (log2(y) < a.y0 || log2(y) > a.y1) continue;
    put_line(out, "grid", LEFT, roof_y(&a, y), WIDTH - 30, roof_y(&a, y), "#dddddd", "");
    sj_lab_format(value, sizeof value, SJ_LAB_WORK, y);
    put_text(out, LEFT - GAP, roof_y(&a, y) + 4, "end", -1, value);
  }
  if (cached) put_slope(out, &a, cache, arithmetic, 0, "caches");
  put_slope(out, &a, memory, arithmetic, 1, cached ? "memory" : "memory and caches");
  sj_lab_format(value, sizeof value, SJ_LAB_WORK, arithmetic);
  snprintf(text, sizeof text, "multiply-adds: %s", value);
  put_text(out, WIDTH - 30, roof_y(&a, arithmetic) - 8, "end", -1, text);
  put_text(out, LEFT + (WIDTH - LEFT - 30) / 2.0, LINES_HEIGHT - 8, "middle", -1,
           "operations for each byte that is moved (right of a dotted line arithmetic is the bound)");
  end(out);
}
