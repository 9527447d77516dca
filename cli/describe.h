// Options as text.
#ifndef STIJL_CLI_DESCRIBE_H
#define STIJL_CLI_DESCRIBE_H

#include "command.h"

// Writes the options of a table that differ from the defaults and that finished pictures depend on (cli_option.aside),
// in the order of the table; files that they name with their time of change. The caller frees the text; NULL when
// memory is short.
char *cli_describe(const cli_option *table, const void *options, const void *defaults);

#endif
