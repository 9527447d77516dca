// Budgets by themselves: memory that is counted, clocks, cancelling, lifetime.
#include "base/budget.h"

#include <math.h>
#include <time.h>

#include "allocator.h"
#include "base/pool.h"

static sj_test_allocator counted;

static stijl_context *counted_context(void) {
  counted = (sj_test_allocator){.refused = LONG_MAX};
  return sj_test_context(&counted);
}

static stijl_budget *create(stijl_context *context, double seconds, uint64_t memory, uint64_t work) {
  stijl_budget_params params = STIJL_BUDGET_PARAMS_INIT;
  params.max_seconds = seconds;
  params.max_memory = memory;
  params.max_work = work;
  stijl_budget *budget = NULL;
  CHECK_INT(stijl_budget_create(context, &params, &budget), STIJL_OK);
  return budget;
}

// Returns the processor time of the calling thread.
static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

TEST(memory_is_bounded_and_given_back) {
  stijl_budget *budget = create(NULL, 0, 10000, 0);
  stijl_context *c = stijl_budget_context(budget);
  CHECK(sj_budget_of(c) == budget);
  void *a = sj_alloc(c, 6000);
  CHECK(a && !sj_alloc(c, 6000));
  CHECK(!sj_realloc(c, a, 20000));  // and `a` stays
  a = sj_realloc(c, a, 3000);
  void *b = sj_alloc(c, 6000);
  CHECK(a && b && sj_budget_memory_left(c) < 1000);
  sj_free(c, a);
  CHECK(sj_budget_memory_left(c) > 3000);
  stijl_message message;
  CHECK_INT(sj_budget_result(budget, STIJL_ERROR_OUT_OF_MEMORY, &message), STIJL_ERROR_LIMIT);
  CHECK_STR(message.text, "it takes more memory than max_memory (10000 bytes)");
  CHECK_INT(sj_budget_result(budget, STIJL_OK, &message), STIJL_OK);
  CHECK(!sj_alloc(c, SIZE_MAX - 8));
  sj_free(c, b);
  stijl_budget_destroy(budget);
}

// What a library takes on its own counts in the budget and in all that this one takes its memory from.
TEST(reserved_memory) {
  stijl_budget *outer = create(NULL, 0, 20000, 0), *inner = create(stijl_budget_context(outer), 0, 30000, 0);
  const stijl_context *c = stijl_budget_context(inner), *o = stijl_budget_context(outer);
  size_t left = sj_budget_memory_left(o), left_inside = sj_budget_memory_left(c);
  CHECK(sj_budget_reserve(c, 15000));
  CHECK_INT((long)(left - sj_budget_memory_left(o)), 15000);
  CHECK_INT((long)(left_inside - sj_budget_memory_left(c)), 15000);
  CHECK(!sj_budget_reserve(c, 6000) && !sj_budget_reserve(c, SIZE_MAX));
  CHECK_INT((long)(left_inside - sj_budget_memory_left(c)), 15000);
  sj_budget_release(c, 15000);
  CHECK(sj_budget_memory_left(o) == left && sj_budget_memory_left(c) == left_inside);
  CHECK(sj_budget_reserve(sj_context(NULL), SIZE_MAX));
  stijl_budget_destroy(inner);
  stijl_budget_destroy(outer);
}

TEST(blocks_outlive_the_budget) {
  stijl_context *context = counted_context();
  stijl_budget *budget = create(context, 0, 0, 0);
  stijl_context *c = stijl_budget_context(budget);
  void *block = sj_alloc(c, 100);
  stijl_budget_destroy(budget);
  CHECK_INT(counted.live, 3);  // the context, the budget, the block
  block = sj_realloc(c, block, 1000);
  CHECK(block != NULL);
  sj_free(c, block);
  CHECK_INT(counted.live, 1);
  stijl_context_destroy(context);
  CHECK_INT(counted.live, 0);
}

TEST(work_ends) {
  stijl_budget *budget = create(NULL, 0, 0, 5000000);
  int steps = 0;
  while (sj_budget_check(budget, 1000)) steps++;
  CHECK(steps >= 4999 && steps < 6000);
  CHECK(!sj_budget_check(budget, 0));
  stijl_message message;
  CHECK_INT(sj_budget_result(budget, STIJL_ERROR_OUT_OF_MEMORY, &message), STIJL_ERROR_LIMIT);
  CHECK_STR(message.text, "it asks for more work than max_work (5e+06 steps)");
  stijl_budget_restart(budget);
  CHECK(sj_budget_check(budget, 1000));
  CHECK_INT(sj_budget_result(budget, STIJL_ERROR_MALFORMED, &message), STIJL_ERROR_MALFORMED);
  stijl_budget_destroy(budget);
  CHECK(sj_budget_check(NULL, 1000000));
}

