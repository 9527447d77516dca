// Reading a command line by the table of its command.
#ifndef STIJL_CLI_PARSE_H
#define STIJL_CLI_PARSE_H

#include <stdbool.h>
#include <stdio.h>

#include "command.h"

// Parses a command line, of which argv[0] is the command's name. Sets the options in *target, moves the operands to the
// front of argv + 1 and counts them. Returns false when the command line asks for help or the version, or is wrong:
// that has been said then, and *status is the exit status.
bool cli_parse(const cli_command *command, int argc, char **argv, void *target, int *operands, int *status);

// Returns the index of the first argument that is neither an option of this command nor the value of one; argc without
// one, or where an option is none of the command's.
int cli_first_operand(const cli_command *command, int argc, char **argv);

void cli_print_help(const cli_command *command, FILE *out);

// Parses a whole number in the form of the value of -h, or of a word: all digits.
bool cli_parse_whole(const char *text, double lo, double hi, unsigned long long *out);

#endif
