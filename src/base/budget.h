// Budgets inside. The memory that a job takes comes from its budget's context, which counts it; whoever has that context
// has the budget, so that no call passes both.
#ifndef SJ_BASE_BUDGET_H
#define SJ_BASE_BUDGET_H

#include <stdatomic.h>

#include "base/context.h"
#include "stijl/budget.h"

// Steps of what happens most often; one is about a nanosecond of scalar code.
#define SJ_WORK_BYTE 4       // parsed
#define SJ_WORK_VALUE 20     // an attribute or a declaration, looked at
#define SJ_WORK_NODE 8       // passed by
#define SJ_WORK_ELEMENT 500  // drawn

typedef enum sj_budget_state {
  SJ_BUDGET_OPEN,
  SJ_BUDGET_CANCELLED,
  SJ_BUDGET_SECONDS,  // a limit was reached
  SJ_BUDGET_WORK
} sj_budget_state;

struct stijl_budget {
  stijl_context context;  // counts, and takes the memory from `outer`
  stijl_context *outer;
  // Bytes of live blocks, and one for each reference to the budget: at zero nobody knows it any more.
  atomic_size_t held;
  _Atomic(uint64_t) work;
  atomic_int state;           // sj_budget_state
  atomic_bool memory_refused; // some block was one too many
  // Limits, with what they have grown by.
  _Atomic(uint64_t) end, max_work;  // end: nanoseconds of the monotonic clock
  atomic_size_t max_memory;
  uint64_t start;  // as end
  stijl_budget_params params;
  _Atomic(uint64_t) input_bytes, pixels;  // that the defaults grow with
};

// The budget that the context belongs to; NULL for an application's.
static inline stijl_budget *sj_budget_of(const stijl_context *context) { return context->budget; }

// Charges the budget for work, and reads the clock now and then. False: the budget is spent, and the job has to end as
// soon as it can, with any failure; sj_budget_result then finds the message. A call takes some 5 ns: every loop that
// can be long should make it, for some hundred steps at a time. NULL: true.
bool sj_budget_check(stijl_budget *budget, uint64_t work);

// Takes work back that was charged for what is not done.
void sj_budget_refund(stijl_budget *budget, uint64_t work);

static inline bool sj_context_check(const stijl_context *context, uint64_t work) {
  return !context->budget || sj_budget_check(context->budget, work);
}

// The failure that code returns which finds the budget spent. sj_budget_result replaces it by one that names the limit.
stijl_result sj_budget_spent(stijl_message *message);

// What a public call returns: `result`, unless it failed because the budget was spent.
stijl_result sj_budget_result(const stijl_budget *budget, stijl_result result, stijl_message *message);

// The default limits grow with the input and the target. The first function adds to the input; the second makes the
// limits at least those for so much input and so many pixels.
void sj_budget_add_input(stijl_budget *budget, uint64_t bytes);
void sj_budget_expect(stijl_budget *budget, uint64_t bytes, uint64_t pixels);

// A renderer keeps its working memory from job to job, so that memory counts for a budget of its own, `own`. The first
// function limits it to what `job` has left; the second makes the job's what `own` has refused.
void sj_budget_share_memory(stijl_budget *own, const stijl_budget *job);
void sj_budget_hand_over(const stijl_budget *own, stijl_budget *job);

// One more reference, to be given back by stijl_budget_destroy.
stijl_budget *sj_budget_retain(stijl_budget *budget);

// Finds the budget of a public call: `given`, or that of the context, or a new one with the default limits, except that
// `max_seconds` replaces that of time unless it is 0. The caller gives it back by stijl_budget_destroy.
stijl_result sj_budget_begin(stijl_context *context, stijl_budget *given, double max_seconds, stijl_budget **out,
                             stijl_message *message);

// Adds up small amounts of work of one thread before they are charged, so that threads seldom write to the budget at
// the same time. It is for loops whose turns take less than a microsecond.
typedef struct sj_spender {
  stijl_budget *budget;
  uint64_t work;   // not yet spent
  uint64_t spent;  // before
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

// Reads the clock at once. False: the budget is spent.
bool sj_budget_look(stijl_budget *budget);

// Bytes that may still be allocated with the context; SIZE_MAX without a budget.
size_t sj_budget_memory_left(const stijl_context *context);
// The seconds that are left; INFINITY without a budget.
double sj_budget_seconds_left(const stijl_context *context);

#endif
