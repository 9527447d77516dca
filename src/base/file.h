// Reads files whose names come from untrusted input.
#ifndef SJ_BASE_FILE_H
#define SJ_BASE_FILE_H

#include <stdint.h>

#include "base/context.h"
#include "base/shared.h"

typedef struct sj_bytes {
  unsigned char *data;  // from sj_alloc; whoever receives it frees it
  size_t count;
} sj_bytes;

// Opens a regular file for reading, and sets *size to its length. Returns a descriptor, which the caller closes, or -1
// with *result and the message set. `root` and the failures are those of sj_file_read.
int sj_file_open(const char *root, const char *path, uint64_t *size, stijl_result *result, stijl_message *message);

// Reads a whole regular file. It must lie in the folder `root` or below it, wherever links lead; with NULL it may lie
// anywhere. What is checked is the open file, so swapping files or links meanwhile cannot make it read another one.
// Pipes and devices are refused without waiting for them. A NUL follows the data. *out is only set on success. Fails
// with STIJL_ERROR_REFUSED, STIJL_ERROR_LIMIT, STIJL_ERROR_IO or STIJL_ERROR_OUT_OF_MEMORY, and a message that does not
// name the file.
SJ_SHARED stijl_result sj_file_read(stijl_context *context, const char *root, const char *path, uint64_t max_bytes,
                                    sj_bytes *out, stijl_message *message);

// Finds the path that a relative or file: URL refers to: %XX decoded, query and fragment removed. *path is allocated.
// Fails with STIJL_ERROR_REFUSED for other schemes, and with STIJL_ERROR_UNSUPPORTED for a URL that is only a fragment.
stijl_result sj_url_to_path(stijl_context *context, const char *url, size_t length, char **path,
                            stijl_message *message);
// Decodes %XX. Returns the length of the result, which is never longer than the text; `out` may be `text`.
size_t sj_percent_decode(const char *text, size_t length, char *out);

// Resolves `path`, which the file `from` refers to: it is relative to that file's folder unless it is absolute. "." and
// ".." are resolved as in URLs, without looking at the file system. The result is allocated; NULL when memory is short.
char *sj_path_beside(stijl_context *context, const char *from, const char *path);
// Returns the folder of a file, "." when the path names none. The result is allocated; NULL when memory is short.
char *sj_path_folder(stijl_context *context, const char *path);

#endif
