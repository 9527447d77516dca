// What bounds the time of one public call: its limit of time, its context's budget, or both.
#ifndef SJ_CSS_CLOCK_H
#define SJ_CSS_CLOCK_H

#include "base/budget.h"

typedef struct sj_css_clock {
  // The context's; where that has none and no limit of time is given, one that bounds the call's processor time.
  stijl_budget *budget;
  bool own;            // the budget is the call's
  double max_seconds;  // 0: not given
  double deadline;     // by sj_now_ms
} sj_css_clock;

// Begins: from now on the calling thread works for the budget, until the end. Returns false when memory is short.
bool sj_css_clock_begin(sj_css_clock *clock, stijl_context *context, double max_seconds);
void sj_css_clock_end(sj_css_clock *clock);
// Charges the budget for work. Returns false when the time or the budget is spent. It reads the clock.
bool sj_css_clock_check(const sj_css_clock *clock, uint64_t work);
// Fails because `what` took too long.
stijl_result sj_css_clock_fail(const sj_css_clock *clock, const char *what, stijl_message *message);

#endif
