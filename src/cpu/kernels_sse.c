#include "cpu/kernels.h"

#include "cpu/vec_sse.h"
#include "cpu/simd_cover.h"
#include "cpu/simd_filter.h"
#include "cpu/simd_flatten.h"
#include "cpu/simd_store.h"
#include "cpu/simd_sweep.h"
#include "cpu/simd_small.h"

const sj_kernels sj_kernels_sse = {STIJL_ISA_SSE, sizeof(vi), flatten, flatten_fills, line_box, cover,         sweep,
                                   clear,         STREAM,     fill,    PAINT_SMALL,   ramp,     FILTER_KERNELS};
