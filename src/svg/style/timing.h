// Reads the timing attributes of SMIL animations, and tells how far an interval is.
#ifndef SJ_SVG_STYLE_TIMING_H
#define SJ_SVG_STYLE_TIMING_H

#include "svg/parse/document.h"
#include "svg/style/interpolate.h"

// Returns an attribute without namespace by its name, trimmed; text NULL when it is absent.
sj_span sj_timing_attribute(const sj_document *document, uint32_t element, const char *name);

typedef enum sj_restart { SJ_RESTART_ALWAYS, SJ_RESTART_WHEN_NOT_ACTIVE, SJ_RESTART_NEVER } sj_restart;

// The timing attributes of an animation but for its lists of begin and end. Seconds; INFINITY is indefinite.
typedef struct sj_timing {
  double simple, count, repeat;  // dur, repeatCount, repeatDur
  double min, max;               // of the active duration
  bool has_duration;             // dur, repeatCount or repeatDur is given
  bool freeze;
  sj_restart restart;
} sj_timing;

typedef enum sj_timing_kind { SJ_TIMING_OFFSET, SJ_TIMING_BEGIN, SJ_TIMING_END, SJ_TIMING_REPEAT } sj_timing_kind;

// An item of a list of begin or end: an offset from the document's begin, or from that of another animation, its end,
// or its n-th repetition.
typedef struct sj_timing_time {
  sj_timing_kind kind;
  double offset;
  uint32_t base;
  double repeat;
} sj_timing_time;

typedef struct sj_progress {
  double begin;      // seconds
  double fraction;   // of the simple duration, 0..1
  double iteration;  // from 0, whole
} sj_progress;

sj_timing sj_timing_of(const sj_document *document, uint32_t element);
// Takes the next item of a list with semicolons, trimmed. Returns false at the end.
bool sj_timing_next(sj_span *list, sj_span *item);
// Returns false for what is in error, waits for an event, or refers to no animation: it never comes.
bool sj_timing_parse_time(const sj_document *document, sj_span item, sj_timing_time *out);
// Returns whether an item refers to something that is not known beforehand: an event, or another animation.
bool sj_timing_is_event(sj_span item);

// Returns how long it is repeated, without regard to min, max and end.
double sj_timing_repeating(const sj_timing *timing);
// Returns when an interval ends that an instance of `end` would end at `end` (SMIL 3, 5.4.5: computing the active
// duration).
double sj_timing_active_end(const sj_timing *timing, double begin, double end);
// Returns how far an interval is at a time that is not before its begin, active or frozen.
sj_progress sj_timing_progress(const sj_timing *timing, double begin, double end, double time);

#endif
