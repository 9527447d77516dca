// --help.
#include <string.h>

#include "parse.h"

#define COLUMNS 80
#define TEXT_COLUMN 27

// Prints a text from column `at` on, and breaks it into lines that begin at TEXT_COLUMN.
static void print_wrapped(const char *text, int at, FILE *out) {
  for (bool first = true; *text; first = false) {
    int length = (int)strcspn(text, " ");
    if (!first && at + 1 + length > COLUMNS) {
      fprintf(out, "\n%*s", TEXT_COLUMN, "");
      at = TEXT_COLUMN;
    } else if (!first) {
      fputc(' ', out);
      at++;
    }
    fprintf(out, "%.*s", length, text);
    at += length;
    text += length + (text[length] == ' ');
  }
  fputc('\n', out);
}

static void print_option(const cli_option *o, FILE *out) {
  int at = o->letter ? fprintf(out, "  -%c, --%s", o->letter, o->name) : fprintf(out, "      --%s", o->name);
  if (o->value) at += fprintf(out, " %s", o->value);
  if (at + 2 > TEXT_COLUMN) {
    fputc('\n', out);
    at = 0;
  }
  fprintf(out, "%*s", TEXT_COLUMN - at, "");
  print_wrapped(o->help, TEXT_COLUMN, out);
}

void cli_print_help(const cli_command *command, FILE *out) {
  const char *line = command->usage;
  for (bool first = true; *line; first = false) {
    int length = (int)strcspn(line, "\n");
    fprintf(out, "%s stijl %s %.*s\n", first ? "Usage:" : "      ", command->name, length, line);
    line += length + (line[length] == '\n');
  }
  fprintf(out, "%s\n\n", command->about);
  for (const cli_option *o = command->options; o->kind != CLI_END; o++) {
    if (o->kind == CLI_HEADING)
      fprintf(out, "%s%s%s", o > command->options ? "\n" : "", o->help, *o->help ? ":\n" : "");
    else
      print_option(o, out);
  }
}
