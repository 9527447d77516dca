// The time at which a document's animations are looked at, and what is learned of how long they go on.
#ifndef SJ_SVG_STYLE_TIMELINE_H
#define SJ_SVG_STYLE_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#define SJ_NO_PERIOD UINT64_MAX

typedef struct sj_timeline {
  double time;      // seconds; INFINITY: when all that ends has ended
  double end;       // of the last that ends
  bool unending;    // some animation does not end
  double begun;     // when the last of those had begun
  uint64_t period;  // microseconds, after which all of those repeat; 0: nothing does; SJ_NO_PERIOD: none below a day
} sj_timeline;

// Learns of an animation that repeats for ever.
void sj_timeline_repeats(sj_timeline *line, double begin, double period);

#endif
