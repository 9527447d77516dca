// Finds the format of an image file, and has its decoder read it.
#include <string.h>

#include "base/budget.h"
#include "base/params.h"
#include "image/image.h"

#define WORK_A_PIXEL 4

stijl_result sj_decode_check_size(const sj_decode *decode, uint64_t width, uint64_t height) {
  return sj_decode_check_bytes(decode, width, height, height * 4);
}

stijl_result sj_decode_check_bytes(const sj_decode *decode, uint64_t width, uint64_t height, uint64_t column_bytes) {
  if (!width || !height) return sj_fail(decode->message, STIJL_ERROR_MALFORMED, "image of no size");
  if (width > SJ_IMAGE_MAX_SIZE || height > SJ_IMAGE_MAX_SIZE)
    return sj_fail(decode->message, STIJL_ERROR_LIMIT, "image of %llu x %llu pixels, more than %d in a direction",
                   (unsigned long long)width, (unsigned long long)height, SJ_IMAGE_MAX_SIZE);
  if (width * height > decode->max_pixels)
    return sj_fail(decode->message, STIJL_ERROR_LIMIT, "image of %llu x %llu pixels, above max_pixels (%llu)",
                   (unsigned long long)width, (unsigned long long)height, (unsigned long long)decode->max_pixels);
  if (width * column_bytes > sj_budget_memory_left(decode->context))
    return sj_fail(decode->message, STIJL_ERROR_LIMIT,
                   "image of %llu x %llu pixels, more than max_memory leaves room for", (unsigned long long)width,
                   (unsigned long long)height);
  return sj_context_check(decode->context, width * height * WORK_A_PIXEL) ? STIJL_OK : sj_budget_spent(decode->message);
}

static bool starts_with(const sj_decode *decode, size_t offset, const char *magic, size_t length) {
  return decode->bytes >= offset + length && memcmp(decode->data + offset, magic, length) == 0;
}

bool sj_is_png(const void *data, size_t bytes) { return bytes >= 8 && memcmp(data, "\x89PNG\r\n\x1a\n", 8) == 0; }

stijl_result stijl_image_decode(stijl_context *context, const void *data, size_t bytes,
                                const stijl_image_limits *limits, stijl_image **out, stijl_message *message) {
  stijl_budget *budget = sj_budget_of(sj_context(context));
  sj_budget_enter(budget);
  stijl_result result = sj_image_decode(context, data, bytes, limits, SJ_NEVER_INDEXED, out, message);
  sj_budget_leave(budget);
  return result;
}

stijl_result sj_image_decode(stijl_context *context, const void *data, size_t bytes, const stijl_image_limits *limits,
                             uint64_t indexed_from, stijl_image **out, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!out) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no place for the image");
  *out = NULL;
  if (!data && bytes) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no data");
  limits = SJ_PARAMS(stijl_image_limits, STIJL_IMAGE_LIMITS_INIT, limits, message);
  if (!limits) return STIJL_ERROR_INVALID_ARGUMENT;
  const sj_decode decode = {sj_context(context), data, bytes, limits->max_pixels, message, indexed_from};
  if (sj_is_png(data, bytes)) return sj_png_decode(&decode, out);
  if (starts_with(&decode, 0, "\xff\xd8\xff", 3)) return sj_jpeg_decode(&decode, out);
  if (starts_with(&decode, 0, "RIFF", 4) && starts_with(&decode, 8, "WEBP", 4)) return sj_webp_decode(&decode, out);
  if (starts_with(&decode, 0, "GIF87a", 6) || starts_with(&decode, 0, "GIF89a", 6)) return sj_gif_decode(&decode, out);
  return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "not a PNG, JPEG, WebP or GIF image");
}
