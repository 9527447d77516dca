#include "text/settings.h"

#include <string.h>

#include "geometry/number.h"

bool sj_next_setting(const char **text, const char *end, uint32_t *tag, const char **value, size_t *value_length) {
  const char *at = *text;
  while (at < end && sj_is_space(*at)) at++;
  if (end - at < 6 || (*at != '"' && *at != '\'') || at[5] != *at) return false;
  *tag = 0;
  for (int i = 1; i < 5; i++) *tag = *tag << 8 | (unsigned char)at[i];
  at += 6;
  const char *comma = memchr(at, ',', (size_t)(end - at)), *stop = comma ? comma : end;
  *text = comma ? comma + 1 : end;
  while (at < stop && sj_is_space(*at)) at++;
  while (stop > at && sj_is_space(stop[-1])) stop--;
  *value = at;
  *value_length = (size_t)(stop - at);
  return true;
}

bool sj_setting_number(const char *value, size_t length, float *out) {
  double number;
  if (!length || sj_number_parse(value, length, &number) != length) return false;
  *out = sj_number_to_float(number);
  return true;
}

uint32_t sj_feature_value(const char *value, size_t length) {
  float number;
  if (length == 3 && sj_equal_ignoring_case(value, "off", 3)) return 0;
  if (sj_setting_number(value, length, &number) && number >= 0.0f && number < 65536.0f) return (uint32_t)number;
  return 1;
}
