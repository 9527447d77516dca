// Images: pixels in memory, and the PNG, JPEG, WebP and GIF files they come from and go to.
#ifndef STIJL_IMAGE_H
#define STIJL_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stijl/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum stijl_format {
  STIJL_FORMAT_RGBA8,           // bytes R G B A, premultiplied: the format of the arithmetic, the fastest
  STIJL_FORMAT_BGRA8,           // bytes B G R A, premultiplied
  STIJL_FORMAT_RGBA8_STRAIGHT,  // bytes R G B A, not premultiplied: PNG's format
  STIJL_FORMAT_BGRA8_STRAIGHT,
  STIJL_FORMAT_A8  // alpha only
} stijl_format;

// Bytes of one pixel, 0 for an unknown format.
STIJL_API size_t stijl_format_bytes(stijl_format format);

// An immutable picture, sRGB, held as premultiplied RGBA8 (or A8, which draws as black of that alpha). Scenes that
// draw it keep their own reference, so it may be destroyed once recorded. May be used by several threads.
typedef struct stijl_image stijl_image;

// Copies the pixels; a premultiplied colour that is above its alpha is lowered to it. Sizes 1..32767; stride in bytes,
// at least width * stijl_format_bytes.
STIJL_API stijl_result stijl_image_create(stijl_context *context, int width, int height, stijl_format format,
                                          const void *pixels, size_t stride, stijl_image **out);
STIJL_API void stijl_image_destroy(stijl_image *image);
STIJL_API int stijl_image_width(const stijl_image *image);
STIJL_API int stijl_image_height(const stijl_image *image);
STIJL_API stijl_format stijl_image_format(const stijl_image *image);
// The stored pixels, rows of *stride bytes, valid as long as the image.
STIJL_API const void *stijl_image_pixels(const stijl_image *image, size_t *stride);

typedef struct stijl_image_limits {
  size_t size;          // bytes of this struct; set by the initialiser
  uint64_t max_pixels;  // width * height; default 2^28
} stijl_image_limits;

#define STIJL_IMAGE_LIMITS_INIT \
  { sizeof(stijl_image_limits), (uint64_t)1 << 28 }
STIJL_API void stijl_image_limits_init(stijl_image_limits *limits, size_t size);

// Decodes a PNG, JPEG, WebP or GIF file (its first frame) held in memory; the format is told by its first bytes.
// `limits` and `message` may be NULL. A truncated file gives what could be decoded where the format allows it (JPEG,
// PNG), with a warning logged.
STIJL_API stijl_result stijl_image_decode(stijl_context *context, const void *data, size_t bytes,
                                          const stijl_image_limits *limits, stijl_image **out, stijl_message *message);

// --- row by row ---

// Decodes as stijl_image_decode does, but gives the rows one after the other, so that a large picture takes little
// memory: of a PNG that is not interlaced a few rows are held at a time, of all others the whole picture. For one
// thread.
typedef struct stijl_image_reader stijl_image_reader;

// `data` has to stay as long as the reader. A failure is of the file's head, or of what is decoded at once.
STIJL_API stijl_result stijl_image_reader_create(stijl_context *context, const void *data, size_t bytes,
                                                 const stijl_image_limits *limits, stijl_image_reader **out,
                                                 stijl_message *message);
STIJL_API void stijl_image_reader_destroy(stijl_image_reader *reader);
STIJL_API int stijl_image_reader_width(const stijl_image_reader *reader);
STIJL_API int stijl_image_reader_height(const stijl_image_reader *reader);
// Fills in the next row, from the top: `width` pixels of STIJL_FORMAT_RGBA8, aligned to 4 bytes. Behind the
// last one: STIJL_ERROR_INVALID_STATE. Rows behind a damage are transparent, and a warning is logged.
STIJL_API stijl_result stijl_image_reader_row(stijl_image_reader *reader, void *pixels, stijl_message *message);

typedef struct stijl_png_params {
  size_t size;  // bytes of this struct; set by the initialiser
  int level;    // 0 (store) .. 9 (small), or STIJL_PNG_BEST; default 1: fast, and small enough on drawn pictures
  int threads;  // 1..256; 0: one for each processor this process may use. The file's bytes do not depend on it
} stijl_png_params;

// A level beyond 9, which tries what a picture can be written as: for files that are read much more often than written.
#define STIJL_PNG_BEST 10

#define STIJL_PNG_PARAMS_INIT \
  { sizeof(stijl_png_params), 1, 0 }
STIJL_API void stijl_png_params_init(stijl_png_params *params, size_t size);

// Encodes pixels as PNG. `write` gets the file piece by piece and returns false to stop (STIJL_ERROR_IO); it is called
// by the calling thread alone. The file's pixels are of the kind that is likely the smallest of those that hold the
// picture: grey (also of 1, 2 or 4 bits), a palette of up to 256 colours (likewise), grey with alpha, RGB, RGBA.
// `params` NULL: the defaults.
STIJL_API stijl_result stijl_png_encode(stijl_context *context, int width, int height, stijl_format format,
                                        const void *pixels, size_t stride, const stijl_png_params *params,
                                        bool (*write)(void *user, const void *data, size_t bytes), void *user,
                                        stijl_message *message);

#ifdef __cplusplus
}
#endif
#endif
