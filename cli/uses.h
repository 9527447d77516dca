// What a run reads and writes, so that it writes neither over what it reads nor twice over the same file. Files are
// told apart by what they are, not by their names: links and other spellings lead to the same one.
#ifndef STIJL_CLI_USES_H
#define STIJL_CLI_USES_H

#include "report.h"

typedef struct cli_use {
  const char *path;  // "-" is a standard stream. NULL: nothing is read or written
  const char *name;  // how messages call an output: "--stats", "the picture"
  bool output;
  const struct cli_use *same;  // set by cli_uses_compare, else NULL
} cli_use;

// Sets `same` of each output that is an input, or an output before it: one of those. An output that is not there yet
// is the same as another that would be made in the same folder under the same name. With `force` inputs do not count.
// False when memory is short.
bool cli_uses_compare(cli_use *uses, size_t count, bool force);
// Fails with what is wrong with an output whose `same` is set. `advice` says what lets it replace an input; may be "".
bool cli_use_fail(const cli_use *use, const char *advice, cli_failure *failure);

// Does both: fails for the first output at fault.
bool cli_uses_check(cli_use *uses, size_t count, bool force, const char *advice, cli_failure *failure);

#endif
