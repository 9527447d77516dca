// A text that grows.
#ifndef SJ_LAB_TEXT_H
#define SJ_LAB_TEXT_H

#include "base/array.h"

// Once an allocation has failed, `failed` is set and nothing is added any more. The text is NUL-terminated, or NULL
// while empty.
typedef struct sj_lab_text {
  stijl_context *context;
  char *data;
  size_t count, capacity;
  bool failed;
} sj_lab_text;

// Adds text. One call adds at most 2047 bytes; the rest is cut off.
__attribute__((format(printf, 2, 3))) void sj_lab_add(sj_lab_text *text, const char *format, ...);
void sj_lab_add_all(sj_lab_text *text, const char *more);
void sj_lab_add_bytes(sj_lab_text *text, const char *more, size_t bytes);
// Adds text with the escapes that XML and HTML need.
void sj_lab_add_xml(sj_lab_text *text, const char *more);
// Adds a JSON string with its quotes, or a JSON number: null for what is not finite.
void sj_lab_add_json(sj_lab_text *text, const char *more);
void sj_lab_add_number(sj_lab_text *text, double value);
void sj_lab_text_finish(sj_lab_text *text);

#endif
