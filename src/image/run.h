// How far pixels are equal: the inner loops of the PNG encoder.
#ifndef SJ_IMAGE_RUN_H
#define SJ_IMAGE_RUN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t sj_load_pixel_pair(const uint32_t *p) {
  uint64_t v;
  memcpy(&v, p, 8);
  return v;
}

// The number of pixels from `row` on, at most n, that equal `pixel`.
static inline size_t sj_run_length(const uint32_t *row, size_t n, uint32_t pixel) {
  size_t i = 0;
  uint64_t pair = (uint64_t)pixel << 32 | pixel;
  for (; i + 8 <= n; i += 8) {
    uint64_t difference = (sj_load_pixel_pair(row + i) ^ pair) | (sj_load_pixel_pair(row + i + 2) ^ pair) |
                          (sj_load_pixel_pair(row + i + 4) ^ pair) | (sj_load_pixel_pair(row + i + 6) ^ pair);
    if (difference) break;
  }
  while (i < n && row[i] == pixel) i++;
  return i;
}

// The number of pixels, at most n, in which the two agree.
static inline size_t sj_match_length(const uint32_t *a, const uint32_t *b, size_t n) {
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    uint64_t difference = (sj_load_pixel_pair(a + i) ^ sj_load_pixel_pair(b + i)) |
                          (sj_load_pixel_pair(a + i + 2) ^ sj_load_pixel_pair(b + i + 2)) |
                          (sj_load_pixel_pair(a + i + 4) ^ sj_load_pixel_pair(b + i + 4)) |
                          (sj_load_pixel_pair(a + i + 6) ^ sj_load_pixel_pair(b + i + 6));
    if (difference) break;
  }
  while (i < n && a[i] == b[i]) i++;
  return i;
}

#endif
