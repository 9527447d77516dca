// Images, and the decoders behind stijl_image_decode.
#ifndef SJ_IMAGE_IMAGE_H
#define SJ_IMAGE_IMAGE_H

#include <stdatomic.h>

#include "base/context.h"
#include "stijl/image.h"

#define SJ_IMAGE_MAX_SIZE 32767  // pixels of a side

struct stijl_image {
  stijl_context *context;
  atomic_uint references;
  int width, height;
  stijl_format format;  // RGBA8 or A8
  size_t stride;        // bytes from a row to the next
  unsigned char *pixels;
  // Of an image whose pixels are a byte each, the number of a colour: 256 colours in `format`. Else NULL.
  uint32_t *palette;
  atomic_uint opacity;  // sj_image_opacity: what sj_image_is_opaque has found
};

enum sj_image_opacity { SJ_OPACITY_UNKNOWN, SJ_OPAQUE, SJ_NOT_OPAQUE };

// Returns whether all pixels are opaque. The first call looks at them, and the image remembers the answer.
bool sj_image_is_opaque(stijl_image *image);

// Adds an owner. Each owner calls stijl_image_destroy, and the last call frees the image. NULL is allowed.
stijl_image *sj_image_retain(stijl_image *image);

// Makes an image whose pixels (RGBA8 or A8) are all zero. The caller fills them before anybody else sees the image.
// Returns NULL when memory is short.
stijl_image *sj_image_create_blank(stijl_context *context, int width, int height, stijl_format format);

// Does the same with a palette of zeros, which only images of documents have.
stijl_image *sj_image_create_indexed(stijl_context *context, int width, int height);

// Returns a row in the image's format: its own, or one that is made in `row`, which has room for `width` colours.
const unsigned char *sj_image_row(const stijl_image *image, int y, uint32_t *row);

// What is decoded, and how.
typedef struct sj_decode {
  stijl_context *context;
  const unsigned char *data;
  size_t bytes;
  uint64_t max_pixels;
  stijl_message *message;
  uint64_t indexed_from;  // images of so many pixels have a palette if their file has at most 256 colours
} sj_decode;

#define SJ_NEVER_INDEXED UINT64_MAX

// Fails, with a message, unless an image may have this size: within SJ_IMAGE_MAX_SIZE, max_pixels and the budget.
stijl_result sj_decode_check_size(const sj_decode *decode, uint64_t width, uint64_t height);
// Does the same for an image of which each column takes so many bytes, and not height * 4.
stijl_result sj_decode_check_bytes(const sj_decode *decode, uint64_t width, uint64_t height, uint64_t column_bytes);

// Decodes an image as stijl_image_decode does, with a palette where it has as many pixels as `indexed_from`.
stijl_result sj_image_decode(stijl_context *context, const void *data, size_t bytes, const stijl_image_limits *limits,
                             uint64_t indexed_from, stijl_image **out, stijl_message *message);

// Decodes an image whose data begins with the signature of the format, which the first function looks for. Without the
// format's library decoders fail with STIJL_ERROR_UNSUPPORTED. Damaged PNG, JPEG and GIF images are returned as far as
// they can be read, with a warning.
bool sj_is_png(const void *data, size_t bytes);
stijl_result sj_png_decode(const sj_decode *decode, stijl_image **out);
stijl_result sj_jpeg_decode(const sj_decode *decode, stijl_image **out);
stijl_result sj_gif_decode(const sj_decode *decode, stijl_image **out);  // the first frame
stijl_result sj_webp_decode(const sj_decode *decode, stijl_image **out);

#endif
