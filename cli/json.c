#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

// The length of the UTF-8 sequence at `s`, 0 when it is none (Unicode 15, table 3-7).
static size_t utf8_length(const unsigned char *s) {
  unsigned lo = 0x80, hi = 0xbf;
  size_t n;
  if (s[0] < 0x80) return 1;
  if (s[0] >= 0xc2 && s[0] <= 0xdf) {
    n = 2;
  } else if (s[0] >= 0xe0 && s[0] <= 0xef) {
    n = 3;
    if (s[0] == 0xe0) lo = 0xa0;
    if (s[0] == 0xed) hi = 0x9f;
  } else if (s[0] >= 0xf0 && s[0] <= 0xf4) {
    n = 4;
    if (s[0] == 0xf0) lo = 0x90;
    if (s[0] == 0xf4) hi = 0x8f;
  } else {
    return 0;
  }
  if (s[1] < lo || s[1] > hi) return 0;
  for (size_t i = 2; i < n; i++)
    if (s[i] < 0x80 || s[i] > 0xbf) return 0;
  return n;
}

static void put_quoted(cli_json *json, const char *value) {
  put(json, "\"", 1);
  for (const unsigned char *s = (const unsigned char *)value; *s;) {
    size_t n = utf8_length(s);
    char escaped[8];
    if (n == 0) {
      put_text(json, "\\ufffd");
      s++;
      continue;
    }
    if (*s == '"' || *s == '\\') {
      snprintf(escaped, sizeof escaped, "\\%c", *s);
      put_text(json, escaped);
    } else if (*s < ' ') {
      snprintf(escaped, sizeof escaped, "\\u%04x", *s);
      put_text(json, escaped);
    } else {
      put(json, (const char *)s, n);
    }
    s += n;
  }
  put(json, "\"", 1);
}

static void put_name(cli_json *json, const char *name) {
  if (json->comma) put(json, ", ", 2);
  json->comma = true;
  if (!name) return;
  put_quoted(json, name);
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
  put_quoted(json, value);
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
