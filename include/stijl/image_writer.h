// Writes pictures to files, row by row.
#ifndef STIJL_IMAGE_WRITER_H
#define STIJL_IMAGE_WRITER_H

#include "stijl/image.h"

#ifdef __cplusplus
extern "C" {
#endif

// The formats of files. Later versions may add some. WebP and JPEG limit the sides of a picture. Unless a comment says
// otherwise, a writer holds a few rows at a time.
typedef enum stijl_file_format {
  STIJL_FILE_PNG,  // the writer holds some bands of rows
  // Lossless, or of a quality; sides up to 16,383. The writer holds the picture, and its encoder up to ten times its
  // bytes.
  STIJL_FILE_WEBP,
  STIJL_FILE_JPEG,  // of a quality, opaque; sides up to 65,500
  STIJL_FILE_PPM,   // the netpbm format P6: RGB, opaque
  STIJL_FILE_PAM,   // the netpbm format P7 with RGB_ALPHA, straight
  STIJL_FILE_RGBA   // bytes R G B A, straight, and nothing else
} stijl_file_format;

// Returns the usual ending of a file's name, such as "png", or NULL for an unknown format. The text is static.
STIJL_API const char *stijl_file_format_ending(stijl_file_format format);
// Finds the format by the ending of a file's name, or by an ending alone ("png", "jpg", "jpeg", ...), in small or
// capital letters. Returns false, and leaves *format as it is, if no format has that ending.
STIJL_API bool stijl_file_format_find(const char *name, stijl_file_format *format);
// Returns the longest side, in pixels, that a file of the format may have, or 0 for an unknown format.
STIJL_API int stijl_file_format_max_side(stijl_file_format format);
// Returns whether files of the format have no alpha. A translucent pixel is then laid on
// stijl_image_writer_params.background.
STIJL_API bool stijl_file_format_is_opaque(stijl_file_format format);

// How a picture is written.
typedef struct stijl_image_writer_params {
  size_t size;                    // bytes of this struct; set by the initialiser
  stijl_file_format file_format;  // default PNG
  stijl_format format;            // of the rows that the caller passes; default RGBA8
  int width, height;              // of the whole picture, in pixels; at least 1
  // PNG: 0 (stored) to 9 (smallest), or STIJL_PNG_BEST; the default, 1, is fast, and small enough for drawn pictures.
  int level;
  // 1..256, or 0 for one for each processor that this process may use. The file's bytes do not depend on it.
  int threads;
  // The caller promises that every pixel's alpha is 255. A writer cannot look ahead, so only then it writes a file
  // without an alpha channel. A row that is not opaque after all is STIJL_ERROR_INVALID_ARGUMENT. It has no effect on
  // A8.
  bool opaque;
  // The quality of JPEG and WebP, from 1 to 100, which loses least. With the default, 0, WebP is lossless and JPEG has
  // 90.
  double quality;
  unsigned char background[3];  // R G B; translucent pixels are laid on it where the format has no alpha; default white
} stijl_image_writer_params;

#define STIJL_IMAGE_WRITER_PARAMS_INIT                                                                           \
  STIJL_INIT(stijl_image_writer_params, .file_format = STIJL_FILE_PNG, .format = STIJL_FORMAT_RGBA8, .level = 1, \
             .background = {255, 255, 255})
STIJL_API void stijl_image_writer_params_init(stijl_image_writer_params *params, size_t size);

// Writes one picture to one file. One thread at a time may use a writer. Its memory is the context's.
typedef struct stijl_image_writer stijl_image_writer;

// Creates a writer. Only the thread that calls the writer calls `write`, which receives the file piece by piece and
// returns false to stop; the result is then STIJL_ERROR_IO. `message` may be NULL, here and below. Returns
// STIJL_ERROR_UNSUPPORTED if this build or machine lacks the format's library, and STIJL_ERROR_LIMIT if the format
// cannot hold a picture of this size.
STIJL_API stijl_result stijl_image_writer_create(stijl_context *context, const stijl_image_writer_params *params,
                                                 bool (*write)(void *user, const void *data, size_t bytes), void *user,
                                                 stijl_image_writer **out, stijl_message *message);
// Passes the next `rows` rows, from the top down. They are `stride` bytes apart, at least width *
// stijl_format_bytes(format), and may change once the call has returned. The file does not depend on how rows are
// spread over calls, but many at a time are faster, and a whole picture in one call is not copied. More rows than the
// picture has are STIJL_ERROR_INVALID_STATE. Once encoding or `write` has failed, each later call fails in the same
// way.
STIJL_API stijl_result stijl_image_writer_rows(stijl_image_writer *writer, const void *pixels, size_t stride, int rows,
                                               stijl_message *message);
// Writes the rest of the file. Returns STIJL_ERROR_INVALID_STATE if rows are missing.
STIJL_API stijl_result stijl_image_writer_finish(stijl_image_writer *writer, stijl_message *message);
// Frees the writer, finished or not. NULL is allowed.
STIJL_API void stijl_image_writer_destroy(stijl_image_writer *writer);

// Writes a whole picture, as a writer with one call does. A PNG file may become smaller than a writer's, because the
// call finds out by itself whether the picture is opaque.
STIJL_API stijl_result stijl_image_encode(stijl_context *context, const stijl_image_writer_params *params,
                                          const void *pixels, size_t stride,
                                          bool (*write)(void *user, const void *data, size_t bytes), void *user,
                                          stijl_message *message);

#ifdef __cplusplus
}
#endif
#endif
