// Writing pictures to files, row by row.
#ifndef STIJL_IMAGE_WRITER_H
#define STIJL_IMAGE_WRITER_H

#include "stijl/image.h"

#ifdef __cplusplus
extern "C" {
#endif

// Later versions may add formats.
typedef enum stijl_file_format {
  STIJL_FILE_PNG  // sides up to 2^31 - 1; held: some bands of rows
} stijl_file_format;

// The usual ending of a file's name, such as "png", which stays valid; NULL for an unknown format.
STIJL_API const char *stijl_file_format_ending(stijl_file_format format);
// Finds the format of a file's name by its ending, or of an ending ("png"), capitals or not. False, and *format stays:
// there is none.
STIJL_API bool stijl_file_format_find(const char *name, stijl_file_format *format);

typedef struct stijl_image_writer_params {
  size_t size;                    // bytes of this struct; set by the initialiser
  stijl_file_format file_format;  // default PNG
  stijl_format format;            // of the rows that are handed in; default RGBA8
  int width, height;              // of the whole picture, at least 1
  int level;                      // PNG: 0 (store) .. 9 (smallest); default 1: fast, and small enough on drawn pictures
  int threads;  // 1..256; 0: one for each processor this process may use. The file's bytes do not depend on it
  // The caller knows that every pixel's alpha is 255. A writer cannot look ahead, so only then the file has no alpha
  // channel A row that is not opaque after all is STIJL_ERROR_INVALID_ARGUMENT. A8 pays no heed to it.
  bool opaque;
} stijl_image_writer_params;

#define STIJL_IMAGE_WRITER_PARAMS_INIT \
  { sizeof(stijl_image_writer_params), STIJL_FILE_PNG, STIJL_FORMAT_RGBA8, 0, 0, 1, 0, false }
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

#ifdef __cplusplus
}
#endif
#endif
