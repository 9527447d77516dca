// Budgets: bounds on the time, the memory and the work of a job, shared by all calls that take part in it, and a way to
// end it from outside. A call that is given none has one of its own, with the default limits.
#ifndef STIJL_BUDGET_H
#define STIJL_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stijl/context.h"

#ifdef __cplusplus
extern "C" {
#endif

// 0 stands for the default, which grows with what the budget is used for: with the bytes of documents and style sheets
// (not of those that a document embeds; of a compressed one with eight times its bytes) and with the pixels of the
// target. A small file at 1024 x 1024 pixels ends within 5 seconds of the processor and half a GiB on a machine of
// 2020; one of 100 MB may take half a minute and some GiB. What nobody asked for is bounded by work and by processor
// time, so that a machine that is busy with something else refuses no more files than an idle one.
typedef struct stijl_budget_params {
  size_t size;  // bytes of this struct; set by the initialiser
  // By the clock, from the budget's creation on. By default ten times max_cpu_seconds, the last resort against what
  // takes long and no processor, such as a device that hangs.
  double max_seconds;
  uint64_t max_memory;  // bytes that are allocated at a time, by stijl or, at most, by a library that it calls
  // Steps, of which a present-day core does about 10^9 in a second. They are counted as the input demands them, so that
  // the same input is refused on every machine, whatever else that is doing.
  uint64_t max_work;
  // Processor time, in seconds, of all threads that work for the budget while they are in a call of stijl: the calling
  // ones and those of a renderer or a matcher, but none of the application's others and none of a driver. By default
  // there is such a limit where max_seconds is 0, and none (INFINITY) where max_seconds is given. It has no meaning on
  // systems without clocks for threads (WebAssembly), where max_seconds and max_work stand alone.
  double max_cpu_seconds;
  // The pixels that the caller asks for: default limits grow with the target's pixels, but with no more than so many.
  // 0: with all of them. For a caller who takes the size of his target from a document, which must not raise its own
  // limits: with 1, none grows.
  uint64_t asked_pixels;
} stijl_budget_params;

#define STIJL_BUDGET_PARAMS_INIT \
  { sizeof(stijl_budget_params), 0.0, 0, 0, 0.0, 0 }
STIJL_API void stijl_budget_params_init(stijl_budget_params *params, size_t size);

typedef struct stijl_budget stijl_budget;

// `params` NULL: the defaults. A limit that is reached ends the calls that share the budget with STIJL_ERROR_LIMIT and
// a message that names it. Times and work, once spent, end every later call too, until stijl_budget_restart.
STIJL_API stijl_result stijl_budget_create(stijl_context *context, const stijl_budget_params *params,
                                           stijl_budget **out);
// Objects that were made with the budget keep what they need of it, so that it may be destroyed before them.
STIJL_API void stijl_budget_destroy(stijl_budget *budget);

// Ends the calls that share the budget with STIJL_ERROR_CANCELLED, within a few hundredths of a second, and every later
// one. May be called by any thread and by a signal handler.
STIJL_API void stijl_budget_cancel(stijl_budget *budget);

// Times and work count from zero again, and a cancellation is forgotten. Not while a call shares the budget.
STIJL_API void stijl_budget_restart(stijl_budget *budget);

// Whether time, processor time or work is spent, or the budget cancelled: every call that shares it fails.
STIJL_API bool stijl_budget_spent(const stijl_budget *budget);

// Seconds until max_seconds ends the calls, as it stands now; negative once it has passed. May be called by any thread
// and by a signal handler.
STIJL_API double stijl_budget_seconds_left(const stijl_budget *budget);

// Steps spent so far.
STIJL_API uint64_t stijl_budget_work(const stijl_budget *budget);

// Processor time spent so far, in seconds. Threads that are within a call are charged about each millisecond.
STIJL_API double stijl_budget_cpu_seconds(const stijl_budget *budget);

// The limits as they stand now, the defaults filled in; INFINITY where there is none of a time. `out->size` was set by
// the initialiser. May be called by any thread and by a signal handler.
STIJL_API void stijl_budget_limits(const stijl_budget *budget, stijl_budget_params *out);

// A context whose memory and work count against the budget, for calls that take no budget but a context: decoding an
// image, reading a document to match style sheets with. It takes memory from the budget's context and logs to it. Valid
// until the budget is destroyed, and then as long as an object that was made with it.
STIJL_API stijl_context *stijl_budget_context(stijl_budget *budget);

#ifdef __cplusplus
}
#endif
#endif
