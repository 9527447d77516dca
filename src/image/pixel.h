// Operations on a pixel as a 32-bit word, whose lowest byte is the first in memory.
#ifndef SJ_IMAGE_PIXEL_H
#define SJ_IMAGE_PIXEL_H

#include "stijl/image.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "big-endian machines are not supported");

#define SJ_ALPHA UINT32_C(0xff000000)

static inline bool sj_format_is_straight(stijl_format format) {
  return format == STIJL_FORMAT_RGBA8_STRAIGHT || format == STIJL_FORMAT_BGRA8_STRAIGHT;
}

static inline bool sj_format_is_blue_first(stijl_format format) {
  return format == STIJL_FORMAT_BGRA8 || format == STIJL_FORMAT_BGRA8_STRAIGHT;
}

static inline uint32_t sj_swap_red_blue(uint32_t p) { return (p & 0xff00ff00u) | (p >> 16 & 0xff) | (p & 0xff) << 16; }

static inline uint32_t sj_clamp_to_alpha(uint32_t p) {
  uint32_t a = p >> 24, r = p & 0xff, g = p >> 8 & 0xff, b = p >> 16 & 0xff;
  return (r < a ? r : a) | (g < a ? g : a) << 8 | (b < a ? b : a) << 16 | (p & SJ_ALPHA);
}

static inline uint32_t sj_premultiply(uint32_t p) {
  uint32_t a = p >> 24;
  uint32_t rb = (p & 0xff00ff) * a + 0x800080;
  uint32_t g = (p >> 8 & 0xff) * a + 0x80;
  rb = (rb + (rb >> 8 & 0xff00ff)) >> 8 & 0xff00ff;
  g = (g + (g >> 8)) >> 8;
  return (p & SJ_ALPHA) | g << 8 | rb;
}

// Returns (255 c + half) / a, at most 255, where `half` is a / 2. A division of floats is exact enough: the numerator
// is below 2^16, so a quotient that is no integer lies at least 1 / a below the next one, and rounding moves it by at
// most 1 / (256 a).
static inline uint32_t sj_divide_channel(uint32_t c, uint32_t half, float a) {
  int32_t q = (int32_t)((float)(int32_t)(c * 255 + half) / a);
  return (uint32_t)(q < 255 ? q : 255);
}

static inline uint32_t sj_unpremultiply(uint32_t p) {
  uint32_t a = p >> 24, keep = a ? UINT32_MAX : 0;
  float divisor = (float)(int32_t)(a ? a : 1);
  uint32_t r = sj_divide_channel(p & 0xff, a >> 1, divisor);
  uint32_t g = sj_divide_channel(p >> 8 & 0xff, a >> 1, divisor);
  uint32_t b = sj_divide_channel(p >> 16 & 0xff, a >> 1, divisor);
  return (r | g << 8 | b << 16 | (p & SJ_ALPHA)) & keep;
}

#endif
