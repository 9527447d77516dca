#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "completions.h"
#include "parse.h"
#include "print.h"
#include "report.h"
#include "stijl/stijl.h"
#include "temporary.h"

static int (*const run_command[CLI_COMMANDS])(int argc, char **argv) = {
    [CLI_RENDER] = cli_command_render,
    [CLI_TILES] = cli_command_tiles,
    [CLI_COMPARE] = cli_command_compare,
    [CLI_MATCH] = cli_command_match,
    [CLI_QUERY] = cli_command_query,
    [CLI_FRAMES] = cli_command_frames,
    [CLI_FONTS] = cli_command_fonts,
    [CLI_VIEW] = cli_command_view,
    [CLI_DEVICES] = cli_command_devices,
    [CLI_LAB] = cli_command_lab,
    [CLI_COMPLETIONS] = cli_command_completions,
    [CLI_HELP_COMMAND] = cli_command_help,
};

static void print_overview(void) {
  puts("Usage: stijl IN.svg OUT.png\n       stijl COMMAND ...\nA 2D vector renderer.\n");
  for (int i = 0; i < CLI_COMMANDS; i++) printf("  stijl %-12s %s\n", cli_commands[i].name, cli_commands[i].summary);
  puts("\n  stijl COMMAND --help  tells more\n  stijl --version       prints the version");
}

int cli_command_help(int argc, char **argv) {
  int operands, status;
  if (!cli_parse(&cli_commands[CLI_HELP_COMMAND], argc, argv, NULL, &operands, &status)) return status;
  for (int i = 0; operands && i < CLI_COMMANDS; i++)
    if (strcmp(cli_commands[i].name, argv[1]) == 0) {
      cli_print_help(&cli_commands[i], stdout);
      return 0;
    }
  if (operands) {
    cli_report(NULL, "no command \"%s\" (see stijl --help)", argv[1]);
    return 1;
  }
  print_overview();
  return 0;
}

int cli_command_completions(int argc, char **argv) {
  int operands, status;
  if (!cli_parse(&cli_commands[CLI_COMPLETIONS], argc, argv, NULL, &operands, &status)) return status;
  if (operands == 1 && cli_print_completions(argv[1], stdout)) return 0;
  cli_report(NULL, "completions takes the name of a shell: bash, zsh or fish");
  return 1;
}

static bool names_file(const char *name) {
  struct stat info;
  return strchr(name, '.') || strchr(name, '/') || stat(name, &info) == 0;
}

static int run(int argc, char **argv) {
  const char *first = argc > 1 ? argv[1] : "";
  if (strcmp(first, "--help") == 0 || (strcmp(first, "-h") == 0 && argc == 2)) {
    print_overview();
    return 0;
  }
  for (int i = 0; i < CLI_COMMANDS; i++)
    if (strcmp(cli_commands[i].name, first) == 0) return run_command[i](argc - 1, argv + 1);
  // Options may come before the word that names their command: it is put in front of them.
  for (int i = 0; *first == '-' && i < CLI_COMMANDS; i++) {
    int at = cli_first_operand(&cli_commands[i], argc, argv);
    if (at >= argc || strcmp(cli_commands[i].name, argv[at]) != 0) continue;
    char *name = argv[at];
    memmove(&argv[2], &argv[1], (size_t)(at - 1) * sizeof *argv);
    argv[1] = name;
    return run_command[i](argc - 1, argv + 1);
  }
  // What is no command is drawn. Without any word that is what a pipe brings.
  if (*first && *first != '-' && !names_file(first)) {
    cli_report(NULL, "no command or file \"%s\" (see stijl --help)", first);
    return 1;
  }
  return cli_command_render(argc, argv);
}

int main(int argc, char **argv) {
  cli_temporary_catch_signals();
  int status = run(argc, argv);
  if (fflush(stdout) != 0 || ferror(stdout) || cli_print_failed()) {
    cli_report(NULL, "standard output could not be written");
    status = status > 1 ? status : 1;
  }
  return status;
}
