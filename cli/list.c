#include "list.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct list_reader {
  char name[CLI_NAME_BYTES];
  size_t used;
  bool whole;
  cli_take_name *take;
  void *user;
} list_reader;

static bool end_name(list_reader *r) {
  r->name[r->used] = 0;
  bool good = (!r->used && r->whole) || r->take(r->user, r->name, r->whole);
  r->used = 0;
  r->whole = true;
  return good;
}

static bool read_names(list_reader *r, FILE *file, const char *path, int separator, cli_failure *failure) {
  bool good = true;
  r->whole = true;
  for (int c; good && (c = getc_unlocked(file)) != EOF;) {
    if (c == separator)
      good = end_name(r);
    else if (!c)
      return cli_fail(failure, "%.200s: it has NUL characters (-0 reads a list that they separate)", path);
    else if (r->used + 1 < sizeof r->name)
      r->name[r->used++] = (char)c;
    else
      r->whole = false;
  }
  if (ferror(file)) return cli_fail(failure, "%.200s: %s", path, strerror(errno));
  return (good && end_name(r)) || cli_fail(failure, "out of memory");
}

bool cli_list_read(const char *path, bool null_separated, cli_take_name *take, void *user, cli_failure *failure) {
  list_reader reader = {.take = take, .user = user};
  bool stream = strcmp(path, "-") == 0;
  FILE *file = stream ? stdin : fopen(path, "re");
  if (!file) return cli_fail(failure, "%.200s: %s", path, strerror(errno));
  bool good = read_names(&reader, file, stream ? "standard input" : path, null_separated ? 0 : '\n', failure);
  if (!stream) fclose(file);
  return good;
}
