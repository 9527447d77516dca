// Budgets as the library sees them. A job takes its memory from its budget's context, which counts it. Whoever has that
// context can find the budget, so functions are passed the context alone.
#ifndef SJ_BASE_BUDGET_H
#define SJ_BASE_BUDGET_H

#include <stdatomic.h>

#include "base/context.h"
#include "stijl/budget.h"

// What the most frequent work is charged, in steps. A step is about a nanosecond of scalar code.
#define SJ_WORK_BYTE 4       // to parse a byte
#define SJ_WORK_VALUE 20     // to look at an attribute or a declaration
#define SJ_WORK_NODE 8       // to pass a node by
#define SJ_WORK_ELEMENT 500  // to draw an element

typedef enum sj_budget_state {
  SJ_BUDGET_OPEN,
  SJ_BUDGET_CANCELLED,
  SJ_BUDGET_SECONDS,  // the limit of time was reached
  SJ_BUDGET_CPU,      // the limit of processor time was reached
  SJ_BUDGET_WORK      // the limit of work was reached
} sj_budget_state;

#define SJ_NO_TIME UINT64_MAX

struct stijl_budget {
  stijl_context context;  // counts memory, which it takes from `outer`
  stijl_context *outer;   // the application's
  // The bytes of live blocks, plus one for each reference to the budget. At zero nobody can reach the budget any more,
  // and it is freed.
  atomic_size_t held;
  _Atomic(uint64_t) work;
  _Atomic(uint64_t) cpu;       // nanoseconds of processor time
  atomic_int state;            // sj_budget_state
  atomic_bool memory_refused;  // a block would have exceeded max_memory
  // The present limits. Default limits grow with the input and the target.
  _Atomic(uint64_t) end, max_work;  // `end` is in nanoseconds of the monotonic clock
  _Atomic(uint64_t) max_cpu;        // SJ_NO_TIME: no limit
  atomic_size_t max_memory;
  uint64_t start;  // in nanoseconds of the same clock
  stijl_budget_params params;
  _Atomic(uint64_t) input_bytes, pixels;  // what default limits grow with
};

// Returns the budget that the context belongs to; NULL for an application's own context.
static inline stijl_budget *sj_budget_of(const stijl_context *context) { return context->budget; }

// Makes the calling thread work for the budget, from the first call to the second, so that the budget is charged for
// its processor time. Public calls do so from their beginning to their end, and the threads of a pool while they run
// tasks for a thread that does: sj_budget_current returns what that one works for, or NULL. Calls nest. NULL is
// allowed.
void sj_budget_enter(stijl_budget *budget);
void sj_budget_leave(stijl_budget *budget);
stijl_budget *sj_budget_current(void);

// Charges the budget for work, and reads the clocks now and then. Returns false when the budget is spent, and the job
// has to end as soon as it can, with any failure; sj_budget_result then finds the message. Every loop that can be long
// should call it, for some hundred steps at a time, since a call takes about 5 ns. Without a budget (NULL) it returns
// true.
bool sj_budget_check(stijl_budget *budget, uint64_t work);

// Returns whether so much work is left of the limit. NULL is allowed: there is none.
bool sj_budget_has(const stijl_budget *budget, uint64_t work);

// Takes back what was charged for work that is not done after all.
void sj_budget_refund(stijl_budget *budget, uint64_t work);

static inline bool sj_context_check(const stijl_context *context, uint64_t work) {
  return !context->budget || sj_budget_check(context->budget, work);
}

// Fails for code that finds the budget spent. sj_budget_result replaces this failure by one that names the limit.
stijl_result sj_budget_spent(stijl_message *message);

// Returns what a public call returns: `result`, or, if that is a failure because the budget was spent, one that names
// the limit.
stijl_result sj_budget_result(const stijl_budget *budget, stijl_result result, stijl_message *message);

// Raises limits: those by default grow with the input and the target. The first function adds to the input. The second
// raises the limits to those for so much input and so many pixels, if they are lower.
void sj_budget_add_input(stijl_budget *budget, uint64_t bytes);
void sj_budget_expect(stijl_budget *budget, uint64_t bytes, uint64_t pixels);

// Shares what is left of memory: a renderer keeps its working memory from job to job, so it counts that memory with a
// budget of its own, `own`. The first function limits `own` to what `job` has left. The second notes in `job` that
// `own` has refused memory.
void sj_budget_share_memory(stijl_budget *own, const stijl_budget *job);
void sj_budget_hand_over(const stijl_budget *own, stijl_budget *job);

// Begins a public call: finds its budget, which is `given`, or that of the context, or else a new one, and enters it. A
// new one has the default limits, but `max_seconds` as its limit of time unless that is 0.
stijl_result sj_budget_begin(stijl_context *context, stijl_budget *given, double max_seconds, stijl_budget **out,
                             stijl_message *message);
// Ends the call: leaves the budget and gives it back. NULL is allowed.
void sj_budget_end(stijl_budget *budget);

// Adds up the small amounts of work of one thread before it charges them, so that threads seldom write to the budget at
// the same time. It is for loops whose turns take less than a microsecond.
typedef struct sj_spender {
  stijl_budget *budget;
  uint64_t work;   // not yet charged
  uint64_t spent;  // already charged
} sj_spender;

#define SJ_SPEND_AT ((uint64_t)1 << 16)

static inline bool sj_spend(sj_spender *spender, uint64_t work) {
  spender->work += work;
  if (spender->work < SJ_SPEND_AT) return true;
  bool open = sj_budget_check(spender->budget, spender->work);
  spender->spent += spender->work;
  spender->work = 0;
  return open;
}

// Checks times and work at once, without waiting for more work. Returns false when the budget is spent.
bool sj_budget_look(stijl_budget *budget);

// Returns how many bytes may still be allocated with the context; SIZE_MAX without a budget.
size_t sj_budget_memory_left(const stijl_context *context);

// Counts memory that a library is about to allocate on its own. The caller knows an upper bound beforehand, and gives
// the same number back when the library has freed it. Returns false when it is more than may be allocated, and nothing
// is counted. Without a budget nothing is counted either, and the result is true.
bool sj_budget_reserve(const stijl_context *context, size_t bytes);
void sj_budget_release(const stijl_context *context, size_t bytes);
// Returns the seconds that are left, at least 0; INFINITY without a budget.
double sj_budget_seconds_left(const stijl_context *context);

#endif
