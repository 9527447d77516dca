// Writes JPEG files with libjpeg, row by row.
#include <math.h>
#include <setjmp.h>
#include <string.h>

#include "base/budget.h"
#include "image/convert.h"
#include "image/writer.h"
#include "libraries/jpeg.h"

#define DEFAULT_QUALITY 90
// From this quality on colours have as many samples as lightness has, since edges of drawn shapes would show.
#define FULL_COLOUR_QUALITY 90

#define PIECE_BYTES ((size_t)64 << 10)  // of the file, that are written at a time
// What libjpeg holds of a row, for each pixel: 16 rows of three samples, at most twice, and as many coefficients.
#define LIBRARY_BYTES_A_PIXEL 256

typedef struct {
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_destination_mgr destination;
  jmp_buf jump;
  const sj_encoding *encoding;
  uint32_t *row;
  unsigned char *piece;
  size_t reserved;  // bytes of the budget, for what libjpeg allocates
  bool created, stopped;
} encoder;

static void on_error(j_common_ptr jpeg) {
  encoder *e = jpeg->client_data;
  longjmp(e->jump, 1);
}

static void on_message(j_common_ptr jpeg) { (void)jpeg; }
static void on_warning(j_common_ptr jpeg, int level) { (void)jpeg, (void)level; }

// --- the file ---

static void begin_file(j_compress_ptr jpeg) {
  encoder *e = jpeg->client_data;
  e->destination.next_output_byte = e->piece;
  e->destination.free_in_buffer = PIECE_BYTES;
}

static void put(encoder *e, size_t bytes) {
  e->stopped = bytes && !e->encoding->write(e->encoding->user, e->piece, bytes);
  if (e->stopped) longjmp(e->jump, 1);
}

static boolean put_piece(j_compress_ptr jpeg) {
  put(jpeg->client_data, PIECE_BYTES);
  begin_file(jpeg);
  return TRUE;
}

static void end_file(j_compress_ptr jpeg) {
  encoder *e = jpeg->client_data;
  put(e, PIECE_BYTES - e->destination.free_in_buffer);
}

// Returns what libjpeg's functions jumped out for.
static stijl_result failure(encoder *e, stijl_message *message) {
  char text[JMSG_LENGTH_MAX] = "";
  if (e->stopped) return sj_write_stopped(message);
  e->errors.format_message((j_common_ptr)&e->jpeg, text);
  return sj_fail(message, STIJL_ERROR_OUT_OF_MEMORY, "the JPEG library failed: %s", text);
}

// --- the encoder ---

static void destroy(void *user) {
  encoder *e = user;
  if (!e) return;
  if (e->created) jpeg_destroy_compress(&e->jpeg);
  stijl_context *context = e->encoding->context;
  sj_budget_release(context, e->reserved);
  sj_free(context, e->row);
  sj_free(context, e->piece);
  sj_free(context, e);
}

static stijl_result start(encoder *e, stijl_message *message) {
  const stijl_image_writer_params *p = &e->encoding->params;
  int quality = p->quality > 0 ? (int)lrint(p->quality) : DEFAULT_QUALITY;
  if (setjmp(e->jump)) return failure(e, message);
  jpeg_create_compress(&e->jpeg);
  e->created = true;
  e->jpeg.client_data = e;
  e->jpeg.dest = &e->destination;
  e->jpeg.image_width = (JDIMENSION)p->width;
  e->jpeg.image_height = (JDIMENSION)p->height;
  e->jpeg.input_components = 4;
  e->jpeg.in_color_space = JCS_EXT_RGBX;
  jpeg_set_defaults(&e->jpeg);
  jpeg_set_quality(&e->jpeg, quality, TRUE);
  e->jpeg.comp_info[0].h_samp_factor = e->jpeg.comp_info[0].v_samp_factor = quality >= FULL_COLOUR_QUALITY ? 1 : 2;
  jpeg_start_compress(&e->jpeg, TRUE);
  return STIJL_OK;
}

static stijl_result create(const sj_encoding *encoding, void **out, stijl_message *message) {
  size_t width = (size_t)encoding->params.width, reserved = width * LIBRARY_BYTES_A_PIXEL;
  if (sj_open_jpeg(message)) return STIJL_ERROR_UNSUPPORTED;
  encoder *e = sj_alloc_zero(encoding->context, sizeof *e);
  *out = e;
  if (!e) return sj_fail_memory(message);
  e->encoding = encoding;
  e->row = sj_alloc_array(encoding->context, width, sizeof *e->row);
  e->piece = sj_alloc(encoding->context, PIECE_BYTES);
  if (!e->row || !e->piece) return sj_fail_memory(message);
  if (!sj_budget_reserve(encoding->context, reserved))
    return sj_fail(message, STIJL_ERROR_LIMIT,
                   "to write rows of %zu pixels as JPEG takes up to %zu bytes, more than max_memory leaves room for",
                   width, reserved);
  e->reserved = reserved;
  e->jpeg.err = jpeg_std_error(&e->errors);
  e->jpeg.client_data = e;
  e->errors.error_exit = on_error;
  e->errors.output_message = on_message;
  e->errors.emit_message = on_warning;
  e->destination = (struct jpeg_destination_mgr){
      .init_destination = begin_file, .empty_output_buffer = put_piece, .term_destination = end_file};
  return start(e, message);
}

static stijl_result write_rows(void *user, const unsigned char *pixels, size_t stride, uint32_t rows,
                               stijl_message *message) {
  encoder *e = user;
  const stijl_image_writer_params *p = &e->encoding->params;
  if (setjmp(e->jump)) return failure(e, message);
  for (uint32_t y = 0; y < rows; y++) {
    sj_flatten_row(p->format, pixels + y * stride, p->background, e->row, (size_t)p->width);
    JSAMPROW row = (JSAMPROW)e->row;
    jpeg_write_scanlines(&e->jpeg, &row, 1);
  }
  return STIJL_OK;
}

static stijl_result finish(void *user, stijl_message *message) {
  encoder *e = user;
  if (setjmp(e->jump)) return failure(e, message);
  jpeg_finish_compress(&e->jpeg);
  return STIJL_OK;
}

const sj_image_encoder sj_jpeg_encoder = {create, write_rows, finish, destroy, NULL};
