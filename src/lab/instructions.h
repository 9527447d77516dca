// Counts the instructions in a shader's SPIR-V, before the driver's compiler sees it and without regard to branches.
// Where a driver tells nothing about what it compiles, nothing more can be known.
#ifndef SJ_LAB_INSTRUCTIONS_H
#define SJ_LAB_INSTRUCTIONS_H

#include "vulkan/spirv.h"

typedef struct sj_lab_instructions {
  uint32_t all;  // within functions
  uint32_t buffer_loads, buffer_stores, shared_loads, shared_stores, push_loads;
  uint32_t images, atomics, barriers, subgroup;
  uint32_t loops, branches, calls;
  uint32_t floats, integers, conversions;  // integers of all sizes, with comparisons and operations on bits
} sj_lab_instructions;

// Returns STIJL_ERROR_MALFORMED where the head is not that of SPIR-V. Counting ends at the first broken instruction.
stijl_result sj_lab_count_instructions(stijl_context *context, const sj_vk_shader *shader, sj_lab_instructions *out,
                                       stijl_message *message);

// Gives the counts one by one with their names; returns false for an index beyond the last.
bool sj_lab_instructions_get(const sj_lab_instructions *instructions, uint32_t index, const char **name,
                             uint32_t *count);

#endif
