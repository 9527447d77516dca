#include "image/image.h"

#ifndef STIJL_HAVE_WEBP

stijl_result sj_webp_decode(const sj_decode *decode, stijl_image **out) {
  (void)out;
  return sj_fail(decode->message, STIJL_ERROR_UNSUPPORTED, "this build cannot read WebP images");
}

#else

#include "base/budget.h"
#include "image/convert.h"
#include "image/webp_codes.h"
#include "libraries/webp.h"

static stijl_result read_pixels(const sj_decode *decode, WebPDecoderConfig *config, stijl_image *image) {
  config->output.colorspace = MODE_RGBA;
  config->output.is_external_memory = 1;
  config->output.u.RGBA.rgba = image->pixels;
  config->output.u.RGBA.stride = (int)image->stride;
  config->output.u.RGBA.size = image->stride * (size_t)image->height;
  VP8StatusCode status = WebPDecode(decode->data, decode->bytes, config);
  WebPFreeDecBuffer(&config->output);
  if (status == VP8_STATUS_OK) return STIJL_OK;
  if (status == VP8_STATUS_OUT_OF_MEMORY) return sj_fail_memory(decode->message);
  return sj_fail(decode->message, STIJL_ERROR_MALFORMED, "damaged WebP image%s",
                 status == VP8_STATUS_NOT_ENOUGH_DATA ? ": the data end early" : "");
}

stijl_result sj_webp_decode(const sj_decode *decode, stijl_image **out) {
  WebPDecoderConfig config;
  if (sj_open_webp(decode->message)) return STIJL_ERROR_UNSUPPORTED;
  // WebPInitDecoderConfig and WebPGetFeatures are inline functions, which would need the library to be linked. These
  // are the functions that they call.
  if (!WebPInitDecoderConfigInternal(&config, WEBP_DECODER_ABI_VERSION))
    return sj_fail(decode->message, STIJL_ERROR_UNSUPPORTED, "the WebP library is of another version");
  VP8StatusCode status = WebPGetFeaturesInternal(decode->data, decode->bytes, &config.input, WEBP_DECODER_ABI_VERSION);
  if (status != VP8_STATUS_OK)
    return sj_fail(decode->message, STIJL_ERROR_MALFORMED, "damaged WebP image (its header)");
  if (config.input.has_animation)
    return sj_fail(decode->message, STIJL_ERROR_UNSUPPORTED, "animated WebP images are not supported");
  uint64_t width = (uint64_t)config.input.width, height = (uint64_t)config.input.height;
  stijl_result result = sj_decode_check_size(decode, width, height);
  if (result) return result;
  uint64_t taken;
  if (!sj_webp_memory(decode->context, decode->data, decode->bytes, (uint32_t)width, (uint32_t)height, &taken))
    return sj_fail_memory(decode->message);
  if (taken + width * height * 4 > sj_budget_memory_left(decode->context) ||
      !sj_budget_reserve(decode->context, (size_t)taken))
    return sj_fail(decode->message, STIJL_ERROR_LIMIT, "image of %d x %d pixels, more than max_memory leaves room for",
                   config.input.width, config.input.height);
  stijl_image *image =
      sj_image_create_blank(decode->context, config.input.width, config.input.height, STIJL_FORMAT_RGBA8);
  result = image ? read_pixels(decode, &config, image) : sj_fail_memory(decode->message);
  sj_budget_release(decode->context, (size_t)taken);
  if (result) {
    stijl_image_destroy(image);
    return result;
  }
  for (size_t y = 0; y < (size_t)image->height; y++) {
    unsigned char *row = image->pixels + y * image->stride;
    sj_convert_row(STIJL_FORMAT_RGBA8_STRAIGHT, STIJL_FORMAT_RGBA8, row, row, (size_t)image->width);
  }
  *out = image;
  return STIJL_OK;
}

#endif
