// Text for other programs, made from the tables of options.
#ifndef STIJL_CLI_COMPLETIONS_H
#define STIJL_CLI_COMPLETIONS_H

#include <stdbool.h>
#include <stdio.h>

// Prints what makes the shell "bash", "zsh" or "fish" complete stijl's command line. Returns false for another shell.
bool cli_print_completions(const char *shell, FILE *out);

#endif
