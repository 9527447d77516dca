// Pictures and the decoders behind stijl_image_decode.
#ifndef SJ_IMAGE_IMAGE_H
#define SJ_IMAGE_IMAGE_H

#include <stdatomic.h>

#include "base/context.h"
#include "stijl/image.h"

#define SJ_IMAGE_MAX_SIZE 32767

struct stijl_image {
  stijl_context *context;
  atomic_uint references;
  int width, height;
  stijl_format format;  // RGBA8 or A8
  size_t stride;
  unsigned char *pixels;
  atomic_uint opacity;  // sj_image_opacity, of what sj_image_is_opaque has found
};

enum sj_image_opacity { SJ_OPACITY_UNKNOWN, SJ_OPAQUE, SJ_NOT_OPAQUE };

// Whether all pixels are opaque. They are looked at when this is asked for the first time.
bool sj_image_is_opaque(stijl_image *image);

// One more owner; each of them calls stijl_image_destroy, which frees the picture with the last. Takes NULL.
stijl_image *sj_image_retain(stijl_image *image);

// A picture whose pixels (RGBA8 or A8, all zero) the caller fills before anybody else sees it. NULL without memory.
stijl_image *sj_image_create_blank(stijl_context *context, int width, int height, stijl_format format);

typedef struct sj_decode {
  stijl_context *context;
  const unsigned char *data;
  size_t bytes;
  uint64_t max_pixels;
  stijl_message *message;
} sj_decode;

// Whether width x height can be an image and is within the limit; fails with a message that names the limit otherwise.
stijl_result sj_decode_check_size(const sj_decode *decode, uint64_t width, uint64_t height);

// The decoders: data begins with the format's magic. In a build without the library they are STIJL_ERROR_UNSUPPORTED.
stijl_result sj_png_decode(const sj_decode *decode, stijl_image **out);
stijl_result sj_jpeg_decode(const sj_decode *decode, stijl_image **out);
// The first frame.
stijl_result sj_gif_decode(const sj_decode *decode, stijl_image **out);
stijl_result sj_webp_decode(const sj_decode *decode, stijl_image **out);

#endif
