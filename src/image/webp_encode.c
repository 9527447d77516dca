// Writes WebP files with libwebp, which needs the whole picture.
#include "base/budget.h"
#include "image/convert.h"
#include "image/pixel.h"
#include "image/writer.h"
#include "libraries/webp.h"

// libwebp calls malloc, and has no allocator of its users'. What it takes at most beside the picture, for each pixel,
// was measured on noise, with which it takes most (tests/unit/formats.c measures again).
#define LIBRARY_BYTES_A_PIXEL 40
#define LIBRARY_BYTES ((size_t)4 << 20)  // and for every picture
#define WORK_A_PIXEL 100                 // steps

typedef struct {
  const sj_encoding *encoding;
  WebPConfig config;
  WebPPicture picture;
  size_t reserved;  // bytes of the budget, for what libwebp allocates
  uint32_t rows;    // that are there
  int percent;      // of the work, that was charged
} encoder;

static void destroy(void *user) {
  encoder *e = user;
  if (!e) return;
  WebPPictureFree(&e->picture);
  sj_budget_release(e->encoding->context, e->reserved);
  sj_free(e->encoding->context, e);
}

static int put(const uint8_t *data, size_t bytes, const WebPPicture *picture) {
  const encoder *e = picture->custom_ptr;
  return e->encoding->write(e->encoding->user, data, bytes);
}

// Returns 0 to stop.
static int on_progress(int percent, const WebPPicture *picture) {
  encoder *e = picture->user_data;
  int more = percent > e->percent ? percent - e->percent : 0;
  e->percent += more;
  uint64_t pixels = (uint64_t)picture->width * (uint64_t)picture->height;
  return sj_context_check(e->encoding->context, pixels * WORK_A_PIXEL / 100 * (uint64_t)more);
}

static bool configure(encoder *e) {
  const stijl_image_writer_params *p = &e->encoding->params;
  bool lossless = p->quality <= 0;
  // WebPConfigInit and WebPPictureInit are inline functions, which would need the library to be linked.
  if (!WebPConfigInitInternal(&e->config, WEBP_PRESET_DRAWING, lossless ? 75 : (float)p->quality,
                              WEBP_ENCODER_ABI_VERSION) ||
      !WebPPictureInitInternal(&e->picture, WEBP_ENCODER_ABI_VERSION))
    return false;
  e->config.lossless = lossless;
  e->config.exact = lossless;  // also colours that are transparent
  e->picture.use_argb = 1;
  e->picture.width = p->width;
  e->picture.height = p->height;
  e->picture.writer = put;
  e->picture.custom_ptr = e;
  e->picture.progress_hook = on_progress;
  e->picture.user_data = e;
  return WebPValidateConfig(&e->config);
}

static stijl_result create(const sj_encoding *encoding, void **out, stijl_message *message) {
  const stijl_image_writer_params *p = &encoding->params;
  if (sj_open_webp(message)) return STIJL_ERROR_UNSUPPORTED;
  encoder *e = sj_alloc_zero(encoding->context, sizeof *e);
  *out = e;
  if (!e) return sj_fail_memory(message);
  e->encoding = encoding;
  if (!configure(e)) return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "the WebP library is of another version");
  uint64_t bytes = (uint64_t)p->width * (uint64_t)p->height * (LIBRARY_BYTES_A_PIXEL + 4) + LIBRARY_BYTES;
  if (bytes > SIZE_MAX / 2 || !sj_budget_reserve(encoding->context, (size_t)bytes))
    return sj_fail(message, STIJL_ERROR_LIMIT,
                   "to write %d x %d pixels as WebP takes up to %llu bytes, more than max_memory leaves room for",
                   p->width, p->height, (unsigned long long)bytes);
  e->reserved = (size_t)bytes;
  return WebPPictureAlloc(&e->picture) ? STIJL_OK : sj_fail_memory(message);
}

static stijl_result take_rows(void *user, const unsigned char *pixels, size_t stride, uint32_t rows,
                              stijl_message *message) {
  encoder *e = user;
  (void)message;
  size_t width = (size_t)e->picture.width;
  stijl_format format = e->encoding->params.format;
  for (uint32_t y = 0; y < rows; y++) {
    // Words of alpha, red, green and blue from the highest byte down: on machines with the lowest byte first, B G R A.
    uint32_t *row = e->picture.argb + (size_t)(e->rows + y) * (size_t)e->picture.argb_stride;
    sj_convert_row(format, STIJL_FORMAT_BGRA8_STRAIGHT, pixels + y * stride, row, width);
  }
  e->rows += rows;
  return STIJL_OK;
}

static stijl_result finish(void *user, stijl_message *message) {
  encoder *e = user;
  if (WebPEncode(&e->config, &e->picture)) return STIJL_OK;
  switch (e->picture.error_code) {
    case VP8_ENC_ERROR_BAD_WRITE: return sj_write_stopped(message);
    case VP8_ENC_ERROR_USER_ABORT: return sj_budget_spent(message);
    case VP8_ENC_ERROR_OUT_OF_MEMORY:
    case VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY: return sj_fail_memory(message);
    case VP8_ENC_ERROR_PARTITION0_OVERFLOW:
    case VP8_ENC_ERROR_PARTITION_OVERFLOW:
    case VP8_ENC_ERROR_FILE_TOO_BIG:
      return sj_fail(message, STIJL_ERROR_LIMIT,
                     "%d x %d pixels do not fit into a WebP file of this quality: a lower one, or lossless, may",
                     e->picture.width, e->picture.height);
    default: return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "the WebP library failed (%d)", e->picture.error_code);
  }
}

const sj_image_encoder sj_webp_encoder = {create, take_rows, finish, destroy, NULL};
