// Hands rows to the encoder of a file's format.
#include "image/writer.h"

#include <string.h>
#include <strings.h>

#include "base/params.h"

// Builds without an encoder's library know its format all the same.
#ifdef STIJL_HAVE_WEBP_ENCODER
#define WEBP_ENCODER &sj_webp_encoder
#else
#define WEBP_ENCODER NULL
#endif
#ifdef STIJL_HAVE_JPEG_ENCODER
#define JPEG_ENCODER &sj_jpeg_encoder
#else
#define JPEG_ENCODER NULL
#endif

static const struct {
  const char *endings[5];  // the usual one first
  int max_side;
  bool opaque;
  const sj_image_encoder *encoder;
} formats[] = {
    [STIJL_FILE_PNG] = {{"png"}, INT32_MAX, false, &sj_png_encoder},
    [STIJL_FILE_WEBP] = {{"webp"}, 16383, false, WEBP_ENCODER},
    [STIJL_FILE_JPEG] = {{"jpg", "jpeg", "jpe", "jfif"}, 65500, true, JPEG_ENCODER},
    [STIJL_FILE_PPM] = {{"ppm"}, INT32_MAX, true, &sj_plain_encoder},
    [STIJL_FILE_PAM] = {{"pam"}, INT32_MAX, false, &sj_plain_encoder},
    [STIJL_FILE_RGBA] = {{"rgba"}, INT32_MAX, false, &sj_plain_encoder},
};
#define FORMATS (sizeof formats / sizeof *formats)

struct stijl_image_writer {
  sj_encoding encoding;
  const sj_image_encoder *encoder;
  void *state;
  uint32_t rows;  // handed in
  bool finished;
  stijl_result failure;
  stijl_message message;  // of the failure
};

const char *stijl_file_format_ending(stijl_file_format format) {
  return (size_t)format < FORMATS ? formats[format].endings[0] : NULL;
}

int stijl_file_format_max_side(stijl_file_format format) {
  return (size_t)format < FORMATS ? formats[format].max_side : 0;
}

bool stijl_file_format_is_opaque(stijl_file_format format) {
  return (size_t)format < FORMATS && formats[format].opaque;
}

bool stijl_file_format_find(const char *name, stijl_file_format *format) {
  const char *dot = name ? strrchr(name, '.') : NULL, *ending = dot ? dot + 1 : name;
  for (size_t i = 0; ending && i < FORMATS; i++)
    for (const char *const *known = formats[i].endings; *known; known++) {
      if (strcasecmp(ending, *known) != 0) continue;
      *format = (stijl_file_format)i;
      return true;
    }
  return false;
}

stijl_result sj_write_stopped(stijl_message *message) {
  return sj_fail(message, STIJL_ERROR_IO, "the picture's file could not be written");
}

stijl_result sj_check_encoding(const stijl_image_writer_params *p, stijl_message *message) {
  if (!stijl_format_bytes(p->format) || p->width < 1 || p->height < 1)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT,
                   "not a picture to write: it needs a known format, and sides of at least 1");
  if (p->level < 0 || p->level > STIJL_PNG_BEST)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "PNG level %d is not 0..%d", p->level, STIJL_PNG_BEST);
  if (p->threads < 0 || p->threads > 256)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "%d threads are not 0..256", p->threads);
  // What rows are converted to has four bytes for each pixel, and encoders hold three of them at least.
  if ((uint64_t)p->width > SIZE_MAX / 64)
    return sj_fail(message, STIJL_ERROR_LIMIT, "rows of %d pixels do not fit into memory", p->width);
  return STIJL_OK;
}

// Checks what concerns the format.
static stijl_result check_format(const stijl_image_writer_params *p, stijl_message *message) {
  if ((size_t)p->file_format >= FORMATS)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "a writer needs a known file format");
  const char *ending = formats[p->file_format].endings[0];
  int most = formats[p->file_format].max_side;
  if (!(p->quality == 0 || (p->quality >= 1 && p->quality <= 100)))
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "a quality of %g is not 1..100, nor 0 for the default",
                   p->quality);
  if (!formats[p->file_format].encoder)
    return sj_fail(message, STIJL_ERROR_UNSUPPORTED, "this build cannot write files of the format %s", ending);
  if (p->width > most || p->height > most)
    return sj_fail(message, STIJL_ERROR_LIMIT,
                   "%d x %d pixels are too many for a file of the format %s: its sides have %d at most", p->width,
                   p->height, ending, most);
  return STIJL_OK;
}

