// Files that are written under another name until they are complete, and gone when a signal ends the process.
#ifndef STIJL_CLI_TEMPORARY_H
#define STIJL_CLI_TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_temporary cli_temporary;

// Makes SIGINT, SIGTERM, SIGHUP and SIGPIPE remove what is not complete, and then end the process as they do by default
// (for a shell, with the status 128 + signal). A write to a closed pipe thus ends it quietly.
void cli_temporary_catch_signals(void);

// Does what the handlers of these signals do first, for others that end the process: afterwards no file is left, and
// none can be made.
void cli_temporary_end(void);

// Returns the tag of this process, whose temporary files are named .stijl-TAG-NUMBER.tmp. No two processes have the
// same one, on whatever machines, so that what a process that was killed has left can be told from what another one is
// writing.
const char *cli_temporary_tag(void);
// Removes the files with one of these tags from the folder. How many there were.
size_t cli_temporary_sweep(const char *folder, char *const *tags, size_t count);

// Creates a file beside `path` and opens it for writing; NULL with errno on failure.
cli_temporary *cli_temporary_create(const char *path, int *fd);
// Ends the life of a temporary file, whose file the caller closes.
bool cli_temporary_rename(cli_temporary *file, const char *path);  // false with errno: the file is removed
void cli_temporary_remove(cli_temporary *file);

#endif
