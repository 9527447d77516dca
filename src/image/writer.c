// Hands rows to the encoder of a file's format.
#include "image/writer.h"

#include <string.h>
#include <strings.h>

#include "base/params.h"

static const struct {
  const char *ending;
  const sj_encoder *encoder;
} formats[] = {
    [STIJL_FILE_PNG] = {"png", &sj_png_encoder},
};
#define FORMATS (sizeof formats / sizeof *formats)

struct stijl_image_writer {
  sj_encoding encoding;
  const sj_encoder *encoder;
  void *state;
  uint32_t rows;  // handed in
  bool finished;
  stijl_result failure;
  stijl_message message;  // of the failure
};

const char *stijl_file_format_ending(stijl_file_format format) {
  return (size_t)format < FORMATS ? formats[format].ending : NULL;
}

bool stijl_file_format_find(const char *name, stijl_file_format *format) {
  const char *dot = name ? strrchr(name, '.') : NULL, *ending = dot ? dot + 1 : name;
  for (size_t i = 0; ending && i < FORMATS; i++) {
    if (strcasecmp(ending, formats[i].ending) != 0) continue;
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
  if (p->level < 0 || p->level > 9)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "PNG level %d is not 0..9", p->level);
  if (p->threads < 0 || p->threads > 256)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "%d threads are not 0..256", p->threads);
  // What rows are converted to has four bytes for each pixel, and encoders hold three of them at least.
  if ((uint64_t)p->width > SIZE_MAX / 64)
    return sj_fail(message, STIJL_ERROR_LIMIT, "rows of %d pixels do not fit into memory", p->width);
  return STIJL_OK;
}

stijl_result stijl_image_writer_create(stijl_context *context, const stijl_image_writer_params *params,
                                       bool (*write)(void *user, const void *data, size_t bytes), void *user,
                                       stijl_image_writer **out, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (out) *out = NULL;
  params = SJ_GIVEN(stijl_image_writer_params, STIJL_IMAGE_WRITER_PARAMS_INIT, params, message);
  if (!params) return STIJL_ERROR_INVALID_ARGUMENT;
  if (!out || !write || (size_t)params->file_format >= FORMATS)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "a writer needs a known file format and a callback");
  stijl_result result = sj_check_encoding(params, message);
  if (result) return result;
  const sj_encoder *encoder = formats[params->file_format].encoder;
  if ((uint32_t)params->width > encoder->max_side || (uint32_t)params->height > encoder->max_side)
    return sj_fail(message, STIJL_ERROR_LIMIT,
                   "%d x %d pixels are too many for a file of the format %s: its sides "
                   "have %u at most",
                   params->width, params->height, formats[params->file_format].ending, encoder->max_side);
  context = sj_context(context);
  stijl_image_writer *writer = sj_alloc_zero(context, sizeof *writer);
  if (!writer) return sj_fail_memory(message);
  writer->encoding = (sj_encoding){context, *params, write, user};
  writer->encoder = encoder;
  result = encoder->create(&writer->encoding, &writer->state, message);
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
