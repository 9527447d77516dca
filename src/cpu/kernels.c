#include "cpu/kernels.h"

const sj_kernels *sj_kernels_for(stijl_isa isa) {
  switch (isa) {
    case STIJL_ISA_AUTO:
    case STIJL_ISA_SCALAR: return &sj_kernels_scalar;
    default: return NULL;
  }
}
