// Tells when SMIL animations run, and how far they are at time 0.
#ifndef SJ_SVG_STYLE_TIMING_H
#define SJ_SVG_STYLE_TIMING_H

#include "svg/parse/document.h"
#include "svg/style/interpolate.h"

// Returns an attribute without namespace by its name, trimmed; text NULL when it is absent.
sj_span sj_timing_attribute(const sj_document *document, uint32_t element, const char *name);

typedef struct sj_progress {
  double begin;      // seconds, <= 0
  double fraction;   // of the simple duration, 0..1
  double iteration;  // from 0, whole
} sj_progress;

// Computes how far an animation is at time 0. Returns false when it has no effect then.
bool sj_timing_at_zero(const sj_document *document, uint32_t element, sj_progress *out);

#endif
