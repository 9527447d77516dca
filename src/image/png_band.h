// One band of rows of a PNG file: filtered and compressed by itself.
#ifndef SJ_IMAGE_PNG_BAND_H
#define SJ_IMAGE_PNG_BAND_H

#include "image/deflate.h"
#include "stijl/image.h"

typedef struct sj_png_picture {
  int width, height;
  stijl_format format;
  const unsigned char *pixels;
  size_t stride;
  size_t pixel_bytes;  // in the file: 2 grey and alpha, 3 RGB, 4 RGBA
  int level;
} sj_png_picture;

typedef struct sj_png_band sj_png_band;

// The number of rows of this picture's bands; the last may have fewer. Does not look at pixel_bytes.
uint32_t sj_png_band_rows(const sj_png_picture *picture);

// Work space for one thread. NULL without memory.
sj_png_band *sj_png_band_create(stijl_context *context, const sj_png_picture *picture, uint32_t rows);
void sj_png_band_destroy(sj_png_band *band);

// Appends the band's part of the deflate stream to `output`; *adler is the checksum of its bytes alone. False without
// memory.
bool sj_png_band_encode(sj_png_band *band, uint32_t first_row, uint32_t rows, bool last, sj_bytes *output,
                        uint32_t *adler);

#endif
