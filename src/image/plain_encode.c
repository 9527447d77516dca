// Writes files without compression: PPM, PAM and RGBA.
#include <stdio.h>
#include <string.h>

#include "image/convert.h"
#include "image/writer.h"

// What is written at a time, at least a row.
#define PIECE_BYTES ((size_t)64 << 10)

typedef struct {
  const sj_encoding *encoding;
  size_t row_bytes, rows_at_once;
  unsigned char *bytes;
  uint32_t *row;  // of an opaque format: a row in four bytes a pixel
} encoder;

static void destroy(void *user) {
  encoder *e = user;
  if (!e) return;
  sj_free(e->encoding->context, e->row);
  sj_free(e->encoding->context, e->bytes);
  sj_free(e->encoding->context, e);
}

static stijl_result write_header(const encoder *e, stijl_message *message) {
  const stijl_image_writer_params *p = &e->encoding->params;
  char head[128];
  int length = 0;
  if (p->file_format == STIJL_FILE_PPM)
    length = snprintf(head, sizeof head, "P6\n%d %d\n255\n", p->width, p->height);
  else if (p->file_format == STIJL_FILE_PAM)
    length = snprintf(head, sizeof head, "P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n",
                      p->width, p->height);
  bool good = !length || e->encoding->write(e->encoding->user, head, (size_t)length);
  return good ? STIJL_OK : sj_write_stopped(message);
}

static stijl_result create(const sj_encoding *encoding, void **out, stijl_message *message) {
  bool opaque = encoding->params.file_format == STIJL_FILE_PPM;
  size_t width = (size_t)encoding->params.width;
  encoder *e = sj_alloc_zero(encoding->context, sizeof *e);
  *out = e;
  if (!e) return sj_fail_memory(message);
  e->encoding = encoding;
  e->row_bytes = width * (opaque ? 3 : 4);
  e->rows_at_once = e->row_bytes < PIECE_BYTES ? PIECE_BYTES / e->row_bytes : 1;
  if (e->rows_at_once > (size_t)encoding->params.height) e->rows_at_once = (size_t)encoding->params.height;
  e->bytes = sj_alloc_array(encoding->context, e->rows_at_once, e->row_bytes);
  if (opaque) e->row = sj_alloc_array(encoding->context, width, sizeof *e->row);
  if (!e->bytes || (opaque && !e->row)) return sj_fail_memory(message);
  return write_header(e, message);
}

static void convert_row(const encoder *e, const unsigned char *pixels, unsigned char *to) {
  const stijl_image_writer_params *p = &e->encoding->params;
  size_t width = (size_t)p->width;
  if (!e->row) {
    sj_convert_row(p->format, STIJL_FORMAT_RGBA8_STRAIGHT, pixels, to, width);
    return;
  }
  sj_flatten_row(p->format, pixels, p->background, e->row, width);
  for (size_t x = 0; x < width; x++, to += 3)
    for (int k = 0; k < 3; k++) to[k] = (unsigned char)(e->row[x] >> 8 * k);
}

static stijl_result write_rows(void *user, const unsigned char *pixels, size_t stride, uint32_t rows,
                               stijl_message *message) {
  encoder *e = user;
  for (uint32_t y = 0; y < rows;) {
    size_t count = 0;
    for (; count < e->rows_at_once && y < rows; count++, y++)
      convert_row(e, pixels + y * stride, e->bytes + count * e->row_bytes);
    if (!e->encoding->write(e->encoding->user, e->bytes, count * e->row_bytes)) return sj_write_stopped(message);
  }
  return STIJL_OK;
}

static stijl_result finish(void *user, stijl_message *message) {
  (void)user, (void)message;
  return STIJL_OK;
}

const sj_image_encoder sj_plain_encoder = {create, write_rows, finish, destroy, NULL};
