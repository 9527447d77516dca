// Instruments that compare variants of one kernel: which of them is slow, and what the compiler made of each.
#ifndef SJ_LAB_VARIANTS_H
#define SJ_LAB_VARIANTS_H

#include "lab/statistics.h"

enum { SJ_LAB_MAX_VARIANTS = 16 };

typedef struct sj_lab_variant {
  const char *key, *name;
  const sj_vk_shader *shader;
  uint32_t constants[4], constant_count;
  const sj_buffer *buffers[4];  // by binding
  bool skipped;                 // the device cannot
} sj_lab_variant;

typedef struct sj_lab_comparison {
  const char *key, *title;
  const sj_lab_variant *variants;
  uint32_t count;
  sj_lab_case common;     // groups, push constants, bytes: the same for all
  const sj_buffer *sums;  // a word for each of `lanes`, written by every variant
  const sj_buffer *back;  // the host's copy
  uint32_t lanes;
  uint32_t (*expected)(const void *user, uint32_t lane);
  const void *user;
  uint32_t beside;  // whose instructions are shown beside those of the first; 0: none are shown
} sj_lab_comparison;

// What a compiler has made of a variant; NAN where it does not tell.
typedef struct sj_lab_compiled {
  double registers, spilled, loads_in_loops, loads_outside;
  char *assembly;  // while variants are compared; or NULL
} sj_lab_compiled;

// What was found of a variant; NAN where there is nothing.
typedef struct sj_lab_found {
  double us, factor, factor_low;
  sj_lab_compiled by[2];  // the device's compiler, and that of the device that only compiles
} sj_lab_found;

// Verifies, measures and compiles all variants, and writes a table and a plot.
stijl_result sj_lab_compare(sj_lab *lab, const sj_lab_comparison *c, sj_lab_found *found);

#endif
