// Whether a picture's file is whole.
#ifndef STIJL_CLI_COMPLETE_H
#define STIJL_CLI_COMPLETE_H

#include "format.h"

// Returns whether a file is complete, by its first and last bytes, and the length that stands in it. A file that was
// renamed to its name has all that was written, unless the machine lost its power. Knows the formats that tiles are
// written in.
bool cli_is_complete(const char *path, cli_format format);

#endif
