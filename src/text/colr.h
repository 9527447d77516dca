// The tables COLR (versions 0 and 1) and CPAL of a font, read where they lie: OpenType 1.9.1. What lies outside of them
// is zero, and marks them as broken.
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

// Which colours a glyph is drawn with: those of one of the font's palettes, some replaced (CSS Fonts 4, 9.2).
typedef enum sj_palette_base { SJ_PALETTE_NUMBER, SJ_PALETTE_LIGHT, SJ_PALETTE_DARK } sj_palette_base;

typedef struct sj_palette {
  sj_palette_base base;    // _LIGHT, _DARK: the first that is for such a background
  uint32_t number;         // _NUMBER: which; the first stands for one that is not there
  const uint32_t *colors;  // in place of the font's: of each its index, ascending, and its straight 0xRRGGBBAA
  size_t color_count;
} sj_palette;

typedef struct sj_colr {
  sj_colr_table colr, palettes;
  uint32_t palette;  // the number of the one that is used
  const uint32_t *replaced;
  size_t replaced_count;
  uint32_t foreground;  // the colour of the text, straight 0xRRGGBBAA
  bool met_foreground, met_palette;  // a colour was that of the text, was asked of the palette
  const int *place;     // of a variable font, on each axis, in 1/16384; none: the default
  unsigned axis_count;
  uint32_t regions;  // of variations that have been asked for: they are bounded
  bool broken;
} sj_colr;

// Kinds of paints, by their format; those that vary have the next number.
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

// A paint: what its format has. Values are in the order of the specification: font units, or fractions.
typedef struct sj_colr_paint {
  uint32_t kind;
  uint32_t paint, backdrop;  // offsets of paints in the table
  uint32_t line;             // offset of the colour line
  bool line_varies;
  uint32_t index;  // of a glyph, of a colour, of the first layer
  uint32_t count;  // of layers
  uint32_t mode;   // of compositing
  double values[6];
} sj_colr_paint;

typedef struct sj_colr_stop {
  double offset, alpha;
  uint32_t color;
} sj_colr_stop;

typedef struct sj_colr_layer {
  uint32_t glyph, color;
} sj_colr_layer;

// The layers of a glyph, version 0: how many, and the number of the first.
uint32_t sj_colr_layers(sj_colr *t, uint32_t glyph, uint32_t *first);
sj_colr_layer sj_colr_layer_at(sj_colr *t, uint32_t index);

// The offset of a glyph's paint, version 1; 0: it has none.
uint32_t sj_colr_find(sj_colr *t, uint32_t glyph);
// The box that clips a glyph: x0, y0, x1, y1. False: nothing does.
bool sj_colr_clip(sj_colr *t, uint32_t glyph, double box[4]);
// False: there is no such paint.
bool sj_colr_read(sj_colr *t, uint32_t paint, sj_colr_paint *out);
// The paint of a layer of SJ_COLR_LAYERS; 0: there is none.
uint32_t sj_colr_layer_paint(sj_colr *t, uint32_t index);

// A colour line's number of stops, and its SJ_COLR_PAD, _REPEAT or _REFLECT.
uint32_t sj_colr_stops(sj_colr *t, uint32_t line, uint32_t *extend);
sj_colr_stop sj_colr_stop_at(sj_colr *t, uint32_t line, bool varies, uint32_t index);

// Has colours be of this palette; without, they are of the first. Returns how many palettes were looked at.
uint32_t sj_colr_choose(sj_colr *t, const sj_palette *palette);
// The colour of the text.
uint32_t sj_colr_foreground(sj_colr *t);
// A colour of the palette, straight 0xRRGGBBAA. False: there is none.
bool sj_colr_find_color(sj_colr *t, uint32_t index, uint32_t *out);
// The same, the text's where there is none.
uint32_t sj_colr_color(sj_colr *t, uint32_t index);

// A colour as straight 0xRRGGBBAA.
uint32_t sj_straight_color(stijl_color color);
// Has colours in place of a palette's ascend by their index, of several with one index only the last. `count` of them,
// which it sets; false when memory is short.
bool sj_palette_sort(stijl_context *context, uint32_t *colors, size_t *count);

#endif
