#include "image/png_decode.h"

#ifndef STIJL_HAVE_PNG

static stijl_result fail(const sj_decode *decode) {
  return sj_fail(decode->message, STIJL_ERROR_UNSUPPORTED, "this build cannot read PNG images");
}

stijl_result sj_png_decode(const sj_decode *decode, stijl_image **out) {
  (void)out;
  return fail(decode);
}

stijl_result sj_png_open(const sj_decode *decode, sj_png_reader **out, int *width, int *height) {
  (void)out, (void)width, (void)height;
  return fail(decode);
}

stijl_result sj_png_row(sj_png_reader *reader, void *pixels) {
  (void)reader, (void)pixels;
  return STIJL_ERROR_UNSUPPORTED;
}

void sj_png_close(sj_png_reader *reader) { (void)reader; }

#else

#include <setjmp.h>
#include <string.h>

#include "base/budget.h"
#include "image/convert.h"
#include "libraries/png.h"

struct sj_png_reader {
  const sj_decode *decode;
  size_t at;  // the index of the next byte
  bool out_of_memory;
  png_structp png;
  png_infop info;
  uint32_t width, height;
  int passes;
  bool by_rows;        // no whole picture is kept, unless rows are complete at the end only
  stijl_image *image;  // or NULL
  uint32_t next;       // by rows: the next one
  int rows_done;       // how many rows have been read, in all passes together
  bool damaged;
  char error[160];
};

typedef struct sj_png_reader reader;

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

// Has libpng convert everything to RGBA with 8 bits a channel. Gamma and profiles are ignored: as in most renderers of
// SVG, every image is taken for sRGB.
static void convert_to_rgba(reader *r) {
  png_set_expand(r->png);
  png_set_scale_16(r->png);
  png_set_gray_to_rgb(r->png);
  png_set_add_alpha(r->png, 255, PNG_FILLER_AFTER);
}

// Returns whether a large picture has one of 256 colours in each pixel: those of a palette, or greys.
static bool fits_palette(const reader *r) {
  if ((uint64_t)r->width * r->height < r->decode->indexed_from) return false;
  int type = png_get_color_type(r->png, r->info), depth = png_get_bit_depth(r->png, r->info);
  if (type == PNG_COLOR_TYPE_PALETTE) return true;
  return type == PNG_COLOR_TYPE_GRAY && (depth <= 8 || !png_get_valid(r->png, r->info, PNG_INFO_tRNS));
}

// Makes the colours that convert_to_rgba would make, premultiplied.
static void make_palette(reader *r, uint32_t *palette) {
  unsigned char straight[256][4];
  png_colorp colors = NULL;
  png_bytep alphas = NULL;
  png_color_16p key = NULL;
  int count = 0, alpha_count = 0, depth = png_get_bit_depth(r->png, r->info), most = depth < 8 ? (1 << depth) - 1 : 255;
  bool grey = png_get_color_type(r->png, r->info) == PNG_COLOR_TYPE_GRAY;
  if (!grey) png_get_PLTE(r->png, r->info, &colors, &count);
  if (png_get_valid(r->png, r->info, PNG_INFO_tRNS)) png_get_tRNS(r->png, r->info, &alphas, &alpha_count, &key);
  for (int i = 0; i < 256; i++) {
    unsigned char *c = straight[i];
    c[0] = c[1] = c[2] = grey ? (unsigned char)(i <= most ? i * 255 / most : 0) : 0;
    c[3] = grey ? (key && key->gray == i ? 0 : 255) : i < alpha_count && alphas ? alphas[i] : 255;
    if (i < count) c[0] = colors[i].red, c[1] = colors[i].green, c[2] = colors[i].blue;
  }
  sj_convert_row(STIJL_FORMAT_RGBA8_STRAIGHT, STIJL_FORMAT_RGBA8, straight, palette, 256);
}

static stijl_result create_image(reader *r, bool indexed) {
  stijl_context *context = r->decode->context;
  int width = (int)r->width, height = (int)r->height;
  if (indexed)
    r->image = sj_image_create_indexed(context, width, height);
  else
    r->image = sj_image_create_blank(context, width, height, STIJL_FORMAT_RGBA8);
  if (!r->image) return STIJL_ERROR_OUT_OF_MEMORY;
  if (indexed) make_palette(r, r->image->palette);
  return STIJL_OK;
}

