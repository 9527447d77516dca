// The context behind every object: memory, log, messages. All allocation of the library goes through here.
#ifndef SJ_BASE_CONTEXT_H
#define SJ_BASE_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "stijl/context.h"

struct stijl_context {
  void *(*reallocate)(void *user, void *ptr, size_t bytes);
  void (*log)(void *user, stijl_log_level level, const char *line);
  void *user, *log_user;  // handed to either
  struct stijl_budget *budget;  // that counts its memory; NULL: an application's context
};

// `context`, or the default one for NULL. Objects store the result, so that the functions below never see NULL.
stijl_context *sj_context(stijl_context *context);

// NULL on failure or for 0 bytes. Contents are undefined, or zeroed.
void *sj_alloc(stijl_context *context, size_t bytes);
void *sj_alloc_zero(stijl_context *context, size_t bytes);
// count * size with the multiplication checked.
void *sj_alloc_array(stijl_context *context, size_t count, size_t size);
// NULL on failure, the old block then stays valid. bytes > 0.
void *sj_realloc(stijl_context *context, void *ptr, size_t bytes);
void sj_free(stijl_context *context, void *ptr);

// A copy of `length` bytes with a NUL behind them; NULL on failure.
char *sj_strndup(stijl_context *context, const char *text, size_t length);

__attribute__((format(printf, 3, 4))) void sj_log(stijl_context *context, stijl_log_level level, const char *format, ...);

// Formats into *message (may be NULL) and returns `result`, so that an error is one statement:
//   return sj_fail(message, STIJL_ERROR_LIMIT, "more than %u elements", n);
__attribute__((format(printf, 3, 4))) stijl_result sj_fail(stijl_message *message, stijl_result result, const char *format,
                                                           ...);
// The usual message for STIJL_ERROR_OUT_OF_MEMORY.
stijl_result sj_fail_memory(stijl_message *message);

#endif
