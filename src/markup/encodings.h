// Finds encodings of text by their names.
#ifndef SJ_MARKUP_ENCODINGS_H
#define SJ_MARKUP_ENCODINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Finds the encoding with this name, in upper or lower case. *upper becomes its table: the 128 characters of bytes 0x80
// to 0xff (lower bytes are ASCII); NULL for UTF-8. Returns false when the name is unknown.
bool sj_encoding_find(const char *name, size_t length, const uint16_t **upper);

#endif
