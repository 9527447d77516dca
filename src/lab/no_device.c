// Replaces open.c in builds without Vulkan: no device is ever opened, and only instruments that need none run.
#include "base/context.h"
#include "lab/harness.h"

stijl_result sj_lab_open(sj_lab *lab) {
  return sj_fail(lab->message, STIJL_ERROR_UNSUPPORTED,
                 "this build has no Vulkan backend, which all of the lab needs but cpu, scene and report");
}

void sj_lab_close(sj_lab *lab) { (void)lab; }
