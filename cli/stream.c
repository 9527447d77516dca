#include "stream.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "encode.h"
#include "file.h"
#include "memory.h"

// What a band takes, about: so much that drawing what crosses its borders twice costs little.
#define BAND_BYTES ((size_t)64 << 20)
#define MOST_SIDE 32767  // of a region

typedef struct {
  const cli_renderer *r;
  const stijl_scene *scene;
  const stijl_render_params *params;
  stijl_target target;
  stijl_image_writer *writer;
  cli_stream_times *times;
  stijl_render_stats *stats;
} stream;

static int band_rows(int width, int height) {
  size_t rows = BAND_BYTES / ((size_t)width * 4);
  if (rows > MOST_SIDE) rows = MOST_SIDE;
  if (rows >= 32) rows &= ~(size_t)15;
  return rows < 1 ? 1 : rows > (size_t)height ? height : (int)rows;
}

// Draws the rows of the target's region, which may be wider than what is drawn at once.
static bool draw_band(stream *s, cli_failure *failure) {
  stijl_irect band = s->target.region;
  for (int x = 0; x < band.x1;) {
    stijl_target part = s->target;
    part.region.x0 = x;
    part.region.x1 = x = band.x1 - x > MOST_SIDE ? x + MOST_SIDE : band.x1;
    part.pixels = (unsigned char *)s->target.pixels + (size_t)part.region.x0 * 4;
    stijl_message message = {""};
    double start = cli_now_ms();
    stijl_result result = stijl_render(s->r->renderer, s->scene, &part, s->params, &message);
    if (result) return cli_fail_with_advice(failure, result, message.text);
    stijl_render_stats stats = {.size = sizeof stats};
    stijl_renderer_stats(s->r->renderer, &stats);
    if (stats.draws < s->stats->draws) stats.draws = s->stats->draws;
    *s->stats = stats;
    s->times->encode_ms += stats.encode_ms;
    s->times->render_ms += cli_now_ms() - start - stats.encode_ms;
  }
  return true;
}

static bool draw_all(stream *s, cli_output *output, cli_failure *failure) {
  int height = s->target.height, rows = s->target.region.y1;
  for (int y = 0; y < height;) {
    s->target.region.y0 = y;
    s->target.region.y1 = y = height - y > rows ? y + rows : height;
    if (!draw_band(s, failure)) return false;
    double start = cli_now_ms();
    stijl_message message = {""};
    stijl_result result = stijl_image_writer_rows(s->writer, s->target.pixels, s->target.stride,
                                                  s->target.region.y1 - s->target.region.y0, &message);
    if (result == STIJL_OK && y == height) result = stijl_image_writer_finish(s->writer, &message);
    s->times->write_ms += cli_now_ms() - start;
    if (result == STIJL_ERROR_IO && output->error)
      return cli_fail(failure, "%s: %s", output->path ? output->path : "standard output", strerror(output->error));
    if (result) return cli_fail_with_advice(failure, result, message.text);
  }
  return true;
}

static bool begin_writer(stream *s, cli_output *output, cli_failure *failure) {
  stijl_image_writer_params params = cli_writer_params(s->r->options, s->r->threads, s->target.width, s->target.height);
  params.opaque = s->params->background.a >= 1.0f;
  stijl_message message = {""};
  stijl_result result =
      stijl_image_writer_create(s->r->context, &params, cli_output_write, output, &s->writer, &message);
  return result == STIJL_OK || cli_fail_with_advice(failure, result, message.text);
}

bool cli_stream(const cli_renderer *r, const stijl_scene *scene, int width, int height,
                const stijl_render_params *params, const char *path, cli_stream_times *times, stijl_render_stats *stats,
                cli_failure *failure) {
  int rows = band_rows(width, height);
  stream s = {.r = r, .scene = scene, .params = params, .times = times, .stats = stats};
  s.target = (stijl_target){.size = sizeof s.target,
                            .width = width,
                            .height = height,
                            .region = {0, 0, width, rows},
                            .format = STIJL_FORMAT_RGBA8,
                            .stride = (size_t)width * 4};
  *times = (cli_stream_times){0};
  *stats = (stijl_render_stats){.size = sizeof *stats};
  cli_output output;
  if (!cli_output_open(&output, path, failure)) return false;
  s.target.pixels = cli_memory_for_pixels(s.target.stride * (size_t)rows);
  bool good = (s.target.pixels || cli_fail(failure, "out of memory")) && begin_writer(&s, &output, failure) &&
              draw_all(&s, &output, failure);
  stijl_image_writer_destroy(s.writer);
  free(s.target.pixels);
  if (good) return cli_output_commit(&output, failure);
  cli_output_abort(&output);
  return false;
}
