// Animated WebP files, by libwebpmux: it finds what changes from frame to frame.
#include "base/params.h"
#include "image/convert.h"
#include "stijl/animation.h"

#ifdef STIJL_HAVE_WEBPMUX

#include "libraries/webpmux.h"

struct stijl_webp_animation {
  stijl_context *context;
  stijl_webp_animation_params params;
  WebPAnimEncoder *encoder;
  WebPConfig config;
  WebPPicture picture;
  int before;  // the time of the last frame; -1: there is none
};

static stijl_result fail_version(stijl_message *message) {
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "the WebP library is of another version");
}

// Fails with why the encoder has failed.
static stijl_result fail_encoder(const stijl_webp_animation *a, stijl_message *message) {
  if (a->picture.error_code == VP8_ENC_ERROR_OUT_OF_MEMORY) return sj_fail_memory(message);
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "libwebp: %s", WebPAnimEncoderGetError(a->encoder));
}

// Opens the encoder. WebPConfigInit, WebPPictureInit and WebPAnimEncoderNew are inline functions; these are the
// functions that they call.
static stijl_result open_encoder(stijl_webp_animation *a, stijl_message *message) {
  const stijl_webp_animation_params *p = &a->params;
  WebPAnimEncoderOptions options;
  bool lossless = p->quality < 0.0f;
  if (!WebPConfigInitInternal(&a->config, WEBP_PRESET_DRAWING, lossless ? 75.0f : p->quality,
                              WEBP_ENCODER_ABI_VERSION) ||
      !WebPPictureInitInternal(&a->picture, WEBP_ENCODER_ABI_VERSION) ||
      !WebPAnimEncoderOptionsInitInternal(&options, WEBP_MUX_ABI_VERSION))
    return fail_version(message);
  // Level 1 of 9: drawings are hardly smaller with more, which takes many times as long.
  if (lossless && !WebPConfigLosslessPreset(&a->config, 1)) return fail_version(message);
  options.anim_params.loop_count = (int)p->loops;
  options.anim_params.bgcolor = 0;
  a->encoder = WebPAnimEncoderNewInternal(p->width, p->height, &options, WEBP_MUX_ABI_VERSION);
  if (!a->encoder) return sj_fail_memory(message);
  a->picture.use_argb = 1;
  a->picture.width = p->width;
  a->picture.height = p->height;
  return STIJL_OK;
}

stijl_result stijl_webp_animation_create(stijl_context *context, const stijl_webp_animation_params *params,
                                         stijl_webp_animation **out, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!out) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "out is NULL");
  *out = NULL;
  params = SJ_PARAMS(stijl_webp_animation_params, STIJL_WEBP_ANIMATION_PARAMS_INIT, params, message);
  if (!params) return STIJL_ERROR_INVALID_ARGUMENT;
  if (params->width < 1 || params->height < 1)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "%d x %d pixels are no picture", params->width,
                   params->height);
  if (params->width > WEBP_MAX_DIMENSION || params->height > WEBP_MAX_DIMENSION)
    return sj_fail(message, STIJL_ERROR_LIMIT, "%d x %d pixels are more than WebP has, which are %d a side",
                   params->width, params->height, WEBP_MAX_DIMENSION);
  if (params->loops > 65535 || !(params->quality <= 100.0f))
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "loops (0..65535) or quality (..100) out of range");
  if (sj_open_webpmux(message)) return STIJL_ERROR_UNSUPPORTED;
  context = sj_context(context);
  stijl_webp_animation *a = sj_alloc_zero(context, sizeof *a);
  if (!a) return sj_fail_memory(message);
  a->context = context;
  a->params = *params;
  a->before = -1;
  stijl_result result = open_encoder(a, message);
  if (result == STIJL_OK)
    *out = a;
  else
    stijl_webp_animation_destroy(a);
  return result;
}

stijl_result stijl_webp_animation_add(stijl_webp_animation *a, stijl_format format, const void *pixels, size_t stride,
                                      int time, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!a || !pixels || !stijl_format_bytes(format) || time <= a->before)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no frame to add, or one that is not later than the last");
  if (!WebPPictureAlloc(&a->picture)) return sj_fail_memory(message);
  // A pixel of libwebp is a number, 0xAARRGGBB: bytes B G R A where the processor is little-endian.
  for (int y = 0; y < a->params.height; y++) {
    uint32_t *row = a->picture.argb + (size_t)y * (size_t)a->picture.argb_stride;
    const unsigned char *from = (const unsigned char *)pixels + (size_t)y * stride, *b = (unsigned char *)row;
    sj_convert_row(format, STIJL_FORMAT_BGRA8_STRAIGHT, from, row, (size_t)a->params.width);
    for (int x = 0; x < a->params.width; x++, b += 4)
      row[x] = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
  }
  bool good = WebPAnimEncoderAdd(a->encoder, &a->picture, time, &a->config);
  stijl_result result = good ? STIJL_OK : fail_encoder(a, message);
  WebPPictureFree(&a->picture);
  a->before = time;
  return result;
}

stijl_result stijl_webp_animation_finish(stijl_webp_animation *a, int end,
                                         bool (*write)(void *user, const void *data, size_t bytes), void *user,
                                         stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!a || !write || a->before < 0 || end <= a->before)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no frames, or an end that is not later than the last one");
  WebPData data = {NULL, 0};
  if (!WebPAnimEncoderAdd(a->encoder, NULL, end, NULL) || !WebPAnimEncoderAssemble(a->encoder, &data))
    return fail_encoder(a, message);
  bool written = write(user, data.bytes, data.size);
  WebPFree((void *)(uintptr_t)data.bytes);
  return written ? STIJL_OK : sj_fail(message, STIJL_ERROR_IO, "%s", stijl_result_string(STIJL_ERROR_IO));
}

void stijl_webp_animation_destroy(stijl_webp_animation *a) {
  if (!a) return;
  if (a->encoder) WebPAnimEncoderDelete(a->encoder);
  sj_free(a->context, a);
}

#else

static stijl_result refuse(stijl_message *message) {
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "this build cannot write animated WebP pictures");
}

stijl_result stijl_webp_animation_create(stijl_context *context, const stijl_webp_animation_params *params,
                                         stijl_webp_animation **out, stijl_message *message) {
  (void)context;
  if (!out) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "out is NULL");
  *out = NULL;
  if (!SJ_PARAMS(stijl_webp_animation_params, STIJL_WEBP_ANIMATION_PARAMS_INIT, params, message))
    return STIJL_ERROR_INVALID_ARGUMENT;
  return refuse(message);
}

stijl_result stijl_webp_animation_add(stijl_webp_animation *a, stijl_format format, const void *pixels, size_t stride,
                                      int time, stijl_message *message) {
  (void)a, (void)format, (void)pixels, (void)stride, (void)time;
  return refuse(message);
}

stijl_result stijl_webp_animation_finish(stijl_webp_animation *a, int end,
                                         bool (*write)(void *user, const void *data, size_t bytes), void *user,
                                         stijl_message *message) {
  (void)a, (void)end, (void)write, (void)user;
  return refuse(message);
}

void stijl_webp_animation_destroy(stijl_webp_animation *a) { (void)a; }

#endif
