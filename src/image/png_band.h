// Encodes a band of rows of a PNG file, independently of the others.
#ifndef SJ_IMAGE_PNG_BAND_H
#define SJ_IMAGE_PNG_BAND_H

#include "image/deflate.h"
#include "stijl/image.h"

typedef struct sj_png_picture {
  int width, height;
  stijl_format format;
  const unsigned char *pixels;
  size_t stride;
  size_t pixel_bytes;  // in the file: 2 for grey and alpha, 3 for RGB, 4 for RGBA
  int level;
} sj_png_picture;

typedef struct sj_png_band sj_png_band;

// Returns how many rows the picture's bands have; the last band may have fewer. pixel_bytes need not be set yet.
uint32_t sj_png_band_rows(const sj_png_picture *picture);

// Makes the work space for one thread, and bands of up to `rows` rows. NULL: memory is short.
sj_png_band *sj_png_band_create(stijl_context *context, const sj_png_picture *picture, uint32_t rows);
void sj_png_band_destroy(sj_png_band *band);

// Appends the part of the deflate stream with these rows to `output`; `last` ends the stream. *adler becomes the
// checksum of the bytes of this band alone. False: memory is short.
bool sj_png_band_encode(sj_png_band *band, uint32_t first_row, uint32_t rows, bool last, sj_byte_array *output,
                        uint32_t *adler);

#endif
