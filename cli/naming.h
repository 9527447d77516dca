// How the picture of an input at a size is named.
#ifndef STIJL_CLI_NAMING_H
#define STIJL_CLI_NAMING_H

#include "options.h"

// Returns whether the output is a pattern: it has {name}, {width}, {height} or {zoom}.
bool cli_is_pattern(const char *output);
// Checks that -o names as many pictures as are asked for. Returns true also for what is no pattern, where there is one
// size.
bool cli_check_pattern(const cli_options *options, cli_failure *failure);

typedef enum cli_naming { CLI_NAME_FILE, CLI_NAME_IN_FOLDER, CLI_NAME_PATTERN } cli_naming;

cli_naming cli_choose_naming(const cli_options *options);

// Returns the bytes of ".svg" or ".svgz" at the end of the name; 0 without.
size_t cli_document_ending(const char *name);

// Returns the name of the picture of an input at a size, which the caller frees; NULL when memory is short. `kept`:
// where the part of the input's name begins that names pictures. *base: folders whose slashes stand behind so many
// bytes are to be made when they are needed; 0: none.
char *cli_name_picture(const cli_options *options, cli_naming naming, const char *input, size_t kept, int size,
                       size_t *base);

#endif
