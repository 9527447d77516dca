// Finds loads from memory, and the loops that they are in, in machine instructions as RADV and nvdisasm write them.
#ifndef SJ_LAB_ASSEMBLY_H
#define SJ_LAB_ASSEMBLY_H

#include "lab/page.h"

typedef struct sj_lab_loads {
  uint32_t in_loops, outside;  // instructions that load from memory for each lane
} sj_lab_loads;

// Counts the loads of a listing. Returns false when memory is short.
bool sj_lab_find_loads(stijl_context *context, const char *assembly, sj_lab_loads *out);

// Writes two shaders' instructions: for HTML side by side, with loads marked and loops drawn; in JSON as they are,
// under key_0 and key_1. Returns false when memory is short.
bool sj_lab_write_assemblies(sj_lab_page *page, const char *key, const char *title, const char *const names[2],
                             const char *const assemblies[2]);

#endif
