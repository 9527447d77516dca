#include "image/image.h"

#include "image/convert.h"

size_t stijl_format_bytes(stijl_format format) {
  switch (format) {
    case STIJL_FORMAT_RGBA8:
    case STIJL_FORMAT_BGRA8:
    case STIJL_FORMAT_RGBA8_STRAIGHT:
    case STIJL_FORMAT_BGRA8_STRAIGHT: return 4;
    case STIJL_FORMAT_A8: return 1;
  }
  return 0;
}

stijl_image *sj_image_create_blank(stijl_context *context, int width, int height, stijl_format format) {
  size_t stride = (size_t)width * stijl_format_bytes(format);
  if ((size_t)height > SIZE_MAX / stride) return NULL;
  stijl_image *image = sj_alloc(context, sizeof *image);
  if (!image) return NULL;
  *image = (stijl_image){.context = context, .width = width, .height = height, .format = format, .stride = stride};
  atomic_init(&image->references, 1);
  atomic_init(&image->opacity, SJ_OPACITY_UNKNOWN);
  image->pixels = sj_alloc_zero(context, stride * (size_t)height);
  if (!image->pixels) {
    sj_free(context, image);
    return NULL;
  }
  return image;
}

stijl_image *sj_image_create_indexed(stijl_context *context, int width, int height) {
  uint32_t *palette = sj_alloc_zero(context, 256 * sizeof *palette);
  // Bytes without meaning yet, like an image of alpha alone.
  stijl_image *image = palette ? sj_image_create_blank(context, width, height, STIJL_FORMAT_A8) : NULL;
  if (!image) {
    sj_free(context, palette);
    return NULL;
  }
  image->format = STIJL_FORMAT_RGBA8;
  image->palette = palette;
  return image;
}

const unsigned char *sj_image_row(const stijl_image *image, int y, uint32_t *row) {
  const unsigned char *stored = image->pixels + (size_t)y * image->stride;
  if (!image->palette) return stored;
  for (int x = 0; x < image->width; x++) row[x] = image->palette[stored[x]];
  return (const unsigned char *)row;
}

stijl_result stijl_image_create(stijl_context *context, int width, int height, stijl_format format, const void *pixels,
                                size_t stride, stijl_image **out) {
  if (!out) return STIJL_ERROR_INVALID_ARGUMENT;
  *out = NULL;
  size_t pixel = stijl_format_bytes(format);
  if (!pixel || !pixels || width < 1 || height < 1 || width > SJ_IMAGE_MAX_SIZE || height > SJ_IMAGE_MAX_SIZE ||
      stride < (size_t)width * pixel)
    return STIJL_ERROR_INVALID_ARGUMENT;
  stijl_format stored = format == STIJL_FORMAT_A8 ? STIJL_FORMAT_A8 : STIJL_FORMAT_RGBA8;
  stijl_image *image = sj_image_create_blank(sj_context(context), width, height, stored);
  if (!image) return STIJL_ERROR_OUT_OF_MEMORY;
  const unsigned char *source = pixels;
  bool clamp = format == STIJL_FORMAT_RGBA8 || format == STIJL_FORMAT_BGRA8;
  for (size_t y = 0; y < (size_t)height; y++) {
    unsigned char *row = image->pixels + y * image->stride;
    sj_convert_row(format, stored, source + y * stride, row, (size_t)width);
    if (clamp) sj_clamp_row(row, row, (size_t)width);
  }
  *out = image;
  return STIJL_OK;
}

bool sj_image_is_opaque(stijl_image *image) {
  unsigned opacity = atomic_load_explicit(&image->opacity, memory_order_relaxed);
  if (opacity != SJ_OPACITY_UNKNOWN) return opacity == SJ_OPAQUE;
  bool opaque = true;
  // Colours of a palette count, whether a pixel has them or not.
  if (image->palette) opaque = sj_row_is_opaque(image->format, image->palette, 256);
  for (size_t y = 0; opaque && !image->palette && y < (size_t)image->height; y++)
    opaque = sj_row_is_opaque(image->format, image->pixels + y * image->stride, (size_t)image->width);
  atomic_store_explicit(&image->opacity, opaque ? SJ_OPAQUE : SJ_NOT_OPAQUE, memory_order_relaxed);
  return opaque;
}

stijl_image *sj_image_retain(stijl_image *image) {
  if (image) atomic_fetch_add_explicit(&image->references, 1, memory_order_relaxed);
  return image;
}

void stijl_image_destroy(stijl_image *image) {
  if (!image) return;
  if (atomic_fetch_sub_explicit(&image->references, 1, memory_order_release) != 1) return;
  // Makes all that the other owners did with the image happen before it is freed.
  atomic_load_explicit(&image->references, memory_order_acquire);
  stijl_context *context = image->context;
  sj_free(context, image->pixels);
  sj_free(context, image->palette);
  sj_free(context, image);
}

int stijl_image_width(const stijl_image *image) { return image ? image->width : 0; }
int stijl_image_height(const stijl_image *image) { return image ? image->height : 0; }
stijl_format stijl_image_format(const stijl_image *image) { return image ? image->format : STIJL_FORMAT_RGBA8; }

const void *stijl_image_pixels(const stijl_image *image, size_t *stride) {
  if (stride) *stride = image ? image->stride : 0;
  return image ? image->pixels : NULL;
}
