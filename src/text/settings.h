// Reads font-feature-settings and font-variation-settings as CSS writes them.
#ifndef SJ_TEXT_SETTINGS_H
#define SJ_TEXT_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Takes a setting off the text: a quoted tag of four letters, and as its value what stands before the next comma,
// without blanks around it. Returns false when the text ends, or is malformed.
bool sj_next_setting(const char **text, const char *end, uint32_t *tag, const char **value, size_t *value_length);
// Returns the value of a feature: a number, or 0 for "off" and 1 for all else, which is "on" or nothing.
uint32_t sj_feature_value(const char *value, size_t length);
// Reads a value that is a decimal number. Returns false when it is none.
bool sj_setting_number(const char *value, size_t length, float *out);

#endif
