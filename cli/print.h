// Text of others, for people. Names of files, ids, selectors, fonts and devices are anybody's, and a terminal obeys
// control characters; so whatever the command prints, but for JSON (json.h) and files, goes through here.
#ifndef STIJL_CLI_PRINT_H
#define STIJL_CLI_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Returns the character at *at, which is moved behind it; -1 for a byte that begins no UTF-8 sequence (Unicode 15,
// table 3-7).
int32_t cli_next_character(const char **at, const char *end);
// Returns whether a character commands a terminal, ends a line, or changes the direction of its neighbours.
bool cli_is_control(int32_t character);

// Writes the text with such characters as \xNN or \u{NNNN}, and bytes that are not UTF-8 as \xNN. What does not fit
// into `room` bytes, with a NUL, is left out, by whole characters.
void cli_escape(char *out, size_t room, const char *text, size_t length);

// One line to standard output; what the arguments hold stays on it.
__attribute__((format(printf, 1, 2))) void cli_print(const char *format, ...);
// Prints a text of several lines, whose ends stay what they are.
void cli_print_lines(const char *text);
// Returns whether memory was short for a line.
bool cli_print_failed(void);

#endif