static stijl_result begin(reader *r) {
  png_set_read_fn(r->png, r, on_read);
  png_set_user_limits(r->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // sj_decode_check_bytes checks our own limits
  // Chunks that do not change the pixels as they are used here are not read: texts and profiles may be packed bombs.
  png_set_keep_unknown_chunks(r->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  // A chunk with a wrong checksum is used all the same: a slightly damaged picture is better than none.
  png_set_crc_action(r->png, PNG_CRC_WARN_USE, PNG_CRC_WARN_USE);
  png_read_info(r->png, r->info);
  r->width = png_get_image_width(r->png, r->info);
  r->height = png_get_image_height(r->png, r->info);
  r->passes = png_set_interlace_handling(r->png);
  bool whole = !r->by_rows || r->passes > 1, indexed = whole && fits_palette(r);
  size_t pixel = indexed ? 1 : 4;
  stijl_result result = sj_decode_check_bytes(r->decode, r->width, r->height, whole ? r->height * pixel : pixel);
  if (result == STIJL_OK && whole) result = create_image(r, indexed);
  if (result) return result;
  if (indexed) {
    png_set_packing(r->png);
    png_set_scale_16(r->png);
  } else {
    convert_to_rgba(r);
  }
  png_read_update_info(r->png, r->info);
  if (png_get_rowbytes(r->png, r->info) != r->width * pixel) png_error(r->png, "unknown kind of pixels");
  return STIJL_OK;
}

static stijl_result read_row(reader *r, unsigned char *row) {
  if (!sj_context_check(r->decode->context, r->width)) return sj_budget_spent(r->decode->message);
  png_read_row(r->png, row, NULL);
  r->rows_done++;
  return STIJL_OK;
}

static stijl_result read_whole(reader *r) {
  stijl_result result = STIJL_OK;
  for (int pass = 0; pass < r->passes && !result; pass++)
    for (uint32_t y = 0; y < r->height && !result; y++) result = read_row(r, r->image->pixels + y * r->image->stride);
  return result;
}

// Calls a step that may longjmp. What it changes is in *r, where a jump loses nothing.
static stijl_result guarded(reader *r, stijl_result (*step)(reader *)) {
  if (setjmp(png_jmpbuf(r->png))) return r->out_of_memory ? STIJL_ERROR_OUT_OF_MEMORY : STIJL_ERROR_MALFORMED;
  return step(r);
}

static stijl_result guarded_row(reader *r, unsigned char *row) {
  if (setjmp(png_jmpbuf(r->png))) return r->out_of_memory ? STIJL_ERROR_OUT_OF_MEMORY : STIJL_ERROR_MALFORMED;
  return read_row(r, row);
}

// Forgives damage, since a picture that is damaged is shown as far as it was read.
static stijl_result forgive(reader *r, stijl_result result) {
  const sj_decode *decode = r->decode;
  if (result == STIJL_ERROR_OUT_OF_MEMORY) return sj_fail_memory(decode->message);
  if (result != STIJL_ERROR_MALFORMED) return result;
  if (!r->rows_done) return sj_fail(decode->message, result, "damaged PNG image: %s", r->error);
  r->damaged = true;
  sj_log(decode->context, STIJL_LOG_WARNING, "damaged PNG image, shown in part: %s", r->error);
  return STIJL_OK;
}

static void premultiply(void *row, size_t pixels) {
  sj_convert_row(STIJL_FORMAT_RGBA8_STRAIGHT, STIJL_FORMAT_RGBA8, row, row, pixels);
}

static stijl_result open_reader(const sj_decode *decode, bool by_rows, reader **out) {
  if (sj_open_png(decode->message)) return STIJL_ERROR_UNSUPPORTED;
  reader *r = *out = sj_alloc_zero(decode->context, sizeof *r);
  if (!r) return sj_fail_memory(decode->message);
  r->decode = decode;
  r->by_rows = by_rows;
  r->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, r, on_error, on_warning, r, on_alloc, on_free);
  if (r->png) r->info = png_create_info_struct(r->png);
  if (!r->info) return sj_fail_memory(decode->message);
  stijl_result result = forgive(r, guarded(r, begin));
  if (result || !r->image) return result;
  result = forgive(r, guarded(r, read_whole));
  stijl_image *image = r->image;
  for (size_t y = 0; !result && !image->palette && y < (size_t)image->height; y++)
    premultiply(image->pixels + y * image->stride, (size_t)image->width);
  return result;
}

void sj_png_close(sj_png_reader *r) {
  if (!r) return;
  stijl_context *context = r->decode->context;
  if (r->png) png_destroy_read_struct(&r->png, &r->info, NULL);
  stijl_image_destroy(r->image);
  sj_free(context, r);
}

stijl_result sj_png_open(const sj_decode *decode, sj_png_reader **out, int *width, int *height) {
  stijl_result result = open_reader(decode, true, out);
  if (result == STIJL_OK) {
    *width = (int)(*out)->width;
    *height = (int)(*out)->height;
    return STIJL_OK;
  }
  sj_png_close(*out);
  *out = NULL;
  return result;
}

stijl_result sj_png_row(sj_png_reader *r, void *pixels) {
  size_t bytes = (size_t)r->width * 4;
  uint32_t y = r->next++;
  if (r->image) {
    memcpy(pixels, sj_image_row(r->image, (int)y, pixels), bytes);
    return STIJL_OK;
  }
  memset(pixels, 0, bytes);
  if (r->damaged) return STIJL_OK;
  stijl_result result = forgive(r, guarded_row(r, pixels));
  if (result == STIJL_OK) premultiply(pixels, r->width);
  return result;
}

stijl_result sj_png_decode(const sj_decode *decode, stijl_image **out) {
  reader *r = NULL;
  stijl_result result = open_reader(decode, false, &r);
  if (result == STIJL_OK) *out = sj_image_retain(r->image);
  sj_png_close(r);
  return result;
}

#endif
