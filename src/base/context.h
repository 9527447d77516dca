// The context behind every object: memory, log, messages. The library allocates all its memory through it.
#ifndef SJ_BASE_CONTEXT_H
#define SJ_BASE_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/shared.h"
#include "stijl/context.h"

struct stijl_context {
  void *(*reallocate)(void *user, void *ptr, size_t bytes);
  void (*log)(void *user, stijl_log_level level, const char *line);
  void *user, *log_user;        // first arguments of `reallocate` and of `log`
  struct stijl_budget *budget;  // counts the context's memory; NULL in an application's own context
};

// Returns `context`, or the default context for NULL. Objects store the result, so the functions below never see NULL.
SJ_SHARED stijl_context *sj_context(stijl_context *context);

// Allocates memory. Returns NULL when memory is short, and for 0 bytes. The first function leaves the contents
// undefined, the second zeroes them, and the third checks that count * size does not overflow.
SJ_SHARED void *sj_alloc(stijl_context *context, size_t bytes);
SJ_SHARED void *sj_alloc_zero(stijl_context *context, size_t bytes);
SJ_SHARED void *sj_alloc_array(stijl_context *context, size_t count, size_t size);
// Returns NULL when memory is short; the old block then stays valid. `bytes` must not be 0.
void *sj_realloc(stijl_context *context, void *ptr, size_t bytes);
SJ_SHARED void sj_free(stijl_context *context, void *ptr);

// Returns a copy of `length` bytes with a NUL behind them; NULL when memory is short.
char *sj_strndup(stijl_context *context, const char *text, size_t length);

__attribute__((format(printf, 3, 4))) void sj_log(stijl_context *context, stijl_log_level level, const char *format,
                                                  ...);

// Formats into *message (which may be NULL) and returns `result`, so that failing takes one statement:
//   return sj_fail(message, STIJL_ERROR_LIMIT, "more than %u elements", n);
SJ_SHARED __attribute__((format(printf, 3, 4))) stijl_result sj_fail(stijl_message *message, stijl_result result,
                                                                     const char *format, ...);
// Fails with STIJL_ERROR_OUT_OF_MEMORY and its usual message.
SJ_SHARED stijl_result sj_fail_memory(stijl_message *message);

#endif
