#include "image/convert.h"

#include <string.h>

// Pixels are handled as 32-bit words whose lowest byte is the first in memory.
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "big-endian machines are not supported");

#define ALPHA UINT32_C(0xff000000)
#define ALPHA2 UINT64_C(0xff000000ff000000)

static inline uint32_t load32(const unsigned char *p) {
  uint32_t v;
  memcpy(&v, p, 4);
  return v;
}

static inline uint64_t load64(const unsigned char *p) {
  uint64_t v;
  memcpy(&v, p, 8);
  return v;
}

static inline void store32(unsigned char *p, uint32_t v) { memcpy(p, &v, 4); }

static inline uint32_t swap_red_blue(uint32_t p) { return (p & 0xff00ff00u) | (p >> 16 & 0xff) | (p & 0xff) << 16; }

static inline uint32_t premultiply(uint32_t p) {
  uint32_t a = p >> 24;
  uint32_t rb = (p & 0xff00ff) * a + 0x800080;
  uint32_t g = (p >> 8 & 0xff) * a + 0x80;
  rb = (rb + (rb >> 8 & 0xff00ff)) >> 8 & 0xff00ff;
  g = (g + (g >> 8)) >> 8;
  return (p & ALPHA) | g << 8 | rb;
}

// The numerator is below 2^16, so the quotient of the floats lies at least 2^-8 / a from a wrong integer, and its
// rounding error is below 2^-8 of that.
static inline uint32_t divide_channel(uint32_t c, uint32_t half, float a) {
  int32_t q = (int32_t)((float)(int32_t)(c * 255 + half) / a);
  return (uint32_t)(q < 255 ? q : 255);
}

static inline uint32_t unpremultiply(uint32_t p) {
  uint32_t a = p >> 24, keep = a ? UINT32_MAX : 0;
  float divisor = (float)(int32_t)(a ? a : 1);
  uint32_t r = divide_channel(p & 0xff, a >> 1, divisor);
  uint32_t g = divide_channel(p >> 8 & 0xff, a >> 1, divisor);
  uint32_t b = divide_channel(p >> 16 & 0xff, a >> 1, divisor);
  return (r | g << 8 | b << 16 | (p & ALPHA)) & keep;
}

// Eight pixels at a time: most of a picture is opaque or clear, where only the order of the bytes can change.
#define CONVERT_LOOP(convert, order)                                                         \
  do {                                                                                       \
    for (; pixels >= 8; pixels -= 8, s += 32, d += 32) {                                     \
      uint64_t w0 = load64(s), w1 = load64(s + 8), w2 = load64(s + 16), w3 = load64(s + 24); \
      if ((w0 & w1 & w2 & w3 & ALPHA2) == ALPHA2 || !(w0 | w1 | w2 | w3)) {                  \
        for (int i = 0; i < 8; i++) store32(d + 4 * i, order(load32(s + 4 * i)));            \
      } else {                                                                               \
        uint32_t block[8];                                                                   \
        memcpy(block, s, 32);                                                                \
        for (int i = 0; i < 8; i++) block[i] = order(convert(block[i]));                     \
        memcpy(d, block, 32);                                                                \
      }                                                                                      \
    }                                                                                        \
    for (; pixels; pixels--, s += 4, d += 4) store32(d, order(convert(load32(s))));          \
  } while (0)

static inline uint32_t same_order(uint32_t p) { return p; }

static bool is_straight(stijl_format format) {
  return format == STIJL_FORMAT_RGBA8_STRAIGHT || format == STIJL_FORMAT_BGRA8_STRAIGHT;
}

static bool is_blue_first(stijl_format format) {
  return format == STIJL_FORMAT_BGRA8 || format == STIJL_FORMAT_BGRA8_STRAIGHT;
}

void sj_convert_row(stijl_format from, stijl_format to, const void *src, void *dst, size_t pixels) {
  const unsigned char *s = src;
  unsigned char *d = dst;
  if (from == to) {
    if (d != s) memcpy(d, s, pixels * stijl_format_bytes(from));
  } else if (from == STIJL_FORMAT_A8) {
    for (size_t i = 0; i < pixels; i++) store32(d + 4 * i, (uint32_t)s[i] << 24);
  } else if (to == STIJL_FORMAT_A8) {
    for (size_t i = 0; i < pixels; i++) d[i] = s[4 * i + 3];
  } else {
    bool swap = is_blue_first(from) != is_blue_first(to);
    if (is_straight(from) == is_straight(to)) {
      for (size_t i = 0; i < pixels; i++) store32(d + 4 * i, swap_red_blue(load32(s + 4 * i)));
    } else if (is_straight(from)) {
      if (swap)
        CONVERT_LOOP(premultiply, swap_red_blue);
      else
        CONVERT_LOOP(premultiply, same_order);
    } else {
      if (swap)
        CONVERT_LOOP(unpremultiply, swap_red_blue);
      else
        CONVERT_LOOP(unpremultiply, same_order);
    }
  }
}

bool sj_row_is_opaque(stijl_format format, const void *row, size_t pixels) {
  const unsigned char *p = row;
  if (format == STIJL_FORMAT_A8) {
    unsigned char all = 255;
    for (size_t i = 0; i < pixels; i++) all &= p[i];
    return all == 255;
  }
  for (; pixels >= 64; pixels -= 64, p += 256) {
    uint32_t all = ALPHA;
    for (int i = 0; i < 64; i++) all &= load32(p + 4 * i);
    if (all != ALPHA) return false;
  }
  uint32_t all = ALPHA;
  for (size_t i = 0; i < pixels; i++) all &= load32(p + 4 * i);
  return all == ALPHA;
}
