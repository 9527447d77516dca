// Draws plots as SVG that any renderer can draw: shapes with explicit colours and text, without style sheets or
// scripts. Each has a class, by which a page can give it other colours: back, ink (text), grid, s0 to s5 (series).
#ifndef SJ_LAB_PLOT_H
#define SJ_LAB_PLOT_H

#include "lab/page.h"

// Draws horizontal bars from 0, each with its name before and its value behind, and a vertical line at each mark.
typedef struct sj_lab_bar {
  const char *name;
  double value;
} sj_lab_bar;
typedef struct sj_lab_mark {
  const char *name;
  double value;
} sj_lab_mark;
void sj_lab_bars(sj_lab_text *out, sj_lab_unit unit, const sj_lab_bar *bars, uint32_t count, const sj_lab_mark *marks,
                 uint32_t mark_count);
// Does the same for a card, which is narrow, so that each name stands above its bar.
void sj_lab_small_bars(sj_lab_text *out, sj_lab_unit unit, const sj_lab_bar *bars, uint32_t count);

// Adds small bars to the card of the last thing that was liked.
void sj_lab_card(sj_lab_page *page, sj_lab_unit unit, const sj_lab_bar *bars, uint32_t count);

// Draws lines over a logarithmic x axis (powers of two), with y from 0. Values that are not finite are left out.
typedef struct sj_lab_series {
  const char *name;
  const double *y;
} sj_lab_series;
void sj_lab_lines(sj_lab_text *out, sj_lab_unit x_unit, const double *x, uint32_t count, sj_lab_unit y_unit,
                  const sj_lab_series *series, uint32_t series_count);

// Draws the ceilings of a device (Williams, Waterman, Patterson: "Roofline", 2009): the most operations a second by
// the operations for each byte, which memory or caches bound on the left, and arithmetic on the right. Rates are in
// bytes and operations a second; `cache` may be no more than `memory`, and is then left out.
void sj_lab_roof(sj_lab_text *out, double memory, double cache, double arithmetic);

#endif
