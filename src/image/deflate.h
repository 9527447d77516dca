// Deflate (RFC 1951) made for rows of pixels: it looks for runs of a pixel, for the row above, and for pairs of pixels
// seen before, never inside a pixel. On drawn pictures that is many times faster than a general encoder, at its size.
#ifndef SJ_IMAGE_DEFLATE_H
#define SJ_IMAGE_DEFLATE_H

#include "base/array.h"

typedef struct sj_deflate sj_deflate;

typedef SJ_ARRAY(uint8_t) sj_bytes;

// Work space for bands of at most `rows` rows of `width` pixels, of which the lowest pixel_bytes (2..4) bytes count.
// NULL without memory.
sj_deflate *sj_deflate_create(stijl_context *context, size_t width, size_t rows, size_t pixel_bytes);
void sj_deflate_destroy(sj_deflate *deflate);

// Begins a band, which is appended to `output`: what came before is forgotten, and is not referred to by what follows.
void sj_deflate_begin(sj_deflate *deflate, sj_bytes *output);
// The place of the band's next row, to be filled before sj_deflate_row.
uint32_t *sj_deflate_next_row(sj_deflate *deflate);
// Adds that row behind the byte `filter` (PNG's filter type). False without memory.
bool sj_deflate_row(sj_deflate *deflate, uint8_t filter);
// Ends the band: whole bytes that may be followed by another band's, or with `last` the end of the stream. False
// without memory.
bool sj_deflate_end(sj_deflate *deflate, bool last);

#endif
