// Where there is no file system: fonts come from memory.
#include "text/file.h"
#include "text/folder.h"

bool sj_font_file_readable(const char *path) { return false; }

int sj_font_file_open(const char *path, uint64_t *size, stijl_message *message) {
  sj_fail(message, STIJL_ERROR_IO, "there is no file system here");
  return -1;
}

bool sj_font_file_read(int file, uint64_t offset, void *out, size_t count) { return false; }

void sj_font_file_close(int file) {}

stijl_result sj_each_font_file(stijl_context *context, const char *folder, bool (*each)(void *user, const char *path),
                               void *user, stijl_message *message) {
  return sj_fail(message, STIJL_ERROR_IO, "there is no file system here");
}
