// SPIR-V, embedded at build time.
#include "lab/harness.h"

#define SHADER(name, of) const sj_vk_shader name = {"lab/" #of, of, sizeof of};

static const uint32_t number[] = {
#include "lab_number.spv.inc"
};
SHADER(sj_lab_number_shader, number)
static const uint32_t nothing[] = {
#include "lab_nothing.spv.inc"
};
SHADER(sj_lab_nothing, nothing)
static const uint32_t stream[] = {
#include "lab_stream.spv.inc"
};
SHADER(sj_lab_stream, stream)
static const uint32_t compute[] = {
#include "lab_compute.spv.inc"
};
SHADER(sj_lab_compute, compute)
static const uint32_t compute_clock[] = {
#include "lab_compute-clock.spv.inc"
};
SHADER(sj_lab_compute_clock, compute_clock)
static const uint32_t transpose[] = {
#include "lab_transpose.spv.inc"
};
SHADER(sj_lab_transpose_shader, transpose)
static const uint32_t matmul[] = {
#include "lab_matmul.spv.inc"
};
SHADER(sj_lab_matmul_shader, matmul)
static const uint32_t blocked[] = {
#include "lab_blocked.spv.inc"
};
SHADER(sj_lab_matmul_blocked, blocked)
