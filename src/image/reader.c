// Reads an image file row by row, from the top: for pictures that are not to be in memory as a whole.
#include <string.h>

#include "base/budget.h"
#include "base/params.h"
#include "image/png_decode.h"

struct stijl_image_reader {
  stijl_context *context;
  sj_decode decode;
  int width, height;
  int next;            // the next row
  sj_png_reader *png;  // or NULL
  stijl_image *image;  // of formats whose libraries give all of it
};

static stijl_result begin(stijl_image_reader *r, const stijl_image_limits *limits) {
  if (sj_is_png(r->decode.data, r->decode.bytes)) return sj_png_open(&r->decode, &r->png, &r->width, &r->height);
  stijl_result result = sj_image_decode(r->context, r->decode.data, r->decode.bytes, limits, SJ_NEVER_INDEXED,
                                        &r->image, r->decode.message);
  r->width = stijl_image_width(r->image);
  r->height = stijl_image_height(r->image);
  return result;
}

stijl_result stijl_image_reader_create(stijl_context *context, const void *data, size_t bytes,
                                       const stijl_image_limits *limits, stijl_image_reader **out,
                                       stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!out) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no place for the reader");
  *out = NULL;
  if (!data && bytes) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no data");
  limits = SJ_PARAMS(stijl_image_limits, STIJL_IMAGE_LIMITS_INIT, limits, message);
  if (!limits) return STIJL_ERROR_INVALID_ARGUMENT;
  context = sj_context(context);
  stijl_image_reader *r = sj_alloc_zero(context, sizeof *r);
  if (!r) return sj_fail_memory(message);
  r->context = context;
  r->decode = (sj_decode){context, data, bytes, limits->max_pixels, message, SJ_NEVER_INDEXED};
  stijl_budget *budget = sj_budget_of(context);
  sj_budget_enter(budget);
  stijl_result result = sj_budget_result(budget, begin(r, limits), message);
  sj_budget_leave(budget);
  r->decode.message = NULL;  // each call has its own
  if (result == STIJL_OK)
    *out = r;
  else
    stijl_image_reader_destroy(r);
  return result;
}

void stijl_image_reader_destroy(stijl_image_reader *r) {
  if (!r) return;
  sj_png_close(r->png);
  stijl_image_destroy(r->image);
  sj_free(r->context, r);
}

int stijl_image_reader_width(const stijl_image_reader *reader) { return reader ? reader->width : 0; }
int stijl_image_reader_height(const stijl_image_reader *reader) { return reader ? reader->height : 0; }

stijl_result stijl_image_reader_row(stijl_image_reader *r, void *pixels, stijl_message *message) {
  if (message) message->text[0] = 0;
  if (!r || !pixels) return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "no reader or no place for the pixels");
  if (r->next == r->height) return sj_fail(message, STIJL_ERROR_INVALID_STATE, "all rows have been read");
  int y = r->next++;
  if (r->image) {
    memcpy(pixels, sj_image_row(r->image, y, pixels), (size_t)r->width * 4);
    return STIJL_OK;
  }
  stijl_budget *budget = sj_budget_of(r->context);
  sj_budget_enter(budget);
  r->decode.message = message;
  stijl_result result = sj_budget_result(budget, sj_png_row(r->png, pixels), message);
  r->decode.message = NULL;
  sj_budget_leave(budget);
  return result;
}
