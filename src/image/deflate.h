// Deflate (RFC 1951) made for rows of pixels: it looks for runs of a pixel, for pixels equal to those above, and for
// single pixels and pairs seen before. Single bytes only matter where a match is extended into the next pixel. On drawn
// pictures that is several times faster than a general encoder, with files of the same size.
//
// Rows of photographs, in which it would find nothing, have PNG's filters.
//
// It reads the pixels where they are. Equal pixels of the source are equal in the file too, so only pixels that become
// literals are converted to the file's format.
#ifndef SJ_IMAGE_DEFLATE_H
#define SJ_IMAGE_DEFLATE_H

#include "base/array.h"
#include "stijl/image.h"

typedef SJ_ARRAY(uint8_t) sj_bytes;

typedef struct sj_deflate sj_deflate;

// Work space for bands of at most `rows` rows of `width` pixels of any format but A8. In the file a pixel is the first
// pixel_bytes (2..4) bytes of its RGBA8_STRAIGHT form. NULL without memory.
sj_deflate *sj_deflate_create(stijl_context *context, stijl_format format, size_t width, size_t rows,
                              size_t pixel_bytes);
void sj_deflate_destroy(sj_deflate *deflate);

// Appends rows of pixels to `output`, each behind the byte of its filter in PNG, as whole bytes; they may be followed by
// another band, or with `last` are the end of the stream. `rows_above` rows above the first one are in memory; the stream
// tells of them before, and they may be referred to. Rows that are like a photograph's, of which hardly a pixel is that
// beside it or above, have the filter that leaves least, all others none. *adler is the checksum of this band alone.
// False without memory.
bool sj_deflate_band(sj_deflate *deflate, const void *pixels, size_t stride, size_t rows, size_t rows_above, bool last,
                     sj_bytes *output, uint32_t *adler);

#endif
