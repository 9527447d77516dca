#include "base/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_PATH = 4096 };

static bool path_of(const char *name, char path[MAX_PATH], bool make_folder) {
  const char *base = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
  int length;
  if (base && *base == '/')
    length = snprintf(path, MAX_PATH, "%s", base);
  else if (home && *home == '/')
    length = snprintf(path, MAX_PATH, "%s/.cache", home);
  else
    return false;
  if (length >= MAX_PATH - 200) return false;
  if (make_folder) mkdir(path, 0700);
  length += snprintf(path + length, (size_t)(MAX_PATH - length), "/stijl");
  if (make_folder && mkdir(path, 0700) != 0 && errno != EEXIST) return false;
  length += snprintf(path + length, (size_t)(MAX_PATH - length), "/%s", name);
  return length < MAX_PATH;
}

void *sj_cache_read(stijl_context *context, const char *name, size_t max_bytes, size_t *bytes) {
  char path[MAX_PATH];
  struct stat info;
  *bytes = 0;
  int fd = path_of(name, path, false) ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;
  if (fd < 0) return NULL;
  unsigned char *data = NULL;
  bool ours = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() && !(info.st_mode & 022);
  if (ours && info.st_size > 0 && (uint64_t)info.st_size <= max_bytes) data = sj_alloc(context, (size_t)info.st_size);
  while (data && *bytes < (size_t)info.st_size) {
    ssize_t got = read(fd, data + *bytes, (size_t)info.st_size - *bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    *bytes += (size_t)got;
  }
  close(fd);
  return data;
}

void sj_cache_write(const char *name, const void *data, size_t bytes) {
  char path[MAX_PATH], temporary[MAX_PATH + 32];
  if (!path_of(name, path, true)) return;
  snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
  int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return;
  size_t done = 0;
  while (done < bytes) {
    ssize_t put = write(fd, (const char *)data + done, bytes - done);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) break;
    done += (size_t)put;
  }
  bool good = close(fd) == 0 && done == bytes;
  if (!good || rename(temporary, path) != 0) unlink(temporary);
}
