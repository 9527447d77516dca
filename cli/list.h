// Lists of names of files.
#ifndef STIJL_CLI_LIST_H
#define STIJL_CLI_LIST_H

#include "report.h"

// Of a name, with its NUL: no file can be opened by a longer one.
#define CLI_NAME_BYTES 4096

// `whole`: otherwise the name is too long, and the text its beginning. False ends the reading: memory is short.
typedef bool cli_take_name(void *user, const char *text, bool whole);

// Hands the names in a list to `take`, one by one as they are read; "-" is standard input. Empty names are skipped.
bool cli_list_read(const char *path, bool null_separated, cli_take_name *take, void *user, cli_failure *failure);

#endif
