// Reads the tables COLR (versions 0 and 1) and CPAL of a font in place (OpenType 1.9.1). Reading beyond the end of COLR
// gives zero, and marks the tables as broken.
#ifndef SJ_TEXT_COLR_H
#define SJ_TEXT_COLR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/context.h"
#include "stijl/scene.h"

typedef struct sj_colr_table {
  const unsigned char *data;
  uint32_t length;
} sj_colr_table;

// Which of the font's palettes is used: the one with a number, or the first for a light or for a dark background.
typedef enum sj_palette_base { SJ_PALETTE_NUMBER, SJ_PALETTE_LIGHT, SJ_PALETTE_DARK } sj_palette_base;

// The colours that a glyph is drawn with: those of one of the font's palettes, of which some are replaced (CSS Fonts 4,
// 9.2).
typedef struct sj_palette {
  sj_palette_base base;
  uint32_t number;         // of SJ_PALETTE_NUMBER; palette 0 stands for one that is not there
  const uint32_t *colors;  // the replaced colours: for each its index, ascending, and its straight 0xRRGGBBAA
  size_t color_count;      // how many pairs these are
} sj_palette;

typedef struct sj_colr {
  sj_colr_table colr, palettes;
  uint32_t palette;          // the number of the palette that is used
  const uint32_t *replaced;  // sj_palette's colors
  size_t replaced_count;
  uint32_t foreground;  // the colour of the text, straight 0xRRGGBBAA
  bool met_foreground;  // something has the colour of the text
  bool met_palette;     // something has a colour of the palette
  const int *place;     // of a variable font: its normalised place on each axis, in 1/16384
  unsigned axis_count;  // 0: every axis is at its default
  uint32_t regions;     // how many regions of variations have been read, which is limited
  bool broken;
} sj_colr;

// Kinds of paints. The value is that of their format; a format that varies is one more than the kind.
enum {
  SJ_COLR_LAYERS = 1,
  SJ_COLR_SOLID = 2,
  SJ_COLR_LINEAR = 4,
  SJ_COLR_RADIAL = 6,
  SJ_COLR_SWEEP = 8,
  SJ_COLR_GLYPH = 10,
  SJ_COLR_COLR_GLYPH = 11,
  SJ_COLR_TRANSFORM = 12,
  SJ_COLR_TRANSLATE = 14,
  SJ_COLR_SCALE = 16,
  SJ_COLR_SCALE_ABOUT = 18,
  SJ_COLR_SCALE_UNIFORM = 20,
  SJ_COLR_SCALE_UNIFORM_ABOUT = 22,
  SJ_COLR_ROTATE = 24,
  SJ_COLR_ROTATE_ABOUT = 26,
  SJ_COLR_SKEW = 28,
  SJ_COLR_SKEW_ABOUT = 30,
  SJ_COLR_COMPOSITE = 32
};

enum { SJ_COLR_PAD, SJ_COLR_REPEAT, SJ_COLR_REFLECT };

// A paint. Each kind has some of these fields.
typedef struct sj_colr_paint {
  uint32_t kind;
  uint32_t paint, backdrop;  // offsets of paints in the table
  uint32_t line;             // the offset of a colour line
  bool line_varies;
  uint32_t index;    // of a glyph, a colour, or the first layer
  uint32_t count;    // how many layers there are
  uint32_t mode;     // of compositing
  double values[6];  // in the order of the specification, as font units or fractions
} sj_colr_paint;

typedef struct sj_colr_stop {
  double offset, alpha;
  uint32_t color;
} sj_colr_stop;

typedef struct sj_colr_layer {
  uint32_t glyph, color;
} sj_colr_layer;

// Returns how many layers a glyph has in version 0; *first becomes the number of the first.
uint32_t sj_colr_layers(sj_colr *t, uint32_t glyph, uint32_t *first);
sj_colr_layer sj_colr_layer_at(sj_colr *t, uint32_t index);

// Returns the offset of a glyph's paint in version 1, or 0 if it has none.
uint32_t sj_colr_find(sj_colr *t, uint32_t glyph);
// Finds the box that clips a glyph: x0, y0, x1, y1. Returns false when there is none.
bool sj_colr_clip(sj_colr *t, uint32_t glyph, double box[4]);
// Reads the paint at an offset. Returns false when there is none, or it is broken.
bool sj_colr_read(sj_colr *t, uint32_t paint, sj_colr_paint *out);
// Returns the offset of the paint of a layer of SJ_COLR_LAYERS; 0: there is none.
uint32_t sj_colr_layer_paint(sj_colr *t, uint32_t index);

// Returns how many stops a colour line has; *extend becomes SJ_COLR_PAD, SJ_COLR_REPEAT or SJ_COLR_REFLECT.
uint32_t sj_colr_stops(sj_colr *t, uint32_t line, uint32_t *extend);
sj_colr_stop sj_colr_stop_at(sj_colr *t, uint32_t line, bool varies, uint32_t index);

// Chooses the palette; without this call it is the first. Returns how many palettes were looked at.
uint32_t sj_colr_choose(sj_colr *t, const sj_palette *palette);
// Returns the colour of the text.
uint32_t sj_colr_foreground(sj_colr *t);
// Finds a colour of the palette, straight 0xRRGGBBAA. Returns false when there is none with this index.
bool sj_colr_find_color(sj_colr *t, uint32_t index, uint32_t *out);
// Returns a colour of the palette, or that of the text where there is none with this index.
uint32_t sj_colr_color(sj_colr *t, uint32_t index);

// Returns a colour as straight 0xRRGGBBAA.
uint32_t sj_straight_color(stijl_color color);
// Sorts *count replaced colours, in the form of sj_palette, by their index. Of several with one index only the last is
// kept, and *count is reduced. Returns false when memory is short.
bool sj_palette_sort(stijl_context *context, uint32_t *colors, size_t *count);

#endif
