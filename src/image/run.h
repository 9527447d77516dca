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

typedef uint32_t sj_four_pixels __attribute__((vector_size(16)));

static inline sj_four_pixels sj_load_four(const unsigned char *p) {
  sj_four_pixels v;
  memcpy(&v, p, sizeof v);
  return v;
}

static inline int sj_any_bits(sj_four_pixels v) {
  uint64_t halves[2];
  memcpy(halves, &v, sizeof v);
  return (halves[0] | halves[1]) != 0;
}

// Returns how many pixels from `row` on, at most n, equal `pixel`.
static inline size_t sj_run_length(const unsigned char *row, size_t n, uint32_t pixel) {
  size_t i = 0;
  uint64_t pair = (uint64_t)pixel << 32 | pixel;
  sj_four_pixels four = {pixel, pixel, pixel, pixel};
  for (; i + 16 <= n; i += 16) {
    const unsigned char *p = row + 4 * i;
    if (sj_any_bits((sj_load_four(p) ^ four) | (sj_load_four(p + 16) ^ four) | (sj_load_four(p + 32) ^ four) |
                    (sj_load_four(p + 48) ^ four)))
      break;
  }
  while (i + 2 <= n && sj_load_pixel_pair(row + 4 * i) == pair) i += 2;
  return i + (i < n && sj_load_pixel(row + 4 * i) == pixel);
}

// Returns how many pixels from `a` on, at most n, equal those from `b` on.
static inline size_t sj_match_length(const unsigned char *a, const unsigned char *b, size_t n) {
  size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    const unsigned char *p = a + 4 * i, *q = b + 4 * i;
    if (sj_any_bits((sj_load_four(p) ^ sj_load_four(q)) | (sj_load_four(p + 16) ^ sj_load_four(q + 16)) |
                    (sj_load_four(p + 32) ^ sj_load_four(q + 32)) | (sj_load_four(p + 48) ^ sj_load_four(q + 48))))
      break;
  }
  while (i + 2 <= n && sj_load_pixel_pair(a + 4 * i) == sj_load_pixel_pair(b + 4 * i)) i += 2;
  return i + (i < n && sj_load_pixel(a + 4 * i) == sj_load_pixel(b + 4 * i));
}

#endif