TEST(the_clock_ends) {
  stijl_budget *budget = create(NULL, 0.02, 0, UINT64_MAX);
  struct timespec pause = {.tv_nsec = 30000000};
  nanosleep(&pause, NULL);
  CHECK(!sj_budget_check(budget, 1000000));
  stijl_message message;
  CHECK_INT(sj_budget_result(budget, STIJL_ERROR_LIMIT, &message), STIJL_ERROR_LIMIT);
  CHECK_STR(message.text, "it takes longer than max_seconds (0.02)");
  stijl_budget_restart(budget);
  CHECK(sj_budget_check(budget, 1000000));
  stijl_budget_destroy(budget);
}

// Uses the processor for so long.
static void work_for(double seconds) {
  for (double end = cpu_seconds() + seconds; cpu_seconds() < end;) {
  }
}

TEST(processor_time_ends) {
  stijl_budget_params params = STIJL_BUDGET_PARAMS_INIT;
  params.max_seconds = 1000;
  params.max_cpu_seconds = 0.05;
  stijl_budget *budget = NULL;
  CHECK_INT(stijl_budget_create(NULL, &params, &budget), STIJL_OK);
  // Sleep is none, nor is what a thread does outside of a call.
  struct timespec pause = {.tv_nsec = 100000000};
  sj_budget_enter(budget);
  nanosleep(&pause, NULL);
  CHECK(sj_budget_look(budget));
  sj_budget_leave(budget);
  work_for(0.1);
  sj_budget_enter(budget);
  CHECK(sj_budget_look(budget));
  // A call within the call.
  sj_budget_enter(budget);
  work_for(0.03);
  sj_budget_leave(budget);
  CHECK(sj_budget_look(budget));
  CHECK(sj_budget_current() == budget);
  work_for(0.03);
  CHECK(!sj_budget_look(budget));
  sj_budget_leave(budget);
  CHECK(!sj_budget_current());
  CHECK(stijl_budget_cpu_seconds(budget) >= 0.05 && stijl_budget_cpu_seconds(budget) < 0.1);
  stijl_message message;
  CHECK_INT(sj_budget_result(budget, STIJL_ERROR_LIMIT, &message), STIJL_ERROR_LIMIT);
  CHECK_STR(message.text, "it takes more processor time than max_cpu_seconds (0.05)");
  stijl_budget_restart(budget);
  CHECK(sj_budget_look(budget));
  stijl_budget_destroy(budget);
}

static void work_a_little(void *user, uint32_t index, int thread) {
  (void)user, (void)index, (void)thread;
  work_for(0.01);
}

TEST(threads_of_a_pool_are_charged) {
  stijl_budget *budget = create(NULL, 0, 0, 0);
  sj_pool *pool = sj_pool_create(sj_context(NULL), 3);
  sj_budget_enter(budget);
  sj_pool_run(pool, 12, work_a_little, NULL);
  sj_budget_leave(budget);
  double charged = stijl_budget_cpu_seconds(budget);
  CHECK(charged >= 0.12 && charged < 0.2);
  sj_pool_run(pool, 12, work_a_little, NULL);  // for nobody
  CHECK(stijl_budget_cpu_seconds(budget) == charged);
  sj_pool_destroy(pool);
  stijl_budget_destroy(budget);
}

// What nobody asked for is bounded by processor time; the clock may pass ten times as much.
TEST(limits_as_they_stand) {
  stijl_budget *budget = create(NULL, 0, 0, 0);
  stijl_budget_params limits = STIJL_BUDGET_PARAMS_INIT;
  stijl_budget_limits(budget, &limits);
  CHECK(limits.max_cpu_seconds >= 3 && limits.max_cpu_seconds <= 4.5);
  CHECK(fabs(limits.max_seconds - 10 * limits.max_cpu_seconds) < 1e-3);
  CHECK(limits.max_work > 1000000000 && limits.max_memory >= 200 << 20);
  stijl_budget_destroy(budget);
  budget = create(NULL, 2, 5, 6);
  stijl_budget_limits(budget, &limits);
  CHECK(limits.max_seconds == 2 && limits.max_memory == 5 && limits.max_work == 6);
  CHECK(isinf(limits.max_cpu_seconds));
  stijl_budget_destroy(budget);
}

