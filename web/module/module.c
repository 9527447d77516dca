// What all parts of the module need: memory, errors, budgets, images.
#include "web.h"

#include <stdlib.h>
#include <string.h>

stijl_context *web_context;
stijl_message web_error;
stijl_result web_result;

__attribute__((import_module("stijl"), import_name("log"))) void web_log(int level, const char *line, size_t length);

static void log_line(void *user, stijl_log_level level, const char *line) {
  (void)user;
  web_log((int)level, line, strlen(line));
}

// Has to be called once, before everything else.
stijl_result WEB(start)(void) {
  stijl_context_params params = STIJL_CONTEXT_PARAMS_INIT;
  params.log = log_line;
  return stijl_context_create(&params, &web_context);
}

void *WEB(alloc)(size_t bytes) { return malloc(bytes ? bytes : 1); }
void WEB(free)(void *block) { free(block); }

static char *scratch;
static size_t scratch_bytes;

void *WEB(scratch)(size_t bytes) {
  if (bytes > scratch_bytes) {
    free(scratch);
    scratch_bytes = bytes < 4096 ? 4096 : bytes;
    scratch = malloc(scratch_bytes);
    if (!scratch) scratch_bytes = 0;
  }
  return scratch;
}

const char *WEB(message)(void) { return web_error.text; }
const char *WEB(result_text)(int result) { return stijl_result_string((stijl_result)result); }
int WEB(last)(void) { return (int)web_result; }
const char *WEB(version)(void) { return stijl_version(); }

// Returns the FNV-1a hash of 64 bits, as in tests/golden/pictures.txt.
uint64_t WEB(hash)(const uint8_t *data, size_t bytes) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < bytes; i++) hash = (hash ^ data[i]) * 0x100000001b3u;
  return hash;
}

// --- budgets ---

stijl_budget *WEB(budget_create)(double seconds, double memory, double work) {
  stijl_budget_params params = STIJL_BUDGET_PARAMS_INIT;
  params.max_seconds = seconds;
  params.max_memory = (uint64_t)memory;
  params.max_work = (uint64_t)work;
  stijl_budget *budget = NULL;
  web_result = stijl_budget_create(web_context, &params, &budget);
  web_error.text[0] = 0;
  return budget;
}
void WEB(budget_destroy)(stijl_budget *budget) { stijl_budget_destroy(budget); }

// --- images ---

stijl_image *WEB(image_create)(int width, int height, int format, const void *pixels, size_t stride) {
  stijl_image *image = NULL;
  web_result = stijl_image_create(web_context, width, height, (stijl_format)format, pixels, stride, &image);
  web_error.text[0] = 0;
  return image;
}
stijl_image *WEB(image_decode)(const void *data, size_t bytes, double max_pixels) {
  stijl_image_limits limits = STIJL_IMAGE_LIMITS_INIT;
  if (max_pixels > 0) limits.max_pixels = (uint64_t)max_pixels;
  stijl_image *image = NULL;
  web_result = stijl_image_decode(web_context, data, bytes, &limits, &image, &web_error);
  return image;
}
void WEB(image_destroy)(stijl_image *image) { stijl_image_destroy(image); }
int WEB(image_width)(const stijl_image *image) { return stijl_image_width(image); }
int WEB(image_height)(const stijl_image *image) { return stijl_image_height(image); }
int WEB(image_format)(const stijl_image *image) { return (int)stijl_image_format(image); }
const void *WEB(image_pixels)(const stijl_image *image) {
  size_t stride;
  return stijl_image_pixels(image, &stride);
}
size_t WEB(image_stride)(const stijl_image *image) {
  size_t stride;
  stijl_image_pixels(image, &stride);
  return stride;
}

// --- files of pictures ---

typedef struct {
  unsigned char *data;
  size_t count, capacity;
} picture_file;
static picture_file picture;

static bool append(void *user, const void *data, size_t bytes) {
  picture_file *file = user;
  if (bytes > file->capacity - file->count) {
    size_t capacity = (file->count + bytes) * 3 / 2 + 4096;
    unsigned char *larger = realloc(file->data, capacity);
    if (!larger) return false;
    file->data = larger;
    file->capacity = capacity;
  }
  memcpy(file->data + file->count, data, bytes);
  file->count += bytes;
  return true;
}

// Encodes a file as the functions below do: it is at file_data, file_bytes long, until file_free.
int WEB(png_encode)(int width, int height, int format, const void *pixels, size_t stride, int level, int threads) {
  stijl_png_params params = STIJL_PNG_PARAMS_INIT;
  params.level = level;
  params.threads = threads;
  picture.count = 0;
  return (int)stijl_png_encode(web_context, width, height, (stijl_format)format, pixels, stride, &params, append,
                               &picture, &web_error);
}
// Encodes JPEG or WebP, of a stijl_file_format; r, g and b are what is below translucent pixels of a format without
// alpha.
int WEB(image_encode)(int file_format, int width, int height, int format, const void *pixels, size_t stride,
                      double quality, int r, int g, int b) {
  stijl_image_writer_params params = STIJL_IMAGE_WRITER_PARAMS_INIT;
  params.file_format = (stijl_file_format)file_format;
  params.width = width;
  params.height = height;
  params.format = (stijl_format)format;
  params.quality = quality;
  params.background[0] = (unsigned char)r;
  params.background[1] = (unsigned char)g;
  params.background[2] = (unsigned char)b;
  picture.count = 0;
  return (int)stijl_image_encode(web_context, &params, pixels, stride, append, &picture, &web_error);
}
const void *WEB(file_data)(void) { return picture.data; }
size_t WEB(file_bytes)(void) { return picture.count; }
void WEB(file_free)(void) {
  free(picture.data);
  picture = (picture_file){NULL, 0, 0};
}
