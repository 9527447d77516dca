// The result codes that every call which can fail returns, and the message that tells why it failed.
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

// Says how a call ended. Later versions may add codes.
typedef enum stijl_result {
  STIJL_OK = 0,
  STIJL_ERROR_OUT_OF_MEMORY,     // the allocator returned NULL, or the system has no more memory
  STIJL_ERROR_INVALID_ARGUMENT,  // a parameter is NULL, not finite, or out of its documented range
  STIJL_ERROR_INVALID_STATE,     // the call does not fit those before it, such as a pop without a push
  STIJL_ERROR_MALFORMED,         // the input bytes are not what their format demands
  STIJL_ERROR_UNSUPPORTED,       // the input is valid, but asks for what this build, machine or version cannot do
  STIJL_ERROR_LIMIT,             // one of the documented limits was reached; the message names it
  STIJL_ERROR_REFUSED,           // a file lies outside the allowed folder, or another access is not allowed
  STIJL_ERROR_IO,                // reading or writing failed
  STIJL_ERROR_DEVICE,            // the GPU or its driver failed
  STIJL_ERROR_CANCELLED          // stijl_budget_cancel was called
} stijl_result;

// Returns an English phrase for the code, also for an unknown one. The text is static, so nobody frees it.
STIJL_API const char *stijl_result_string(stijl_result result);

// Says in one line of UTF-8 what failed and where. It is an optional out parameter (NULL is allowed): a call sets the
// text to "" on success and fills it in on failure, cut off where it is too long. One object may serve any number of
// calls.
typedef struct stijl_message {
  char text[256];
} stijl_message;

#ifdef __cplusplus
}
#endif
#endif
