#include "lab/change.h"

#include <math.h>

static const double WORTH_TELLING = 0.03;

sj_lab_change sj_lab_changed(sj_lab_estimate before, sj_lab_estimate after) {
  if (!(before.us > 0 && after.us > 0)) return SJ_LAB_AS_FAST;
  if (after.high < before.low && after.us <= before.us * (1 - WORTH_TELLING)) return SJ_LAB_FASTER;
  if (after.low > before.high && after.us >= before.us * (1 + WORTH_TELLING)) return SJ_LAB_SLOWER;
  return SJ_LAB_AS_FAST;
}

const char *sj_lab_change_name(sj_lab_change change) {
  return change == SJ_LAB_FASTER ? "faster" : change == SJ_LAB_SLOWER ? "slower" : "no difference beyond the noise";
}

void sj_lab_say_effect(sj_lab_page *page, const char *what, sj_lab_estimate before, sj_lab_estimate after,
                       const char *why) {
  if (!isfinite(before.us) || !isfinite(after.us)) return;
  switch (sj_lab_changed(before, after)) {
    case SJ_LAB_FASTER: sj_lab_say(page, "%s: %.2f times as fast, %s.", what, before.us / after.us, why); break;
    case SJ_LAB_SLOWER:
      sj_lab_say(page, "%s: %.2f times the time, so that does not pay here.", what, after.us / before.us);
      break;
    default:
      sj_lab_say(page, "%s: no difference beyond the noise (%.2f times the time%s).", what, after.us / before.us,
                 after.low <= before.high && before.low <= after.high ? ", and the intervals overlap" : "");
  }
}
