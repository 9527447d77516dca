// NVIDIA's machine code: the driver keeps it to itself but for its pipeline cache.
#ifndef SJ_LAB_NVIDIA_H
#define SJ_LAB_NVIDIA_H

#include "lab/harness.h"

// The code of the one shader in a pipeline cache, as the driver 580 writes it, to be freed with sj_free; NULL where it
// is written in another way, or libzstd is not installed.
stijl_result sj_lab_nvidia_code(stijl_context *context, const void *cache, size_t bytes, void **code, size_t *count);

// Has it disassembled by nvdisasm, which comes with CUDA; NULL where that, or nvidia-smi, is not on PATH.
stijl_result sj_lab_nvidia_disassemble(sj_lab *lab, const void *code, size_t bytes, char **assembly);

#endif
