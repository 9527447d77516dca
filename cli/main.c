#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "report.h"
#include "stijl/stijl.h"

static const char help[] =
    "Usage: stijl COMMAND ...\n"
    "A 2D vector renderer.\n"
    "\n"
    "  stijl render IN.svg -o OUT.png   draws SVG as PNG\n"
    "  stijl compare A.png B.png        counts differing pixels\n"
    "  stijl match PAGE SHEET.css...    which selectors apply to which elements\n"
    "  stijl devices                    lists what can render here\n"
    "\n"
    "  stijl COMMAND --help             tells more\n"
    "  stijl --version                  prints the version\n";

static const struct {
  const char *name;
  int (*run)(int argc, char **argv);
} commands[] = {{"render", cli_command_render}, {"compare", cli_command_compare}, {"devices", cli_command_devices}, {"match", cli_command_match}};

static int run(int argc, char **argv) {
  if (argc < 2) {
    cli_report(NULL, "no command (see stijl --help)");
    return 1;
  }
  if (strcmp(argv[1], "--help") == 0) {
    fputs(help, stdout);
    return 0;
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("stijl %s\n", stijl_version());
    return 0;
  }
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (strcmp(commands[i].name, argv[1]) == 0) return commands[i].run(argc - 1, argv + 1);
  cli_report(NULL, "no command \"%s\" (see stijl --help)", argv[1]);
  return 1;
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN);  // a closed pipe is a failed write
  int status = run(argc, argv);
  if (fflush(stdout) != 0) {
    cli_report(NULL, "standard output could not be written");
    status = status > 1 ? status : 1;
  }
  return status;
}
