#include "text/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

bool sj_font_file_readable(const char *path) { return access(path, R_OK) == 0; }

int sj_font_file_open(const char *path, uint64_t *size, stijl_message *message) {
  struct stat info;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0 || fstat(file, &info) != 0) {
    sj_fail(message, STIJL_ERROR_IO, "the file cannot be opened: error %d", errno);
  } else if (!S_ISREG(info.st_mode)) {
    sj_fail(message, STIJL_ERROR_REFUSED, "not an ordinary file");
  } else {
    *size = (uint64_t)info.st_size;
    return file;
  }
  if (file >= 0) close(file);
  return -1;
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

void sj_font_file_close(int file) { close(file); }
