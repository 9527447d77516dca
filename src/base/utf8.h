// Characters from and to UTF-8.
#ifndef SJ_BASE_UTF8_H
#define SJ_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/shared.h"

#define SJ_REPLACEMENT_CHARACTER 0xfffdu  // stands for what cannot be decoded

// Decodes the character at *at, which must lie before `end`, and moves *at behind it. Where the bytes are not valid
// UTF-8 it returns -1, and moves *at by one byte.
SJ_SHARED int32_t sj_utf8_next(const char **at, const char *end);

#define SJ_UTF8_MOST 4  // bytes of a character

// Writes a character, unless `out` is NULL. Returns how many bytes it takes, 1 to 4.
size_t sj_utf8_put(uint32_t character, char *out);

// Returns whether a character commands a terminal, ends a line, or changes the direction of its neighbours.
SJ_SHARED bool sj_is_control(int32_t character);

// Returns whether the bytes are valid UTF-8.
bool sj_is_utf8(const char *data, size_t bytes);

#endif
