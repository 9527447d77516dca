// Contexts: the allocator and the log function that an application lends the library. Also the library's version.
#ifndef STIJL_CONTEXT_H
#define STIJL_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include "stijl/init.h"
#include "stijl/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// Returns the version of the library that is running, as "major.minor.patch". The text is static.
STIJL_API const char *stijl_version(void);

// Says what a line of the log is about.
typedef enum stijl_log_level {
  STIJL_LOG_WARNING,  // the picture may differ from what the input asks for
  STIJL_LOG_DEBUG,    // what only developers of stijl need
  STIJL_LOG_NOTICE    // the picture is right, but made otherwise than asked: on the CPU, or with another font
} stijl_log_level;

// What an application lends the library.
typedef struct stijl_context_params {
  size_t size;  // bytes of this struct; set by the initialiser
  // Allocates `bytes` bytes if `ptr` is NULL, frees `ptr` and returns NULL if `bytes` is 0, and resizes the block
  // otherwise. The result is aligned for any type, and NULL means that there is no memory. Several threads may call it
  // at the same time. The default, NULL, is the C library's allocator.
  void *(*reallocate)(void *user, void *ptr, size_t bytes);
  // Receives one line of UTF-8, without a newline and without control characters. The text is valid during the call.
  // Several threads may call it at the same time. The default, NULL, logs nothing.
  void (*log)(void *user, stijl_log_level level, const char *line);
  void *user;  // passed to both functions
} stijl_context_params;

#define STIJL_CONTEXT_PARAMS_INIT STIJL_INIT(stijl_context_params, .reallocate = NULL)
STIJL_API void stijl_context_params_init(stijl_context_params *params, size_t size);

// What objects are created with. Any number of objects and threads may share a context.
typedef struct stijl_context stijl_context;

// Creates a context; if `params` is NULL, the defaults apply. Every function that creates an object takes a context,
// and NULL stands for the default one, which uses the C library's allocator and logs nothing. A context must outlive
// all objects that were made with it. Returns STIJL_ERROR_OUT_OF_MEMORY, with *out NULL, when memory is short.
STIJL_API stijl_result stijl_context_create(const stijl_context_params *params, stijl_context **out);
// Frees the context. NULL is allowed.
STIJL_API void stijl_context_destroy(stijl_context *context);

#ifdef __cplusplus
}
#endif
#endif
