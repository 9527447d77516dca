// Reads what a driver's compiler tells about a pipeline (VK_KHR_pipeline_executable_properties).
#ifndef SJ_LAB_STATISTICS_H
#define SJ_LAB_STATISTICS_H

#include "lab/harness.h"

enum { SJ_LAB_MAX_STATISTICS = 40 };
enum { SJ_LAB_NVIDIA = 0x10de };  // a vendorID

typedef struct sj_lab_statistics {
  uint32_t count;
  struct {
    char name[64];
    double value;
  } all[SJ_LAB_MAX_STATISTICS];
  // Statistics that drivers have by different names; NAN where the driver does not tell.
  double registers, spilled, shared_bytes, code_bytes;
  char *assembly;  // machine instructions as the driver or nvdisasm writes them; NULL where there are none
} sj_lab_statistics;

// Compiles a shader and reads its statistics; all are NAN where the device has none. sj_lab_statistics_finish frees
// them.
stijl_result sj_lab_compile(sj_lab *lab, const sj_vk_shader *shader, const uint32_t *constants, uint32_t count,
                            sj_lab_statistics *out);
void sj_lab_statistics_finish(sj_lab *lab, sj_lab_statistics *statistics);

// Returns how many lanes a device can have at work at a time, or how many of them a kernel's registers leave, by whole
// workgroups of `group` lanes (1: by subgroups); NAN where the device or its compiler does not tell.
double sj_lab_most_lanes(const sj_lab *lab);
double sj_lab_lanes_by_registers(const sj_lab *lab, double registers, uint32_t group);

// Opens a device that only compiles, to compare with: Mesa's RADV, where RADV_FORCE_FAMILY names a chip. Returns false
// where there is none; otherwise the caller closes it with sj_lab_close.
bool sj_lab_open_compiler(sj_lab *lab, sj_lab *out);

// Says, once, that there are no statistics, and how to have those of AMD too.
void sj_lab_say_compilers(sj_lab *lab, bool has_compiler);

#endif
