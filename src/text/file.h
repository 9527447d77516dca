// Font files. They stay open, or mapped, and are read where FreeType asks.
#ifndef SJ_TEXT_FILE_H
#define SJ_TEXT_FILE_H

#include "base/context.h"

bool sj_font_file_readable(const char *path);
// Opens an ordinary file. Returns its descriptor, or -1 with a message.
int sj_font_file_open(const char *path, uint64_t *size, stijl_message *message);
// Reads `count` bytes from `offset` on. Returns false when they are not all there.
bool sj_font_file_read(int file, uint64_t offset, void *out, size_t count);
// Maps the whole file into memory; the descriptor may then be closed. Returns NULL when the file has to be read, since
// others than root may cut it short, which would end a process that looks at what is missing.
const unsigned char *sj_font_file_map(int file, uint64_t size);
void sj_font_file_unmap(const unsigned char *data, uint64_t size);
void sj_font_file_close(int file);

#endif
