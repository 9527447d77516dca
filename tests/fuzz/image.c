// Any bytes through the image decoders; a picture that comes out is encoded, and must come back the same.
#include "stijl/image.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "written.h"

enum { MAX_PIXELS = 1 << 18 };

uint64_t fuzz_complete;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  stijl_image_limits limits = STIJL_IMAGE_LIMITS_INIT;
  limits.max_pixels = MAX_PIXELS;
  stijl_image *image = NULL, *again = NULL;
  stijl_message message;
  // Any size of file with any room for it.
  fuzz_memory memory;
  stijl_context *context = fuzz_memory_begin(&memory, (size_t)1 << (16 + size % 8));
  stijl_result result = stijl_image_decode(context, data, size, &limits, &image, &message);
  if ((result == STIJL_OK) != (image != NULL) || (result == STIJL_OK) != !message.text[0]) abort();
  stijl_image_destroy(image);
  fuzz_memory_end(&memory);
  result = stijl_image_decode(NULL, data, size, &limits, &image, &message);
  if (result != STIJL_OK) return 0;
  fuzz_complete++;
  size_t stride;
  const uint8_t *pixels = stijl_image_pixels(image, &stride);
  int width = stijl_image_width(image), height = stijl_image_height(image);
  if (width < 1 || height < 1 || (int64_t)width * height > MAX_PIXELS) abort();

  sj_test_written f = {0};
  stijl_png_params params = STIJL_PNG_PARAMS_INIT;
  params.threads = 1;
  params.level = size % 4 ? 1 : (int)(size / 4 % 10);
  if (stijl_png_encode(NULL, width, height, STIJL_FORMAT_RGBA8, pixels, stride, &params, sj_test_append, &f, NULL))
    abort();
  result = stijl_image_decode(NULL, f.data, f.bytes, &limits, &again, &message);
  if (result != STIJL_ERROR_UNSUPPORTED) {  // a build without libpng reads other formats still
    if (result || stijl_image_width(again) != width || stijl_image_height(again) != height) abort();
    size_t stride_again;
    const uint8_t *pixels_again = stijl_image_pixels(again, &stride_again);
    for (size_t y = 0; y < (size_t)height; y++)
      if (memcmp(pixels + y * stride, pixels_again + y * stride_again, (size_t)width * 4) != 0) abort();
  }
  free(f.data);
  stijl_image_destroy(again);
  stijl_image_destroy(image);
  return 0;
}
