// Images: pixels in memory, and the PNG, JPEG, WebP and GIF files that they are read from. PNG files are written here
// too; stijl/image_writer.h writes the other formats.
#ifndef STIJL_IMAGE_H
#define STIJL_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stijl/context.h"

#ifdef __cplusplus
extern "C" {
#endif

// How a pixel is stored in memory. Premultiplied channels have been multiplied by alpha; straight ones have not.
typedef enum stijl_format {
  STIJL_FORMAT_RGBA8,           // bytes R G B A, premultiplied; the fastest, because the library computes with it
  STIJL_FORMAT_BGRA8,           // bytes B G R A, premultiplied
  STIJL_FORMAT_RGBA8_STRAIGHT,  // bytes R G B A, straight, as in PNG files
  STIJL_FORMAT_BGRA8_STRAIGHT,  // bytes B G R A, straight
  STIJL_FORMAT_A8               // one byte of alpha, for black
} stijl_format;

// Returns the bytes of one pixel, or 0 for an unknown format.
STIJL_API size_t stijl_format_bytes(stijl_format format);

// A picture in sRGB, which never changes. It is stored as STIJL_FORMAT_RGBA8, or as STIJL_FORMAT_A8, which is drawn as
// black with that alpha. A scene that draws an image keeps a reference of its own, so that the image may be destroyed
// once it is recorded. Several threads may use an image at the same time.
typedef struct stijl_image stijl_image;

// Creates an image from a copy of the pixels. `width` and `height` are 1..32767, and `stride` is the bytes from a row
// to the next, at least width * stijl_format_bytes(format). Where a premultiplied colour is above its alpha, it is
// lowered to it. Returns STIJL_ERROR_INVALID_ARGUMENT or STIJL_ERROR_OUT_OF_MEMORY, with *out NULL, on failure.
STIJL_API stijl_result stijl_image_create(stijl_context *context, int width, int height, stijl_format format,
                                          const void *pixels, size_t stride, stijl_image **out);
// Gives up the caller's reference. The image is freed when nothing draws it any more. NULL is allowed.
STIJL_API void stijl_image_destroy(stijl_image *image);
// Returns the width or height in pixels, or the format of the stored pixels.
STIJL_API int stijl_image_width(const stijl_image *image);
STIJL_API int stijl_image_height(const stijl_image *image);
STIJL_API stijl_format stijl_image_format(const stijl_image *image);
// Returns the stored pixels, and sets *stride (NULL is allowed) to the bytes from a row to the next. The pixels are
// valid as long as the image.
STIJL_API const void *stijl_image_pixels(const stijl_image *image, size_t *stride);

// Bounds on the images that are decoded. A larger one is STIJL_ERROR_LIMIT.
typedef struct stijl_image_limits {
  size_t size;          // bytes of this struct; set by the initialiser
  uint64_t max_pixels;  // width * height; default 2^28
} stijl_image_limits;

#define STIJL_IMAGE_LIMITS_INIT STIJL_INIT(stijl_image_limits, .max_pixels = (uint64_t)1 << 28)
STIJL_API void stijl_image_limits_init(stijl_image_limits *limits, size_t size);

// Decodes a PNG, JPEG, WebP or GIF file in memory; of a GIF it takes the first frame. The first bytes tell the format.
// `limits` and `message` may be NULL. A damaged PNG, JPEG or GIF file gives what could be decoded, and a warning is
// logged. Returns STIJL_ERROR_MALFORMED where nothing could be decoded, STIJL_ERROR_LIMIT for an image that is too
// large, and STIJL_ERROR_UNSUPPORTED for another format or one whose library is missing.
STIJL_API stijl_result stijl_image_decode(stijl_context *context, const void *data, size_t bytes,
                                          const stijl_image_limits *limits, stijl_image **out, stijl_message *message);

// --- row by row ---

// Decodes as stijl_image_decode does, but gives one row after the other, so that a large picture takes little memory:
// the reader holds a few rows of a PNG file that is not interlaced, and the whole picture of all other files. One
// thread at a time may use a reader.
typedef struct stijl_image_reader stijl_image_reader;

// Creates a reader of a file in memory. `data` must stay as it is as long as the reader exists. The call fails as
// stijl_image_decode does, if the file's head is invalid or, where the whole picture is decoded at once, if that fails.
STIJL_API stijl_result stijl_image_reader_create(stijl_context *context, const void *data, size_t bytes,
                                                 const stijl_image_limits *limits, stijl_image_reader **out,
                                                 stijl_message *message);
// Frees the reader. NULL is allowed.
STIJL_API void stijl_image_reader_destroy(stijl_image_reader *reader);
// Returns the width or height of the picture in pixels.
STIJL_API int stijl_image_reader_width(const stijl_image_reader *reader);
STIJL_API int stijl_image_reader_height(const stijl_image_reader *reader);
// Writes the next row, from the top down, to `pixels`: `width` pixels of STIJL_FORMAT_RGBA8, aligned to 4 bytes. After
// the last row it returns STIJL_ERROR_INVALID_STATE. Rows behind damaged data are transparent, and a warning is logged.
STIJL_API stijl_result stijl_image_reader_row(stijl_image_reader *reader, void *pixels, stijl_message *message);

// How a PNG file is written.
typedef struct stijl_png_params {
  size_t size;  // bytes of this struct; set by the initialiser
  // 0 (stored) to 9 (smallest), or STIJL_PNG_BEST; the default, 1, is fast, and small enough for drawn pictures.
  int level;
  // 1..256, or 0 for one for each processor that this process may use. The file's bytes do not depend on it.
  int threads;
} stijl_png_params;

// A level above 9, which tries several ways to write the picture. It is for files that are read much more often than
// written.
#define STIJL_PNG_BEST 10

#define STIJL_PNG_PARAMS_INIT STIJL_INIT(stijl_png_params, .level = 1)
STIJL_API void stijl_png_params_init(stijl_png_params *params, size_t size);

// Encodes width x height pixels as a PNG file. The calling thread alone calls `write`, which receives the file piece by
// piece and returns false to stop; the result is then STIJL_ERROR_IO. Of the kinds of pixels that hold the picture
// without loss, the file has the one that is likely the smallest: grey of 1, 2, 4 or 8 bits, a palette of at most 256
// colours of as many bits, grey with alpha, RGB or RGBA. If `params` is NULL, the defaults apply.
STIJL_API stijl_result stijl_png_encode(stijl_context *context, int width, int height, stijl_format format,
                                        const void *pixels, size_t stride, const stijl_png_params *params,
                                        bool (*write)(void *user, const void *data, size_t bytes), void *user,
                                        stijl_message *message);

#ifdef __cplusplus
}
#endif
#endif