// A document does not raise its own limits by its size.
TEST(limits_grow_with_pixels_that_are_asked_for) {
  for (uint64_t asked = 1; asked <= 1000001; asked += 1000000) {
    stijl_budget_params params = STIJL_BUDGET_PARAMS_INIT, before = params, after = params;
    params.asked_pixels = asked;
    stijl_budget *budget = NULL;
    CHECK_INT(stijl_budget_create(NULL, &params, &budget), STIJL_OK);
    stijl_budget_limits(budget, &before);
    sj_budget_expect(budget, 0, 200000000);
    stijl_budget_limits(budget, &after);
    CHECK_INT(after.max_work - before.max_work, asked == 1 ? 250 : 250000250);
    CHECK_INT(after.max_memory - before.max_memory, 4 * asked);
    CHECK(after.max_cpu_seconds - before.max_cpu_seconds < 0.1);
    stijl_budget_destroy(budget);
  }
}

TEST(cancelling) {
  stijl_budget *budget = create(NULL, 0, 0, 0);
  CHECK(sj_budget_check(budget, 1));
  stijl_budget_cancel(budget);
  CHECK(!sj_budget_check(budget, 1));
  stijl_message message;
  CHECK_INT(sj_budget_result(budget, STIJL_ERROR_LIMIT, &message), STIJL_ERROR_CANCELLED);
  CHECK_STR(message.text, "cancelled");
  stijl_budget_restart(budget);
  CHECK(sj_budget_check(budget, 1));
  stijl_budget_destroy(budget);
  stijl_budget_cancel(NULL);
}

TEST(defaults_grow) {
  stijl_budget *budget = create(NULL, 0, 0, 0);
  size_t before = sj_budget_memory_left(&budget->context);
  uint64_t end = budget->end, work = budget->max_work;
  CHECK(before < (size_t)400 << 20 && budget->max_cpu < 5000000000u);
  sj_budget_add_input(budget, 10000000);
  sj_budget_expect(budget, 20000000, 1 << 20);
  sj_budget_expect(budget, 0, 1 << 20);
  CHECK(budget->end > end + 1000000000u && budget->max_work > work);
  CHECK(sj_budget_memory_left(&budget->context) > before + 10000000);
  stijl_budget_destroy(budget);
  // Small files stay below 512 MiB, even where they are compressed; a million circles of 10 bytes each are drawn.
  budget = create(NULL, 0, 0, 0);
  sj_budget_add_input(budget, 8 << 20);
  CHECK(sj_budget_memory_left(&budget->context) < (size_t)480 << 20);
  sj_budget_add_input(budget, 2 << 20);
  CHECK(sj_budget_memory_left(&budget->context) > (size_t)500 << 20);
  stijl_budget_destroy(budget);
  budget = create(NULL, 1, 1000, 7);
  sj_budget_add_input(budget, 10000000);
  CHECK_INT(budget->end - budget->start, 1000000000);
  CHECK_INT(budget->max_work, 7);
  CHECK_INT(budget->max_memory, 1000);
  stijl_budget_destroy(budget);
}

TEST(the_budget_of_a_call) {
  stijl_context *context = counted_context(), *other = sj_context(NULL);
  stijl_budget *budget = create(context, 0, 0, 0), *used;
  CHECK_INT(sj_budget_begin(other, budget, 0, &used, NULL), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK_INT(sj_budget_begin(context, budget, 0, &used, NULL), STIJL_OK);
  CHECK(used == budget);
  stijl_budget_destroy(used);
  CHECK_INT(sj_budget_begin(stijl_budget_context(budget), NULL, 0, &used, NULL), STIJL_OK);
  CHECK(used == budget);
  stijl_budget_destroy(used);
  CHECK_INT(sj_budget_begin(context, NULL, 3, &used, NULL), STIJL_OK);
  CHECK(used != budget);
  CHECK_INT(used->end - used->start, 3000000000);
  stijl_budget_destroy(used);
  stijl_budget_destroy(budget);
  CHECK_INT(counted.live, 1);
  stijl_context_destroy(context);
}

TEST(parameters) {
  stijl_budget *budget;
  stijl_budget_params params = STIJL_BUDGET_PARAMS_INIT;
  params.max_seconds = NAN;
  CHECK_INT(stijl_budget_create(NULL, &params, &budget), STIJL_ERROR_INVALID_ARGUMENT);
  params.max_seconds = -1;
  CHECK_INT(stijl_budget_create(NULL, &params, &budget), STIJL_ERROR_INVALID_ARGUMENT);
  CHECK(!budget);
  params.max_seconds = 0;
  params.max_cpu_seconds = NAN;
  CHECK_INT(stijl_budget_create(NULL, &params, &budget), STIJL_ERROR_INVALID_ARGUMENT);
  params.max_cpu_seconds = 0;
  params.max_seconds = INFINITY;
  CHECK_INT(stijl_budget_create(NULL, &params, &budget), STIJL_OK);
  CHECK(sj_budget_check(budget, 10000000));
  stijl_budget_destroy(budget);
  stijl_budget_destroy(NULL);
}
