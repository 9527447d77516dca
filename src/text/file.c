#include "text/file.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

bool sj_font_file_readable(const char *path) { return access(path, R_OK) == 0; }

int sj_font_file_open(const char *path, uint64_t *size, stijl_message *message) {
  stijl_result result;
  return sj_file_open(NULL, path, size, &result, message);
}

bool sj_font_file_read(int file, uint64_t offset, void *out, size_t count) {
  for (size_t done = 0; done < count;) {
    ssize_t got = pread(file, (char *)out + done, count - done, (off_t)(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += (size_t)got;
  }
  return true;
}

const unsigned char *sj_font_file_map(int file, uint64_t size) {
  struct stat info;
  if (!size || fstat(file, &info) != 0 || info.st_uid != 0 || (info.st_mode & 022) || (uint64_t)info.st_size != size)
    return NULL;
  void *data = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, file, 0);
  return data == MAP_FAILED ? NULL : data;
}

void sj_font_file_unmap(const unsigned char *data, uint64_t size) { munmap((void *)(uintptr_t)data, (size_t)size); }

void sj_font_file_close(int file) { close(file); }
