// Display lists (.dl): the neutral form in which every renderer of the benchmark gets a scene. scenes.py writes them
// and tells the format.
#ifndef BENCH_DISPLAY_LIST_H
#define BENCH_DISPLAY_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DL_MAX_STOPS = 8, DL_MAX_DASHES = 4 };

typedef struct dl_stop {
  float offset;
  uint32_t rgba;  // 0xRRGGBBAA, straight
} dl_stop;

typedef enum dl_paint_kind { DL_SOLID, DL_LINEAR, DL_RADIAL, DL_SWEEP, DL_IMAGE } dl_paint_kind;
typedef enum dl_sampling { DL_NEAREST, DL_BILINEAR, DL_BICUBIC } dl_sampling;

typedef struct dl_paint {
  dl_paint_kind kind;
  uint32_t rgba;         // solid
  float x0, y0, x1, y1;  // linear: the line; radial and sweep: the centre x0 y0, the radius x1
  int stop_count;
  dl_stop stops[DL_MAX_STOPS];
  size_t image;  // repeated in both directions
  dl_sampling sampling;
  float matrix[6];  // from the image's pixels to the space of the path
} dl_paint;

// Commands M L C Z; points as x y pairs: 1, 1, 3 and 0 of them.
typedef struct dl_path {
  char *commands;
  size_t command_count;
  float *points;
} dl_path;

typedef enum dl_cap { DL_BUTT, DL_ROUND_CAP, DL_SQUARE } dl_cap;
typedef enum dl_join { DL_MITER, DL_ROUND_JOIN, DL_BEVEL } dl_join;

typedef enum dl_kind { DL_FILL, DL_STROKE, DL_CLIP, DL_LAYER, DL_POP } dl_kind;

// A draw, or where a layer begins (a clip is one, too) or ends.
typedef struct dl_draw {
  dl_kind kind;
  size_t path;
  bool even_odd;      // fills and clips
  float opacity;      // layers
  const char *blend;  // layers, as CSS calls it
  int dash_count;
  float dashes[DL_MAX_DASHES];
  float width, miter_limit;
  dl_cap cap;
  dl_join join;
  dl_paint paint;
} dl_draw;

// RGBA8, opaque: a picture made by a formula (scenes.py tells it).
typedef struct dl_image {
  int width, height;
  uint8_t *pixels;
} dl_image;

typedef struct dl_list {
  float width, height;
  dl_image *images;
  size_t image_count;
  dl_path *paths;
  size_t path_count;
  dl_draw *draws;
  size_t draw_count;
} dl_list;

// Ends the program with a message when the file cannot be read. The lists live until the program ends.
dl_list dl_load(const char *file);

// Returns channel 0..3 (red first) of a straight colour, 0..1.
static inline float dl_channel(uint32_t rgba, int channel) {
  return (float)(rgba >> (24 - 8 * channel) & 255) / 255.0f;
}

#endif
