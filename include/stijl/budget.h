// Budgets bound the time, the memory and the work of a job. All calls that take part in the job share its budget, and
// the application can end the job from outside. A call that is given no budget has one of its own, with the default
// limits.
#ifndef STIJL_BUDGET_H
#define STIJL_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stijl/context.h"

#ifdef __cplusplus
extern "C" {
#endif

// The limits of a budget. For each, 0 stands for the default, which grows with what the budget is used for: with the
// bytes of documents and style sheets and with the pixels of the target. Documents that a document embeds add nothing,
// and a compressed one counts with eight times its bytes. By default a small file at 1024 x 1024 pixels ends within 5
// seconds of processor time and half a GiB on a machine of 2020; one of 100 MB may take half a minute and some GiB. The
// defaults bound work and processor time rather than time by the clock, so that a machine that is busy with something
// else refuses no more files than an idle one.
typedef struct stijl_budget_params {
  size_t size;  // bytes of this struct; set by the initialiser
  // Seconds by the clock from the budget's creation on. The default is ten times max_cpu_seconds. It is the last resort
  // against what takes long but uses no processor, such as a device that hangs.
  double max_seconds;
  // Bytes that are allocated at the same time, by stijl or by a library that it calls. Of some libraries the most that
  // they may allocate is counted.
  uint64_t max_memory;
  // Steps of work, of which a present-day core does about 10^9 in a second. The input alone determines their number, so
  // that the same input is refused on every machine, whatever else that machine is doing.
  uint64_t max_work;
  // Seconds of processor time of all threads while they work for the budget within a call of stijl. These are the
  // calling threads and those of a renderer or a matcher, but no other threads of the application and none of a driver.
  // If max_seconds is given, the default is no limit (INFINITY). Systems without clocks for threads (WebAssembly)
  // ignore it, so that max_seconds and max_work alone bound a job there.
  double max_cpu_seconds;
  // How many pixels of the target the default limits grow with at most; 0 means all. It is for a caller who takes the
  // size of the target from a document, because a document must not raise its own limits: with 1, pixels raise none.
  uint64_t asked_pixels;
} stijl_budget_params;

#define STIJL_BUDGET_PARAMS_INIT STIJL_INIT(stijl_budget_params, .max_seconds = 0.0)
STIJL_API void stijl_budget_params_init(stijl_budget_params *params, size_t size);

// A budget. Any number of calls and threads may share it.
typedef struct stijl_budget stijl_budget;

// Creates a budget, whose time begins; if `params` is NULL, the defaults apply. When a limit is reached, the calls that
// share the budget fail with STIJL_ERROR_LIMIT and a message that names the limit. Once time or work is spent, every
// later call fails too, until stijl_budget_restart. Returns STIJL_ERROR_INVALID_ARGUMENT for a negative limit.
STIJL_API stijl_result stijl_budget_create(stijl_context *context, const stijl_budget_params *params,
                                           stijl_budget **out);
// Destroys the budget. Objects that were made with it keep what they need of it, so that it may be destroyed before
// them. NULL is allowed.
STIJL_API void stijl_budget_destroy(stijl_budget *budget);

// Ends the calls that share the budget with STIJL_ERROR_CANCELLED, within a few hundredths of a second, and makes every
// later call fail so, until stijl_budget_restart. Any thread and a signal handler may call it.
STIJL_API void stijl_budget_cancel(stijl_budget *budget);

// Counts time and work from zero again and forgets a cancellation. It must not be called while a call shares the
// budget.
STIJL_API void stijl_budget_restart(stijl_budget *budget);

// Returns whether time, processor time or work is spent or the budget is cancelled, so that every call that shares it
// fails.
STIJL_API bool stijl_budget_spent(const stijl_budget *budget);

// Returns the seconds that are left until max_seconds, as it stands now, ends the calls; they are negative once it has
// passed, and INFINITY if `budget` is NULL. Any thread and a signal handler may call it.
STIJL_API double stijl_budget_seconds_left(const stijl_budget *budget);

// Returns the steps of work that have been spent so far.
STIJL_API uint64_t stijl_budget_work(const stijl_budget *budget);

// Returns the seconds of processor time that have been spent so far. A thread that is within a call is charged about
// each millisecond, and at the end of the call.
STIJL_API double stijl_budget_cpu_seconds(const stijl_budget *budget);

// Sets *out to the limits as they stand now, with the defaults filled in. Where a time has no limit it is INFINITY. The
// caller's initialiser has set out->size. Any thread and a signal handler may call it.
STIJL_API void stijl_budget_limits(const stijl_budget *budget, stijl_budget_params *out);

// Returns a context whose memory and work count against the budget. It is for calls that take a context but no budget,
// such as decoding an image or parsing a document to match style sheets with. It takes its memory from the budget's own
// context and logs to that. It is valid until the budget is destroyed, and beyond that as long as an object that was
// made with it exists.
STIJL_API stijl_context *stijl_budget_context(stijl_budget *budget);

#ifdef __cplusplus
}
#endif
#endif
