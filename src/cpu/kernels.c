#include "cpu/kernels.h"

extern const sj_kernels sj_kernels_scalar, sj_kernels_sse, sj_kernels_avx2, sj_kernels_avx512, sj_kernels_neon,
    sj_kernels_wasm;

#if defined(__x86_64__) || defined(__i386__)
// The C library has asked the processor already. The compiler's own code would ask again whenever a process starts, and
// in a virtual machine each answer takes microseconds.
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
// Does what CPU_FEATURE_ACTIVE does, which shifts a signed 1 to the sign bit.
static bool is_active(uint32_t feature) {
  return __x86_get_cpuid_feature_leaf(feature / 128)->active_array[feature / 32 % 4] >> feature % 32 & 1;
}
#define HAS(upper, lower) is_active(x86_cpu_##upper)
#else
#define HAS(upper, lower) __builtin_cpu_supports(lower)
#endif

static bool has_avx2(void) { return HAS(AVX2, "avx2") && HAS(BMI2, "bmi2"); }
static bool has_avx512(void) {
  return has_avx2() && HAS(AVX512F, "avx512f") && HAS(AVX512BW, "avx512bw") && HAS(AVX512DQ, "avx512dq") &&
         HAS(AVX512VL, "avx512vl");
}
#endif

const sj_kernels *sj_kernels_for(stijl_isa isa) {
  switch (isa) {
    case STIJL_ISA_SCALAR: return &sj_kernels_scalar;
#if defined(__x86_64__) || defined(__i386__)
    case STIJL_ISA_AUTO: return has_avx512() ? &sj_kernels_avx512 : has_avx2() ? &sj_kernels_avx2 : &sj_kernels_sse;
    case STIJL_ISA_SSE: return &sj_kernels_sse;
    case STIJL_ISA_AVX2: return has_avx2() ? &sj_kernels_avx2 : NULL;
    case STIJL_ISA_AVX512: return has_avx512() ? &sj_kernels_avx512 : NULL;
#else
    case STIJL_ISA_SSE:
    case STIJL_ISA_AVX2:
    case STIJL_ISA_AVX512: return NULL;
#endif
#if defined(__aarch64__)
    case STIJL_ISA_AUTO:
    case STIJL_ISA_NEON: return &sj_kernels_neon;
#else
    case STIJL_ISA_NEON: return NULL;
#endif
#if defined(__wasm_simd128__)
    case STIJL_ISA_AUTO:
    case STIJL_ISA_WASM: return &sj_kernels_wasm;
#else
    case STIJL_ISA_WASM: return NULL;
#endif
#if !defined(__x86_64__) && !defined(__i386__) && !defined(__aarch64__) && !defined(__wasm_simd128__)
    case STIJL_ISA_AUTO: return &sj_kernels_scalar;
#endif
  }
  return NULL;
}
