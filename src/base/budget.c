#include "base/budget.h"

#include <math.h>
#include <stdint.h>
#include <time.h>

#include "base/params.h"

// The default limits, and what they grow by for each byte of the input and each pixel of the target. Seconds are those
// of the processor.
#define SECONDS 4.0
#define SECONDS_A_BYTE 0.25e-6
#define SECONDS_A_PIXEL 25e-9
#define LARGE_PIXELS 16777216.0  // each pixel beyond these gets SECONDS_A_LARGE_PIXEL more
#define SECONDS_A_LARGE_PIXEL 200e-9
#define MEMORY ((double)(288 << 20))
#define MEMORY_A_BYTE 40.0               // beyond FIRST_BYTES: enough to draw a million short elements
#define FIRST_BYTES ((double)(4 << 20))  // the memory for these bytes is in MEMORY
#define MEMORY_A_PIXEL 4.0
#define WORK 2e9
#define WORK_A_BYTE 500.0
#define WORK_A_PIXEL 250.0

// The clock may pass so many seconds for one of the processor. A machine that is busy gives a thread a part of one, so
// that the clock says little about the input.
#define CLOCK_A_CPU_SECOND 10.0

// Reading a thread's processor time takes up to half a microsecond, which is some of a small frame. What took less than
// the first of these times, in nanoseconds by the monotonic clock, is charged by that clock instead. A call that begins
// less than the second after the last one takes over what was known then.
#define CPU_INTERVAL 1000000u
#define CPU_KNOWN 10000000u

// The clock is read after this many steps of work: more than once a millisecond.
#define LOOK ((uint64_t)1 << 19)

// Precedes every block. Freeing needs the block's size, and the budget that counted it, which may not be that of the
// context that frees.
typedef union header {
  struct {
    stijl_budget *budget;
    size_t bytes;  // including the header
  } of;
  max_align_t align;
} header;

// Returns the nanoseconds of a clock.
static uint64_t read_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t now(void) { return read_clock(CLOCK_MONOTONIC); }

// --- processor time ---

#if defined CLOCK_THREAD_CPUTIME_ID && !defined __wasm__

// What the calling thread works for.
static _Thread_local struct {
  stijl_budget *budget;  // or NULL
  unsigned depth;        // of calls
  uint64_t charged;      // the thread's processor time up to which it is charged
  uint64_t at;           // when that was, by the monotonic clock
} mine;

static bool counts_cpu(const stijl_budget *budget) {
  return atomic_load_explicit(&budget->max_cpu, memory_order_relaxed) != SJ_NO_TIME;
}

// Charges for what the thread has done since it was charged last.
static void charge_cpu(stijl_budget *budget, uint64_t at) {
  uint64_t passed = at - mine.at, cpu = mine.charged + passed;
  if (passed >= CPU_INTERVAL) {
    cpu = read_clock(CLOCK_THREAD_CPUTIME_ID);
    // No thread has done more than the clock has seen: the rest was before the call.
    passed = cpu <= mine.charged ? 0 : cpu - mine.charged < passed ? cpu - mine.charged : passed;
  }
  atomic_fetch_add_explicit(&budget->cpu, passed, memory_order_relaxed);
  mine.charged = cpu;
  mine.at = at;
}

void sj_budget_enter(stijl_budget *budget) {
  if (!budget) return;
  if (mine.budget == budget) {
    mine.depth++;
    return;
  }
  uint64_t at = now();
  // A call that is made by a callback of another one, for a budget of its own, is charged to that alone.
  if (mine.budget && counts_cpu(mine.budget)) charge_cpu(mine.budget, at);
  mine.budget = budget;
  mine.depth = 1;
  if (!counts_cpu(budget)) return;
  if (at - mine.at >= CPU_KNOWN) mine.charged = read_clock(CLOCK_THREAD_CPUTIME_ID);
  mine.at = at;
}

void sj_budget_leave(stijl_budget *budget) {
  if (!budget || mine.budget != budget || --mine.depth) return;
  if (counts_cpu(budget)) charge_cpu(budget, now());
  mine.budget = NULL;
}

