// Applies SMIL animations (SVG Animations 2).
#ifndef SJ_SVG_STYLE_ANIMATE_H
#define SJ_SVG_STYLE_ANIMATE_H

#include "svg/style/schedule.h"

// Replaces attributes by the values that animations give them at the schedule's time, and adds declarations behind
// those that are not important. Style sheets have to be applied before. Events never happen, so what waits for one does
// not run.
stijl_result sj_document_animate(sj_document *document, const sj_schedule *schedule, stijl_message *message);

#endif
