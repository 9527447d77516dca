// generate bash | zsh | fish            the completions of a shell
// generate manual TEMPLATE              the manual page: each line .\" OPTIONS COMMAND becomes the list of its options
// Runs at build time, to standard output.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "completions.h"

// Puts a sentence, or what becomes one.
static void put_text(const char *text) {
  for (const char *c = text; *c; c++) {
    if (*c == '\\')
      fputs("\\e", stdout);
    else if (c[0] == ' ' && c > text && c[-1] == '.')
      putchar('\n');  // a new sentence, a new line
    else
      putchar(c == text ? toupper((unsigned char)*c) : *c);
  }
}

static void put_options(const cli_option *o) {
  if (o->kind != CLI_HEADING) puts(".Bl -tag -width Ds");
  for (const cli_option *first = o; o->kind != CLI_END; o++) {
    if (o->kind == CLI_HEADING) {
      if (o > first) puts(".El");
      puts(".Pp");
      put_text(*o->help ? o->help : "And");
      puts(":\n.Bl -tag -width Ds");
      continue;
    }
    fputs(".It ", stdout);
    if (o->letter) printf("Fl %c , ", o->letter);
    printf("Fl -%s", o->name);
    if (o->value) {
      fputs(" Ar ", stdout);
      for (const char *c = o->value; *c; c++) putchar(tolower((unsigned char)*c));
    }
    putchar('\n');
    put_text(o->help);
    puts(".");
    if (o->more) {
      put_text(o->more);
      putchar('\n');
    }
  }
  puts(".El");
}

static const cli_command *find(const char *name) {
  for (int i = 0; i < CLI_COMMANDS; i++)
    if (strcmp(cli_commands[i].name, name) == 0) return &cli_commands[i];
  return NULL;
}

static int put_manual(const char *path) {
  static const char mark[] = ".\\\" OPTIONS ";
  FILE *template = fopen(path, "r");
  if (!template) {
    perror(path);
    return 1;
  }
  int status = 0;
  char line[1024];
  while (fgets(line, sizeof line, template)) {
    if (strncmp(line, mark, sizeof mark - 1) != 0) {
      fputs(line, stdout);
      continue;
    }
    line[strcspn(line, "\n")] = 0;
    const cli_command *command = find(line + sizeof mark - 1);
    if (command)
      put_options(command->options);
    else
      fprintf(stderr, "%s: no command %s\n", path, line + sizeof mark - 1), status = 1;
  }
  fclose(template);
  return status;
}

int main(int argc, char **argv) {
  int status = 1;
  if (argc == 3 && strcmp(argv[1], "manual") == 0)
    status = put_manual(argv[2]);
  else if (argc == 2)
    status = cli_print_completions(argv[1], stdout) ? 0 : 1;
  return fflush(stdout) == 0 ? status : 1;
}
