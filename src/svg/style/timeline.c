#include "svg/style/timeline.h"

#include <math.h>

#define SECOND 1e6  // in microseconds
#define DAY 86400e6

static uint64_t common_divisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

void sj_timeline_repeats(sj_timeline *line, double begin, double period) {
  line->unending = true;
  line->begun = fmax(line->begun, begin);
  double micro = round(period * SECOND);
  if (line->period == SJ_NO_PERIOD) return;
  if (!(micro >= 1.0 && micro <= DAY)) {
    line->period = SJ_NO_PERIOD;
    return;
  }
  uint64_t own = (uint64_t)micro, before = line->period ? line->period : own;
  uint64_t times = before / common_divisor(before, own);
  line->period = (double)times * micro <= DAY ? times * own : SJ_NO_PERIOD;
}
