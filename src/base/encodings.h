// Encodings of text, by name.
#ifndef SJ_BASE_ENCODINGS_H
#define SJ_BASE_ENCODINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The encoding with this name, in any case. *upper: the 128 characters from byte 0x80 on, those before being ASCII's;
// NULL for UTF-8. False: none that is known has that name.
bool sj_encoding_find(const char *name, size_t length, const uint16_t **upper);

#endif
