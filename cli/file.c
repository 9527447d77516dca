#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES 65536u
#define FIRST_READ_BYTES 65536u  // of what has no known size

static bool is_stream(const char *path) { return strcmp(path, "-") == 0; }

bool cli_is_folder(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool fail_bytes(uint64_t max_bytes, cli_failure *failure) {
  return cli_fail(failure, "more than %llu bytes (--max-bytes raises the limit)", (unsigned long long)max_bytes);
}

static bool read_all(int fd, uint64_t max_bytes, unsigned char **data, size_t *bytes, cli_failure *failure) {
  struct stat info;
  if (fstat(fd, &info) != 0) return cli_fail(failure, "%s", strerror(errno));
  if (S_ISDIR(info.st_mode)) return cli_fail(failure, "is a folder");
  if (S_ISREG(info.st_mode) && info.st_size > 0 && (uint64_t)info.st_size > max_bytes)
    return fail_bytes(max_bytes, failure);
  // One byte more than the file has, so that its end is seen without growing.
  size_t capacity = S_ISREG(info.st_mode) && info.st_size > 0 && (uint64_t)info.st_size <= max_bytes
                        ? (size_t)info.st_size + 1
                        : FIRST_READ_BYTES;
  unsigned char *block = malloc(capacity);
  size_t used = 0;
  for (;;) {
    if (!block) return cli_fail(failure, "out of memory");
    // What never ends, such as /dev/zero, is not read beyond one byte too many.
    uint64_t room = max_bytes - used + 1;
    ssize_t got = read(fd, block + used, capacity - used < room ? capacity - used : (size_t)room);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      cli_fail(failure, "%s", strerror(errno));
      break;
    }
    if (got == 0) {
      *data = block;
      *bytes = used;
      return true;
    }
    used += (size_t)got;
    if (used > max_bytes) {
      fail_bytes(max_bytes, failure);
      break;
    }
    if (used == capacity) {
      unsigned char *larger = capacity <= SIZE_MAX / 2 ? realloc(block, capacity * 2) : NULL;
      if (!larger) free(block);
      block = larger;
      capacity *= 2;
    }
  }
  free(block);
  return false;
}

bool cli_read(const char *path, uint64_t max_bytes, unsigned char **data, size_t *bytes, cli_failure *failure) {
  if (is_stream(path)) return read_all(STDIN_FILENO, max_bytes, data, bytes, failure);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return cli_fail(failure, "%s", strerror(errno));
  bool good = read_all(fd, max_bytes, data, bytes, failure);
  close(fd);
  return good;
}

static void finish(cli_output *output) {
  free(output->path);
  free(output->buffer);
  *output = (cli_output){.fd = -1};
}

bool cli_output_open(cli_output *output, const char *path, cli_failure *failure) {
  *output = (cli_output){.fd = STDOUT_FILENO, .buffer = malloc(BUFFER_BYTES)};
  if (!output->buffer) return cli_fail(failure, "out of memory");
  if (is_stream(path) || strcmp(path, "/dev/stdout") == 0) return true;
  struct stat info;
  bool exists = stat(path, &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) {
    finish(output);
    return cli_fail(failure, "%s is a folder", path);
  }
  // What the process has open already (/dev/fd/3) stays that file, whatever its kind; /dev/shm is a folder as others.
  bool open_already =
      strncmp(path, "/proc/", 6) == 0 || (strncmp(path, "/dev/", 5) == 0 && strncmp(path, "/dev/shm/", 9) != 0);
  bool replace = (!exists || S_ISREG(info.st_mode)) && !open_already;
  // A link stays; what it points to is replaced.
  output->path = exists ? realpath(path, NULL) : strdup(path);
  if (!output->path) {
    finish(output);
    return cli_fail(failure, "out of memory");
  }
  if (replace)
    output->temporary = cli_temporary_create(output->path, &output->fd);
  else
    output->fd = open(path, O_WRONLY | O_CLOEXEC);
  if (replace ? output->temporary != NULL : output->fd >= 0) return true;
  cli_fail(failure, "%s: %s", path, strerror(errno));
  finish(output);
  return false;
}

static bool write_all(cli_output *output, const unsigned char *data, size_t bytes) {
  while (bytes && !output->error) {
    ssize_t written = write(output->fd, data, bytes);
    if (written >= 0) {
      data += written;
      bytes -= (size_t)written;
    } else if (errno != EINTR) {
      output->error = errno;
    }
  }
  return !output->error;
}

static bool flush(cli_output *output) {
  size_t used = output->used;
  output->used = 0;
  return write_all(output, output->buffer, used);
}

bool cli_output_write(void *user, const void *data, size_t bytes) {
  cli_output *output = user;
  if (bytes > BUFFER_BYTES - output->used && !flush(output)) return false;
  if (bytes >= BUFFER_BYTES) return write_all(output, data, bytes);
  memcpy(output->buffer + output->used, data, bytes);
  output->used += bytes;
  return true;
}

bool cli_output_commit(cli_output *output, cli_failure *failure) {
  bool good = flush(output);
  if (output->path) {
    if (close(output->fd) != 0 && good) {
      output->error = errno;
      good = false;
    }
    output->fd = -1;
    if (good && output->temporary) {
      good = cli_temporary_rename(output->temporary, output->path);
      output->temporary = NULL;
      if (!good) output->error = errno;
    }
  }
  if (!good) {
    cli_output_fail(output, failure);
    cli_output_abort(output);
    return false;
  }
  finish(output);
  return true;
}

bool cli_output_fail(const cli_output *output, cli_failure *failure) {
  return cli_fail(failure, "%s: %s", output->path ? output->path : "standard output", strerror(output->error));
}

bool cli_output_end(cli_output *output, stijl_result result, const char *text, cli_failure *failure) {
  if (result == STIJL_OK) return cli_output_commit(output, failure);
  if (result == STIJL_ERROR_IO && output->error)
    cli_output_fail(output, failure);
  else
    cli_fail_with_advice(failure, result, text);
  cli_output_abort(output);
  return false;
}

void cli_output_abort(cli_output *output) {
  if (output->path && output->fd >= 0) close(output->fd);
  if (output->temporary) cli_temporary_remove(output->temporary);
  finish(output);
}

bool cli_make_folders(char *path, size_t from, cli_failure *failure) {
  for (char *slash = path + from; (slash = strchr(slash, '/')); slash++) {
    *slash = 0;
    bool good = mkdir(path, 0777) == 0 || errno == EEXIST || cli_fail(failure, "%s: %s", path, strerror(errno));
    *slash = '/';
    if (!good) return false;
  }
  return true;
}

char *cli_folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) return strdup(".");
  return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}
