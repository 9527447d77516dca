#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print.h"

void cli_json_finish(cli_json *json) {
  free(json->text);
  *json = (cli_json){0};
}

static void put(cli_json *json, const char *text, size_t length) {
  if (json->failed) return;
  if (length >= json->capacity - json->length) {
    size_t capacity = 2 * (json->capacity + length) + 256;
    char *larger = realloc(json->text, capacity);
    if (!larger) {
      json->failed = true;
      return;
    }
    json->text = larger;
    json->capacity = capacity;
  }
  memcpy(json->text + json->length, text, length);
  json->length += length;
  json->text[json->length] = 0;
}

static void put_text(cli_json *json, const char *text) { put(json, text, strlen(text)); }

static void put_quoted(cli_json *json, const char *value, bool any_bytes) {
  put(json, "\"", 1);
  for (const char *at = value, *end = value + strlen(value); at < end;) {
    const char *from = at;
    int32_t c = cli_next_character(&at, end);
    char escaped[12];
    if (c == '"' || c == '\\') {
      snprintf(escaped, sizeof escaped, "\\%c", (char)c);
      put_text(json, escaped);
    } else if (c < 0 || cli_is_control(c)) {
      unsigned code = c >= 0 ? (unsigned)c : any_bytes ? 0xdc00u + (unsigned char)*from : 0xfffdu;
      snprintf(escaped, sizeof escaped, "\\u%04x", code);
      put_text(json, escaped);
    } else {
      put(json, from, (size_t)(at - from));
    }
  }
  put(json, "\"", 1);
}

static void put_name(cli_json *json, const char *name) {
  if (json->comma) put(json, ", ", 2);
  json->comma = true;
  if (!name) return;
  put_quoted(json, name, false);
  put(json, ": ", 2);
}

void cli_json_begin(cli_json *json, const char *name, char bracket) {
  put_name(json, name);
  put(json, &bracket, 1);
  json->comma = false;
}

void cli_json_end(cli_json *json, char bracket) {
  put(json, &bracket, 1);
  json->comma = true;
}

void cli_json_string(cli_json *json, const char *name, const char *value) {
  put_name(json, name);
  put_quoted(json, value, false);
}

void cli_json_name(cli_json *json, const char *name, const char *value) {
  put_name(json, name);
  put_quoted(json, value, true);
}

void cli_json_unsigned(cli_json *json, const char *name, uint64_t value) {
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, value);
  put_name(json, name);
  put_text(json, text);
}

void cli_json_bool(cli_json *json, const char *name, bool value) {
  put_name(json, name);
  put_text(json, value ? "true" : "false");
}

void cli_json_decimal(cli_json *json, const char *name, double value) {
  char text[400];
  snprintf(text, sizeof text, "%.3f", value);
  put_name(json, name);
  put_text(json, text);
}

void cli_json_null(cli_json *json, const char *name) {
  put_name(json, name);
  put_text(json, "null");
}

void cli_json_number(cli_json *json, const char *name, double value) {
  char text[32];
  if (!isfinite(value)) {
    cli_json_null(json, name);
    return;
  }
  snprintf(text, sizeof text, "%.9g", value);
  put_name(json, name);
  put_text(json, text);
}

void cli_json_raw(cli_json *json, const char *value) {
  put_name(json, NULL);
  put_text(json, value);
}
