// Stands in for file.c and folder.c where there is no file system, so that fonts only come from memory.
#include "text/file.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_SYSTEM_H

#include "text/folder.h"

bool sj_font_file_readable(const char *path) { return false; }

int sj_font_file_open(const char *path, uint64_t *size, stijl_message *message) {
  sj_fail(message, STIJL_ERROR_IO, "there is no file system here");
  return -1;
}

bool sj_font_file_read(int file, uint64_t offset, void *out, size_t count) { return false; }

const unsigned char *sj_font_file_map(int file, uint64_t size) { return NULL; }
void sj_font_file_unmap(const unsigned char *data, uint64_t size) {}
void sj_font_file_close(int file) {}

// Replaces FreeType's own way to open files. FreeType would only use that for a font that is given by name.
FT_Error FT_Stream_Open(FT_Stream stream, const char *path);
FT_Error FT_Stream_Open(FT_Stream stream, const char *path) { return FT_Err_Cannot_Open_Resource; }

stijl_result sj_each_font_file(stijl_context *context, const char *folder, bool (*each)(void *user, const char *path),
                               void *user, stijl_message *message) {
  return sj_fail(message, STIJL_ERROR_IO, "there is no file system here");
}
