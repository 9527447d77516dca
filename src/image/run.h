// Finds how many pixels are equal: the inner loops of the PNG encoder. Pixels have four bytes, at any address.
#ifndef SJ_IMAGE_RUN_H
#define SJ_IMAGE_RUN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t sj_load_pixel(const unsigned char *p) {
  uint32_t v;
  memcpy(&v, p, 4);
  return v;
}

static inline uint64_t sj_load_pixel_pair(const unsigned char *p) {
  uint64_t v;
  memcpy(&v, p, 8);
  return v;
}

// Returns how many pixels from `row` on, at most n, equal `pixel`.
static inline size_t sj_run_length(const unsigned char *row, size_t n, uint32_t pixel) {
  size_t i = 0;
  uint64_t pair = (uint64_t)pixel << 32 | pixel;
  for (; i + 8 <= n; i += 8) {
    const unsigned char *p = row + 4 * i;
    uint64_t difference = (sj_load_pixel_pair(p) ^ pair) | (sj_load_pixel_pair(p + 8) ^ pair) |
                          (sj_load_pixel_pair(p + 16) ^ pair) | (sj_load_pixel_pair(p + 24) ^ pair);
    if (difference) break;
  }
  while (i < n && sj_load_pixel(row + 4 * i) == pixel) i++;
  return i;
}

// Returns how many pixels from `a` on, at most n, equal those from `b` on.
static inline size_t sj_match_length(const unsigned char *a, const unsigned char *b, size_t n) {
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const unsigned char *p = a + 4 * i, *q = b + 4 * i;
    uint64_t difference = (sj_load_pixel_pair(p) ^ sj_load_pixel_pair(q)) |
                          (sj_load_pixel_pair(p + 8) ^ sj_load_pixel_pair(q + 8)) |
                          (sj_load_pixel_pair(p + 16) ^ sj_load_pixel_pair(q + 16)) |
                          (sj_load_pixel_pair(p + 24) ^ sj_load_pixel_pair(q + 24));
    if (difference) break;
  }
  while (i < n && sj_load_pixel(a + 4 * i) == sj_load_pixel(b + 4 * i)) i++;
  return i;
}

#endif
