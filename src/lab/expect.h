// What kernels of the lab have to leave in memory, for the command and for the lab in browsers (src/lab/web.c).
// Functions that count get a piece of a result, since browsers have it in pieces: `count` words from number `first` on,
// or so many rows.
#ifndef SJ_LAB_EXPECT_H
#define SJ_LAB_EXPECT_H

#include <stdbool.h>
#include <stdint.h>

#include "lab/cases.h"

// Word i of what kernels read is i * SJ_LAB_WORD.
#define SJ_LAB_WORD 2654435761u

// --- Loads (shaders/lab/access.comp) ---

#define SJ_LAB_PATTERN_(name) SJ_LAB_##name,
typedef enum sj_lab_pattern { SJ_LAB_PATTERNS(SJ_LAB_PATTERN_) SJ_LAB_PATTERN_COUNT } sj_lab_pattern;

typedef struct sj_lab_load {
  sj_lab_pattern pattern;
  uint32_t step;
  uint32_t bytes;  // of an element: 1, 2, 4, 8 or 16
} sj_lab_load;

// Returns the index of the element that load number i of 2^bits reads.
uint32_t sj_lab_place(sj_lab_pattern pattern, uint32_t step, uint32_t bits, uint32_t i);
// Writes the byte offsets of the elements that load number i reads, and returns how many these are, at most 4.
uint32_t sj_lab_words(const sj_lab_load *load, uint32_t bits, uint32_t i, uint64_t bytes[4]);
// Counts the lanes that do not have the sum of all that they have loaded, each `turns` times.
uint32_t sj_lab_wrong_sums(const uint32_t *got, uint32_t first, uint32_t count, const sj_lab_load *load, uint32_t bits,
                           uint32_t lanes, uint32_t turns);

// --- Copies, transposes, sums of 3x3 words ---

// Counts words that are not those that were read; or, of a fill, a quarter of their numbers.
uint32_t sj_lab_wrong_copies(const uint32_t *got, uint32_t first, uint32_t count);
uint32_t sj_lab_wrong_fills(const uint32_t *got, uint32_t first, uint32_t count);
// Counts wrong words in rows of the transpose of n x n words; of their sums with their neighbours, around the edges.
uint32_t sj_lab_wrong_transposed(const uint32_t *got, uint32_t row, uint32_t rows, uint32_t n);
uint32_t sj_lab_wrong_neighbours(const uint32_t *got, uint32_t row, uint32_t rows, uint32_t n);

// --- Products ---

// Of two matrices of n x n small whole numbers, so that every sum is exact and a product is either right or wrong.
typedef struct sj_lab_product {
  uint32_t n;
  uint64_t *x, *bx;  // of n numbers
} sj_lab_product;

// Writes numbers of the first factor, or of the second.
void sj_lab_factor(float *to, uint32_t first, uint32_t count, bool second);
// Makes x, and bx, its product with the second factor.
void sj_lab_product_begin(const sj_lab_product *product);
// Counts wrong rows.
uint32_t sj_lab_wrong_rows(const float *got, uint32_t row, uint32_t rows, const sj_lab_product *product);

// --- Contraction (shaders/lab/contraction.comp) ---

// Counts, for each of four expressions, results that are not as written: a * b + c, the same guarded, (a + b) - b,
// guarded.
void sj_lab_contracted(const float *got, uint32_t first, uint32_t count, uint32_t differ[4]);

#endif
