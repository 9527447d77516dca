// Writing pictures to files, row by row.
#ifndef STIJL_IMAGE_WRITER_H
#define STIJL_IMAGE_WRITER_H

#include "stijl/image.h"

#ifdef __cplusplus
extern "C" {
#endif

// Later versions may add formats. All but PNG and RGBA have limits of their own on the sides; where nothing is said, a
// writer holds some rows at a time.
typedef enum stijl_file_format {
  STIJL_FILE_PNG,   // holds some bands of rows
  STIJL_FILE_WEBP,  // lossless, or of a quality; sides up to 16,383. Holds the picture, and up to ten times its bytes
  STIJL_FILE_JPEG,  // of a quality, opaque; sides up to 65,500
  STIJL_FILE_PPM,   // P6: RGB, opaque
  STIJL_FILE_PAM,   // P7: RGB_ALPHA, not premultiplied
  STIJL_FILE_RGBA   // bytes R G B A, not premultiplied, and nothing else
} stijl_file_format;

// The usual ending of a file's name, such as "png", which stays valid; NULL for an unknown format.
STIJL_API const char *stijl_file_format_ending(stijl_file_format format);
// Finds the format of a file's name by its ending, or of an ending ("png", "jpg", "jpeg", ...), capitals or not. False,
// and *format stays: there is none.
STIJL_API bool stijl_file_format_find(const char *name, stijl_file_format *format);
// The longest side that a file of the format may have, in pixels; 0 for an unknown format.
STIJL_API int stijl_file_format_max_side(stijl_file_format format);
// Whether files of the format have no alpha: what is translucent is laid on stijl_image_writer_params.background.
STIJL_API bool stijl_file_format_is_opaque(stijl_file_format format);

typedef struct stijl_image_writer_params {
  size_t size;                    // bytes of this struct; set by the initialiser
  stijl_file_format file_format;  // default PNG
  stijl_format format;            // of the rows that are handed in; default RGBA8
  int width, height;              // of the whole picture, at least 1
  int level;    // PNG: 0 (store) .. 9 (small), or STIJL_PNG_BEST; default 1: fast, and small enough on drawn pictures
  int threads;  // 1..256; 0: one for each processor this process may use. The file's bytes do not depend on it
  // The caller knows that every pixel's alpha is 255. A writer cannot look ahead, so only then the file has no alpha
  // channel. A row that is not opaque after all is STIJL_ERROR_INVALID_ARGUMENT. A8 pays no heed to it.
  bool opaque;
  // JPEG and WebP: 1 .. 100, what little is lost at most; WebP is lossless with the default, 0, and JPEG has 90 then.
  double quality;
  unsigned char background[3];  // R G B, below what is translucent where the format has no alpha; default white
} stijl_image_writer_params;

#define STIJL_IMAGE_WRITER_PARAMS_INIT                                                                               \
  {                                                                                                                  \
    sizeof(stijl_image_writer_params), STIJL_FILE_PNG, STIJL_FORMAT_RGBA8, 0, 0, 1, 0, false, 0.0, { 255, 255, 255 } \
  }
STIJL_API void stijl_image_writer_params_init(stijl_image_writer_params *params, size_t size);

// A picture on its way to a file. For one thread at a time; its memory is the context's.
typedef struct stijl_image_writer stijl_image_writer;

// `write` gets the file piece by piece, is called by the thread that calls the writer alone, and returns false to stop:
// STIJL_ERROR_IO. `message` may be NULL, here and below. STIJL_ERROR_UNSUPPORTED: this build or machine lacks the
// format's library; STIJL_ERROR_LIMIT: the format has no such size.
STIJL_API stijl_result stijl_image_writer_create(stijl_context *context, const stijl_image_writer_params *params,
                                                 bool (*write)(void *user, const void *data, size_t bytes), void *user,
                                                 stijl_image_writer **out, stijl_message *message);
// Hands in the next `rows` rows, from the top: `stride` bytes apart, at least width * stijl_format_bytes(format). They
// may change when the call has returned. How rows are spread over calls changes nothing in the file; many at a time are
// faster, and a whole picture in one call is not copied. After a failure each call fails in the same way.
STIJL_API stijl_result stijl_image_writer_rows(stijl_image_writer *writer, const void *pixels, size_t stride, int rows,
                                               stijl_message *message);
// Writes what is left. STIJL_ERROR_INVALID_STATE: rows are missing.
STIJL_API stijl_result stijl_image_writer_finish(stijl_image_writer *writer, stijl_message *message);
// Frees the writer, finished or not. NULL is allowed.
STIJL_API void stijl_image_writer_destroy(stijl_image_writer *writer);

// Writes a whole picture. As a PNG file it may be smaller than what a writer makes of the rows: `opaque` is found out.
STIJL_API stijl_result stijl_image_encode(stijl_context *context, const stijl_image_writer_params *params,
                                          const void *pixels, size_t stride,
                                          bool (*write)(void *user, const void *data, size_t bytes), void *user,
                                          stijl_message *message);

#ifdef __cplusplus
}
#endif
#endif
