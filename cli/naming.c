#include "naming.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "file.h"

typedef enum field { NAME, WIDTH, HEIGHT, ZOOM, FIELDS } field;
static const char *const fields[FIELDS] = {"{name}", "{width}", "{height}", "{zoom}"};

static field field_at(const char *text) {
  for (int i = 0; i < FIELDS; i++)
    if (strncmp(text, fields[i], strlen(fields[i])) == 0) return (field)i;
  return FIELDS;
}

bool cli_is_pattern(const char *output) {
  for (const char *c = output; *c; c++)
    if (*c == '{' && field_at(c) != FIELDS) return true;
  return false;
}

cli_naming cli_choose_naming(const cli_options *o) {
  const char *output = o->output;
  if (cli_is_pattern(output)) return CLI_NAME_PATTERN;
  if (o->pages) return CLI_NAME_FILE;
  bool folder = cli_is_batch(o) || cli_is_folder(output) || output[strlen(output) - 1] == '/';
  return folder ? CLI_NAME_IN_FOLDER : CLI_NAME_FILE;
}

bool cli_check_pattern(const cli_options *o, cli_failure *failure) {
  if (!cli_is_pattern(o->output)) {
    if (o->size_count == 1 || cli_choose_naming(o) == CLI_NAME_IN_FOLDER) return true;
    const char *name = o->zooms.count ? "zoom" : o->widths.count > 1 ? "width" : "height";
    return cli_fail(failure, "several sizes need a folder, -o FOLDER/, or a pattern, such as -o 'NAME-{%s}.png'", name);
  }
  for (const char *c = strchr(o->output, '{'); c; c = strchr(c + 1, '{')) {
    field f = field_at(c);
    bool given = f == NAME || (f == WIDTH && o->widths.count) || (f == HEIGHT && o->heights.count) ||
                 (f == ZOOM && o->zooms.count);
    if (f == FIELDS)
      return cli_fail(failure, "-o %.200s: {name}, {width}, {height} and {zoom} are what braces may hold", o->output);
    if (!given)
      return cli_fail(failure, "-o %.200s: --%s is not given", o->output,
                      (const char *[]){"", "width", "height", "zoom"}[f]);
  }
  if (cli_is_batch(o) && !strstr(o->output, fields[NAME]))
    return cli_fail(failure, "-o %.200s: several inputs need {name} in the pattern", o->output);
  for (int i = 0; i < FIELDS; i++) {
    const cli_numbers *list[] = {NULL, &o->widths, &o->heights, &o->zooms};
    bool paired = i == WIDTH && o->heights.count > 1;
    if (i != NAME && list[i]->count > 1 && !paired && !strstr(o->output, fields[i]) &&
        !(i == HEIGHT && o->widths.count > 1))
      return cli_fail(failure, "-o %.200s: several sizes need %s in the pattern", o->output, fields[i]);
  }
  return true;
}

size_t cli_document_ending(const char *name) {
  size_t length = strlen(name);
  if (length > 4 && strcasecmp(name + length - 4, ".svg") == 0) return 4;
  return length > 5 && strcasecmp(name + length - 5, ".svgz") == 0 ? 5 : 0;
}

// Puts what tells the sizes of a document apart. The picture at its own size has none, as icons for screens are named.
static void put_size(const cli_options *o, const cli_size *size, FILE *out) {
  if (o->size_count == 1 || size->zoom == 1) return;
  if (size->zoom > 0)
    fprintf(out, "@%gx", size->zoom);
  else if (size->width && size->height)
    fprintf(out, "-%dx%d", size->width, size->height);
  else
    fprintf(out, "-%d", size->width + size->height);
}

static void put_pattern(const char *pattern, const char *name, int length, const cli_size *size, FILE *out) {
  for (const char *c = pattern; *c;) {
    field f = *c == '{' ? field_at(c) : FIELDS;
    switch (f) {
      case NAME: fprintf(out, "%.*s", length, name); break;
      case WIDTH: fprintf(out, "%d", size->width); break;
      case HEIGHT: fprintf(out, "%d", size->height); break;
      case ZOOM: fprintf(out, "%g", size->zoom); break;
      default: putc(*c, out); break;
    }
    c += f == FIELDS ? 1 : strlen(fields[f]);
  }
}

char *cli_name_picture(const cli_options *o, cli_naming naming, const char *input, size_t kept, int size,
                       size_t *base) {
  const char *name = input + kept, *output = o->output;
  int length = (int)(strlen(name) - cli_document_ending(name));
  char *made = NULL;
  size_t bytes;
  *base = 0;
  if (naming == CLI_NAME_FILE) return strdup(output);
  FILE *out = open_memstream(&made, &bytes);
  if (!out) return NULL;
  if (naming == CLI_NAME_PATTERN) {
    *base = 1;
    put_pattern(output, name, length, &o->sizes[size], out);
  } else {
    bool ends = output[strlen(output) - 1] == '/';
    *base = strlen(output) + !ends;
    fprintf(out, "%s%s%.*s", output, ends ? "" : "/", length, name);
    put_size(o, &o->sizes[size], out);
    int letters;
    const char *ending = cli_format_ending(o->format, &letters);
    fprintf(out, ".%.*s", letters, ending);
  }
  return fclose(out) == 0 ? made : NULL;
}