stijl_result stijl_image_writer_create(stijl_context *context, const stijl_image_writer_params *params,
                                       bool (*write)(void *user, const void *data, size_t bytes), void *user,
                                       stijl_image_writer **out, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (out) *out = NULL;
  params = SJ_GIVEN(stijl_image_writer_params, STIJL_IMAGE_WRITER_PARAMS_INIT, params, message);
  if (!params) return STIJL_ERROR_INVALID_ARGUMENT;
  if (!out || !write) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "a writer needs a callback");
  stijl_result result = sj_check_encoding(params, message);
  if (result == STIJL_OK) result = check_format(params, message);
  if (result) return result;
  context = sj_context(context);
  stijl_image_writer *writer = sj_alloc_zero(context, sizeof *writer);
  if (!writer) return sj_fail_memory(message);
  writer->encoding = (sj_encoding){context, *params, write, user};
  writer->encoder = formats[params->file_format].encoder;
  result = writer->encoder->create(&writer->encoding, &writer->state, message);
  if (result) {
    stijl_image_writer_destroy(writer);
    return result;
  }
  *out = writer;
  return STIJL_OK;
}

// Returns the failure that ended the writer, again.
static stijl_result fail_again(const stijl_image_writer *writer, stijl_message *message) {
  if (message) *message = writer->message;
  return writer->failure;
}

static stijl_result keep(stijl_image_writer *writer, stijl_result result, stijl_message *message) {
  writer->failure = result;
  if (result && message) *message = writer->message;
  return result;
}

stijl_result stijl_image_writer_rows(stijl_image_writer *writer, const void *pixels, size_t stride, int rows,
                                     stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!writer) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no writer");
  if (writer->failure) return fail_again(writer, message);
  const stijl_image_writer_params *p = &writer->encoding.params;
  if (rows == 0) return STIJL_OK;
  if (!pixels || rows < 0 || stride < (size_t)p->width * stijl_format_bytes(p->format))
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "rows need pixels, within the stride");
  if ((uint32_t)rows > (uint32_t)p->height - writer->rows)
    return sj_fail(message, STIJL_ERROR_INVALID_STATE, "%d rows more than the picture's height of %d",
                   (int)(writer->rows + (uint32_t)rows - (uint32_t)p->height), p->height);
  writer->rows += (uint32_t)rows;
  return keep(writer, writer->encoder->rows(writer->state, pixels, stride, (uint32_t)rows, &writer->message), message);
}

stijl_result stijl_image_writer_finish(stijl_image_writer *writer, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!writer) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no writer");
  if (writer->failure) return fail_again(writer, message);
  if (writer->rows < (uint32_t)writer->encoding.params.height)
    return sj_fail(message, STIJL_ERROR_INVALID_STATE, "%u rows of %d are missing",
                   (uint32_t)writer->encoding.params.height - writer->rows, writer->encoding.params.height);
  if (writer->finished) return STIJL_OK;
  writer->finished = true;
  return keep(writer, writer->encoder->finish(writer->state, &writer->message), message);
}

void stijl_image_writer_destroy(stijl_image_writer *writer) {
  if (!writer) return;
  writer->encoder->destroy(writer->state);
  sj_free(writer->encoding.context, writer);
}

stijl_result stijl_image_encode(stijl_context *context, const stijl_image_writer_params *params, const void *pixels,
                                size_t stride, bool (*write)(void *user, const void *data, size_t bytes), void *user,
                                stijl_message *message) {
  if (message) message->text[0] = 0;
  params = SJ_GIVEN(stijl_image_writer_params, STIJL_IMAGE_WRITER_PARAMS_INIT, params, message);
  if (!params) return STIJL_ERROR_INVALID_ARGUMENT;
  stijl_result result = sj_check_encoding(params, message);
  if (result == STIJL_OK) result = check_format(params, message);
  if (result) return result;
  if (!pixels || !write || stride < (size_t)params->width * stijl_format_bytes(params->format))
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT,
                   "not a picture to encode: it needs pixels, within the stride, and a callback");
  sj_encoding encoding = {sj_context(context), *params, write, user};
  const sj_image_encoder *encoder = formats[params->file_format].encoder;
  if (encoder->whole) return encoder->whole(&encoding, pixels, stride, message);
  void *state = NULL;
  result = encoder->create(&encoding, &state, message);
  if (result == STIJL_OK) result = encoder->rows(state, pixels, stride, (uint32_t)params->height, message);
  if (result == STIJL_OK) result = encoder->finish(state, message);
  encoder->destroy(state);
  return result;
}