stijl_budget *sj_budget_current(void) { return mine.budget; }

static void look_at_cpu(stijl_budget *budget, uint64_t at) {
  if (mine.budget == budget && at - mine.at >= CPU_INTERVAL && counts_cpu(budget)) charge_cpu(budget, at);
}

#else

// Does nothing: without clocks for threads only work and the clock are limited.
void sj_budget_enter(stijl_budget *budget) { (void)budget; }
void sj_budget_leave(stijl_budget *budget) { (void)budget; }
stijl_budget *sj_budget_current(void) { return NULL; }
static void look_at_cpu(stijl_budget *budget, uint64_t at) {
  (void)budget;
  (void)at;
}

#endif

// --- memory ---

static void give_back(stijl_budget *budget, size_t held) {
  if (atomic_fetch_sub_explicit(&budget->held, held, memory_order_acq_rel) == held) sj_free(budget->outer, budget);
}

static bool take(stijl_budget *budget, size_t bytes) {
  size_t before = atomic_fetch_add_explicit(&budget->held, bytes, memory_order_relaxed);
  size_t limit = atomic_load_explicit(&budget->max_memory, memory_order_relaxed);
  if (before <= limit && bytes <= limit - before) return true;
  atomic_fetch_sub_explicit(&budget->held, bytes, memory_order_relaxed);
  atomic_store_explicit(&budget->memory_refused, true, memory_order_relaxed);
  return false;
}

static void *count_reallocate(void *user, void *ptr, size_t bytes) {
  header *old = ptr ? (header *)ptr - 1 : NULL;
  stijl_budget *budget = old ? old->of.budget : user;
  size_t before = old ? old->of.bytes : 0;
  if (!bytes) {
    sj_free(budget->outer, old);
    give_back(budget, before);
    return NULL;
  }
  if (bytes > SIZE_MAX / 4) return NULL;
  size_t after = bytes + sizeof(header);
  if (after > before && !take(budget, after - before)) return NULL;
  header *block = sj_realloc(budget->outer, old, after);
  if (!block) {
    if (after > before) give_back(budget, after - before);
    return NULL;
  }
  if (after < before) give_back(budget, before - after);
  block->of.budget = budget;
  block->of.bytes = after;
  return block + 1;
}

// Counts memory. The contexts from which budgets take their memory may have budgets, too, which count the same. Returns
// false when one of them has too little left; then none has counted it.
bool sj_budget_reserve(const stijl_context *context, size_t bytes) {
  stijl_budget *budget = context->budget;
  if (!budget) return true;
  if (!take(budget, bytes)) return false;
  if (sj_budget_reserve(budget->outer, bytes)) return true;
  give_back(budget, bytes);
  return false;
}

void sj_budget_release(const stijl_context *context, size_t bytes) {
  stijl_budget *budget = context->budget;
  if (!budget) return;
  sj_budget_release(budget->outer, bytes);
  give_back(budget, bytes);
}

size_t sj_budget_memory_left(const stijl_context *context) {
  const stijl_budget *budget = context->budget;
  if (!budget) return SIZE_MAX;
  size_t held = atomic_load_explicit(&budget->held, memory_order_relaxed);
  size_t limit = atomic_load_explicit(&budget->max_memory, memory_order_relaxed);
  return held < limit ? limit - held : 0;
}

double stijl_budget_seconds_left(const stijl_budget *budget) {
  if (!budget) return (double)INFINITY;
  uint64_t end = atomic_load_explicit(&budget->end, memory_order_relaxed), at = now();
  return end > at ? (double)(end - at) * 1e-9 : (double)(at - end) * -1e-9;
}

// --- limits ---

static uint64_t to_whole(double x) { return x < 9e18 ? (uint64_t)x : UINT64_MAX / 2; }
static uint64_t to_time(double seconds) { return seconds < 9e9 ? (uint64_t)(seconds * 1e9) : SJ_NO_TIME; }

