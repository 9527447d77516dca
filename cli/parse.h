// Reading a command line by the table of its command.
#ifndef STIJL_CLI_PARSE_H
#define STIJL_CLI_PARSE_H

#include <stdbool.h>
#include <stdio.h>

#include "command.h"

// argv[0] is the command's name. Sets the options in *target, moves the operands to the front of argv + 1 and counts
// them. False when the command line asks for help or the version, or is wrong: that has been said then, and *status is
// the exit status.
bool cli_parse(const cli_command *command, int argc, char **argv, void *target, int *operands, int *status);

void cli_print_help(const cli_command *command, FILE *out);

// The form of the value of -h, or of a word: all digits.
bool cli_parse_whole(const char *text, double lo, double hi, unsigned long long *out);

#endif
