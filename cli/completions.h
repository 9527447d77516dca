// Text for other programs, made from the tables of options.
#ifndef STIJL_CLI_COMPLETIONS_H
#define STIJL_CLI_COMPLETIONS_H

#include <stdbool.h>
#include <stdio.h>

// What makes the shell "bash", "zsh" or "fish" complete stijl's command line; false for another.
bool cli_print_completions(const char *shell, FILE *out);

#endif
