// font-feature-settings and font-variation-settings, as CSS writes them.
#ifndef SJ_TEXT_SETTINGS_H
#define SJ_TEXT_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Takes one setting off the text: a quoted tag of four letters with what stands up to the next comma, without blanks
// around it. False at the end, and for what is malformed.
bool sj_next_setting(const char **text, const char *end, uint32_t *tag, const char **value, size_t *value_length);
// The value of a feature: "on", "off", a whole number, or nothing, which is on.
uint32_t sj_feature_value(const char *value, size_t length);
// A decimal number; false when it is none.
bool sj_setting_number(const char *value, size_t length, float *out);

#endif
