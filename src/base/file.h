// Files that untrusted input names.
#ifndef SJ_BASE_FILE_H
#define SJ_BASE_FILE_H

#include <stdint.h>

#include "base/context.h"

typedef struct sj_bytes {
  unsigned char *data;  // sj_alloc; the receiver frees it
  size_t count;
} sj_bytes;

// Opens a regular file for reading. `root` as below. *size is its length. A descriptor that the caller closes; -1, with a
// message, as sj_file_read fails.
int sj_file_open(const char *root, const char *path, uint64_t *size, stijl_result *result, stijl_message *message);

// The whole of a regular file. `root`: the folder that it must lie in, or in a folder below it, whatever links say;
// NULL: it may lie anywhere. What is opened is what is checked, so that nothing that changes in between lets other
// files be read; pipes and devices are refused without waiting for them. A NUL follows the data. *out is only set on
// success. STIJL_ERROR_REFUSED, STIJL_ERROR_LIMIT or STIJL_ERROR_IO, with a message that does not name the file.
stijl_result sj_file_read(stijl_context *context, const char *root, const char *path, uint64_t max_bytes, sj_bytes *out,
                          stijl_message *message);

// The path of what a relative or file: URL refers to, with %XX undone, without query and fragment. STIJL_ERROR_REFUSED
// for other schemes, STIJL_ERROR_UNSUPPORTED for a mere fragment. *path is sj_alloc'ed.
stijl_result sj_url_to_path(stijl_context *context, const char *url, size_t length, char **path,
                            stijl_message *message);
// Undoes %XX; never longer than the text. Returns the length.
size_t sj_percent_decode(const char *text, size_t length, char *out);

// `path` seen from the file `from`: in its folder, unless absolute. "." and ".." are resolved as in URLs, by the text
// alone. sj_alloc'ed, NULL when memory is short.
char *sj_path_beside(stijl_context *context, const char *from, const char *path);
// The folder of a file: "." when the path has none. sj_alloc'ed, NULL when memory is short.
char *sj_path_folder(stijl_context *context, const char *path);

#endif
