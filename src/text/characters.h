// Unicode's properties of characters, as far as text layout needs them.
#ifndef SJ_TEXT_CHARACTERS_H
#define SJ_TEXT_CHARACTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/context.h"

// Decodes UTF-8. Each byte that cannot be decoded becomes U+FFFD. `offsets` (which may be NULL) takes where each
// character begins, in bytes, and the length behind them. Both arrays are allocated. Returns false when memory is
// short.
bool sj_decode_utf8(stijl_context *context, const char *text, size_t length, uint32_t **out, uint32_t **offsets,
                    uint32_t *count);

// Returns whether a line has to end behind the character (UAX 14, LB4 and LB5). CR and LF together end one line.
bool sj_ends_line(uint32_t character);
// Returns whether the character at `at` belongs to the cluster of the one before it: a mark, a joiner, or what a joiner
// joins.
bool sj_continues_cluster(const uint32_t *text, uint32_t at);
bool sj_is_mark(uint32_t character);
// Returns whether it is a regional indicator, two of which are a flag.
bool sj_is_regional(uint32_t character);
// Returns whether a font need not have the character, since nothing is drawn for it.
bool sj_is_ignorable(uint32_t character);

// Returns whether the character stands upright in vertical text (UAX 50: U or Tu; upright.c).
bool sj_is_upright(uint32_t character);
// Returns whether it stands upright only if the font has a form of it for vertical text, and lies on its side otherwise
// (UAX 50: Tr; upright.c).
bool sj_is_transformed(uint32_t character);

#endif
