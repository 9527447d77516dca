#include "cpu/kernels.h"

#include "cpu/vec_neon.h"
#include "cpu/simd_cover.h"
#include "cpu/simd_filter.h"
#include "cpu/simd_flatten.h"
#include "cpu/simd_store.h"
#include "cpu/simd_sweep.h"
#include "cpu/simd_small.h"

const sj_kernels sj_kernels_neon = {STIJL_ISA_NEON, sizeof(vi), flatten, flatten_fills, line_box, cover,         sweep,
                                    clear,          STREAM,     fill,    PAINT_SMALL,   ramp,     FILTER_KERNELS};
