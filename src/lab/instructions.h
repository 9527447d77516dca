// What a shader's SPIR-V has in it, counted as it is written: before the driver's compiler, and whichever way it goes.
// All that can be told of a shader where the driver tells nothing of what it compiles.
#ifndef SJ_LAB_INSTRUCTIONS_H
#define SJ_LAB_INSTRUCTIONS_H

#include "vulkan/spirv.h"

typedef struct sj_lab_instructions {
  uint32_t all;  // of functions
  uint32_t buffer_loads, buffer_stores, shared_loads, shared_stores, push_loads;
  uint32_t images, atomics, barriers, subgroup;
  uint32_t loops, branches, calls;
  uint32_t floats, integers, conversions;  // integers: of all sizes, with comparisons and bits
} sj_lab_instructions;

// STIJL_ERROR_MALFORMED for what has no head of SPIR-V; what is broken behind it ends the count.
stijl_result sj_lab_count_instructions(stijl_context *context, const sj_vk_shader *shader, sj_lab_instructions *out,
                                       stijl_message *message);

// The counts one by one, with their names; false for an index beyond the last.
bool sj_lab_instructions_get(const sj_lab_instructions *instructions, uint32_t index, const char **name,
                             uint32_t *count);

#endif
