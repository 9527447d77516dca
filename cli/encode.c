#include "encode.h"

#include <math.h>

#include "file.h"

// By default an encoder that holds the whole picture may take so many bytes, and so many more for each pixel that was
// asked for.
#define HELD_BYTES ((uint64_t)288 << 20)
#define HELD_BYTES_A_PIXEL 48

stijl_image_writer_params cli_writer_params(const cli_options *o, int threads, int width, int height) {
  stijl_image_writer_params params = STIJL_IMAGE_WRITER_PARAMS_INIT;
  params.file_format = cli_formats[o->format].file;
  params.width = width;
  params.height = height;
  params.level = o->png_level;
  params.threads = threads;
  params.quality = o->quality;
  return params;
}

// Limits that bound what the encoder takes. Its time is bounded where the user bounds any.
static stijl_budget_params limits_of(const cli_options *o, uint64_t pixels) {
  stijl_budget_params limits = o->budget;
  uint64_t asked = o->tiles || pixels < limits.asked_pixels ? pixels : limits.asked_pixels;
  if (!limits.max_memory) limits.max_memory = HELD_BYTES + asked * HELD_BYTES_A_PIXEL;
  if (!(limits.max_cpu_seconds > 0)) limits.max_cpu_seconds = INFINITY;
  if (!(limits.max_seconds > 0)) limits.max_seconds = 1e9;
  if (!limits.max_work) limits.max_work = UINT64_MAX / 2;
  return limits;
}

stijl_result cli_encode(const cli_renderer *r, const stijl_target *target, int threads,
                        bool (*write)(void *user, const void *data, size_t bytes), void *user, stijl_message *message) {
  const cli_options *o = r->options;
  stijl_image_writer_params params = cli_writer_params(o, threads, target->width, target->height);
  stijl_context *context = r->context;
  stijl_budget *budget = NULL;
  if (!cli_formats[o->format].streams) {
    stijl_budget_params limits = limits_of(o, (uint64_t)target->width * (uint64_t)target->height);
    stijl_result result = stijl_budget_create(r->context, &limits, &budget);
    if (result) return result;
    context = stijl_budget_context(budget);
  }
  params.format = target->format;
  stijl_result result = stijl_image_encode(context, &params, target->pixels, target->stride, write, user, message);
  stijl_budget_destroy(budget);
  return result;
}

bool cli_write_picture(const cli_renderer *r, const stijl_target *target, const char *path, cli_failure *failure) {
  cli_output output;
  if (!cli_output_open(&output, path, failure)) return false;
  stijl_message message = {""};
  stijl_result result = cli_encode(r, target, r->threads, cli_output_write, &output, &message);
  return cli_output_end(&output, result, message.text, failure);
}
