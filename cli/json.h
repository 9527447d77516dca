// Writing JSON into memory.
#ifndef STIJL_CLI_JSON_H
#define STIJL_CLI_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// JSON text that grows; zero-initialised it is empty. A failed allocation sets `failed`, and nothing is added after it.
typedef struct cli_json {
  char *text;
  size_t length, capacity;
  bool failed, comma;  // comma: the next value follows another
} cli_json;

void cli_json_finish(cli_json *json);

// Begins or ends an object or an array. `name` NULL: an element of an array, or the outermost value.
void cli_json_begin(cli_json *json, const char *name, char bracket);  // '{' or '['
void cli_json_end(cli_json *json, char bracket);                      // '}' or ']'
// Writes a text. Bytes that are not UTF-8 become U+FFFD; what a terminal would obey (cli_is_control) is written as
// \uNNNN.
void cli_json_string(cli_json *json, const char *name, const char *value);
// Writes the name of a file, which may be any bytes: those that are not UTF-8 become U+DC80 to U+DCFF, as Python's
// "surrogateescape" has it, so that the name can be told from the text.
void cli_json_name(cli_json *json, const char *name, const char *value);
void cli_json_unsigned(cli_json *json, const char *name, uint64_t value);
void cli_json_bool(cli_json *json, const char *name, bool value);
// Writes the value with three digits after the point.
void cli_json_decimal(cli_json *json, const char *name, double value);
// Writes as many digits as a float has; a value that is not finite becomes null.
void cli_json_number(cli_json *json, const char *name, double value);
void cli_json_null(cli_json *json, const char *name);
// Writes the text of a whole value.
void cli_json_raw(cli_json *json, const char *value);

#endif