// Returns the limit of processor time: INFINITY where only the clock was asked for.
static double cpu_seconds(const stijl_budget_params *p, double bytes, double pixels) {
  double large = pixels > LARGE_PIXELS ? pixels - LARGE_PIXELS : 0.0;
  if (p->max_cpu_seconds > 0.0) return p->max_cpu_seconds;
  if (p->max_seconds > 0.0) return (double)INFINITY;
  return SECONDS + bytes * SECONDS_A_BYTE + pixels * SECONDS_A_PIXEL + large * SECONDS_A_LARGE_PIXEL;
}

// Sets the limits by the input and the target. Another thread may add to the input meanwhile, and store its limits
// before this one does. So this thread looks at the input again after its stores, and repeats them if it has changed.
static void set_limits(stijl_budget *budget) {
  const stijl_budget_params *p = &budget->params;
  uint64_t input, target;
  do {
    input = atomic_load(&budget->input_bytes);
    target = atomic_load(&budget->pixels);
    double bytes = (double)input, pixels = (double)target;
    if (p->asked_pixels) pixels = fmin(pixels, (double)p->asked_pixels);
    double cpu = cpu_seconds(p, bytes, pixels);
    double seconds = p->max_seconds > 0.0 ? p->max_seconds : cpu * CLOCK_A_CPU_SECOND;
    double memory = p->max_memory ? (double)p->max_memory
                                  : MEMORY + fmax(bytes - FIRST_BYTES, 0.0) * MEMORY_A_BYTE + pixels * MEMORY_A_PIXEL;
    double work = p->max_work ? (double)p->max_work : WORK + bytes * WORK_A_BYTE + pixels * WORK_A_PIXEL;
    size_t most = SIZE_MAX / 2;
    atomic_store(&budget->end, budget->start + to_whole(seconds * 1e9));
    atomic_store(&budget->max_cpu, to_time(cpu));
    atomic_store(&budget->max_work, to_whole(work));
    atomic_store(&budget->max_memory, memory < (double)most ? (size_t)memory : most);
  } while (input != atomic_load(&budget->input_bytes) || target != atomic_load(&budget->pixels));
}

void sj_budget_add_input(stijl_budget *budget, uint64_t bytes) {
  if (!budget || !bytes) return;
  atomic_fetch_add(&budget->input_bytes, bytes);
  set_limits(budget);
}

void sj_budget_expect(stijl_budget *budget, uint64_t bytes, uint64_t pixels) {
  if (!budget) return;
  bool more_bytes = bytes > atomic_load_explicit(&budget->input_bytes, memory_order_relaxed);
  bool more_pixels = pixels > atomic_load_explicit(&budget->pixels, memory_order_relaxed);
  if (more_bytes) atomic_store_explicit(&budget->input_bytes, bytes, memory_order_relaxed);
  if (more_pixels) atomic_store_explicit(&budget->pixels, pixels, memory_order_relaxed);
  if (more_bytes || more_pixels) set_limits(budget);
}

void sj_budget_share_memory(stijl_budget *own, const stijl_budget *job) {
  // If `own` takes its memory from the job's context, the job counts it already.
  bool bounded = job && own->outer != &job->context;
  size_t left = bounded ? sj_budget_memory_left(&job->context) : SIZE_MAX / 2;
  atomic_store_explicit(&own->max_memory, left, memory_order_relaxed);
  atomic_store_explicit(&own->memory_refused, false, memory_order_relaxed);
}

void sj_budget_hand_over(const stijl_budget *own, stijl_budget *job) {
  if (job && atomic_load_explicit(&own->memory_refused, memory_order_relaxed))
    atomic_store_explicit(&job->memory_refused, true, memory_order_relaxed);
}

static void stop(stijl_budget *budget, sj_budget_state why) {
  int open = SJ_BUDGET_OPEN;  // only the first reason is kept
  atomic_compare_exchange_strong_explicit(&budget->state, &open, why, memory_order_relaxed, memory_order_relaxed);
}

bool sj_budget_check(stijl_budget *budget, uint64_t work) {
  if (!budget) return true;
  uint64_t before = atomic_fetch_add_explicit(&budget->work, work, memory_order_relaxed), after = before + work;
  if (before / LOOK != after / LOOK) return sj_budget_look(budget);
  return atomic_load_explicit(&budget->state, memory_order_relaxed) == SJ_BUDGET_OPEN;
}

