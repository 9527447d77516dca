// The directions of a text's characters, and the order in which they are seen: Unicode's bidirectional algorithm (UAX
// 9).
#ifndef SJ_TEXT_BIDI_H
#define SJ_TEXT_BIDI_H

#include <stdbool.h>
#include <stdint.h>

#include "base/context.h"

// The direction of a paragraph; AUTO: that of its first character that has one.
typedef enum sj_base_direction { SJ_BASE_LTR, SJ_BASE_RTL, SJ_BASE_AUTO } sj_base_direction;

// Finds the embedding level of each character of a paragraph, which is odd from right to left, and that of the
// paragraph. Returns false when memory is short.
bool sj_find_levels(stijl_context *context, const uint32_t *text, uint32_t count, sj_base_direction direction,
                    uint8_t *levels, uint8_t *base_level);

// Finds the order in which runs of these levels stand from left to right (rule L2): out[i] is the index of the i-th.
void sj_visual_order(const uint8_t *levels, uint32_t count, uint32_t *out);

#endif
