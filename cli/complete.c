#include "complete.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD 12
#define TAIL 12

static bool is_png(const unsigned char *head, const unsigned char *tail) {
  static const unsigned char end[12] = {0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82};
  return memcmp(head, "\x89PNG\r\n\x1a\n", 8) == 0 && memcmp(tail, end, sizeof end) == 0;
}

// Returns whether a file is WebP: the number of bytes behind its head stands in that.
static bool is_webp(const unsigned char *head, uint64_t bytes) {
  uint64_t rest = head[4] | (uint64_t)head[5] << 8 | (uint64_t)head[6] << 16 | (uint64_t)head[7] << 24;
  return memcmp(head, "RIFF", 4) == 0 && memcmp(head + 8, "WEBP", 4) == 0 && rest + 8 == bytes;
}

static bool is_jpeg(const unsigned char *head, const unsigned char *tail) {
  return memcmp(head, "\xff\xd8\xff", 3) == 0 && memcmp(tail + TAIL - 2, "\xff\xd9", 2) == 0;
}

bool cli_is_complete(const char *path, cli_format format) {
  unsigned char head[HEAD], tail[TAIL];
  struct stat info;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  bool good = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size >= HEAD + TAIL &&
              pread(fd, head, HEAD, 0) == HEAD && pread(fd, tail, TAIL, info.st_size - TAIL) == TAIL;
  close(fd);
  if (!good) return false;
  if (format == CLI_FORMAT_PNG) return is_png(head, tail);
  return format == CLI_FORMAT_WEBP ? is_webp(head, (uint64_t)info.st_size) : is_jpeg(head, tail);
}
