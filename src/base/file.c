#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef SYS_openat2
#include <linux/openat2.h>
#endif

// Opening must not wait for the other end of a pipe (O_NONBLOCK), nor make a terminal the process's own (O_NOCTTY).
#define OPEN_FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

// --- opening ---

// Opens a path with the kernel's own check that no step of it leaves the folder. Fails with ENOSYS where the kernel has
// no such check (before Linux 5.6).
static int open_beneath(int root, const char *path) {
#ifdef SYS_openat2
  struct open_how how = {.flags = OPEN_FLAGS, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
  return (int)syscall(SYS_openat2, root, path, &how, sizeof how);
#else
  (void)root;
  (void)path;
  errno = ENOSYS;
  return -1;
#endif
}

// Asks the kernel where an open file is. Returns false where /proc is not mounted.
static bool place_of(int fd, char place[PATH_MAX]) {
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, place, PATH_MAX);
  if (length <= 0 || length >= PATH_MAX || place[0] != '/') return false;
  place[length] = 0;
  return true;
}

static bool is_below(const char *folder, const char *file) {
  size_t length = strlen(folder);
  if (folder[length - 1] == '/') length--;
  return strncmp(folder, file, length) == 0 && file[length] == '/';
}

// Opens a file by an absolute path, or one to which links lead. The path is resolved once, to a descriptor that cannot
// read. If that file is in the folder, it is opened for reading through the descriptor, not by the path again.
static int open_and_check(int root, const char *path) {
  char folder[PATH_MAX], place[PATH_MAX], link[32];
  int found = open(path, O_PATH | O_CLOEXEC), fd = -1;
  if (found < 0) return -1;
  if (!place_of(root, folder) || !place_of(found, place) || !is_below(folder, place)) {
    errno = EXDEV;
  } else {
    snprintf(link, sizeof link, "/proc/self/fd/%d", found);
    fd = open(link, OPEN_FLAGS);
  }
  int why = errno;
  close(found);
  errno = why;
  return fd;
}

// Returns the part of the path behind the folder; NULL when the path does not begin with the folder.
static const char *path_within(const char *root, const char *path) {
  size_t length = strlen(root);
  if (strcmp(root, ".") == 0) return path[0] == '/' ? NULL : path;
  while (length && root[length - 1] == '/') length--;
  if (strncmp(root, path, length) != 0 || path[length] != '/') return NULL;
  path += length;
  while (*path == '/') path++;
  return *path ? path : NULL;
}

static int open_within(const char *root, const char *path) {
  int folder = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return -1;
  const char *relative = path_within(root, path);
  int fd = -1;
  errno = EXDEV;
  if (relative) fd = open_beneath(folder, relative);
  // EXDEV may also mean an absolute link, which may lead back into the folder; EPERM, that a sandbox forbids the call.
  if (fd < 0 && (errno == EXDEV || errno == ENOSYS || errno == EPERM)) fd = open_and_check(folder, path);
  int why = errno;
  close(folder);
  errno = why;
  return fd;
}

// --- reading ---

int sj_file_open(const char *root, const char *path, uint64_t *size, stijl_result *result, stijl_message *message) {
  struct stat info;
  int fd = root ? open_within(root, path) : open(path, OPEN_FLAGS);
  *result = STIJL_OK;
  if (fd < 0 && errno == EXDEV) {
    *result = sj_fail(message, STIJL_ERROR_REFUSED, "the file lies outside the folder");
  } else if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) {
    *result = sj_fail(message, STIJL_ERROR_IO, "there is no such file");
  } else if ((fd < 0 && errno == ENXIO) || (fd >= 0 && (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)))) {
    *result = sj_fail(message, STIJL_ERROR_REFUSED, "not an ordinary file");  // ENXIO: a socket
  } else if (fd < 0) {
    *result = sj_fail(message, STIJL_ERROR_IO, "the file cannot be opened: error %d", errno);
  } else {
    *size = info.st_size < 0 ? UINT64_MAX : (uint64_t)info.st_size;
    return fd;
  }
  if (fd >= 0) close(fd);
  return -1;
}

stijl_result sj_file_read(stijl_context *context, const char *root, const char *path, uint64_t max_bytes, sj_bytes *out,
                          stijl_message *message) {
  uint64_t length;
  stijl_result result;
  int fd = sj_file_open(root, path, &length, &result, message);
  if (fd < 0) return result;
  // A file that grows meanwhile is only read up to its first length.
  size_t count = 0;
  unsigned char *data = NULL;
  if (length > max_bytes || length > SIZE_MAX / 2)
    result =
        sj_fail(message, STIJL_ERROR_LIMIT, "the file is larger than max_bytes (%llu)", (unsigned long long)max_bytes);
  else if (!(data = sj_alloc(context, (size_t)length + 1)))
    result = sj_fail_memory(message);
  while (result == STIJL_OK && count < length) {
    ssize_t got = read(fd, data + count, (size_t)length - count);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) result = sj_fail(message, STIJL_ERROR_IO, "reading failed: error %d", errno);
    if (got <= 0) break;
    count += (size_t)got;
  }
  close(fd);
  if (result != STIJL_OK) {
    sj_free(context, data);
    return result;
  }
  data[count] = 0;
  *out = (sj_bytes){.data = data, .count = count};
  return STIJL_OK;
}
