// Encodes a band of rows of a PNG file, independently of the others.
#ifndef SJ_IMAGE_PNG_BAND_H
#define SJ_IMAGE_PNG_BAND_H

#include "image/deflate.h"
#include "image/png_survey.h"

typedef struct sj_png_picture {
  int width, height;
  stijl_format format;
  int level;
  sj_png_kind kind;               // in the file
  const sj_png_colours *colours;  // the numbers of pixels, of palettes and of small depths
} sj_png_picture;

static inline size_t sj_png_row_bytes(const sj_png_picture *picture) {
  return picture->kind.units * picture->kind.pixel_bytes;
}

typedef struct sj_png_band sj_png_band;

// Returns how many rows the picture's bands have; the last band may have fewer. The kind need not be set yet.
uint32_t sj_png_band_rows(const sj_png_picture *picture);

// Makes the work space for one thread, and bands of up to `rows` rows. Returns NULL when memory is short.
sj_png_band *sj_png_band_create(stijl_context *context, const sj_png_picture *picture, uint32_t rows);
void sj_png_band_destroy(sj_png_band *band);

// How many rows above a band its encoding looks at: the last one, and the one above that, which tells how the last is
// written.
#define SJ_PNG_ROWS_ABOVE 2

// Appends the part of the deflate stream with the rows from `pixels` on to `output`; `last` ends the stream. The
// `rows_above` rows above them, as many as there are up to SJ_PNG_ROWS_ABOVE, lie before them. *adler becomes the
// checksum of the bytes of this band alone. `runs` of its rows; NULL: none was seen. Returns false when memory is
// short.
bool sj_png_band_encode(sj_png_band *band, const unsigned char *pixels, size_t stride, uint32_t rows,
                        uint32_t rows_above, const sj_row_runs *runs, bool last, sj_byte_array *output,
                        uint32_t *adler);

#endif
