#include "image/convert.h"

#include <string.h>

#include "image/pixel.h"
#include "image/run.h"

#define ALPHA2 UINT64_C(0xff000000ff000000)

static inline void store32(unsigned char *p, uint32_t v) { memcpy(p, &v, 4); }

// Converts eight pixels at a time. Most of a picture is opaque or clear, where only the order of the bytes may change.
#define CONVERT_LOOP(convert, order)                                                                        \
  do {                                                                                                      \
    for (; pixels >= 8; pixels -= 8, s += 32, d += 32) {                                                    \
      uint64_t w0 = sj_load_pixel_pair(s), w1 = sj_load_pixel_pair(s + 8), w2 = sj_load_pixel_pair(s + 16), \
               w3 = sj_load_pixel_pair(s + 24);                                                             \
      if ((w0 & w1 & w2 & w3 & ALPHA2) == ALPHA2 || !(w0 | w1 | w2 | w3)) {                                 \
        for (int i = 0; i < 8; i++) store32(d + 4 * i, order(sj_load_pixel(s + 4 * i)));                    \
      } else {                                                                                              \
        uint32_t block[8];                                                                                  \
        memcpy(block, s, 32);                                                                               \
        for (int i = 0; i < 8; i++) block[i] = order(convert(block[i]));                                    \
        memcpy(d, block, 32);                                                                               \
      }                                                                                                     \
    }                                                                                                       \
    for (; pixels; pixels--, s += 4, d += 4) store32(d, order(convert(sj_load_pixel(s))));                  \
  } while (0)

static inline uint32_t same_order(uint32_t p) { return p; }

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
    bool swap = sj_format_is_blue_first(from) != sj_format_is_blue_first(to);
    if (sj_format_is_straight(from) == sj_format_is_straight(to)) {
      for (size_t i = 0; i < pixels; i++) store32(d + 4 * i, sj_swap_red_blue(sj_load_pixel(s + 4 * i)));
    } else if (sj_format_is_straight(from)) {
      if (swap)
        CONVERT_LOOP(sj_premultiply, sj_swap_red_blue);
      else
        CONVERT_LOOP(sj_premultiply, same_order);
    } else {
      if (swap)
        CONVERT_LOOP(sj_unpremultiply, sj_swap_red_blue);
      else
        CONVERT_LOOP(sj_unpremultiply, same_order);
    }
  }
}

void sj_clamp_row(const void *src, void *dst, size_t pixels) {
  const unsigned char *s = src;
  unsigned char *d = dst;
  CONVERT_LOOP(sj_clamp_to_alpha, same_order);
}

void sj_flatten_row(stijl_format from, const void *src, const unsigned char background[3], uint32_t *dst,
                    size_t pixels) {
  uint32_t below = background[0] | (uint32_t)background[1] << 8 | (uint32_t)background[2] << 16;
  sj_convert_row(from, STIJL_FORMAT_RGBA8, src, dst, pixels);
  for (size_t x = 0; x < pixels; x++) {
    if (dst[x] >= SJ_ALPHA) continue;
    // What shows of the background is its colour at the alpha that the pixel leaves; no sum exceeds 255.
    uint32_t pixel = sj_clamp_to_alpha(dst[x]);
    dst[x] = pixel + sj_premultiply(below | (SJ_ALPHA - (pixel & SJ_ALPHA)));
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
    uint32_t all = SJ_ALPHA;
    for (int i = 0; i < 64; i++) all &= sj_load_pixel(p + 4 * i);
    if (all != SJ_ALPHA) return false;
  }
  uint32_t all = SJ_ALPHA;
  for (size_t i = 0; i < pixels; i++) all &= sj_load_pixel(p + 4 * i);
  return all == SJ_ALPHA;
}
