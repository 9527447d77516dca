#include "lab/expect.h"

#include <math.h>

static uint32_t mixed(uint32_t i) {
  i *= SJ_LAB_WORD;
  i ^= i >> 15;
  return i * 0x2c1b3c6du;
}

static uint32_t scatter(uint32_t i) {
  i = mixed(i);
  return i ^ i >> 12;
}

// --- Loads ---

uint32_t sj_lab_place(sj_lab_pattern pattern, uint32_t step, uint32_t bits, uint32_t i) {
  uint32_t mask = (1u << bits) - 1;
  switch (pattern) {
    case SJ_LAB_LINEAR: return (i + step) & mask;
    case SJ_LAB_STRIDED: return (i << step & mask) | (i & mask) >> (bits - step);
    case SJ_LAB_RANDOM: return scatter(i) & mask;
    case SJ_LAB_SAME: return i >> 5 & mask;
    case SJ_LAB_COLUMNS: return (i << (bits >> 1) & mask) | (i & mask) >> ((bits + 1) >> 1);
    default: return i & mask;
  }
}

uint32_t sj_lab_words(const sj_lab_load *load, uint32_t bits, uint32_t i, uint64_t bytes[4]) {
  uint64_t at = sj_lab_place(load->pattern, load->step, bits, i), count = (uint64_t)1 << bits;
  switch (load->pattern) {
    case SJ_LAB_STRUCTS:
      for (uint32_t k = 0; k < 3; k++) bytes[k] = (3 * at + k) * 4;
      return 3;
    case SJ_LAB_FIELDS:
      for (uint32_t k = 0; k < 3; k++) bytes[k] = (at + k * count) * 4;
      return 3;
    case SJ_LAB_PADDED:
      for (uint32_t k = 0; k < 3; k++) bytes[k] = (4 * at + k) * 4;
      return 3;
    case SJ_LAB_ONE_FIELD: bytes[0] = 3 * at * 4; return 1;
    default: bytes[0] = at * load->bytes; return 1;
  }
}

// Returns the number that a lane adds for the element at this byte.
static uint32_t element(uint64_t at, uint32_t bytes) {
  uint32_t word = (uint32_t)(at / 4), value = word * SJ_LAB_WORD;
  if (bytes == 1) return value >> at % 4 * 8 & 0xff;
  if (bytes == 2) return value >> at % 4 * 8 & 0xffff;
  uint32_t sum = 0;
  for (uint32_t k = 0; k < bytes / 4; k++) sum += (word + k) * SJ_LAB_WORD;
  return sum;
}

uint32_t sj_lab_wrong_sums(const uint32_t *got, uint32_t first, uint32_t count, const sj_lab_load *load, uint32_t bits,
                           uint32_t lanes, uint32_t turns) {
  uint32_t wrong = 0;
  uint64_t at[4];
  for (uint32_t i = 0; i < count; i++) {
    uint32_t sum = 0;
    for (uint32_t t = 0; t < turns; t++) {
      uint32_t n = sj_lab_words(load, bits, first + i + t * lanes, at);
      for (uint32_t k = 0; k < n; k++) sum += element(at[k], load->bytes);
    }
    wrong += got[i] != sum;
  }
  return wrong;
}

// --- Copies, transposes, sums of 3x3 words ---

uint32_t sj_lab_wrong_copies(const uint32_t *got, uint32_t first, uint32_t count) {
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < count; i++) wrong += got[i] != (first + i) * SJ_LAB_WORD;
  return wrong;
}

uint32_t sj_lab_wrong_fills(const uint32_t *got, uint32_t first, uint32_t count) {
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < count; i++) wrong += got[i] != (first + i) / 4;
  return wrong;
}

uint32_t sj_lab_wrong_transposed(const uint32_t *got, uint32_t row, uint32_t rows, uint32_t n) {
  uint32_t wrong = 0;
  for (uint32_t y = 0; y < rows; y++)
    for (uint32_t x = 0; x < n; x++) wrong += *got++ != (x * n + row + y) * SJ_LAB_WORD;
  return wrong;
}

uint32_t sj_lab_wrong_neighbours(const uint32_t *got, uint32_t row, uint32_t rows, uint32_t n) {
  uint32_t wrong = 0, mask = n - 1;
  for (uint32_t y = row; y < row + rows; y++)
    for (uint32_t x = 0; x < n; x++) {
      uint32_t sum = 0;
      for (uint32_t j = 0; j < 3; j++)
        for (uint32_t i = 0; i < 3; i++) sum += (((y + j - 1) & mask) * n + ((x + i - 1) & mask)) * SJ_LAB_WORD;
      wrong += *got++ != sum;
    }
  return wrong;
}

// --- Products ---

enum { SALT = 77 };  // makes the second factor's numbers others than the first's

// Returns a pseudo-random whole number from -2 to 2.
static int factor(uint32_t i, uint32_t salt) { return (int)((mixed(i + salt) >> 16) % 5) - 2; }

void sj_lab_factor(float *to, uint32_t first, uint32_t count, bool second) {
  for (uint32_t i = 0; i < count; i++) to[i] = (float)factor(first + i, second ? SALT : 0);
}

void sj_lab_product_begin(const sj_lab_product *product) {
  uint32_t n = product->n;
  uint64_t state = 1;
  for (uint32_t i = 0; i < n; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    product->x[i] = state >> 32;
  }
  for (uint32_t row = 0; row < n; row++) {
    product->bx[row] = 0;
    for (uint32_t k = 0; k < n; k++) product->bx[row] += (uint64_t)(int64_t)factor(row * n + k, SALT) * product->x[k];
  }
}

// Counts the rows of C that are wrong. The product of each row with a vector x has to be that of the row of A with Bx.
// The vector is random and all is computed modulo 2^64, so a wrong row stays unnoticed once in 2^32 at most (Freivalds:
// "Probabilistic Machines Can Use Less Running Time", 1977).
uint32_t sj_lab_wrong_rows(const float *got, uint32_t row, uint32_t rows, const sj_lab_product *product) {
  uint32_t n = product->n, wrong = 0;
  for (uint32_t end = row + rows; row < end; row++, got += n) {
    uint64_t expected = 0, sum = 0;
    bool whole = true;
    for (uint32_t k = 0; k < n; k++) {
      whole = whole && fabsf(got[k]) < 16777216.0f && got[k] == floorf(got[k]);
      expected += (uint64_t)(int64_t)factor(row * n + k, 0) * product->bx[k];
      if (whole) sum += (uint64_t)(int64_t)got[k] * product->x[k];
    }
    wrong += !whole || sum != expected;
  }
  return wrong;
}

// --- Contraction ---

static float number(uint32_t i) { return ((float)(scatter(i) >> 8) - 8388608.0f) / 8388608.0f; }

void sj_lab_contracted(const float *got, uint32_t first, uint32_t count, uint32_t differ[4]) {
  for (uint32_t i = first; i < first + count; i++, got += 4) {
    float a = number(3 * i), b = number(3 * i + 1), c = number(3 * i + 2), large = 512.0f * b;
    float product = a * b + c, difference = (a + large) - large;
    for (int k = 0; k < 4; k++) differ[k] += got[k] != (k < 2 ? product : difference);
  }
}
