// Deflate (RFC 1951) for rows of pixels. It looks for runs of a pixel, for pixels equal to those above, and for single
// pixels and pairs of them that it has seen before. Single bytes are only compared to extend a match into the next
// pixel. On drawn pictures that is several times faster than a general encoder, with files of the same size. Rows of
// colours that change smoothly get one of PNG's filters, and their bytes are matched as a general encoder does.
//
// It reads the source's pixels in place. Pixels that are equal there are equal in the file, too, so only pixels that
// become literals have to be converted to the file's format.
#ifndef SJ_IMAGE_DEFLATE_H
#define SJ_IMAGE_DEFLATE_H

#include "base/array.h"
#include "image/png_filter.h"
#include "stijl/image.h"

typedef SJ_ARRAY(uint8_t) sj_byte_array;

typedef struct sj_deflate sj_deflate;

// What rows are: pixels that repeat as a whole, bytes that repeat at any place, or amounts, which a filter may make
// bytes of that do.
typedef enum sj_deflate_rows { SJ_ROWS_OF_PIXELS, SJ_ROWS_OF_BYTES, SJ_ROWS_FILTERED } sj_deflate_rows;

// Makes the work space for bands of at most `rows` rows of `width` pixels. `format` is any but A8. In the file a pixel
// is the first pixel_bytes (1 to 4) bytes of its RGBA8_STRAIGHT form; further ones, of less than 3, are 0. With `greys`
// it is one byte, or two: grey and alpha. Returns NULL when memory is short.
sj_deflate *sj_deflate_create(stijl_context *context, stijl_format format, size_t width, size_t rows,
                              size_t pixel_bytes, bool greys, sj_deflate_rows kind);
void sj_deflate_destroy(sj_deflate *deflate);

// Compresses a band of rows, and appends it to `output` as whole bytes, so that another band may follow; with `last` it
// ends the stream. Each row stands behind the byte of its PNG filter. The `rows_above` rows above the first one are in
// memory and precede it in the stream, so matches may refer to them. Rows like a photograph's, where hardly a pixel
// equals that beside or above it, get the filter that leaves the smallest numbers; others get none. *adler becomes the
// checksum of this band alone. `runs` of its rows; NULL: none was seen. Returns false
// when memory is short.
bool sj_deflate_band(sj_deflate *deflate, const void *pixels, size_t stride, size_t rows, size_t rows_above,
                     const sj_row_runs *runs, bool last, sj_byte_array *output, uint32_t *adler);

#endif
