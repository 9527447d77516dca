// Where lines may end (UAX 14), by libunibreak.
#ifndef SJ_TEXT_LINE_BREAKS_H
#define SJ_TEXT_LINE_BREAKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/context.h"

// Sets out[i] to whether a line may or must end behind character i, in the values of libunibreak (linebreak.h).
// `language` (BCP 47) may be NULL. Returns false when memory is short.
bool sj_line_breaks(stijl_context *context, const uint32_t *text, uint32_t count, const char *language, char *out);

#endif
