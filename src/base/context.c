#include "base/context.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/params.h"
#include "base/utf8.h"

static void *default_reallocate(void *user, void *ptr, size_t bytes) {
  (void)user;
  if (bytes == 0) {
    free(ptr);
    return NULL;
  }
  return realloc(ptr, bytes);
}

static stijl_context default_context = {.reallocate = default_reallocate};

stijl_context *sj_context(stijl_context *context) { return context ? context : &default_context; }

const char *stijl_version(void) { return STIJL_VERSION; }

stijl_result stijl_context_create(const stijl_context_params *params, stijl_context **out) {
  if (!out) return STIJL_ERROR_INVALID_ARGUMENT;
  *out = NULL;
  params = SJ_PARAMS(stijl_context_params, STIJL_CONTEXT_PARAMS_INIT, params, NULL);
  if (!params) return STIJL_ERROR_INVALID_ARGUMENT;
  stijl_context made = {.reallocate = params->reallocate ? params->reallocate : default_reallocate,
                        .log = params->log,
                        .user = params->user,
                        .log_user = params->user};
  stijl_context *context = sj_alloc(&made, sizeof *context);
  if (!context) return STIJL_ERROR_OUT_OF_MEMORY;
  *context = made;
  *out = context;
  return STIJL_OK;
}

void stijl_context_destroy(stijl_context *context) {
  if (!context) return;
  stijl_context copy = *context;
  sj_free(&copy, context);
}

void *sj_alloc(stijl_context *context, size_t bytes) {
  return bytes ? context->reallocate(context->user, NULL, bytes) : NULL;
}

void *sj_alloc_zero(stijl_context *context, size_t bytes) {
  void *ptr = sj_alloc(context, bytes);
  if (ptr) memset(ptr, 0, bytes);
  return ptr;
}

void *sj_alloc_array(stijl_context *context, size_t count, size_t size) {
  if (size && count > SIZE_MAX / size) return NULL;
  return sj_alloc(context, count * size);
}

void *sj_realloc(stijl_context *context, void *ptr, size_t bytes) {
  return context->reallocate(context->user, ptr, bytes);
}

void sj_free(stijl_context *context, void *ptr) {
  if (ptr) context->reallocate(context->user, ptr, 0);
}

char *sj_strndup(stijl_context *context, const char *text, size_t length) {
  char *copy = length < SIZE_MAX ? sj_alloc(context, length + 1) : NULL;
  if (!copy) return NULL;
  if (length) memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

// Formats one line. It may quote documents, and is shown in logs and terminals, so control characters are written as
// \u{NNNN} or \xNN, and bytes that are not UTF-8 as \xNN. Whole characters that do not fit are left out.
__attribute__((format(printf, 3, 0))) static void format_line(char *out, size_t size, const char *format,
                                                              va_list args) {
  char raw[512];
  bool cut = vsnprintf(raw, sizeof raw, format, args) >= (int)sizeof raw;
  const char *at = raw, *end = raw + strlen(raw);
  size_t used = 0;
  while (at < end) {
    const char *from = at;
    int32_t c = sj_utf8_next(&at, end);
    char escaped[16];
    size_t length = (size_t)(at - from);
    bool plain = c >= 0 && !sj_is_control(c);
    if (!plain)
      length = (size_t)snprintf(escaped, sizeof escaped, c < 0x80 ? "\\x%02x" : "\\u{%04x}",
                                c < 0 ? (unsigned)(unsigned char)*from : (unsigned)c);
    bool is_cut = c < 0 && cut && end - from < 4;  // a part of a character that did not fit into `raw`
    if (used + length >= size || is_cut) break;
    memcpy(out + used, plain ? from : escaped, length);
    used += length;
  }
  out[used] = 0;
}

void sj_log(stijl_context *context, stijl_log_level level, const char *format, ...) {
  if (!context->log) return;
  char line[512];
  va_list args;
  va_start(args, format);
  format_line(line, sizeof line, format, args);
  va_end(args);
  context->log(context->log_user, level, line);
}

stijl_result sj_fail(stijl_message *message, stijl_result result, const char *format, ...) {
  if (message) {
    va_list args;
    va_start(args, format);
    format_line(message->text, sizeof message->text, format, args);
    va_end(args);
  }
  return result;
}

stijl_result sj_fail_memory(stijl_message *message) {
  return sj_fail(message, STIJL_ERROR_OUT_OF_MEMORY, "%s", stijl_result_string(STIJL_ERROR_OUT_OF_MEMORY));
}

const char *stijl_result_string(stijl_result result) {
  switch (result) {
    case STIJL_OK: return "no error";
    case STIJL_ERROR_OUT_OF_MEMORY: return "out of memory";
    case STIJL_ERROR_INVALID_ARGUMENT: return "invalid argument";
    case STIJL_ERROR_INVALID_STATE: return "call out of order";
    case STIJL_ERROR_MALFORMED: return "malformed input";
    case STIJL_ERROR_UNSUPPORTED: return "not supported";
    case STIJL_ERROR_LIMIT: return "limit reached";
    case STIJL_ERROR_REFUSED: return "access refused";
    case STIJL_ERROR_IO: return "reading or writing failed";
    case STIJL_ERROR_DEVICE: return "device failed";
    case STIJL_ERROR_CANCELLED: return "cancelled";
  }
  return "unknown result code";
}
