// What a picture's pixels can be written as in a PNG file (PNG, 11.2.1), and rows of these.
#ifndef SJ_IMAGE_PNG_SURVEY_H
#define SJ_IMAGE_PNG_SURVEY_H

#include "base/context.h"
#include "image/deflate.h"
#include "stijl/image.h"

#define SJ_PNG_COLOURS 256u

// PNG's colour types.
typedef enum sj_png_type {
  SJ_PNG_GREY = 0,
  SJ_PNG_RGB = 2,
  SJ_PNG_PALETTE = 3,
  SJ_PNG_GREY_ALPHA = 4,
  SJ_PNG_RGBA = 6
} sj_png_type;

// A hash table of pixels as the source has them, and what each becomes. A slot of value 0 is free.
typedef struct sj_png_colours {
  uint32_t count;  // SJ_PNG_COLOURS + 1: there are more, and the table says nothing
  uint32_t keys[4 * SJ_PNG_COLOURS];
  uint16_t values[4 * SJ_PNG_COLOURS];  // a number, and 1
} sj_png_colours;

// What a file's pixels are.
typedef struct sj_png_kind {
  sj_png_type type;
  int depth;           // bits of a channel: 8, or of grey and palettes also 1, 2, 4
  size_t pixel_bytes;  // of a unit, which is a pixel, or a byte of several
  size_t units;        // of a row
  bool converted;      // units are made of the source's pixels, which are not what they are in the file
  bool filtered;       // PNG's filters may be of use: bytes are amounts
  bool varied;         // palette: indices change often
} sj_png_kind;

sj_png_kind sj_png_kind_of(sj_png_type type, int depth, size_t width);

// What is known of some rows.
typedef struct sj_png_survey {
  bool opaque, grey;
  sj_row_runs runs;  // of the last row
  uint64_t changes;  // how often a pixel is not that before, in rows that are not equal to those above; so far
  sj_png_colours colours;
} sj_png_survey;

void sj_png_survey_begin(sj_png_survey *survey);
// Looks at a row. `above` is NULL if the row above was not surveyed. Returns false when no row changes any more what is
// known.
bool sj_png_survey_row(sj_png_survey *survey, stijl_format format, const unsigned char *row, const unsigned char *above,
                       size_t width);
void sj_png_survey_merge(sj_png_survey *survey, const sj_png_survey *other);

typedef struct sj_png_palette {
  uint32_t count;                   // 0: none is needed
  uint32_t translucent;             // the first so many have an alpha below 255
  uint32_t pixels[SJ_PNG_COLOURS];  // RGBA8_STRAIGHT
} sj_png_palette;

// Returns the kinds that the surveyed picture may be written as, the one that is likely the smallest first; at most 4.
// Numbers the colours, as pixels of small depths have them, and sorts the palette.
int sj_png_survey_kinds(sj_png_survey *survey, stijl_format format, size_t width, size_t height, sj_png_kind kinds[4],
                        sj_png_palette *palette);

// Converts a row to words whose lowest bytes are a unit each. `spare` has room for `width` words.
void sj_png_units(const sj_png_kind *kind, const sj_png_colours *colours, stijl_format format, const unsigned char *row,
                  size_t width, uint32_t *spare, uint32_t *units);

#endif
