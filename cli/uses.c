#include "uses.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A file, whatever its names.
typedef struct identity {
  dev_t device;
  ino_t number;
  char *rest;  // of a file that is not there: its path below the folder `number`. NULL: `number` is the file itself
  cli_use *use;
} identity;

static int compare_identities(const identity *x, const identity *y) {
  if (x->device != y->device) return x->device < y->device ? -1 : 1;
  if (x->number != y->number) return x->number < y->number ? -1 : 1;
  if (!x->rest || !y->rest) return (x->rest != NULL) - (y->rest != NULL);
  return strcmp(x->rest, y->rest);
}

// Compares uses by what they are of: inputs first, then outputs in their order.
static int by_identity(const void *a, const void *b) {
  const identity *x = a, *y = b;
  int order = compare_identities(x, y);
  if (!order) order = x->use->output - y->use->output;
  return order ? order : (x->use > y->use) - (x->use < y->use);
}

static bool is_standard_output(const char *path) { return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0; }

// Copies a path without empty parts and ".".
static char *tidy(const char *path) {
  char *made = malloc(strlen(path) + 1), *out = made;
  while (made && *path) {
    size_t length = strcspn(path, "/");
    if (length && !(length == 1 && *path == '.')) {
      if (out > made) *out++ = '/';
      memcpy(out, path, length);
      out += length;
    }
    path += length + (path[length] == '/');
  }
  if (made) *out = 0;
  return made;
}

// Identifies a file that is not there by the nearest folder above it that is, and the path below that.
static bool identify_missing(const char *path, identity *out) {
  char *above = strdup(path);
  struct stat info;
  size_t length = above ? strlen(path) : 0;
  bool found = false;
  while (length && !found) {
    while (length && path[length - 1] != '/') length--;
    if (above) above[length] = 0;
    found = stat(length ? above : ".", &info) == 0 && S_ISDIR(info.st_mode);
    if (found) *out = (identity){.device = info.st_dev, .number = info.st_ino, .rest = tidy(path + length)};
    while (length && path[length - 1] == '/') length--;
  }
  free(above);
  return found && out->rest;
}

// Identifies a file. Returns false where nothing can be the same: devices and folders. *failed: memory is short.
static bool identify(const cli_use *use, identity *out, bool *failed) {
  struct stat info;
  bool stream = strcmp(use->path, "-") == 0;
  *out = (identity){0};
  if ((stream ? fstat(use->output ? STDOUT_FILENO : STDIN_FILENO, &info) : stat(use->path, &info)) != 0) {
    if (!stream && use->output && !identify_missing(use->path, out)) *failed = true;
    return !stream && use->output && !*failed;
  }
  out->device = info.st_dev;
  out->number = info.st_ino;
  if (S_ISREG(info.st_mode) || (use->output && S_ISFIFO(info.st_mode))) return true;
  if (!use->output || !is_standard_output(use->path)) return false;
  *failed = !(out->rest = strdup("-"));
  return !*failed;
}

bool cli_uses_compare(cli_use *uses, size_t count, bool force) {
  identity *list = malloc((count + 1) * sizeof *list);
  if (!list) return false;
  size_t found = 0;
  bool failed = false;
  for (size_t i = 0; i < count && !failed; i++) {
    uses[i].same = NULL;
    if (!uses[i].path || (force && !uses[i].output) || !identify(&uses[i], &list[found], &failed)) continue;
    list[found++].use = &uses[i];
  }
  qsort(list, found, sizeof *list, by_identity);
  for (size_t i = 0, first = 0; i < found && !failed; i++) {
    if (compare_identities(&list[first], &list[i]) != 0) first = i;
    if (i > first && list[i].use->output) list[i].use->same = list[first].use;
  }
  for (size_t i = 0; i < found; i++) free(list[i].rest);
  free(list);
  return !failed;
}

bool cli_use_fail(const cli_use *use, const char *advice, cli_failure *failure) {
  const cli_use *same = use->same;
  bool stream = strcmp(use->path, "-") == 0;
  if (!same->output)
    return cli_fail(failure, "%s%.300s is an input, which would be overwritten%s",
                    stream ? "what standard output leads to" : "", stream ? "" : use->path, advice);
  if (stream && strcmp(same->path, "-") == 0)
    return cli_fail(failure, "%s and %s cannot both go to standard output", same->name, use->name);
  return cli_fail(failure, "%s and %s cannot be the same file: %.300s", same->name, use->name, use->path);
}

bool cli_uses_check(cli_use *uses, size_t count, bool force, const char *advice, cli_failure *failure) {
  if (!cli_uses_compare(uses, count, force)) return cli_fail(failure, "out of memory");
  for (size_t i = 0; i < count; i++)
    if (uses[i].same) return cli_use_fail(&uses[i], advice, failure);
  return true;
}
