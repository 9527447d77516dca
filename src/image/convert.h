// Converts rows of pixels from one format to another.
#ifndef SJ_IMAGE_CONVERT_H
#define SJ_IMAGE_CONVERT_H

#include "stijl/image.h"

// Converts a row. Results are exact. Premultiplying is c a / 255 rounded, computed as (c a + 128 + ((c a + 128) >> 8))
// >> 8. The reverse is (255 c + a / 2) / a, limited to 255, and 0 where a is 0. A8 keeps the alpha only, and from A8
// the colour is black. `dst` may be `src` if the pixels of both formats have the same number of bytes; otherwise they
// must not overlap.
void sj_convert_row(stijl_format from, stijl_format to, const void *src, void *dst, size_t pixels);

// Lowers each colour of RGBA8 or BGRA8 that is above its pixel's alpha to it: the arithmetic is defined for
// premultiplied pixels only. `dst` may be `src`; otherwise they must not overlap.
void sj_clamp_row(const void *src, void *dst, size_t pixels);

// Lays a row on an opaque colour R G B: words of R, G and B from the lowest byte up, and 255. No overlap.
void sj_flatten_row(stijl_format from, const void *src, const unsigned char background[3], uint32_t *dst,
                    size_t pixels);

// Returns whether every pixel has alpha 255.
bool sj_row_is_opaque(stijl_format format, const void *row, size_t pixels);

#endif
