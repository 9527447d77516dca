// Gets NVIDIA's machine code, which the driver shows nowhere but in its pipeline cache.
#ifndef SJ_LAB_NVIDIA_H
#define SJ_LAB_NVIDIA_H

#include "lab/harness.h"

// Copies the code of the one shader in a pipeline cache, in the format of the driver 580; the caller frees *code with
// sj_free. *code is NULL where the format is another, or libzstd is not installed.
stijl_result sj_lab_nvidia_code(stijl_context *context, const void *cache, size_t bytes, void **code, size_t *count);

// Disassembles code with nvdisasm, which comes with CUDA; the caller frees *assembly with sj_free. It is NULL where
// nvdisasm or nvidia-smi is not on PATH.
stijl_result sj_lab_nvidia_disassemble(sj_lab *lab, const void *code, size_t bytes, char **assembly);

#endif
