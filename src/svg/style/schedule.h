// Tells when the SMIL animations of a document run (SMIL 3, 5.4), by going through the time line up to one time.
#ifndef SJ_SVG_STYLE_SCHEDULE_H
#define SJ_SVG_STYLE_SCHEDULE_H

#include "svg/style/timeline.h"
#include "svg/style/timing.h"

typedef struct sj_schedule sj_schedule;

// Makes the schedule of a document's animations up to `time`, in seconds. With INFINITY it goes on until nothing
// changes any more, or animations have begun each other so often that it seems never to end. The caller destroys *out,
// on failure, too.
stijl_result sj_schedule_create(const sj_document *document, double time, sj_schedule **out, stijl_message *message);
void sj_schedule_destroy(sj_schedule *schedule);

// Returns when the last animation ended or began, at least 0.
double sj_schedule_end(const sj_schedule *schedule);
// Tells a time line of all animations, when the schedule was made for INFINITY.
void sj_schedule_tell(const sj_schedule *schedule, sj_timeline *line);
// Returns how many animations there are, and which element the i-th is, in document order.
uint32_t sj_schedule_count(const sj_schedule *schedule);
uint32_t sj_schedule_element(const sj_schedule *schedule, uint32_t i);
// Computes how far the i-th animation is at the time. Returns false when it has no effect then.
bool sj_schedule_at(const sj_schedule *schedule, uint32_t i, sj_progress *out);

#endif
