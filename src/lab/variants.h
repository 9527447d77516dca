// Compares variants of one kernel: how long each takes, and what the compiler made of it.
#ifndef SJ_LAB_VARIANTS_H
#define SJ_LAB_VARIANTS_H

#include "lab/statistics.h"

enum { SJ_LAB_MAX_VARIANTS = 16 };

typedef struct sj_lab_variant {
  const char *key, *name;
  const sj_vk_shader *shader;
  uint32_t constants[4], constant_count;
  const sj_buffer *buffers[4];  // by binding
  bool skipped;                 // the device cannot run it
} sj_lab_variant;

typedef struct sj_lab_comparison {
  const char *key, *title;
  const sj_lab_variant *variants;
  uint32_t count;
  sj_lab_case common;     // groups, push constants and bytes, which all variants share
  const sj_buffer *sums;  // one word for each of `lanes`, written by every variant
  const sj_buffer *back;  // where the host reads them
  uint32_t lanes;
  uint32_t (*expected)(const void *user, uint32_t lane);
  const void *user;
  uint32_t beside;  // index of the variant whose instructions are shown beside those of the first; 0: none
} sj_lab_comparison;

// What a compiler tells of a variant; NAN where it does not.
typedef struct sj_lab_compiled {
  double registers, spilled, loads_in_loops, loads_outside;
  char *assembly;  // NULL if there is none; freed before sj_lab_compare returns
} sj_lab_compiled;

// What was found of a variant; NAN where nothing was. `factor` is of the first variant's time.
typedef struct sj_lab_found {
  double us, low, high, factor, factor_low;
  sj_lab_compiled by[2];  // by the device's compiler, and by that of the device that only compiles
} sj_lab_found;

// Verifies, measures and compiles all variants, and writes a table and a plot. `found` has an entry for each.
stijl_result sj_lab_compare(sj_lab *lab, const sj_lab_comparison *c, sj_lab_found *found);

#endif
