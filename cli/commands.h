// The subcommands: argv[0] is the name of the subcommand; the result is the exit status.
#ifndef STIJL_CLI_COMMANDS_H
#define STIJL_CLI_COMMANDS_H

int cli_command_render(int argc, char **argv);
int cli_command_compare(int argc, char **argv);
int cli_command_devices(int argc, char **argv);
int cli_command_match(int argc, char **argv);

#endif
