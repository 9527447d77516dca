// Whether one time differs from another. Sentences, tables and advice ask here, so that they cannot contradict each
// other.
#ifndef SJ_LAB_CHANGE_H
#define SJ_LAB_CHANGE_H

#include "lab/page.h"

// A median of microseconds, and the bounds of its 95 % confidence interval; all NAN where nothing was measured.
typedef struct sj_lab_estimate {
  double us, low, high;
} sj_lab_estimate;
#define SJ_LAB_ESTIMATE(time) \
  (sj_lab_estimate) { (time).us, (time).low, (time).high }

typedef enum sj_lab_change { SJ_LAB_AS_FAST, SJ_LAB_FASTER, SJ_LAB_SLOWER } sj_lab_change;

// Returns what `after` is beside `before`: a difference counts from 3 % on, and where the intervals do not overlap.
sj_lab_change sj_lab_changed(sj_lab_estimate before, sj_lab_estimate after);
// Returns "faster", "slower", or "no difference beyond the noise".
const char *sj_lab_change_name(sj_lab_change change);

// Says what something does to a time: how many times as fast it makes it, and `why`, where it does; how many times as
// long it takes, and that it does not pay, where that is so; otherwise that it makes no difference.
void sj_lab_say_effect(sj_lab_page *page, const char *what, sj_lab_estimate before, sj_lab_estimate after,
                       const char *why);

#endif
