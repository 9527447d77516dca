// Stands in for file.c where there is no file system.
#include "base/file.h"

stijl_result sj_file_read(stijl_context *context, const char *root, const char *path, uint64_t max_bytes, sj_bytes *out,
                          stijl_message *message) {
  (void)context, (void)root, (void)path, (void)max_bytes, (void)out;
  return sj_fail(message, STIJL_ERROR_REFUSED, "there is no file system here");
}
