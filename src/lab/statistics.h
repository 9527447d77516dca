// What a driver's compiler tells about a pipeline (VK_KHR_pipeline_executable_properties).
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
  // Of those, what drivers have by other names; NAN where it is not told.
  double registers, spilled, shared_bytes, code_bytes;
  char *assembly;  // the machine's instructions, in the driver's words or nvdisasm's; NULL where they are not to be had
} sj_lab_statistics;

// Compiles a shader and reads what there is. Nothing (all NAN) where the device has no statistics.
stijl_result sj_lab_compile(sj_lab *lab, const sj_vk_shader *shader, const uint32_t *constants, uint32_t count,
                            sj_lab_statistics *out);
void sj_lab_statistics_finish(sj_lab *lab, sj_lab_statistics *statistics);

// The lanes that a device can have at work at a time, and those that a kernel's registers leave of them by whole
// workgroups of `group` (1: by subgroups); NAN where the device or its compiler does not tell.
double sj_lab_most_lanes(const sj_lab *lab);
double sj_lab_lanes_by_registers(const sj_lab *lab, double registers, uint32_t group);

// A device that only compiles, to compare with: Mesa's RADV, where RADV_FORCE_FAMILY names a chip. False where there is
// none. Closed by sj_lab_close.
bool sj_lab_open_compiler(sj_lab *lab, sj_lab *out);

// Says, once, where there are no statistics, and how to have those of AMD too.
void sj_lab_say_compilers(sj_lab *lab, bool has_compiler);

#endif
