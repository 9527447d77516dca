#include "cpu/kernels.h"

#include "cpu/vec_avx2.h"
#include "cpu/simd_cover.h"
#include "cpu/simd_filter.h"
#include "cpu/simd_flatten.h"
#include "cpu/simd_store.h"
#include "cpu/simd_sweep.h"
#include "cpu/simd_small.h"

const sj_kernels sj_kernels_avx2 = {STIJL_ISA_AVX2, sizeof(vi), flatten, flatten_fills, line_box, cover,         sweep,
                                    clear,          STREAM,     fill,    PAINT_SMALL,   ramp,     FILTER_KERNELS};
