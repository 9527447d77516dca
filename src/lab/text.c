#include "lab/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

void sj_lab_add_bytes(sj_lab_text *t, const char *more, size_t length) {
  if (t->failed || !sj_array_reserve(t->context, t, length + 1)) {
    t->failed = true;
    return;
  }
  memcpy(t->data + t->count, more, length);
  t->count += length;
  t->data[t->count] = 0;
}

void sj_lab_add_all(sj_lab_text *t, const char *more) { sj_lab_add_bytes(t, more, strlen(more)); }

void sj_lab_add(sj_lab_text *t, const char *format, ...) {
  char line[2048];
  va_list args;
  va_start(args, format);
  int length = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  if (length > 0) sj_lab_add_bytes(t, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

void sj_lab_add_xml(sj_lab_text *t, const char *more) {
  for (; *more; more++) {
    if (*more == '&')
      sj_lab_add_all(t, "&amp;");
    else if (*more == '<')
      sj_lab_add_all(t, "&lt;");
    else if (*more == '>')
      sj_lab_add_all(t, "&gt;");
    else if (*more == '"')
      sj_lab_add_all(t, "&quot;");
    else
      sj_lab_add_bytes(t, (unsigned char)*more < ' ' && *more != '\n' ? " " : more, 1);
  }
}

void sj_lab_add_json(sj_lab_text *t, const char *more) {
  sj_lab_add_bytes(t, "\"", 1);
  for (const char *at = more, *end = more + strlen(more), *from = at; at < end; from = at) {
    int32_t c = sj_utf8_next(&at, end);
    if (c == '"' || c == '\\')
      sj_lab_add(t, "\\%c", (char)c);
    else if (c < 0 || sj_is_control(c))
      sj_lab_add(t, "\\u%04x", c < 0 ? SJ_REPLACEMENT_CHARACTER : (unsigned)c);
    else
      sj_lab_add_bytes(t, from, (size_t)(at - from));
  }
  sj_lab_add_bytes(t, "\"", 1);
}

void sj_lab_add_number(sj_lab_text *t, double value) {
  if (!isfinite(value))
    sj_lab_add_all(t, "null");
  else if (value == floor(value) && fabs(value) < 1e15)
    sj_lab_add(t, "%.0f", value);
  else
    sj_lab_add(t, "%.6g", value);
}

void sj_lab_text_finish(sj_lab_text *t) {
  sj_free(t->context, t->data);
  *t = (sj_lab_text){.context = t->context};
}
