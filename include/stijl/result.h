// Result codes of every fallible call, and the text that goes with a failure.
#ifndef STIJL_RESULT_H
#define STIJL_RESULT_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define STIJL_API __declspec(dllexport)
#else
#define STIJL_API __attribute__((visibility("default")))
#endif

typedef enum stijl_result {
  STIJL_OK = 0,
  STIJL_ERROR_OUT_OF_MEMORY,     // the allocator returned NULL
  STIJL_ERROR_INVALID_ARGUMENT,  // a parameter is NULL, not finite, or out of its documented range
  STIJL_ERROR_INVALID_STATE,     // the call does not fit what came before it (pop without push, draw after finish)
  STIJL_ERROR_MALFORMED,         // the input bytes are not what their format demands
  STIJL_ERROR_UNSUPPORTED,       // well-formed, but asks for what this build or version cannot do
  STIJL_ERROR_LIMIT,             // one of the documented limits was reached; the message names it
  STIJL_ERROR_REFUSED,           // a file outside the allowed folder, or another access that is not allowed
  STIJL_ERROR_IO,                // reading or writing failed
  STIJL_ERROR_DEVICE,            // the GPU or its driver failed
  STIJL_ERROR_CANCELLED          // by stijl_budget_cancel
} stijl_result;

// A static English phrase for the code; never NULL, also for unknown codes.
STIJL_API const char *stijl_result_string(stijl_result result);

// What failed and where, in one line. Optional out parameter of calls that create an object: filled on failure,
// set to "" on success. The same object may be reused.
typedef struct stijl_message {
  char text[256];
} stijl_message;

#ifdef __cplusplus
}
#endif
#endif
