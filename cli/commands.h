// The subcommands: argv[0] is the name of the subcommand; the result is the exit status.
#ifndef STIJL_CLI_COMMANDS_H
#define STIJL_CLI_COMMANDS_H

#include <stdbool.h>

int cli_command_render(int argc, char **argv);
int cli_command_tiles(int argc, char **argv);
int cli_command_frames(int argc, char **argv);
int cli_command_compare(int argc, char **argv);
int cli_command_match(int argc, char **argv);
int cli_command_query(int argc, char **argv);
int cli_command_fonts(int argc, char **argv);
int cli_command_view(int argc, char **argv);
int cli_command_devices(int argc, char **argv);
int cli_command_lab(int argc, char **argv);
int cli_command_completions(int argc, char **argv);
int cli_command_help(int argc, char **argv);

typedef struct cli_devices_options {
  bool json;
} cli_devices_options;

#endif
