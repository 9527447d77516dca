#include "describe.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "clock.h"

// Returns the size of what is compared with its default; 0 for the rest, which is empty by default.
static size_t bytes_of(cli_kind kind) {
  switch (kind) {
    case CLI_FLAG: return sizeof(bool);
    case CLI_INT:
    case CLI_WORD: return sizeof(int);
    case CLI_U32: return sizeof(uint32_t);
    case CLI_U64: return sizeof(uint64_t);
    case CLI_FLOAT: return sizeof(float);
    case CLI_DOUBLE:
    case CLI_TIME: return sizeof(double);
    case CLI_TEXT: return sizeof(const char *);
    case CLI_LIST:
    case CLI_WHOLES:
    case CLI_NUMBERS:
    case CLI_HEADING:
    case CLI_HELP:
    case CLI_VERSION:
    case CLI_END: break;
  }
  return 0;
}

static void put_text(FILE *out, const cli_option *o, const char *text) {
  struct stat info;
  cli_time_text time;
  fprintf(out, " --%s=%s", o->name, text);
  if (o->complete == CLI_COMPLETE_FILE && stat(text, &info) == 0) fprintf(out, "@%s", cli_time(&info.st_mtim, &time));
}

static void put(FILE *out, const cli_option *o, const void *place) {
  const cli_numbers *numbers = place;
  const cli_list *list = place;
  switch (o->kind) {
    case CLI_FLAG: fprintf(out, " --%s", o->name); break;
    case CLI_INT:
    case CLI_WORD: fprintf(out, " --%s=%d", o->name, *(const int *)place); break;
    case CLI_U32: fprintf(out, " --%s=%" PRIu32, o->name, *(const uint32_t *)place); break;
    case CLI_U64: fprintf(out, " --%s=%" PRIu64, o->name, *(const uint64_t *)place); break;
    case CLI_FLOAT: fprintf(out, " --%s=%.9g", o->name, (double)*(const float *)place); break;
    case CLI_DOUBLE:
    case CLI_TIME: fprintf(out, " --%s=%.17g", o->name, *(const double *)place); break;
    case CLI_TEXT: put_text(out, o, *(const char *const *)place); break;
    case CLI_LIST:
      for (int i = 0; i < list->count; i++) put_text(out, o, list->items[i]);
      break;
    case CLI_WHOLES:
    case CLI_NUMBERS:
      if (numbers->count) fprintf(out, " --%s=", o->name);
      for (int i = 0; i < numbers->count; i++) fprintf(out, "%s%.17g", i ? "," : "", numbers->items[i]);
      break;
    case CLI_HEADING:
    case CLI_HELP:
    case CLI_VERSION:
    case CLI_END: break;
  }
}

char *cli_describe(const cli_option *table, const void *options, const void *defaults) {
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  if (!out) return NULL;
  for (const cli_option *o = table; o->kind != CLI_END; o++) {
    const char *place = (const char *)options + o->offset, *before = (const char *)defaults + o->offset;
    size_t bytes = bytes_of(o->kind);
    if (o->kind != CLI_HEADING && !o->aside && (!bytes || memcmp(place, before, bytes) != 0)) put(out, o, place);
  }
  if (fclose(out) != 0) return NULL;
  if (*text) memmove(text, text + 1, length);  // the first blank separates nothing
  return text;
}
