// Encodings of one byte a character.
#ifndef SJ_SVG_PARSE_ENCODINGS_H
#define SJ_SVG_PARSE_ENCODINGS_H

#include <stddef.h>
#include <stdint.h>

// The 128 characters from 0x80 on of the encoding with this name, in any case; those before are ASCII's. NULL: none of
// that name.
const uint16_t *sj_single_byte_encoding(const char *name, size_t length);

#endif
