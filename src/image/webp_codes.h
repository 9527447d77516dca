// How much memory libwebp takes, which has no allocator of its own. For a lossless picture, or the transparency of one
// with loss, it has tables for each group of prefix codes. There may be 65,536 groups whatever the size of the picture,
// so they are counted beforehand.
#ifndef SJ_IMAGE_WEBP_CODES_H
#define SJ_IMAGE_WEBP_CODES_H

#include "base/context.h"

// Finds the most bytes that libwebp takes to decode a file of this size in pixels, beside the result. For damaged data
// it is the most for any data. Returns false when memory is short, or the context's budget is spent.
bool sj_webp_memory(stijl_context *context, const unsigned char *data, size_t bytes, uint32_t width, uint32_t height,
                    uint64_t *out);

#endif