bool sj_budget_has(const stijl_budget *budget, uint64_t work) {
  if (!budget) return true;
  uint64_t most = atomic_load_explicit(&budget->max_work, memory_order_relaxed);
  uint64_t spent = atomic_load_explicit(&budget->work, memory_order_relaxed);
  return spent <= most && work <= most - spent;
}

void sj_budget_refund(stijl_budget *budget, uint64_t work) {
  if (budget) atomic_fetch_sub_explicit(&budget->work, work, memory_order_relaxed);
}

bool sj_budget_look(stijl_budget *budget) {
  if (!budget) return true;
  uint64_t work = atomic_load_explicit(&budget->work, memory_order_relaxed), at = now();
  look_at_cpu(budget, at);
  if (work > atomic_load_explicit(&budget->max_work, memory_order_relaxed))
    stop(budget, SJ_BUDGET_WORK);
  else if (atomic_load_explicit(&budget->cpu, memory_order_relaxed) >
           atomic_load_explicit(&budget->max_cpu, memory_order_relaxed))
    stop(budget, SJ_BUDGET_CPU);
  else if (at > atomic_load_explicit(&budget->end, memory_order_relaxed))
    stop(budget, SJ_BUDGET_SECONDS);
  return atomic_load_explicit(&budget->state, memory_order_relaxed) == SJ_BUDGET_OPEN;
}

stijl_result sj_budget_spent(stijl_message *message) {
  return sj_fail(message, STIJL_ERROR_LIMIT, "%s", stijl_result_string(STIJL_ERROR_LIMIT));
}

stijl_result sj_budget_result(const stijl_budget *budget, stijl_result result, stijl_message *message) {
  if (!budget || result == STIJL_OK) return result;
  switch ((sj_budget_state)atomic_load_explicit(&budget->state, memory_order_relaxed)) {
    case SJ_BUDGET_CANCELLED: return sj_fail(message, STIJL_ERROR_CANCELLED, "cancelled");
    case SJ_BUDGET_SECONDS: {
      uint64_t end = atomic_load_explicit(&budget->end, memory_order_relaxed);
      return sj_fail(message, STIJL_ERROR_LIMIT, "it takes longer than max_seconds (%.3g)",
                     (double)(end - budget->start) * 1e-9);
    }
    case SJ_BUDGET_CPU:
      return sj_fail(message, STIJL_ERROR_LIMIT, "it takes more processor time than max_cpu_seconds (%.3g)",
                     (double)atomic_load_explicit(&budget->max_cpu, memory_order_relaxed) * 1e-9);
    case SJ_BUDGET_WORK:
      return sj_fail(message, STIJL_ERROR_LIMIT, "it asks for more work than max_work (%.3g steps)",
                     (double)atomic_load_explicit(&budget->max_work, memory_order_relaxed));
    case SJ_BUDGET_OPEN: break;
  }
  if (result == STIJL_ERROR_OUT_OF_MEMORY && atomic_load_explicit(&budget->memory_refused, memory_order_relaxed))
    return sj_fail(message, STIJL_ERROR_LIMIT, "it takes more memory than max_memory (%zu bytes)",
                   atomic_load_explicit(&budget->max_memory, memory_order_relaxed));
  return result;
}

// --- the object ---

stijl_result stijl_budget_create(stijl_context *context, const stijl_budget_params *params, stijl_budget **out) {
  if (!out) return STIJL_ERROR_INVALID_ARGUMENT;
  *out = NULL;
  params = SJ_PARAMS(stijl_budget_params, STIJL_BUDGET_PARAMS_INIT, params, NULL);
  if (!params || !(params->max_seconds >= 0.0) || !(params->max_cpu_seconds >= 0.0))
    return STIJL_ERROR_INVALID_ARGUMENT;
  context = sj_context(context);
  stijl_budget *budget = sj_alloc_zero(context, sizeof *budget);
  if (!budget) return STIJL_ERROR_OUT_OF_MEMORY;
  *budget = (stijl_budget){.outer = context, .start = now(), .params = *params};
  budget->context = (stijl_context){.reallocate = count_reallocate,
                                    .log = context->log,
                                    .user = budget,
                                    .log_user = context->log_user,
                                    .budget = budget};
  atomic_init(&budget->held, 1);
  set_limits(budget);
  *out = budget;
  return STIJL_OK;
}

