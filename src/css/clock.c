#include "css/clock.h"

#include <math.h>

#include "base/clock.h"

// Seconds of the processor for a call for which nobody gave a limit; the clock may pass ten times as much (budget.h).
#define CPU_SECONDS 10.0

bool sj_css_clock_begin(sj_css_clock *clock, stijl_context *context, double max_seconds) {
  bool given = max_seconds > 0.0;
  *clock = (sj_css_clock){.budget = sj_budget_of(context),
                          .max_seconds = given ? max_seconds : 0.0,
                          .deadline = given ? sj_now_ms() + max_seconds * 1e3 : (double)INFINITY};
  clock->own = !clock->budget && !given;
  if (clock->own) {
    stijl_budget_params params = STIJL_BUDGET_PARAMS_INIT;
    params.max_cpu_seconds = CPU_SECONDS;
    params.max_work = UINT64_MAX / 2;
    if (stijl_budget_create(context, &params, &clock->budget) != STIJL_OK) return false;
  }
  sj_budget_enter(clock->budget);
  return true;
}

void sj_css_clock_end(sj_css_clock *clock) {
  sj_budget_leave(clock->budget);
  if (clock->own) stijl_budget_destroy(clock->budget);
}

bool sj_css_clock_check(const sj_css_clock *clock, uint64_t work) {
  return sj_budget_check(clock->budget, work) && (clock->max_seconds == 0.0 || sj_now_ms() <= clock->deadline);
}

stijl_result sj_css_clock_fail(const sj_css_clock *clock, const char *what, stijl_message *message) {
  if (clock->max_seconds > 0.0)
    return sj_fail(message, STIJL_ERROR_LIMIT, "%s took longer than max_seconds (%g)", what, clock->max_seconds);
  return sj_fail(message, STIJL_ERROR_LIMIT, "%s took more than %g seconds of the processor (max_seconds sets a limit)",
                 what, CPU_SECONDS);
}
