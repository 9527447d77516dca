#include "image/image.h"

#ifndef STIJL_HAVE_PNG

stijl_result sj_png_decode(const sj_decode *decode, stijl_image **out) {
  (void)out;
  return sj_fail(decode->message, STIJL_ERROR_UNSUPPORTED, "this build cannot read PNG images");
}

#else

#include <setjmp.h>
#include <string.h>

#include "base/budget.h"
#include "image/convert.h"
#include "libraries/png.h"

typedef struct {
  const sj_decode *decode;
  size_t at;  // the index of the next byte
  bool out_of_memory;
  png_structp png;
  png_infop info;
  stijl_image *image;
  int rows_done;  // how many rows have been read, in all passes together
  char error[160];
} reader;

static void on_error(png_structp png, png_const_charp text) {
  reader *r = png_get_error_ptr(png);
  size_t n = strnlen(text, sizeof r->error - 1);
  memcpy(r->error, text, n);
  r->error[n] = 0;
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
  const reader *r = png_get_error_ptr(png);
  sj_log(r->decode->context, STIJL_LOG_DEBUG, "PNG: %s", text);
}

static png_voidp on_alloc(png_structp png, png_alloc_size_t bytes) {
  reader *r = png_get_mem_ptr(png);
  void *block = sj_alloc(r->decode->context, bytes);
  if (!block) r->out_of_memory = true;
  return block;
}

static void on_free(png_structp png, png_voidp block) {
  const reader *r = png_get_mem_ptr(png);
  sj_free(r->decode->context, block);
}

static void on_read(png_structp png, png_bytep data, size_t bytes) {
  reader *r = png_get_io_ptr(png);
  if (bytes > r->decode->bytes - r->at) png_error(png, "the data end early");
  memcpy(data, r->decode->data + r->at, bytes);
  r->at += bytes;
}

// Has libpng convert everything to RGBA with 8 bits a channel, and returns the number of passes. Gamma and profiles are
// ignored: as in most renderers of SVG, every image is taken for sRGB.
static int set_transforms(reader *r) {
  png_set_expand(r->png);
  png_set_scale_16(r->png);
  png_set_gray_to_rgb(r->png);
  png_set_add_alpha(r->png, 255, PNG_FILLER_AFTER);
  int passes = png_set_interlace_handling(r->png);
  png_read_update_info(r->png, r->info);
  return passes;
}

// Everything that may longjmp happens here. What it changes is in *r, where a jump loses nothing.
static stijl_result read_image(reader *r) {
  if (setjmp(png_jmpbuf(r->png))) return r->out_of_memory ? STIJL_ERROR_OUT_OF_MEMORY : STIJL_ERROR_MALFORMED;
  png_set_read_fn(r->png, r, on_read);
  png_set_user_limits(r->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // sj_decode_check_size checks our own limits
  png_set_keep_unknown_chunks(r->png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
  // A chunk with a wrong checksum is used all the same: a slightly damaged picture is better than none.
  png_set_crc_action(r->png, PNG_CRC_WARN_USE, PNG_CRC_WARN_USE);
  png_read_info(r->png, r->info);
  uint32_t width = png_get_image_width(r->png, r->info), height = png_get_image_height(r->png, r->info);
  stijl_result result = sj_decode_check_size(r->decode, width, height);
  if (result) return result;
  int passes = set_transforms(r);
  if (png_get_rowbytes(r->png, r->info) != (size_t)width * 4) png_error(r->png, "unknown kind of pixels");
  r->image = sj_image_create_blank(r->decode->context, (int)width, (int)height, STIJL_FORMAT_RGBA8);
  if (!r->image) return STIJL_ERROR_OUT_OF_MEMORY;
  for (int pass = 0; pass < passes; pass++)
    for (uint32_t y = 0; y < height; y++) {
      if (!sj_context_check(r->decode->context, width)) return sj_budget_spent(r->decode->message);
      png_read_row(r->png, r->image->pixels + y * r->image->stride, NULL);
      r->rows_done++;
    }
  return STIJL_OK;
}

stijl_result sj_png_decode(const sj_decode *decode, stijl_image **out) {
  if (sj_open_png(decode->message)) return STIJL_ERROR_UNSUPPORTED;
  reader r = {.decode = decode};
  r.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &r, on_error, on_warning, &r, on_alloc, on_free);
  if (!r.png) return sj_fail_memory(decode->message);
  r.info = png_create_info_struct(r.png);
  stijl_result result = r.info ? read_image(&r) : STIJL_ERROR_OUT_OF_MEMORY;
  png_destroy_read_struct(&r.png, &r.info, NULL);
  if (result == STIJL_ERROR_MALFORMED && r.rows_done) {
    sj_log(decode->context, STIJL_LOG_WARNING, "damaged PNG image, shown in part: %s", r.error);
    result = STIJL_OK;
  }
  if (result) {
    stijl_image_destroy(r.image);
    if (result == STIJL_ERROR_OUT_OF_MEMORY) return sj_fail_memory(decode->message);
    if (result == STIJL_ERROR_MALFORMED) sj_fail(decode->message, result, "damaged PNG image: %s", r.error);
    return result;
  }
  stijl_image *image = r.image;
  for (size_t y = 0; y < (size_t)image->height; y++) {
    unsigned char *row = image->pixels + y * image->stride;
    sj_convert_row(STIJL_FORMAT_RGBA8_STRAIGHT, STIJL_FORMAT_RGBA8, row, row, (size_t)image->width);
  }
  *out = image;
  return STIJL_OK;
}

#endif
