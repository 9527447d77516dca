// What writes one file format row by row, behind stijl_image_writer.
#ifndef SJ_IMAGE_WRITER_H
#define SJ_IMAGE_WRITER_H

#include "base/context.h"
#include "stijl/image_writer.h"

typedef struct sj_encoding {
  stijl_context *context;
  stijl_image_writer_params params;  // checked
  bool (*write)(void *user, const void *data, size_t bytes);
  void *user;
} sj_encoding;

// The encoding stays where it is. Each failure is told in the message. After one, of `create` too, only `destroy` is
// called, which NULL may be given to.
typedef struct sj_image_encoder {
  stijl_result (*create)(const sj_encoding *encoding, void **out, stijl_message *message);
  stijl_result (*rows)(void *encoder, const unsigned char *pixels, size_t stride, uint32_t rows,
                       stijl_message *message);
  stijl_result (*finish)(void *encoder, stijl_message *message);
  void (*destroy)(void *encoder);
  // Writes a whole picture better than the others could, which is what is done where it is NULL.
  stijl_result (*whole)(const sj_encoding *encoding, const unsigned char *pixels, size_t stride,
                        stijl_message *message);
} sj_image_encoder;

extern const sj_image_encoder sj_png_encoder, sj_webp_encoder, sj_jpeg_encoder, sj_plain_encoder;

// Fails because the callback has asked to stop.
stijl_result sj_write_stopped(stijl_message *message);

// Checks what all encoders need to hold.
stijl_result sj_check_encoding(const stijl_image_writer_params *params, stijl_message *message);

#endif