// Adds a reference, which stijl_budget_destroy gives back. NULL is allowed.
static stijl_budget *retain(stijl_budget *budget) {
  if (budget) atomic_fetch_add_explicit(&budget->held, 1, memory_order_relaxed);
  return budget;
}

void stijl_budget_destroy(stijl_budget *budget) {
  if (budget) give_back(budget, 1);
}

void stijl_budget_cancel(stijl_budget *budget) {
  if (budget) atomic_store_explicit(&budget->state, SJ_BUDGET_CANCELLED, memory_order_relaxed);
}

void stijl_budget_restart(stijl_budget *budget) {
  if (!budget) return;
  budget->start = now();
  atomic_store_explicit(&budget->work, 0, memory_order_relaxed);
  atomic_store_explicit(&budget->cpu, 0, memory_order_relaxed);
  atomic_store_explicit(&budget->input_bytes, 0, memory_order_relaxed);
  atomic_store_explicit(&budget->pixels, 0, memory_order_relaxed);
  atomic_store_explicit(&budget->memory_refused, false, memory_order_relaxed);
  atomic_store_explicit(&budget->state, SJ_BUDGET_OPEN, memory_order_relaxed);
  set_limits(budget);
}

bool stijl_budget_spent(const stijl_budget *budget) {
  return budget && atomic_load_explicit(&budget->state, memory_order_relaxed) != SJ_BUDGET_OPEN;
}

uint64_t stijl_budget_work(const stijl_budget *budget) {
  return budget ? atomic_load_explicit(&budget->work, memory_order_relaxed) : 0;
}

double stijl_budget_cpu_seconds(const stijl_budget *budget) {
  return budget ? (double)atomic_load_explicit(&budget->cpu, memory_order_relaxed) * 1e-9 : 0.0;
}

void stijl_budget_limits(const stijl_budget *budget, stijl_budget_params *out) {
  if (!budget || !out) return;
  uint64_t cpu = atomic_load_explicit(&budget->max_cpu, memory_order_relaxed);
  uint64_t seconds = atomic_load_explicit(&budget->end, memory_order_relaxed) - budget->start;
  stijl_budget_params limits = STIJL_BUDGET_PARAMS_INIT;
  limits.max_seconds = seconds < SJ_NO_TIME / 2 ? (double)seconds * 1e-9 : (double)INFINITY;
  limits.max_memory = atomic_load_explicit(&budget->max_memory, memory_order_relaxed);
  limits.max_work = atomic_load_explicit(&budget->max_work, memory_order_relaxed);
  limits.max_cpu_seconds = cpu != SJ_NO_TIME ? (double)cpu * 1e-9 : (double)INFINITY;
  limits.asked_pixels = budget->params.asked_pixels;
  SJ_WRITE(stijl_budget_params, out, &limits);
}

stijl_context *stijl_budget_context(stijl_budget *budget) { return budget ? &budget->context : NULL; }

stijl_result sj_budget_begin(stijl_context *context, stijl_budget *given, double max_seconds, stijl_budget **out,
                             stijl_message *message) {
  *out = NULL;
  if (given && context != given->outer && context != &given->context)
    return sj_fail(message, STIJL_ERROR_INVALID_ARGUMENT, "the budget was created with another context");
  if (given || context->budget) {
    *out = retain(given ? given : context->budget);
  } else {
    stijl_budget_params params = STIJL_BUDGET_PARAMS_INIT;
    params.max_seconds = max_seconds;
    stijl_result result = stijl_budget_create(context, &params, out);
    if (result != STIJL_OK) return sj_fail_memory(message);
  }
  sj_budget_enter(*out);
  return STIJL_OK;
}

void sj_budget_end(stijl_budget *budget) {
  sj_budget_leave(budget);
  stijl_budget_destroy(budget);
}
