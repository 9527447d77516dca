// Reading inputs and writing outputs; "-" is a standard stream.
#ifndef STIJL_CLI_FILE_H
#define STIJL_CLI_FILE_H

#include <stdint.h>

#include "report.h"
#include "temporary.h"

bool cli_is_folder(const char *path);

// Reads the whole of a file, which the caller frees. Fails when it has more than max_bytes.
bool cli_read(const char *path, uint64_t max_bytes, unsigned char **data, size_t *bytes, cli_failure *failure);

// A file that appears, or replaces another, only when it is complete: it is written beside its place and then renamed.
// What is no regular file (a pipe, a device) is written directly.
typedef struct cli_output {
  int fd;
  char *path;                // NULL: standard output
  cli_temporary *temporary;  // NULL: written directly
  int error;                 // errno of the first write that failed, 0
  size_t used;
  unsigned char *buffer;
} cli_output;

bool cli_output_open(cli_output *output, const char *path, cli_failure *failure);
// Writes to an output, as a callback for stijl_png_encode; `user` is the cli_output.
bool cli_output_write(void *user, const void *data, size_t bytes);
// Puts the file in its place.
bool cli_output_commit(cli_output *output, cli_failure *failure);
// Fails with the error of the first write that failed.
bool cli_output_fail(const cli_output *output, cli_failure *failure);
// Ends what the library has written: puts the file in its place or, where that has failed, leaves no trace of it and
// fails with the output's error or with the library's `text`.
bool cli_output_end(cli_output *output, stijl_result result, const char *text, cli_failure *failure);
// Leaves no trace of it.
void cli_output_abort(cli_output *output);

// Makes the folders that the path names before its slashes from the byte `from` on. Changes the path meanwhile.
bool cli_make_folders(char *path, size_t from, cli_failure *failure);

// Returns the folder that the file is in, which the caller frees; NULL when memory is short.
char *cli_folder_of(const char *path);

#endif
