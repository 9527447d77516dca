// What an application lends the library: memory and an ear for warnings. Also the library's version.
#ifndef STIJL_CONTEXT_H
#define STIJL_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include "stijl/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// "major.minor.patch" of the library that is running.
STIJL_API const char *stijl_version(void);

typedef enum stijl_log_level {
  STIJL_LOG_WARNING,  // the picture may differ from what the input asks for
  STIJL_LOG_DEBUG,    // for those who work on stijl
  STIJL_LOG_NOTICE    // the picture is right, but made otherwise than asked: on the CPU, or with another font
} stijl_log_level;

typedef struct stijl_context_params {
  size_t size;  // bytes; set by the initialiser
  // Memory: ptr NULL allocates, bytes 0 frees (and returns NULL), otherwise resizes; the result is aligned for any
  // type; NULL means failure. Called from several threads at a time. NULL: the C library's allocator.
  void *(*reallocate)(void *user, void *ptr, size_t bytes);
  // One line without a newline. Called from several threads at a time. NULL: silent.
  void (*log)(void *user, stijl_log_level level, const char *line);
  void *user;  // handed to both
} stijl_context_params;

#define STIJL_CONTEXT_PARAMS_INIT \
  { sizeof(stijl_context_params), NULL, NULL, NULL }
STIJL_API void stijl_context_params_init(stijl_context_params *params, size_t size);

typedef struct stijl_context stijl_context;

// Every create function takes a context; NULL stands for the default one (C allocator, silent). A context must outlive
// all objects made with it.
STIJL_API stijl_result stijl_context_create(const stijl_context_params *params, stijl_context **out);
STIJL_API void stijl_context_destroy(stijl_context *context);

#ifdef __cplusplus
}
#endif
#endif
